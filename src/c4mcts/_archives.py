"""Archives: .npz files with `about`, a JSON object in an array of one string, and other arrays; and .tar.gz files.

Zip files have a checksum of each array.
"""

import errno
import io
import math
import struct
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import numpy.typing as npt

from ._validation import brief
from .errors import SaveError

if TYPE_CHECKING:
    import zipfile  # like json imported in functions instead: they take a few ms, and most programs don't write files


Axis = int | Container[int]  # the length of an axis of an array, or the lengths that it may have

FAST = 1  # level of compression: trees shrink to an eighth; level 6 takes five times as long to save another third
SMALL = 9  # of what is saved once and read often
CHUNK = 1 << 20  # bytes that are read at a time
MAX_ABOUT = 1 << 18  # bytes of `about`; it takes 30,000 for a 64 x 64 board
ALIGNMENT = 64  # bytes, as NumPy's headers have
# Of the zip format: bytes of a member's header, and of its field for 64-bit sizes; the kind of a field of padding.
LOCAL_HEADER, ZIP64_FIELD, PADDING = 30, 20, 0xD935
MAX_HEADER = 1 << 12  # characters of the header of an array
MAX_RATIO = 1032  # highest compression ratio of deflate
LARGE = 1 << 26  # bytes of an array above which its compression ratio is limited further
LARGE_RATIO = 200  # so that a small file can't take much memory; measured: up to 40, the nodes of a tree of 64 x 64


def tar_gz(files: Mapping[str, bytes]) -> bytes:
    """A .tar.gz archive; the same bytes for the same files."""
    import gzip
    import tarfile

    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return gzip.compress(buffer.getvalue(), 6, mtime=0)  # 9 takes three times as long, for 0.2 % less


def pack(about: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]], level: int = FAST) -> bytes:
    """The bytes of an archive. about: JSON types; level: of compression."""
    buffer = io.BytesIO()
    pack_into(buffer, about, arrays, level)
    return buffer.getvalue()


def pack_into(
    file: BinaryIO, about: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]], level: int | None = None
) -> None:
    """Write an archive into an empty file; see `pack`. OSError.

    level: None for arrays that can be mapped into memory, without compression; see `Archive.mapped`.
    """
    import json
    import zipfile

    archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=level)
    try:
        for name, array in {"about": np.array(json.dumps(about)), **arrays}.items():
            little = np.asarray(array, array.dtype.newbyteorder("<"), order="C")
            info = _aligned(f"{name}.npy", file.tell()) if level is None else f"{name}.npy"
            with archive.open(info, "w", force_zip64=True) as member:
                np.lib.format.write_array(member, little, version=(1, 0), allow_pickle=False)
        archive.close()
    finally:
        archive.fp = None  # interrupted inside a member, it could not be closed; the file is useless then


def _aligned(name: str, start: int) -> "zipfile.ZipInfo":
    """A member of an archive that is not compressed, and whose array is aligned. start: where in the file it begins."""
    import zipfile

    info = zipfile.ZipInfo(name)
    padding = -(start + LOCAL_HEADER + len(name) + ZIP64_FIELD + 4) % ALIGNMENT
    info.extra = struct.pack("<HH", PADDING, padding) + bytes(padding)
    return info


@contextmanager
def unpacked(file: BinaryIO | str, wrong: str) -> "Iterator[Archive]":
    """Read an archive that `pack` made. file: open, or its path.

    wrong: the message of the SaveError that replaces any error while the archive is opened or used. Raises OSError too.
    """
    import zipfile

    try:
        with zipfile.ZipFile(file) as archive:
            yield Archive(archive, wrong)
    except SaveError:
        raise
    except MemoryError:
        raise SaveError(f"{wrong}: it needs more memory than there is") from None
    except Exception as error:  # NumPy and zipfile raise many types
        if isinstance(error, OSError) and error.errno != errno.EINVAL:  # EINVAL: seeking before the start of the file
            raise
        raise SaveError(wrong) from None


class Archive:
    """The arrays of an open archive. Methods raise ValueError, or any error of zipfile and NumPy, for damaged data."""

    def __init__(self, archive: "zipfile.ZipFile", wrong: str) -> None:
        self._archive, self._wrong = archive, wrong

    def about(self, limit: int = MAX_ABOUT, **expected: object) -> dict[str, Any]:
        """The JSON object `about`. limit: of its size in bytes. expected: values in it; SaveError for others."""
        import json

        with self._opened("about") as (member, info):
            dtype, shape = header(member)
            if dtype.str[:2] != "<U" or shape or dtype.itemsize > limit:
                raise ValueError("about is not a string, or too long")
            text = _content(member, info.file_size, dtype.itemsize).tobytes()
        about = json.loads(text.decode("utf-32-le"))  # NumPy would accept invalid characters
        if not isinstance(about, dict):
            raise ValueError("about is not an object")
        for name, value in expected.items():
            if about.get(name) != value:
                raise SaveError(f"{self._wrong}: its {name} is {brief(about.get(name))}, this release reads {value!r}")
        return about

    def array(self, name: str, dtype: npt.DTypeLike, shape: tuple[Axis, ...]) -> npt.NDArray[Any]:
        """An array. ValueError if it has another dtype or shape, which is checked before it is decompressed."""
        kind = np.dtype(dtype)
        with self._opened(name) as (member, info):
            stored, lengths = _checked_header(member, name, kind, shape)
            if info.file_size > max(LARGE, LARGE_RATIO * info.compress_size):
                raise ValueError(f"{name} is compressed too well for such an array")
            content = _content(member, info.file_size, math.prod(lengths) * stored.itemsize)
        return content.view(stored).reshape(lengths).astype(kind, copy=False)

    def mapped(self, name: str, dtype: npt.DTypeLike, shape: tuple[Axis, ...]) -> npt.NDArray[Any]:
        """An array mapped into memory, of an archive in a file that is not compressed; checked as by `array`."""
        with self._opened(name) as (member, info):
            stored, lengths = _checked_header(member, name, np.dtype(dtype), shape)
            header = member.tell()
        file: Any = self._archive.fp
        if info.compress_size != info.file_size or info.file_size - header != math.prod(lengths) * stored.itemsize:
            raise ValueError("the array is of another size, or compressed")
        file.seek(info.header_offset + LOCAL_HEADER - 4)
        header += info.header_offset + LOCAL_HEADER + sum(struct.unpack("<HH", file.read(4)))  # of its name and fields
        mapped: npt.NDArray[Any] = np.memmap(file, stored, "r", header, lengths)
        return mapped

    @contextmanager
    def _opened(self, name: str) -> "Iterator[tuple[zipfile.ZipExtFile, zipfile.ZipInfo]]":
        """A member, after a check that the compression ratio is possible."""
        import zipfile

        info = self._archive.getinfo(f"{name}.npy")
        is_readable = info.compress_type in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED)
        if not is_readable or info.file_size > MAX_RATIO * info.compress_size:
            raise ValueError(f"{name} has another compression, or an impossible size")
        with self._archive.open(info) as member:
            yield member, info  # type: ignore[misc]


def header(member: Any) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """The dtype and shape in the header of an array."""
    if np.lib.format.read_magic(member) != (1, 0):
        raise ValueError("the array is of another version")  # other versions may have headers of any length
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(member, max_header_size=MAX_HEADER)
    if fortran or any(length < 0 for length in shape):
        raise ValueError("the array is in Fortran order, or has a negative length")
    return dtype, shape


def _checked_header(
    member: Any, name: str, kind: np.dtype[Any], shape: tuple[Axis, ...]
) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """The little-endian dtype and the shape in the header of an array. ValueError if they are not those expected."""
    stored, lengths = header(member)
    fit = len(lengths) == len(shape) and all(
        length == axis if isinstance(axis, int) else length in axis for length, axis in zip(lengths, shape, strict=True)
    )
    if stored != kind.newbyteorder("<") or not fit:
        raise ValueError(f"{name} is an array of {stored} of the shape {lengths}")
    return stored, lengths


def _content(member: Any, size: int, expected: int) -> npt.NDArray[np.uint8]:
    """The rest of a member of `size` bytes. ValueError unless `expected` bytes remain."""
    if size - member.tell() != expected:
        raise ValueError("the array is of another size")
    content = np.empty(expected, np.uint8)
    done = 0
    while chunk := member.read(CHUNK):  # reading the end makes zipfile compare the checksum
        content[done : done + len(chunk)] = np.frombuffer(chunk, np.uint8)
        done += len(chunk)
    if done != expected:
        raise EOFError
    return content

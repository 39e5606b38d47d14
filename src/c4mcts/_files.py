"""Atomic writing of files, and archives: .npz files with `about`, a JSON object in an array of one string, and other
arrays. Zip files have a checksum of each array.
"""

import errno
import io
import math
import os
import re
import stat
import struct
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import numpy.typing as npt

from ._named import installed_by
from ._validation import must_be
from .errors import SaveError

if TYPE_CHECKING:
    import zipfile  # like json imported in functions instead: they take a few ms, and most programs don't write files

StrPath = str | os.PathLike[str]
Axis = int | range  # the length of an axis of an array, or the lengths that it may have

FILE_ENDINGS = (".npz", ".parquet", ".csv", ".json", ".txt", ".png", ".svg", ".html")  # what no folder ends in
DESCRIPTOR = re.compile("/dev/stdout|/dev/stderr|/dev/fd/|/proc/")  # paths of open files of a process
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


def path_of(name: str, path: object, *endings: str) -> str:
    """A str or os.PathLike as a string. Numbers, which open() takes too, are refused. TypeError, ValueError.

    endings: that the name of the file may have, in lower case; by default any.
    """
    text = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(text, str):
        raise TypeError(must_be(name, "a path, a str or an os.PathLike of one", path))
    if not text.lower().endswith(endings or ""):
        raise ValueError(must_be(name, f"a name that ends in {' or '.join(endings)}", text))
    with suppress(UnicodeError):
        if text and b"\0" not in os.fsencode(text):
            return text
    raise ValueError(must_be(name, "a path that the system can write", path))


def folder_path(name: str, path: object) -> str:
    """As path_of, of a folder. ValueError for a name that means a file, unless there is a folder of that name."""
    where = path_of(name, path)
    if where.lower().endswith(FILE_ENDINGS) and not os.path.isdir(where):
        raise ValueError(must_be(name, "the name of a folder", where))
    return where


def encoding_of(start: bytes) -> str:
    """The encoding of a text, by its byte order mark: programs for Windows write UTF-8 with one, and UTF-16."""
    return "utf-16" if start.startswith((BOM_UTF16_BE, BOM_UTF16_LE)) else "utf-8-sig"


def json_types(value: Any) -> Any:
    """A dataclass as a dict, tuples as lists."""
    if is_dataclass(value):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, dict):
        return {name: json_types(each) for name, each in value.items()}
    return [json_types(each) for each in value] if isinstance(value, tuple | list) else value


def write_table(path: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows that have the same keys: to a .parquet file, which needs pyarrow, else in the CSV format. None and NaN
    become empty fields. ModuleNotFoundError, OSError.
    """
    table = [{name: _cell(value) for name, value in row.items()} for row in rows]
    if is_parquet(path):
        write_parquet(path, pyarrow().Table.from_pylist(table))
        return
    import csv

    text = io.StringIO()
    writer = csv.DictWriter(text, list(table[0]) if table else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    write(path, text.getvalue().encode())


def _cell(value: Any) -> Any:
    """A cell of a table. The names of files may have surrogates, which become JSON's escapes."""
    if isinstance(value, str):
        return value.encode(errors="backslashreplace").decode()
    return None if value != value else value


def is_parquet(path: str) -> bool:
    return path.lower().endswith(".parquet")


def write_parquet(path: str, table: Any) -> None:
    """Write a table of pyarrow. OSError."""
    file = io.BytesIO()
    pyarrow().parquet.write_table(table, file)
    write(path, file.getvalue())


def pyarrow() -> Any:
    """The module. ModuleNotFoundError, which says how to install it."""
    with installed_by("parquet"):
        import pyarrow
        import pyarrow.parquet
    return pyarrow


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


def write(path: str, data: bytes) -> None:
    """Write a file atomically; see `replacing`. Raises OSError.

    A symbolic link is kept, and its target replaced. A device, a pipe or /dev/stdout can't be replaced: the data is
    appended to it.
    """
    mode = _mode(path)
    if mode is not None and (not stat.S_ISREG(mode) or DESCRIPTOR.match(os.path.abspath(path))):
        with open(path, "ab") as file:
            file.write(data)
    else:
        with replacing(os.path.realpath(path)) as file:
            file.write(data)


@contextmanager
def replacing(path: str) -> Iterator[BinaryIO]:
    """A new file to write, which replaces the one at the path when the block ends without an exception.

    So at any moment the path holds the whole old file or the whole new one. The new file gets the mode of the old one.
    OSError.
    """
    mode = _mode(path)
    part = os.path.join(os.path.dirname(path), f"c4mcts-{os.urandom(6).hex()}.part")
    try:
        private = partial(os.open, mode=0o666 if mode is None else 0o600)
        with open(part, "xb", opener=private) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None and os.name == "posix":  # Windows can't replace read-only files
            os.chmod(part, stat.S_IMODE(mode))
        os.replace(part, path)
    except BaseException as error:
        with suppress(OSError):
            os.remove(part)
        if isinstance(error, OSError) and error.filename == part:
            error.filename = path
        raise


def _mode(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


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
            yield Archive(archive)
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

    def __init__(self, archive: "zipfile.ZipFile") -> None:
        self._archive = archive

    def about(self, limit: int = MAX_ABOUT) -> dict[str, Any]:
        """The JSON object `about`. limit: of its size in bytes."""
        import json

        with self._opened("about") as (member, info):
            dtype, shape = header(member)
            if dtype.str[:2] != "<U" or shape or dtype.itemsize > limit:
                raise ValueError("about is not a string, or too long")
            text = _content(member, info.file_size, dtype.itemsize).tobytes()
        about = json.loads(text.decode("utf-32-le"))  # NumPy would accept invalid characters
        if not isinstance(about, dict):
            raise ValueError("about is not an object")
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
        """As `array`, mapped into memory; of an archive in a file that is not compressed."""
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
        length in axis if isinstance(axis, range) else length == axis
        for length, axis in zip(lengths, shape, strict=True)
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

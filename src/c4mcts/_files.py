"""Files: written whole or not at all; and archives, .npz files that NumPy reads too, read here without trust in them.

An archive holds `about`, JSON in an array of one string, and other arrays. The zip file's comment, its last 64 bytes,
is the SHA-256 of all bytes before it, in hexadecimal.
"""

import errno
import hashlib
import io
import json
import math
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import numpy.typing as npt

from ._validation import refused
from .errors import SaveError

if TYPE_CHECKING:
    import zipfile  # otherwise imported where it is used: it takes 5 ms, and most programs write no file

Axis = int | range  # how long an axis of an array must be, or may be

HASH = hashlib.sha256
HASH_SIZE = 64  # in hexadecimal
DESCRIPTOR = re.compile("/dev/stdout|/dev/stderr|/dev/fd/|/proc/")  # names of what a process has opened
LEVEL = 1  # of the compression: trees shrink to an eighth; 6 takes five times as long to save a third of that
PIECE = 1 << 20  # bytes that are read at a time
MAX_ABOUT = 1 << 18  # bytes of the longest `about`; that of a board of 64 x 64 has 30,000
MAX_HEADER = 1 << 12  # characters of an array's header
MAX_RATIO = 1032  # bytes that a byte of deflated data can stand for


def path_of(name: str, path: object) -> str:
    """The path of a file as a string, of a str or an os.PathLike (open takes numbers too). TypeError, ValueError."""
    try:
        text = os.fspath(path)  # type: ignore[call-overload]
    except Exception:  # of an object's own method
        text = None
    if not isinstance(text, str):
        raise TypeError(refused(name, "a path, a str or an os.PathLike of one", path))
    try:
        possible = text != "" and b"\0" not in os.fsencode(text)
    except UnicodeError:
        possible = False
    if not possible:
        raise ValueError(refused(name, "a path that the system can write", path))
    return text


def write(path: str, data: bytes) -> None:
    """All of it or nothing: whatever happens meanwhile, the path holds the old file or the new one. Raises OSError.

    A link stays, and leads to the new file; a file that was there leaves its mode to the new one. A device, a pipe or
    /dev/stdout can't be replaced: it gets the data after what it got before.
    """
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and (not stat.S_ISREG(mode) or DESCRIPTOR.match(os.path.abspath(path))):
        with open(path, "ab") as file:
            file.write(data)
        return
    target = os.path.realpath(path)
    part = os.path.join(os.path.dirname(target), f"c4mcts-{os.urandom(6).hex()}.part")
    try:
        private = partial(os.open, mode=0o666 if mode is None else 0o600)
        with open(part, "xb", opener=private) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None and os.name == "posix":  # elsewhere there is but one bit, and a file that has it stays
            os.chmod(part, stat.S_IMODE(mode))
        os.replace(part, target)
    except BaseException as error:
        with suppress(OSError):
            os.remove(part)
        if isinstance(error, OSError) and error.filename == part:
            error.filename = path
        raise


def pack(about: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """An archive. about: ready for JSON."""
    import zipfile

    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        archive.comment = bytes(HASH_SIZE)
        for name, array in {"about": np.array(json.dumps(about)), **arrays}.items():
            little = np.asarray(array, array.dtype.newbyteorder("<"), order="C")
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, little, version=(1, 0), allow_pickle=False)
    with buffer.getbuffer() as view:
        view[-HASH_SIZE:] = HASH(view[:-HASH_SIZE]).hexdigest().encode()
    return buffer.getvalue()


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """A file to read from its start, as often as need be. Raises OSError."""
    with open(path, "rb") as file:
        if file.seekable():
            yield file
        else:
            start = file.read(4)  # a pipe may have no end
            yield io.BytesIO(start + file.read() if start == b"PK\3\4" else start)


@contextmanager
def unpacked(file: BinaryIO, wrong: str) -> "Iterator[Archive]":
    """What `pack` made, in a file.

    wrong: what to say if anything is wrong with it, or goes wrong while it is looked at. Raises SaveError, OSError.
    """
    import zipfile

    try:
        _check_hash(file)
        with zipfile.ZipFile(_Pieces(file)) as archive:
            yield Archive(archive)
    except SaveError:
        raise
    except MemoryError:
        raise SaveError(f"{wrong}: it needs more memory than there is") from None
    except Exception as error:  # NumPy and zipfile raise many kinds
        if isinstance(error, OSError) and error.errno != errno.EINVAL:  # which is a place before the file's start
            raise
        raise SaveError(wrong) from None


class Archive:
    """The arrays of an archive. ValueError, and anything else that zipfile and NumPy raise, for what can't be read."""

    def __init__(self, archive: "zipfile.ZipFile") -> None:
        self._archive = archive
        places = sorted((info.header_offset, info.compress_size) for info in archive.infolist())
        if any(place + size > following for (place, size), (following, _) in pairwise(places)):
            raise ValueError("members overlap")

    def about(self) -> dict[str, Any]:
        """The JSON."""
        with self._opened("about") as (member, size):
            dtype, shape = _header(member)
            if dtype.str[:2] != "<U" or shape or dtype.itemsize > MAX_ABOUT:
                raise ValueError("about is no string, or too long a one")
            text = _content(member, size, dtype.itemsize).tobytes()
        about = json.loads(text.decode("utf-32-le"))  # NumPy would make strings of what are no characters
        if not isinstance(about, dict):
            raise ValueError("about is no object")
        return about

    def array(self, name: str, dtype: npt.DTypeLike, shape: tuple[Axis, ...]) -> npt.NDArray[Any]:
        """The array of that name, if dtype and shape are these; otherwise ValueError, before it is unpacked."""
        wanted = np.dtype(dtype)
        with self._opened(name) as (member, size):
            found, lengths = _header(member)
            fit = len(lengths) == len(shape) and all(
                length in axis if isinstance(axis, range) else length == axis
                for length, axis in zip(lengths, shape, strict=True)
            )
            if found != wanted.newbyteorder("<") or not fit:
                raise ValueError(f"{name} is an array of {found} of the shape {lengths}")
            content = _content(member, size, math.prod(lengths) * found.itemsize)
        return content.view(found).reshape(lengths).astype(wanted, copy=False)

    @contextmanager
    def _opened(self, name: str) -> "Iterator[tuple[zipfile.ZipExtFile, int]]":
        """A member, and how many bytes it holds, of which so few are packed that it may be true."""
        import zipfile

        info = self._archive.getinfo(f"{name}.npy")
        if info.compress_type != zipfile.ZIP_DEFLATED or info.file_size > MAX_RATIO * info.compress_size:
            raise ValueError(f"{name} is packed in another way")
        with self._archive.open(info) as member:
            yield member, info.file_size  # type: ignore[misc]


class _Pieces:
    """A file for zipfile, which reads the table of contents at once, however long the file says it is."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(PIECE + 1 if size < 0 else min(size, PIECE + 1))
        if len(data) > PIECE:
            raise ValueError("too long a piece")
        return data


def _check_hash(file: BinaryIO) -> None:
    """ValueError if the file doesn't end with the hash of what is before it."""
    left = file.seek(0, os.SEEK_END) - HASH_SIZE
    file.seek(max(0, left))
    expected = file.read(HASH_SIZE + 1)
    if not re.fullmatch(rb"[0-9a-f]{64}", expected):
        raise ValueError("there is no hash")
    file.seek(0)
    found = HASH()
    while left > 0 and (piece := file.read(min(left, PIECE))):
        found.update(piece)
        left -= len(piece)
    if found.hexdigest().encode() != expected:
        raise ValueError("there is another hash")


def _header(member: Any) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """What an array says of itself."""
    if np.lib.format.read_magic(member) != (1, 0):
        raise ValueError("the array is of another version")  # whose header may be of any length
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(member, max_header_size=MAX_HEADER)
    if fortran or any(length < 0 for length in shape):
        raise ValueError("the array has another order")
    return dtype, shape


def _content(member: Any, size: int, expected: int) -> npt.NDArray[np.uint8]:
    """The rest of a member of so many bytes, in bytes, if they are as many as expected."""
    if size - member.tell() != expected:
        raise ValueError("the array is of another size")
    content = np.empty(expected, np.uint8)
    done = 0
    while done < expected:
        piece = member.read(min(PIECE, expected - done))
        if not piece:
            raise EOFError
        content[done : done + len(piece)] = np.frombuffer(piece, np.uint8)
        done += len(piece)
    if member.read(1):  # zipfile compares its checksum at the end
        raise ValueError("the array is longer")
    return content

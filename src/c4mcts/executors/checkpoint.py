"""Checkpoints: files with the finished results of an experiment or of self-play, from which the same call continues.

The format is JSON lines. The first line is [description of the work with all arguments, checksum], each later one is
[index of a job, result, checksum]. A checksum is the CRC-32 of the rest of its line, in eight hexadecimal digits. For
results it starts from the CRC-32 of the first line, so that a line copied into another file is rejected.
"""

import errno
import json
import os
import re
import sys
import warnings
import zlib
from contextlib import suppress
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from weakref import WeakSet

from .. import _platform
from .._files import StrPath, path_of, regular
from .._validation import shown
from ..errors import CheckpointError
from ..seeds import SIGNATURE, root_seed

if sys.platform == "win32":
    import msvcrt
elif not _platform.IS_WASM:
    import fcntl

LOCKED_BYTE = 1 << 40  # Windows locks bytes against reading too, so a byte beyond the end is locked
NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)  # errors of a file system without locks


class LockedFile(FileIO):
    """A file, created if missing, that nobody else can open this way until it is closed or the process ends.

    path: of a regular file; a link is refused, as what it points to may be any file of the user.

    Raises CheckpointError naming the path, OSError.
    """

    def __init__(self, path: StrPath) -> None:
        self.path = path
        while True:
            try:
                super().__init__(path, "r+", opener=_open_or_make)
            except ValueError as error:
                raise CheckpointError(f"checkpoint {path} can't be continued: {error}") from None
            try:
                _OPEN.add(self)
                self._lock()
                if self._is_in_place():
                    return
            except BaseException:
                self.close()
                raise

    def remove(self) -> None:
        """Remove the file, and close it. OSError."""
        if sys.platform == "win32":  # which can't remove an open file: one that another program has opened stays
            self.close()
            with suppress(FileNotFoundError, PermissionError):
                os.remove(self.path)
        else:
            os.remove(self.path)
            self.close()

    def _lock(self) -> None:
        """CheckpointError if the file is in use. The system releases the lock when the process ends in any way."""
        try:
            if sys.platform == "win32":
                self.seek(LOCKED_BYTE)
                msvcrt.locking(self.fileno(), msvcrt.LK_NBLCK, 1)
                self.seek(0)
            elif _platform.IS_WASM:  # which has no locks, and needs none against other processes
                if any(file is not self and _are_same(file, self) for file in _OPEN):
                    raise BlockingIOError
            else:
                fcntl.flock(self, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            raise CheckpointError(f"checkpoint {self.path} is in use, by another process or call") from None
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
            words = f"checkpoint {self.path} can't be locked on this file system: use it in one process only"
            warnings.warn(words, RuntimeWarning, stacklevel=2)

    def _is_in_place(self) -> bool:
        """Whether the path still leads here: whoever had the file before may have removed it."""
        try:
            return os.path.samestat(os.fstat(self.fileno()), os.lstat(self.path))
        except FileNotFoundError:
            return False


def _are_same(one: FileIO, other: FileIO) -> bool:
    """Whether two open files are one; a closed file is none."""
    return not one.closed and os.path.sameopenfile(one.fileno(), other.fileno())


def _open_or_make(path: str, flags: int) -> int:
    return regular(path, flags | os.O_CREAT)


_OPEN: "WeakSet[LockedFile]" = WeakSet()


def _close_in_child() -> None:
    """Close the files in a forked child: it would hold the locks, even after its parent has ended."""
    for file in _OPEN:
        file.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_in_child)


Facts = dict[str, Any]  # the kind of work and all its arguments, in JSON types

FORMAT = 2  # version of the file format and of the results of the jobs
START = b'[{"format":'  # how the first line starts
LINE = re.compile(rb'\[(.*),"([0-9a-f]{8})"\]', re.DOTALL)


def facts_of(experiment: str, arguments: Facts) -> Facts:
    """All that two calls must have in common, except the seed, for one to continue with the results of the other."""
    facts = {"format": FORMAT, "signature": SIGNATURE, "experiment": experiment, **arguments}
    return dict(json.loads(json.dumps(facts)))


def require_equal(found: Facts, facts: Facts, where: str) -> None:
    """CheckpointError with the first difference, if a file was made by another call. where: begins the message."""
    difference = _first_difference("", found, facts)
    if difference:
        raise CheckpointError(f"{where}: {difference}; delete it, or choose another name")


class Checkpoint:
    """The results of jobs by index; each added result is written to the file at once.

    A context manager: entering it locks and reads the file, which fills `results` and `seed`; leaving it closes the
    file.

    path: None for no file. An existing file must come from the same work with the same arguments, and is continued. An
    incomplete last line is dropped: the process was killed while it wrote it. A LockedFile stays open at the end. seed:
    None for the seed of the file, or for a random one if the file is new.

    Raises TypeError or ValueError naming the argument, CheckpointError, OSError.
    """

    def __init__(
        self,
        path: StrPath | LockedFile | None,
        experiment: str,
        arguments: Facts,
        seed: int | None,
    ) -> None:
        self.results: dict[int, Any] = {}
        self.seed = root_seed(seed)
        self._is_drawn = seed is None
        self._is_own = not isinstance(path, LockedFile)  # whether to open and close the file
        self._file = path if isinstance(path, LockedFile) else None
        given = path.path if isinstance(path, LockedFile) else path
        self._path = None if given is None else Path(path_of("checkpoint", given))
        self._facts = facts_of(experiment, arguments)
        self._size = 0  # bytes of the complete lines
        self._sum = 0  # CRC-32 of the first line

    def add(self, index: int, result: Any) -> None:
        """Keep a result, in the file and here. After an exception (of the disk, Ctrl-C) it is in both or in neither."""
        size, line = self._size, b"" if self._file is None else _line([index, result], self._sum)
        try:
            self._write(line)
            self.results[index] = result
        except BaseException:
            if self._holds(line, size):
                self._size = size + len(line)
                self.results[index] = result
            else:
                self.results.pop(index, None)
                self._shorten(size)
            raise

    def __enter__(self) -> Self:
        if self._path is not None:
            if self._is_own:
                self._file = LockedFile(self._path)
            assert self._file is not None
            try:
                self._begin(self._file)
            except BaseException:
                self._leave()
                raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()

    def _leave(self) -> None:
        if self._is_own and self._file is not None:
            self._file.close()

    def _begin(self, file: LockedFile) -> None:
        """Read and check the file; write the first line of a new one."""
        data = file.readall()
        self._size = data.rfind(b"\n") + 1
        if self._size:
            try:
                self._take(data[: self._size - 1].split(b"\n"))
            except RecursionError:
                raise CheckpointError(f"checkpoint {self._path} is damaged: it can't be read") from None
        elif not (data.startswith(START) or START.startswith(data)):
            raise self._foreign()
        if len(data) > self._size:
            file.truncate(self._size)
        if not self._size:
            line = _line([{**self._facts, "seed": self.seed}], 0)
            self._sum = zlib.crc32(line)
            try:
                self._write(line)
            except BaseException:
                self._shorten(0)
                raise

    def _take(self, lines: list[bytes]) -> None:
        self._take_header(lines[0])
        for number, line in enumerate(lines[1:], start=2):
            self._take_result(number, line)

    def _take_header(self, line: bytes) -> None:
        if not line.startswith(START):
            raise self._foreign()
        try:
            (found,) = _content(line, 0)
            seed = root_seed(found["seed"])
        except (KeyError, TypeError, ValueError):
            raise CheckpointError(f"checkpoint {self._path} is damaged: line 1 is not an experiment") from None
        if self._is_drawn:
            self.seed = seed
        where = f"checkpoint {self._path} holds another experiment"
        require_equal(found, {**self._facts, "seed": self.seed}, where)
        self._sum = zlib.crc32(line + b"\n")

    def _take_result(self, number: int, line: bytes) -> None:
        try:
            index, result = _content(line, self._sum)
            if type(index) is not int or index < 0 or index in self.results:
                raise ValueError
        except (TypeError, ValueError):
            raise CheckpointError(f"checkpoint {self._path} is damaged: line {number} is not a result") from None
        self.results[index] = result

    def _write(self, line: bytes) -> None:
        """Write a whole line after the complete ones, unbuffered. OSError: a part of it may be written."""
        if self._file is not None:
            self._file.seek(self._size)
            remaining = memoryview(line)
            while remaining:  # a full disk may accept a part first; writing the rest then raises
                remaining = remaining[self._file.write(remaining) :]
            self._size += len(line)

    def _holds(self, line: bytes, size: int) -> bool:
        """Whether the file has this line after `size` bytes."""
        if self._file is None:
            return False
        try:
            self._file.seek(size)
            return self._file.read(len(line)) == line
        except OSError:
            return False

    def _shorten(self, size: int) -> None:
        """Drop what the file holds beyond `size` bytes."""
        self._size = size
        if self._file is not None:
            with suppress(OSError):
                self._file.truncate(size)  # if this fails, the next line overwrites the rest

    def _foreign(self) -> CheckpointError:
        return CheckpointError(f"checkpoint {self._path} is a file, but not a checkpoint of an experiment")


def _line(content: list[Any], start: int) -> bytes:
    """A line of the file. start: the CRC-32 that its checksum starts from."""
    text = json.dumps(content, separators=(",", ":"))[1:-1].encode()
    return b'[%s,"%08x"]\n' % (text, zlib.crc32(text, start))


def _content(line: bytes, start: int) -> list[Any]:
    """The inverse of `_line`. ValueError, RecursionError."""
    parts = LINE.fullmatch(line)
    if parts is None or zlib.crc32(parts[1], start) != int(parts[2], 16):
        raise ValueError("wrong checksum")
    return list(json.loads(b"[%s]" % parts[1]))


class _Absent:
    def __repr__(self) -> str:
        return "missing"


_ABSENT = _Absent()


def _first_difference(name: str, there: Facts, here: Facts) -> str:
    """The first difference between two nested mappings in words; empty if there is none."""
    for key in {**here, **there}:
        one, other = (facts.get(key, _ABSENT) for facts in (there, here))
        if one == other:
            continue
        full = f"{name}: {key}" if name else key
        if isinstance(one, dict) and isinstance(other, dict):
            return _first_difference(full, one, other)
        return f"{full} is {shown(one)} there, {shown(other)} here"
    return ""

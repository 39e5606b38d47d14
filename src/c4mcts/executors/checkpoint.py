"""Checkpoints: what an experiment, or self-play, has found so far, in a file that survives its end.

JSON lines. The first is [which experiment it is, with all arguments, checksum]; each of the others is [index of a job,
result, checksum]. A checksum is the CRC-32, in eight hexadecimal digits, of the line before it; those of results go on
from that of the first line, so that no result passes in another file.
"""

import errno
import json
import os
import re
import stat
import sys
import warnings
import zlib
from contextlib import suppress
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from weakref import WeakSet

from .._files import path_of
from ..errors import CheckpointError
from ..seeds import SIGNATURE, root_seed

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

Facts = dict[str, Any]  # which experiment it is, with all arguments; as JSON holds it

FORMAT = 1  # of the file, and of what the jobs return
START = b'[{"format":'  # of the first line
LINE = re.compile(rb'\[(.*),"([0-9a-f]{8})"\]', re.DOTALL)
LOCKED_BYTE = 1 << 40  # Windows locks bytes, so that nobody can read them: one beyond the end
NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)  # a file system that has none


def facts_of(experiment: str, arguments: Facts) -> Facts:
    """What two calls must have in common for one to go on with the results of the other, but for the seed."""
    facts = {"format": FORMAT, "signature": SIGNATURE, "experiment": experiment, **arguments}
    return dict(json.loads(json.dumps(facts)))


def require_equal(found: Facts, facts: Facts, where: str) -> None:
    """CheckpointError, with the first difference, unless what a file was made with is asked for now."""
    difference = _first_difference("", found, facts)
    if difference:
        raise CheckpointError(f"{where}: {difference}; delete the file or choose another one")


class Checkpoint:
    """The results of an experiment's jobs, by index; what is added is written to the file at once, if there is one.

    Entered, it reads the file, and has it for itself until it is left; then `results` and `seed` are there.

    path: None, or a file; one that is there already must come from the same experiment with the same arguments, and
    is continued. A last line that is not complete is dropped: the process was killed while it wrote.

    seed: the file's, where None is asked for. Raises TypeError or ValueError naming the argument, CheckpointError,
    OSError.
    """

    def __init__(
        self, path: str | os.PathLike[str] | None, experiment: str, arguments: Facts, seed: int | None
    ) -> None:
        self.results: dict[int, Any] = {}
        self.seed = root_seed(seed)
        self._is_drawn = seed is None
        self._path = None if path is None else Path(path_of("checkpoint", path))
        self._facts = facts_of(experiment, arguments)
        self._file: FileIO | None = None
        self._size = 0  # of the lines that are complete
        self._sum = 0  # of the first line

    def add(self, index: int, result: Any) -> None:
        """Keep a result. OSError, and nothing is changed, if it can't be written."""
        if self._file is not None:
            self._write(_line([index, result], self._sum))
        self.results[index] = result

    def __enter__(self) -> Self:
        if self._path is not None:
            _OPEN.add(self)
            self._file = FileIO(self._path, "r+", opener=_open_or_make)
            try:
                self._begin(self._file)
            except BaseException:
                self._file.close()
                raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def _begin(self, file: FileIO) -> None:
        """Lock, read and check the file, and make it ready to be written to."""
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise CheckpointError(f"checkpoint {self._path} is no file that can be continued")
        self._lock(file)
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
            self._write(line)

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
            raise CheckpointError(f"checkpoint {self._path} is damaged: line 1 is no experiment") from None
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
            raise CheckpointError(f"checkpoint {self._path} is damaged: line {number} is no result") from None
        self.results[index] = result

    def _write(self, line: bytes) -> None:
        """All of a line, after those that are complete, or OSError; with no buffer, so that it survives."""
        assert self._file is not None
        try:
            self._file.seek(self._size)
            left = memoryview(line)
            while left:  # a full disk takes a part, and says why not the rest when it gets that
                left = left[self._file.write(left) :]
        except BaseException:
            with suppress(OSError):
                self._file.truncate(self._size)  # if that fails too, the next line is written over what is there
            raise
        self._size += len(line)

    def _lock(self, file: FileIO) -> None:
        """CheckpointError if another has the file; a lock ends with its process, however that ends."""
        try:
            if sys.platform == "win32":
                file.seek(LOCKED_BYTE)
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
                file.seek(0)
            else:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            raise CheckpointError(f"checkpoint {self._path} is in use, by another process or call") from None
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
            words = f"checkpoint {self._path} can't be locked there: let no two processes use it at once"
            warnings.warn(words, RuntimeWarning, stacklevel=3)

    def _foreign(self) -> CheckpointError:
        return CheckpointError(f"checkpoint {self._path} is a file, but no checkpoint of an experiment")


def _open_or_make(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CREAT, 0o666)


def _line(content: list[Any], start: int) -> bytes:
    """With the checksum, which goes on from another."""
    text = json.dumps(content, separators=(",", ":"))[1:-1].encode()
    return b'[%s,"%08x"]\n' % (text, zlib.crc32(text, start))


def _content(line: bytes, start: int) -> list[Any]:
    """What `_line` was made of; ValueError, RecursionError."""
    parts = LINE.fullmatch(line)
    if parts is None or zlib.crc32(parts[1], start) != int(parts[2], 16):
        raise ValueError("the checksum is another")
    return list(json.loads(b"[%s]" % parts[1]))


class _Absent:
    def __repr__(self) -> str:
        return "missing"


_ABSENT = _Absent()


def _first_difference(name: str, there: Facts, here: Facts) -> str:
    """Where two mappings, of mappings maybe, differ; empty if they don't."""
    for key in {**here, **there}:
        one, other = (facts.get(key, _ABSENT) for facts in (there, here))
        if one == other:
            continue
        full = f"{name}: {key}" if name else key
        if isinstance(one, dict) and isinstance(other, dict):
            return _first_difference(full, one, other)
        return f"{full} is {one!r} there, {other!r} here"
    return ""


_OPEN: "WeakSet[Checkpoint]" = WeakSet()


def _close_in_child() -> None:
    """A child that is forked off would hold the lock for as long as it lives, even if its parent is killed."""
    for checkpoint in _OPEN:
        if checkpoint._file is not None:
            checkpoint._file.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_in_child)

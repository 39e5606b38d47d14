"""Files that one process, and one call in it, has for itself."""

import errno
import os
import sys
import warnings
from contextlib import suppress
from io import FileIO
from weakref import WeakSet

from .._files import StrPath, regular
from ..errors import CheckpointError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LOCKED_BYTE = 1 << 40  # Windows locks bytes against reading too, so a byte beyond the end is locked
NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)  # errors of a file system without locks


class LockedFile(FileIO):
    """A file, made if it is not there, that nobody else can open so until it is closed or the process ends.

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
        if sys.platform == "win32":  # which removes no open file, and so keeps one that somebody has opened meanwhile
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


def _open_or_make(path: str, flags: int) -> int:
    return regular(path, flags | os.O_CREAT)


_OPEN: "WeakSet[LockedFile]" = WeakSet()


def _close_in_child() -> None:
    """Close the files in a forked child: it would hold the locks, even after its parent has ended."""
    for file in _OPEN:
        file.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_in_child)

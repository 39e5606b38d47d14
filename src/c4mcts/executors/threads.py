"""Threads: one that works in the background for an object, and the lock that the object's calls hold."""

import atexit
import threading
from collections.abc import Callable

EXIT_SECONDS = 1.0  # how long the exit of the process, or Ctrl-C, waits for a thread to end


class BackgroundThread(threading.Thread):
    """A daemon thread, whose `work` polls `is_closed`. When the process ends it has EXIT_SECONDS to end, too."""

    work: Callable[[], object]  # to be set before the start

    def __init__(self) -> None:
        super().__init__(name="c4mcts", daemon=True)
        self.closed = False  # whether the work must end
        # Set while there is no work to wait for. After Ctrl-C in `join`, Python 3.11 and 3.12 say that it is not alive.
        self._is_idle = threading.Event()
        self._is_idle.set()
        self.error: BaseException | None = None  # raised by the work

    def is_closed(self) -> bool:
        return self.closed

    def end(self, seconds: float | None = None) -> None:
        """Tell the work to end, and wait for that, at most this long."""
        self.closed = True
        self._is_idle.wait(seconds)

    def raise_error(self) -> None:
        """Raise what has ended the work, if that was an exception; only once."""
        error, self.error = self.error, None
        if error is not None:
            try:
                raise error
            finally:
                del error  # its traceback refers to this frame

    def run(self) -> None:
        self._is_idle.clear()  # before it looks at `closed`, which `end` sets before it waits
        atexit.register(self._exit)
        try:
            if not self.closed:
                self.work()
        except BaseException as error:
            self.error = error
        finally:
            del self.work
            atexit.unregister(self._exit)
            self._is_idle.set()

    def _exit(self) -> None:
        self.end(EXIT_SECONDS)
        self._is_idle.set()


def unlocked(lock: threading.Lock, message: str) -> threading.Lock:
    """The lock to hold during a call; RuntimeError with these words if it is held.

    `with` takes a lock that is written in C in one step, so that Ctrl-C can't leave it locked.
    """
    if lock.locked():
        raise RuntimeError(message)
    return lock

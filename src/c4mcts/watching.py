"""Watching a search from another thread."""

import threading
from collections.abc import Callable, Generator

from .result import SearchResult

PATIENCE = 0.02  # seconds between two looks at a thread that is to end


class _Mailbox:
    """Holds the latest result for one reader."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._latest: SearchResult | None = None
        self._closed = False
        self.error: BaseException | None = None

    def put(self, result: SearchResult) -> None:
        """Leave a result in place of the last."""
        with self._condition:
            self._latest = result
            self._condition.notify()

    def close(self) -> None:
        """There will be no more."""
        with self._condition:
            self._closed = True
            self._condition.notify()

    def take(self) -> SearchResult | None:
        """Wait for a result; None when there are no more."""
        with self._condition:
            while self._latest is None and not self._closed:
                self._condition.wait(1.0)  # on Windows, Ctrl-C is not heard during an endless wait
            result, self._latest = self._latest, None
            return result


def watch(
    search: Callable[[Callable[[SearchResult], object]], SearchResult], stop: Callable[[], None]
) -> Generator[SearchResult, None, None]:
    """Run a search in a thread and yield what it reports, and its result.

    search: called with the function to report to. stop: ends it soon. What it raises is raised here.
    """
    box = _Mailbox()
    thread = threading.Thread(target=_work, args=(search, box), name="c4mcts analysis", daemon=True)
    try:
        thread.start()
        while (result := box.take()) is not None:
            yield result
    finally:
        while thread.is_alive():  # again and again: a search that has not begun yet forgets that it was stopped
            stop()
            thread.join(PATIENCE)
    if box.error is not None:
        raise box.error


def _work(search: Callable[[Callable[[SearchResult], object]], SearchResult], box: _Mailbox) -> None:
    try:
        box.put(search(box.put))
    except BaseException as error:
        box.error = error
    finally:
        box.close()

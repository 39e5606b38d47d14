"""Watching a search from another thread."""

import os
import threading
from collections.abc import Callable, Generator

from .result import SearchResult

PATIENCE = 0.02  # seconds between two looks at a thread that is to end


class Mailbox:
    """Holds the latest result for one reader, who may leave."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._latest: SearchResult | None = None
        self._closed = False
        self.error: BaseException | None = None
        self.left = False  # the reader has

    def is_left(self) -> bool:
        """Whether nobody reads any more, so that the search is to end."""
        return self.left

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


def watch(search: Callable[[Mailbox], SearchResult]) -> Generator[SearchResult, None, None]:
    """Run a search in a thread and yield what it reports, and its result.

    search: reports to the mailbox, and ends soon after it was left. What it raises is raised here.
    """
    box = Mailbox()
    process = os.getpid()
    thread = threading.Thread(target=_work, args=(search, box), name="c4mcts analysis", daemon=True)
    try:
        thread.start()
        while (result := box.take()) is not None:
            yield result
            if os.getpid() != process:
                raise RuntimeError("this process was forked off in the middle of an analysis, whose thread it has not")
    finally:
        box.left = True  # first of all: a second Ctrl-C may cut this short, and a thread may still be on its way
        while thread.is_alive():
            thread.join(PATIENCE)  # short, so that Ctrl-C is heard on Windows
    if box.error is not None:
        raise box.error


def _work(search: Callable[[Mailbox], SearchResult], box: Mailbox) -> None:
    try:
        if not box.left:
            box.put(search(box))
    except BaseException as error:
        box.error = error
    finally:
        box.close()

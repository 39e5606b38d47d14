"""Progress of many jobs: to a function of the caller, or as a bar in a terminal or a notebook."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .._timer import REPORT_EVERY

Progress = bool | Callable[[int, int], object]
Report = Callable[[int, int], object]


@contextmanager
def reporter(progress: Progress, name: str) -> Iterator[Report]:
    """A function to call with the numbers of finished jobs and of all jobs; shows a bar for True."""
    if callable(progress):
        yield progress
        return
    if not progress:
        yield lambda done, total: None
        return
    from rich.console import Console

    console = Console(stderr=True)
    if console.is_jupyter:  # where rich leaves an empty box behind, or asks for ipywidgets
        yield _notebook_bar()
        return
    from rich.progress import MofNCompleteColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = *Bar.get_default_columns(), MofNCompleteColumn(), TimeElapsedColumn()
    # what else is printed meanwhile moves above the bar, but not from a file or pipe to the bar's terminal
    with Bar(*columns, console=console, redirect_stdout=sys.stdout is not None and sys.stdout.isatty()) as bar:
        task = bar.add_task(name, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _notebook_bar() -> Report:
    """A bar below the cell, drawn ten times a second at most; at the end it stays, full."""
    from IPython.display import ProgressBar

    bar, next_time = ProgressBar(1), 0.0
    bar.display()

    def show(done: int, total: int) -> None:
        nonlocal next_time
        if done == total or time.monotonic() > next_time:
            bar.total, bar.progress = total, done
            next_time = time.monotonic() + REPORT_EVERY

    return show

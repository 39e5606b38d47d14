"""Reports on how many jobs are done: to a function of the caller, as a bar in a terminal, as a bar in a notebook."""

import html
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .._timer import REPORT_EVERY, Timer

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
        yield notebook_bar(name)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*parts, TextColumn("remaining"), TimeRemainingColumn(), console=console) as bar:
        task = bar.add_task(name, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def notebook_bar(name: str) -> Report:
    """A bar below the cell, replaced ten times a second at most; at the end it stays, full, with the time."""
    from IPython.display import display

    timer = Timer(None)
    shown, handle = -REPORT_EVERY, None

    def show(done: int, total: int) -> None:
        nonlocal shown, handle
        if done < total and timer.elapsed < shown + REPORT_EVERY:
            return
        shown = timer.elapsed
        words = f"{done:,} of {total:,}, {shown:.1f} s"
        bar = f'<progress max="{total}" value="{done}" style="width: 20em; vertical-align: middle"></progress>'
        bundle = {"text/plain": f"{name}: {words}", "text/html": f"{html.escape(name)} {bar} {words}"}
        if handle is None:
            handle = display(bundle, raw=True, display_id=True)
        else:
            handle.update(bundle, raw=True)

    return show

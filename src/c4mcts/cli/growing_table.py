"""The table of a tournament while its games are played, on standard error."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, nullcontext
from math import inf

from rich.live import Live
from rich.text import Text

from .._validation import counted
from ..play.tournament_result import Tournament
from .display import Terminal
from .failures import say
from .files import say_kept

REFRESH_SECONDS = 0.25  # between two drawings
SoFar = Callable[[], Tournament]


@contextmanager
def growing_table(
    args: argparse.Namespace, games: int, report: Callable[[Tournament], object], lines: float = inf
) -> Iterator[Callable[[SoFar], None]]:
    """A function for `on_game`, which draws the table on a terminal; elsewhere it counts the games, line by line.

    games: the most that will be played. report: called with the result so far if the work is interrupted, the disk is
    full, or a player has ended the process of an executor. lines: seconds between two of them.
    """
    last: list[SoFar] = []
    is_terminal = sys.stderr.isatty()
    next_time = 0.0 if is_terminal else time.monotonic() + lines

    def draw(so_far: SoFar) -> None:
        nonlocal next_time
        if not last:
            say_kept(args, len(so_far().games), games)
        last[:] = [so_far]
        start = time.monotonic()
        if start < next_time:
            return
        result = so_far()
        count = f"{len(result.games):,} of {counted(games, 'game')}"
        if not is_terminal:
            say(count)
            next_time = start + lines
            return
        live.update(Text(f"{result}\n{count}"), refresh=True)
        end = time.monotonic()
        next_time = end + max(REFRESH_SECONDS, 10 * (end - start))  # thousands of games take a while to sum up

    live = Live(console=Terminal(stderr=True), auto_refresh=False, transient=True)
    try:
        with live if is_terminal else nullcontext():
            yield draw
    except (KeyboardInterrupt, OSError, BrokenExecutor):
        if last:
            report(last[0]())
        raise

"""The result of a match or a tournament, growing while games are played."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.live import Live
from rich.text import Text

from ..play.tournament_result import Tournament
from .board_display import Terminal

REFRESH_SECONDS = 0.25  # between two drawings of the growing table

SoFar = Callable[[], Tournament]


@contextmanager
def growing_table(games: int) -> Iterator[Callable[[SoFar], None]]:
    """A function for `on_game` that draws the result so far on standard error, if that is a terminal.

    games: the most that will be played.
    """
    if not sys.stderr.isatty():
        yield lambda so_far: None
        return
    terminal = Terminal(stderr=True)
    next_time = 0.0

    def draw(so_far: SoFar) -> None:
        nonlocal next_time
        start = time.monotonic()
        if start < next_time:
            return
        found = so_far()
        live.update(Text(f"{found}\n{len(found.games):,} of {games:,} games"), refresh=True)
        end = time.monotonic()
        next_time = end + max(REFRESH_SECONDS, 10 * (end - start))  # thousands of games take a while to sum up

    with Live(console=terminal, auto_refresh=False, transient=True) as live:
        yield draw

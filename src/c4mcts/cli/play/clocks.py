"""The clocks of a game: each player has some seconds for all moves, and gains some with each move."""

import argparse
import re
import time
from contextlib import suppress
from math import ceil

from ...search.limits import Clock

EXACT_BELOW = 20  # seconds: from there on, a clock shows tenths


def clock_option(text: str) -> Clock:
    """Parse the argument of --clock: seconds and increment, as 60+1 or 180. ArgumentTypeError."""
    found = re.fullmatch(r"([0-9.]+)(?:\+([0-9.]+))?", text.strip())
    if found is not None:
        with suppress(ValueError):
            return Clock.of((float(found[1]), float(found[2] or 0)))
    raise argparse.ArgumentTypeError(f"must be seconds+increment as 60+1, not {text!r}")


class GameClock:
    """Both players' clocks; one of them runs, or none."""

    def __init__(self, setting: Clock) -> None:
        self.increment = setting.increment
        self._left = [setting.remaining, setting.remaining]
        self._running: int | None = None
        self._since = 0.0

    def start(self, player: int) -> None:
        """Let a player's clock run, if it does not run already."""
        if self._running != player:
            self.pause()
            self._running, self._since = player, time.monotonic()

    def pause(self) -> None:
        """Stop the clock that runs."""
        if self._running is not None:
            self._left[self._running] = self.left(self._running)
            self._running = None

    def moved(self, player: int) -> None:
        """Stop the clocks; the player who has moved gets the increment, unless their time was over."""
        self.pause()
        if self._left[player] > 0:
            self._left[player] += self.increment

    def left(self, player: int) -> float:
        """Seconds that a player has left; 0 once the time is over."""
        spent = time.monotonic() - self._since if self._running == player else 0.0
        return max(self._left[player] - spent, 0.0)

    def text(self, player: int) -> str:
        """What a player's clock shows: 1:05, and 9.3 when it gets tight."""
        left = self.left(player)
        if left < EXACT_BELOW:
            return f"{ceil(left * 10) / 10:.1f}"
        minutes, seconds = divmod(ceil(left), 60)
        return f"{minutes}:{seconds:02}"

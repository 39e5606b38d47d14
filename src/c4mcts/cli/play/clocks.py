"""The clocks of a game in the terminal, and the option that sets them."""

import argparse
import re
import time
from contextlib import suppress
from math import ceil

from ...executors.cancellation import Cancelled
from ...search.clock import Clock

EXACT_BELOW = 20  # seconds: from there on, a clock shows tenths


def clock_option(text: str) -> Clock:
    """Parse the argument of --clock: seconds and increment, as 60+1 or 180. ArgumentTypeError."""
    match = re.fullmatch(r"([0-9.]+)(?:\+([0-9.]+))?", text.strip())
    if match is not None:
        with suppress(ValueError):
            return Clock.of((float(match[1]), float(match[2] or 0)))
    raise argparse.ArgumentTypeError(f"must be seconds+increment as 60+1, not {text!r}")


class GameClock:
    """Both players' clocks; one of them runs, or none."""

    def __init__(self, setting: Clock) -> None:
        self._setting = setting
        self._since = 0.0
        self.reset()

    def reset(self) -> None:
        self._left = [self._setting.remaining] * 2
        self._running: int | None = None

    def start(self, player: int) -> None:
        """Let a player's clock run, if it does not run already."""
        if self._running != player:
            self.stop()
            self._running, self._since = player, time.monotonic()

    def stop(self, moved: bool = False) -> None:
        """Stop the clock that runs. moved: its player has moved, and gets the increment."""
        if self._running is not None:
            self._left[self._running] = self.remaining(self._running) + (self._setting.increment if moved else 0)
            self._running = None

    def remaining(self, player: int) -> float:
        """Seconds that a player has left; 0 once the time is over."""
        spent = time.monotonic() - self._since if self._running == player else 0.0
        return max(self._left[player] - spent, 0.0)

    def check(self) -> None:
        """Raise Cancelled if the time of the player whose clock runs is over."""
        if self._running is not None and self.remaining(self._running) == 0:
            raise Cancelled

    def text(self, player: int) -> str:
        """A clock's time as text: 1:05, and 9.3 when it gets tight."""
        remaining = self.remaining(player)
        if remaining < EXACT_BELOW:
            return f"{ceil(remaining * 10) / 10:.1f}"
        minutes, seconds = divmod(ceil(remaining), 60)
        return f"{minutes}:{seconds:02}"

"""A game between the user and the computer: its moves, its clocks, how it ended, and its line in a file."""

import argparse
import re
import time
from contextlib import suppress
from math import ceil
from typing import Any

from ...board.board import Board
from ...executors.cancellation import Cancelled
from ...play.game_files import GameTree, SavedGame
from ...play.played_game import End, PlayedGame
from ...search.clock import Clock

YOU = "you"  # the user's name in saved games
EXACT_BELOW = 20  # seconds: from there on, a clock shows tenths


class UserGame:
    """A game from a start position. `side` is the player, 0 or 1, whom the user plays."""

    def __init__(self, start: Board, side: int, clock: "GameClock | None" = None) -> None:
        self.start = start
        self.board = start.copy()
        self.side = side
        self.clock = clock
        if clock is not None:
            clock.reset()
        self._early: PlayedGame | None = None  # by resignation or on time

    @property
    def ending(self) -> PlayedGame | None:
        """How the game ended; None while it is not over."""
        if self._early is not None:
            return self._early
        return PlayedGame.over(self.board) if self.board.is_over() else None

    def lose(self, player: int, end: End) -> None:
        """End the game before it is over on the board."""
        self._early = PlayedGame(self.board, self.board.moves, 1 - player, end)

    @property
    def has_moves(self) -> bool:
        """Whether anything was played since the start position."""
        return len(self.board.moves) > len(self.start.moves)

    def play(self, column: int | None) -> bool:
        """Play a legal column, counted from 0; False if the time of the player to move is over, who then loses."""
        if self.clock is not None:
            if self.clock.remaining(self.board.turn) == 0:
                self.lose(self.board.turn, End.TIME)
                return False
            self.clock.stop(moved=True)
        assert column is not None  # while there is time
        self.board.push(column)
        return True

    def undo(self) -> str | None:
        """Take back the user's last move and the answer to it, or a resignation; returns why that can't be done.

        Clocks are not set back, and a flag that has fallen stays down.
        """
        if self._early is not None:
            if self._early.end == End.TIME:
                return "a loss on time can't be taken back"
            self._early = None
            return None
        back = 2 if self.board.turn == self.side else 1
        if len(self.board.moves) < len(self.start.moves) + back:
            return "there is no move of yours to take back"
        for _ in range(back):
            self.board.pop()
        return None

    def to_file(self, names: tuple[str, str], seed: int) -> SavedGame:
        """The game as a file has it. names: of both players."""
        ending = self.ending
        headers = {
            "first": names[0],
            "second": names[1],
            "result": "*" if ending is None else ending.result,
            "end": "unfinished" if ending is None else ending.end,
            "opening": len(self.start.moves),
            "seed": seed,
        }
        return SavedGame(GameTree(self.board), headers)

    @classmethod
    def from_file(cls, saved: SavedGame, clock: "GameClock | None") -> "UserGame":
        """The game of a file. The user plays the side that they had, or else the one to move."""
        end, headers = saved.board, saved.headers
        start = end.copy()
        while len(start.moves) > saved.opening:
            start.pop()
        sides: dict[Any, int] = {headers.get("second"): 1, headers.get("first"): 0}
        game = cls(start, sides.get(YOU, end.turn), clock)
        game.board = end
        how = headers.get("end")
        if saved.winner is not None and how in (End.RESIGNATION, End.TIME) and not end.is_over():
            game.lose(1 - saved.winner, End(how))
        return game

    def closing(self) -> list[str]:
        """The summary of the game: its moves, and the command that reviews or continues it."""
        if not self.has_moves:
            return []
        verb, purpose = ("play", "to continue") if self.ending is None else ("review", "to review it")
        moves = ("" if self.board.rules.width <= 9 else " ").join(str(column + 1) for column in self.board.moves)
        return [f"moves: {moves}", f"{purpose}: c4mcts {verb} {self.board.format('address')}"]


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

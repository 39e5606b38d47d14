"""A game between the user and the computer: whose move it is, how it ended, what is taken back."""

from dataclasses import dataclass
from typing import Any, Literal

from ...board.board import Board
from ...play.game_files import SavedGame, moves_text
from ...rules import Rules
from ...search.limits import Clock
from .clocks import GameClock

YOU = "you"  # the user's name in saved games
RESULTS = {0: "1-0", 1: "0-1", None: "1/2-1/2"}  # in saved games, by winner


@dataclass(frozen=True, slots=True)
class UserGameEnding:
    """How a game ended. winner: 0, 1, or None for a draw."""

    how: Literal["line", "full board", "resignation", "time"]
    winner: int | None


class UserGame:
    """A game from a start position. `side` is the player, 0 or 1, whom the user plays."""

    def __init__(self, start: Board, side: int, setting: Clock | None = None) -> None:
        self.start = start
        self.board = start.copy()
        self.side = side
        self.clock = None if setting is None else GameClock(setting)
        self._early: UserGameEnding | None = None  # by resignation or on time

    @property
    def is_users_turn(self) -> bool:
        """Whether the user is to move, or would be if the game went on."""
        return self.board.turn == self.side

    @property
    def ending(self) -> UserGameEnding | None:
        """How the game ended; None while it goes on."""
        if self._early is not None:
            return self._early
        outcome = self.board.outcome()
        if outcome is None:
            return None
        return UserGameEnding("full board" if outcome.winner is None else "line", outcome.winner)

    @property
    def has_moves(self) -> bool:
        """Whether anything was played since the start position."""
        return len(self.board.moves) > len(self.start.moves)

    def refusal(self, number: int) -> str | None:
        """Why the user can't play in a column, counted from 1; None if they can."""
        width = self.board.rules.width
        if not 1 <= number <= width:
            return f"column {number} is not on the board: 1 to {width}"
        return None if self.board.is_legal(number - 1) else f"column {number} is full"

    def play(self, column: int) -> None:
        """Play a legal column, counted from 0; the player to move loses instead if their time is over."""
        player = self.board.turn
        if not self.lose_on_time():
            self.board.push(column)
            if self.clock is not None:
                self.clock.moved(player)

    def lose_on_time(self) -> bool:
        """End the game if the time of the player to move is over; whether it is."""
        if self.clock is None or self.clock.left(self.board.turn) > 0:
            return False
        self.clock.pause()
        self._early = UserGameEnding("time", 1 - self.board.turn)
        return True

    def resign(self) -> None:
        """End the game: the user gives up."""
        self._early = UserGameEnding("resignation", 1 - self.side)

    def undo(self) -> str | None:
        """Take back the user's last move and the answer to it, or a resignation; returns why that can't be done.

        Clocks are not set back, and a flag that has fallen stays down.
        """
        if self._early is not None:
            if self._early.how == "time":
                return "time can't be taken back"
            self._early = None
            return None
        back = 2 if self.is_users_turn else 1
        if len(self.board.moves) < len(self.start.moves) + back:
            return "there is no move of yours to take back"
        for _ in range(back):
            self.board.pop()
        return None

    def to_file(self, opponent: str, about: dict[str, Any]) -> SavedGame:
        """The game as a file has it. about: more facts to keep."""
        names = (YOU, opponent) if self.side == 0 else (opponent, YOU)
        ending = self.ending
        facts = {
            "first": names[0],
            "second": names[1],
            "result": "*" if ending is None else RESULTS[ending.winner],
            "end": "unfinished" if ending is None else ending.how,
        }
        return SavedGame(self.board.copy(), {**facts, "opening": len(self.start.moves), **about})

    @classmethod
    def from_file(cls, saved: SavedGame, setting: Clock | None) -> "UserGame":
        """The game of a file. The user plays the side that they had, or else the one to move."""
        start, facts = saved.board.copy(), saved.facts
        opening = facts.get("opening")
        while start.moves and len(start.moves) > (opening if isinstance(opening, int) else 0):
            start.pop()
        side = saved.board.turn
        if YOU in (facts.get("first"), facts.get("second")):
            side = 0 if facts.get("first") == YOU else 1
        game = cls(start, side, setting)
        game.board = saved.board.copy()
        result, how = facts.get("result"), facts.get("end")
        if result in ("1-0", "0-1") and how in ("resignation", "time") and not game.board.is_over():
            game._early = UserGameEnding(how, 0 if result == "1-0" else 1)
        return game

    def moves(self) -> str:
        """The moves, columns from 1: as digits, or with blanks on over 9 columns."""
        return ("" if self.board.rules.width <= 9 else " ").join(str(column + 1) for column in self.board.moves)

    def closing(self) -> list[str]:
        """What to keep of the game in words: its moves, and the command that reviews it or goes on."""
        if not self.has_moves:
            return []
        rules, verb = self.board.rules, "play" if self.ending is None else "review"
        purpose = "to go on" if self.ending is None else "to review it"
        if len(self.board.moves) < self.board.ply:  # a start position without moves
            lines = [f"moves from the start position: {self.moves()}"]
            return lines if verb == "review" else [*lines, f"{purpose}: c4mcts play --fen '{self.board.to_fen()}'"]
        words = self.moves() if rules.width <= 9 else f"--moves {moves_text(self.board.moves, rules)}"
        note = "" if rules.width <= 9 else " (--moves counts columns from 0)"
        return [f"moves: {self.moves()}", f"{purpose}: c4mcts {verb} {words}{rules_options(rules)}{note}"]


def rules_options(rules: Rules) -> str:
    """The options of the command line for other rules than the usual ones, each after a blank."""
    usual = Rules()
    words = [
        f" --{name} {getattr(rules, name)}"
        for name in ("width", "height", "connect")
        if getattr(rules, name) != getattr(usual, name)
    ]
    return "".join(words) + ("" if rules.diagonals else " --no-diagonals")

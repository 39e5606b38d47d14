"""The positions of a message: a start, the moves from there, and the turns that are asked about."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from .._validation import between, refused, shown, string
from ..board.board import Board
from ..rules import Rules
from .messages import Keys, Refusal

RULES = ("width", "height", "connect", "diagonals")


@dataclass(frozen=True, slots=True)
class Game:
    """A start position and the columns played from there. Turn 0 is the start, the last turn is after all moves."""

    start: Board
    columns: tuple[int, ...]

    @property
    def last(self) -> int:
        """The last turn."""
        return len(self.columns)

    def boards(self, turns: Collection[int], name: str = "moves") -> dict[int, Board]:
        """The boards at these turns. TypeError or ValueError if a move can't be played, even after the last of them.

        name: of the moves in the error.
        """
        board, found = self.start.copy(), {}
        for turn, column in enumerate((*self.columns, None)):
            if turn in turns:
                found[turn] = board.copy()
            if turn < self.last:
                try:
                    board.push(column)  # type: ignore[arg-type]
                except (TypeError, ValueError) as error:
                    raise type(error)(f"{name}[{turn}]: {error}") from None
        return found


def read_position(keys: Keys) -> Game:
    """The game of a message, whose moves can all be played. Refusal.

    Keys: `moves`, a list of columns from 0, played from `fen` or from the empty board of `rules`; or `position`, the
    moves from the empty board as a string of digits, columns from 1.
    """
    rules = keys.take("rules", _rules, None)
    if "position" in keys:
        for name in ("moves", "fen"):
            if name in keys:
                raise Refusal(f"'position' and {name!r} exclude each other: give one of them", name)
    played = keys.take("position", lambda name, text: Board.from_pons(string(name, text), rules).moves, None)
    if played is not None:
        return Game(Board(rules), played)
    start = keys.take("fen", lambda name, text: Board.from_fen(string(name, text), rules), None) or Board(rules)

    def moves(name: str, value: Any) -> Game:
        if not isinstance(value, list):
            raise TypeError(refused(name, "a list of columns", value))
        game = Game(start, tuple(value))
        game.boards((), name)
        return game

    return keys.take("moves", moves, Game(start, ()))


def asked_boards(keys: Keys, game: Game, most: int) -> tuple[tuple[int, Board], ...]:
    """The turns of `analyzeTurns`, at most so many, with their boards, or the last turn. Refusal."""

    def turns(name: str, value: Any) -> tuple[int, ...]:
        if not isinstance(value, list) or not value:
            raise TypeError(refused(name, "a list of at least one turn", value))
        if len(value) > most:
            raise ValueError(f"{name} must have at most {most} turns, not {len(value)}")
        found = tuple(between(f"{name}[{index}]", turn, 0, game.last) for index, turn in enumerate(value))
        if len(set(found)) != len(found):
            raise ValueError(refused(name, "a list of different turns", value))
        return found

    asked = keys.take("analyzeTurns", turns, (game.last,))
    boards = game.boards(set(asked))
    return tuple((turn, unfinished(turn, boards[turn])) for turn in asked)


def last_board(game: Game) -> tuple[int, Board]:
    """The last turn and its board."""
    return game.last, game.boards((game.last,))[game.last]


def unfinished(turn: int, board: Board) -> Board:
    """The board. Refusal if the game is over."""
    outcome = board.outcome()
    if outcome is not None:
        end = "a draw" if outcome.winner is None else f"player {outcome.winner} has won"
        raise Refusal(f"the game is over at turn {turn} ({end}), so there is no move to search", "moves")
    return board


def _rules(name: str, value: Any) -> Rules:
    if not isinstance(value, dict):
        raise TypeError(refused(name, f"an object with some of the keys {', '.join(RULES)}", value))
    for key in value:
        if key not in RULES:
            raise ValueError(f"{name} has the unknown key {shown(key)}; the keys are {', '.join(RULES)}")
    return Rules(**value)

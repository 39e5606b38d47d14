"""Boards as arguments: a Board or its text, an unfinished one, or many of the same rules."""

from collections.abc import Iterable

from .._validation import an_instance, brief, members, must_be
from ..errors import GameOverError
from ..rules import Rules
from .board import Board

MAX_BOARDS = 1 << 20  # in an iterable argument, which may be endless

AnyBoard = Board | str  # a text is read by Board.parse


def a_board(board: object, name: str = "board", rules: Rules | None = None) -> Board:
    """A Board; a text is read by Board.parse. rules: of a text, 7 x 6 by default. TypeError, ValueError."""
    return board_and_score(board, name, rules)[0]


def board_and_score(board: object, name: str, rules: Rules | None) -> tuple[Board, int | None]:
    """A Board, or the board of a text and the score in it, if it is a line of a test file. TypeError, ValueError."""
    if isinstance(board, Board):
        return board, None
    text = an_instance(name, board, str, "a Board or its text")
    try:
        return Board._read(text, rules)
    except ValueError as error:
        raise type(error)(f"{name}: {error}") from None


def unfinished(board: object, name: str = "board", rules: Rules | None = None) -> Board:
    """A copy of an unfinished board, so that the caller may change the original. rules: as for `a_board`."""
    copy = a_board(board, name, rules).copy()
    if copy.is_over():
        raise GameOverError(f"{name}: the game is over: {brief(copy)}")
    return copy


def boards_with_same_rules(boards: Iterable[AnyBoard]) -> list[Board]:
    """Check boards that must have the same rules. TypeError, ValueError."""
    items = members("boards", boards, "boards or texts", MAX_BOARDS)
    result = [a_board(board, f"boards[{i}]") for i, board in enumerate(items)]
    if len({board.rules for board in result}) != 1 or len(result) > MAX_BOARDS:
        raise ValueError(must_be("boards", f"at least one, at most {MAX_BOARDS}, and of the same rules", result))
    return result

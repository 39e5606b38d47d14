"""Best play: which columns keep the score of a position, and the line that they make."""

from collections.abc import Callable, Iterable

from ..board.board import Board
from .book import Book

# (own, mask, low, high) -> bounds of a score: equal, or both at least `high`, or both at most `low`; wider at a limit.
BoundsFunction = Callable[[int, int, int, int], tuple[int, int]]


def reaches(board: Board, column: int, score: int, bounds: BoundsFunction) -> bool | None:
    """Whether a column has this score, which the position has; None if a limit was reached first."""
    after = board.after(column)
    if after.is_over():  # no move of the position wins sooner than its score says
        return after.result(board.turn) == 1 or score == 0
    lower, upper = bounds(after.own, after.mask, -score, 1 - score)
    return True if upper <= -score else False if lower > -score else None


def best_reply(board: Board, score: int, bounds: BoundsFunction, columns: Iterable[int] | None = None) -> int | None:
    """The first of the columns with the score of the position; None if there is none, or at a limit.

    columns: by default all, first those that stop a win with the next disc, so that a line shows what was threatened,
    then from the middle outwards.
    """
    if columns is None:
        threatened, middle = board.threatened_columns(), board.rules.width - 1
        columns = sorted(board.legal_columns, key=lambda each: (each not in threatened, abs(2 * each - middle)))
    for column in columns:
        if (is_best := reaches(board, column, score, bounds)) is not False:
            return column if is_best else None
    return None


def best_line(board: Board, score: int, bounds: BoundsFunction, plies: int, book: Book | None = None) -> list[int]:
    """Best play of both sides from a position with this score, for `plies` plies at most; shorter at a limit.

    book: for the same rules; its lines are taken where it has one.
    """
    board, line = board.copy(), list[int]()
    while len(line) < plies and not board.is_over():
        start = [] if book is None else book.line(board)
        if not start:
            reply = best_reply(board, score, bounds)
            if reply is None:
                break
            start = [reply]
        for column in start:
            board.push(column)
            score = -score
        line += start
    return line[:plies]

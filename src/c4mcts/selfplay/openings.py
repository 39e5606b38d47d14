"""The opening of a game of self-play: the moves before the first position that is searched."""

from .._backend import load
from .._layout import OPENING
from ..board.board import Board
from .play_params import PlayParams


def check_openings(play: PlayParams, start: Board) -> None:
    """ValueError if one of the given openings is impossible from this position, or ends the game."""
    for i, opening in enumerate(play.openings):
        board = start.copy()
        try:
            for column in opening:
                board.push(int(column))
        except ValueError as error:
            raise type(error)(f"openings[{i}]: {error}") from None
        if board.is_over():
            raise ValueError(f"openings[{i}] must be moves after which the game goes on, not {opening!r}")


def opening_of(play: PlayParams, start: Board, number: int, state: tuple[int, int]) -> tuple[Board, int]:
    """The position at which game `number` begins, and how many moves are still to be drawn from the raw policy.

    state: of the game's generator.
    """
    if not play.has_openings:
        return start, 0
    board = start.copy()
    if play.openings:
        for column in play.openings[number % len(play.openings)]:
            board.push(int(column))
    fewest, most = play.opening_range
    rng = load("pure").rng
    generator = rng.substream(*state, OPENING)
    plies = fewest + rng.choice(generator, most - fewest + 1)
    if play.opening_moves == "policy":
        return board, plies
    for _ in range(plies):
        columns = _columns_that_go_on(board)
        if not columns:
            break
        board.push(columns[rng.choice(generator, len(columns))])
    return board, 0


def _columns_that_go_on(board: Board) -> list[int]:
    """The moves that don't end the game."""
    if board.ply + 1 == board.rules.cells:
        return []
    winning = board.winning_columns()
    return [column for column in board.legal_columns if column not in winning]

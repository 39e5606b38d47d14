"""Threats: the empty cells in which a player would complete a line, and what follows from them for certain.

Allis, "A knowledge-based approach of Connect-Four" (1988), section 3. Nothing here is an estimate.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from .. import _backend
from . import cells
from .board import Board, measure

winning_cells = _backend.load("pure").threats.winning_cells


@dataclass(frozen=True, slots=True, order=True)
class Threat:
    """A cell in which a player would complete a line. Column and row count from 0, the row from the bottom."""

    player: int
    column: int
    row: int

    @property
    def is_odd(self) -> bool:
        """Whether the row is odd, counted from 1: the first player's discs fall there if nothing else is left."""
        return self.row % 2 == 0


def threats(board: Board) -> tuple[Threat, ...]:
    """All empty cells in which a player would complete a line, now or later; none once the game is over."""
    if board.is_over():
        return ()
    geometry = measure(board.rules)
    result = [
        Threat(player, column, row)
        for player, discs in enumerate(board._sides())
        for column, row in cells.places(winning_cells(discs, geometry) & ~board.mask, board.rules)
    ]
    return tuple(result)


def columns_below_threats(board: Board) -> list[int]:
    """The columns in which a disc of the player to move would let the opponent win on top of it."""
    wins = {(threat.column, threat.row) for threat in threats(board) if threat.player != board.turn}
    rows = {column: cells.filled(board.mask, column, board.rules) for column in board.legal_columns}
    return [column for column, row in rows.items() if (column, row + 1) in wins]


def is_zugzwang(board: Board) -> bool:
    """Whether the player to move loses only because of having to move: each column lies below a winning cell of the
    opponent, who threatens nothing yet.
    """
    if board.is_over() or board.winning_columns() or board.threatened_columns():
        return False
    return columns_below_threats(board) == board.legal_columns


def zugzwang_after(board: Board, line: Iterable[int]) -> Threat | None:
    """The cell in which a line is won on top of a disc that the loser had to play; None if it ends in another way."""
    positions = list(accumulate(line, Board.after, initial=board))
    outcome, cell = positions[-1].outcome(), positions[-1].last_cell
    if outcome is None or outcome.winner is None or cell is None:
        return None
    was_forced = is_zugzwang(positions[-3:][0])  # when the loser played it; there is none in a line of one move
    return Threat(outcome.winner, *cell) if was_forced else None

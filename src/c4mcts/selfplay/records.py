"""GameRecord: a finished game, with the search's result at each position."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from .. import _layout
from .._hints import no_attribute
from ..search.results import SearchResult
from ..solver.verdict import Proof

# What is kept of the search of one position: the type of the number, and whether there is one for each column.
SEARCHED = {name: (np.dtype(kind), False) for name, kind in _layout.POSITION_FIELDS}
SEARCHED |= {name: (np.dtype(kind), True) for name, kind in _layout.COLUMN_FIELDS}
NO_PROOF = -128  # in `proof`: nothing is proven, as NO_SCORE among scores
PROOFS: dict[Proof | None, int] = {"win": 1, "draw": 0, "loss": -1, None: NO_PROOF}


@cache  # as making it takes as long as playing a game of short searches
def searched_type(width: int) -> np.dtype[np.void]:
    """A searched position on a board of this width, with the fields of SEARCHED."""
    return np.dtype([(name, kind, (width,) if wide else ()) for name, (kind, wide) in SEARCHED.items()])


class Searched:
    """Results of the searches of N positions: arrays with a row for each.

    Values are in [-1, 1] for the player to move, 1 for a win; NaN if there is none.
    """

    __slots__ = ()
    column: npt.NDArray[np.int8]  # (N,): the move that was played
    ply: npt.NDArray[np.int16]  # (N,): discs on the board
    policy: npt.NDArray[np.float32]  # (N, width): target of the priors; see SearchResult.policy
    visits: npt.NDArray[np.int32]  # (N, width): of each move
    q: npt.NDArray[np.float32]  # (N, width): mean value of each move, exact where it is proven; NaN without visits
    prior: npt.NDArray[np.float32]  # (N, width): priors of the evaluator, without root noise; NaN without an evaluator
    raw_value: npt.NDArray[np.float32]  # (N,): the evaluator's value itself; NaN if unknown
    value: npt.NDArray[np.float32]  # (N,): the search's value (SearchResult.root_value)
    proof: npt.NDArray[np.int8]  # (N,): outcome that the search proved: 1, 0, -1; NO_PROOF, -128, for none
    simulations: npt.NDArray[np.int32]  # (N,): made by the search
    weight: npt.NDArray[np.float32]  # (N,): of the position in training: 1, for fast searches PlayParams.fast_weight

    if not TYPE_CHECKING:  # otherwise type checkers would accept every name

        def __getattr__(self, name):
            if name in SEARCHED:
                return self.searched[name]
            raise no_attribute(self, name)


class Ending(IntEnum):
    """How a game of self-play ended."""

    PLAYED_OUT = _layout.PLAYED_OUT  # on the board
    PROVEN = _layout.PROVEN  # at a position whose outcome was proven
    RESIGNED = _layout.RESIGNED  # the player to move at the last position resigned


@dataclass(frozen=True, slots=True, eq=False)
class GameRecord(Searched):
    """One game with the searches of its n positions: before each move from number `opening` on.

    A game that ends early, by resignation or at a proof, has the winner that was decided on, and its last column is the
    move chosen in the last searched position.
    """

    columns: Sequence[int]  # all moves since the start position; n = len(columns) - opening
    opening: int  # how many of them were made without a search; not all
    winner: int | None  # 0 or 1, the player who moves at even or odd plies; None for a draw
    ending: Ending
    searched: npt.NDArray[np.void]  # (n,): its fields are the arrays of Searched

    def to_bytes(self) -> bytes:
        """The game as bytes, for `from_bytes`."""
        winner = -1 if self.winner is None else self.winner
        head = _layout.GAME_HEAD.pack(len(self.columns), self.opening, winner, self.ending)
        return head + bytes(self.columns[: self.opening]) + self.searched.tobytes()

    @classmethod
    def from_bytes(cls, data: bytes, width: int) -> Self:
        """The game that `to_bytes` or a pool wrote, on a board of this width. ValueError, struct.error."""
        moves, opening, winner, ending = _layout.GAME_HEAD.unpack_from(data)
        start = _layout.GAME_HEAD.size + opening
        searched = np.frombuffer(data, searched_type(width), moves - opening, start)
        columns = [*data[start - opening : start], *searched["column"].tolist()]
        return cls(columns, opening, None if winner < 0 else winner, Ending(ending), searched)

    @classmethod
    def of_results(
        cls, columns: Sequence[int], winner: int | None, ending: Ending, results: Sequence[SearchResult]
    ) -> Self:
        """The record of a game of which the last positions were searched, one for each result."""
        searched = np.zeros(len(results), searched_type(results[0].board.rules.width))
        for row, result, column in zip(searched, results, columns[-len(results) :], strict=True):
            row["column"], row["ply"] = column, result.board.ply
            row["q"] = row["raw_value"] = np.nan
            for move in result.moves:
                row["visits"][move.column] = move.visits
                row["q"][move.column] = np.nan if move.value is None else 2 * move.value - 1
                row["prior"][move.column] = np.nan if move.prior is None else move.prior
            if np.isnan(row["prior"]).any():
                row["prior"] = np.nan
            row["policy"], row["value"] = result.policy(), value_of(result)
            row["proof"], row["simulations"], row["weight"] = PROOFS[result.proof], result.simulations, 1
        return cls(columns, len(columns) - len(results), winner, ending, searched)


def value_of(result: SearchResult) -> float:
    """The value of a searched position, in [-1, 1]; 0 without visits."""
    return 0.0 if result.root_value is None else 2 * result.root_value - 1

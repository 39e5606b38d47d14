"""GameRecord: a finished game, with what the search found at each position; a line of a checkpoint holds one."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from .. import _layout
from ..search.results import SearchResult
from ..search.root_moves import Proof

# What is kept of the search of one position: the type of the number, and whether there is one for each column.
SEARCHED: dict[str, tuple[np.dtype[Any], bool]] = {
    "policy": (np.dtype("<f4"), True),
    "visits": (np.dtype("<i4"), True),
    "q": (np.dtype("<f4"), True),
    "prior": (np.dtype("<f4"), True),
    "raw_value": (np.dtype("<f4"), False),
    "value": (np.dtype("<f4"), False),
    "proof": (np.dtype("i1"), False),
    "simulations": (np.dtype("<i4"), False),
    "weight": (np.dtype("<f4"), False),
}
NO_PROOF = -128  # in `proof`: nothing is proven, as NO_SCORE among scores
PROOFS: dict[Proof, int] = {"win": 1, "draw": 0, "loss": -1}


def position_type(width: int) -> np.dtype[np.void]:
    """A searched position as native code records it, on a board of this width."""
    return np.dtype([*_layout.POSITION_FIELDS, *((name, kind, (width,)) for name, kind in _layout.COLUMN_FIELDS)])


class Ending(IntEnum):
    """How a game of self-play ended."""

    PLAYED_OUT = _layout.PLAYED_OUT  # on the board
    PROVEN = _layout.PROVEN  # at a position whose outcome was proven
    RESIGNED = _layout.RESIGNED  # the player to move at the last position resigned


@dataclass(frozen=True, slots=True, eq=False)
class GameRecord:
    """One game and its n searched positions: those before each move from number `opening` on.

    Values are in [-1, 1] for the player to move, NaN where there is none. A game that ends early, by resignation or at
    a proof, has the winner that was decided on, and its last column is the move chosen in the last searched position.
    """

    columns: Sequence[int]  # all moves since the start position; n = len(columns) - opening
    opening: int  # how many of them were made without a search; not all
    winner: int | None  # 0 or 1, the player who moves at even or odd plies; None for a draw
    ending: Ending
    policy: npt.NDArray[np.float32]  # (n, width): the target of training; sum 1, 0 for illegal columns
    visits: npt.NDArray[np.int32]  # (n, width)
    q: npt.NDArray[np.float32]  # (n, width): mean value of each move, exact where it is proven; NaN without visits
    prior: npt.NDArray[np.float32]  # (n, width): of the evaluator, without noise; 0 for illegal columns, NaN: none
    raw_value: npt.NDArray[np.float32]  # (n,): of the network for the position itself; NaN: none
    value: npt.NDArray[np.float32]  # (n,): of the position after the search, never NaN
    proof: npt.NDArray[np.int8]  # (n,): 1 a win, 0 a draw, -1 a loss for the player to move; NO_PROOF: unknown
    simulations: npt.NDArray[np.int32]  # (n,): made by this search
    weight: npt.NDArray[np.float32]  # (n,): of the position in training; 1 unless the search was a reduced one

    def to_json(self) -> dict[str, Any]:
        """JSON types; all arrays together are base64 of their numbers, little-endian, in the order of SEARCHED."""
        data = b"".join(np.asarray(getattr(self, name), kind).tobytes() for name, (kind, _) in SEARCHED.items())
        rows = base64.b64encode(data).decode()
        head = {"columns": list(self.columns), "opening": self.opening, "winner": self.winner}
        return {**head, "ending": int(self.ending), "rows": rows}

    @classmethod
    def from_json(cls, found: Mapping[str, Any], width: int) -> Self:
        """The inverse of `to_json`, on a board of this width. ValueError for arrays of another size."""
        columns, opening = found["columns"], found["opening"]
        arrays = _decoded(found["rows"], len(columns) - opening, width)
        return cls(columns, opening, found["winner"], Ending(found["ending"]), **arrays)

    @classmethod
    def of_results(
        cls,
        columns: Sequence[int],
        winner: int | None,
        ending: Ending,
        results: Sequence[SearchResult],
    ) -> Self:
        """The record of a game of which the last positions were searched, one for each result."""
        rows = [_searched(result) for result in results]
        arrays = {name: np.array([row[name] for row in rows], kind) for name, (kind, _) in SEARCHED.items()}
        return cls(columns, len(columns) - len(results), winner, ending, **arrays)


def value_of(result: SearchResult) -> float:
    """What a search made of its position, in [-1, 1]; 0 if it made nothing."""
    return 0.0 if result.root_value is None else 2 * result.root_value - 1


def _searched(result: SearchResult) -> dict[str, Any]:
    """A row of each array of GameRecord."""
    width = result.board.rules.width
    visits, q, prior = np.zeros(width, int), np.full(width, np.nan), np.zeros(width)
    for move in result.moves:
        visits[move.column] = move.visits
        q[move.column] = np.nan if move.value is None else 2 * move.value - 1
        prior[move.column] = np.nan if move.prior is None else move.prior
    if np.isnan(prior).any():
        prior[:] = np.nan
    return {
        "policy": result.policy(),
        "visits": visits,
        "q": q,
        "prior": prior,
        "raw_value": np.nan,
        "value": value_of(result),
        "proof": NO_PROOF if result.proof is None else PROOFS[result.proof],
        "simulations": result.simulations,
        "weight": 1.0,
    }


def _decoded(text: Any, n: int, width: int) -> dict[str, npt.NDArray[Any]]:
    """The arrays of n positions from base64. ValueError."""
    data = base64.b64decode(text)
    size = n * sum(kind.itemsize * (width if wide else 1) for kind, wide in SEARCHED.values())
    if len(data) != size:
        raise ValueError(f"rows must be {size} bytes in base64, not {len(data)}")
    arrays: dict[str, npt.NDArray[Any]] = {}
    start = 0
    for name, (kind, wide) in SEARCHED.items():
        arrays[name] = np.ndarray((n, width) if wide else (n,), kind, data, start)
        start += arrays[name].nbytes
    return arrays

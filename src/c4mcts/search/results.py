"""What a search says."""

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .._validation import not_negative
from ..board.board import Board

Proof = Literal["win", "draw", "loss"]


@dataclass(frozen=True, slots=True)
class MoveStats:
    """One legal column of the root, seen by the player to move there."""

    column: int
    visits: int
    value: float | None  # mean reward in [0, 1]; None without visits
    prior: float | None  # None where no evaluator gave one
    proof: Proof | None
    distance: int | None  # plies from the root to the end of the game, where it is proven
    pv: tuple[int, ...]  # this column and the most visited replies
    short_win: int | None = None  # plies to the soonest win in a simulation; counted for choice="ucb_short_win"


@dataclass(frozen=True, slots=True, repr=False)
class SearchResult:
    """The move to play and what speaks for it; values are in [0, 1] for the player to move at the root."""

    board: Board  # the root; a copy
    column: int  # the move, 0-based
    value: float | None  # mean reward of that move; None if it was never tried
    proof: Proof | None  # of the root
    distance: int | None  # plies to the end, where it is proven
    simulations: int  # made by this call; the tree may hold more from earlier ones
    nodes: int  # in the tree, children without visits included
    seconds: float  # wall clock
    pv: tuple[int, ...]  # the move and the most visited replies
    moves: tuple[MoveStats, ...]  # every legal column, in order

    def policy(self, temperature: float = 1.0) -> npt.NDArray[np.float64]:
        """What to play with which share, a target for a network: float64 of shape (width,), sum 1, illegal columns 0.

        Shares of the visits, raised to 1 / temperature: 0 puts everything on the most visited columns, in equal parts;
        infinity plays all legal columns alike, and so does a tree without visits. But visits end where something is
        proven, and say nothing from there on: a proven position is played by its best columns, all alike, at any
        temperature, and columns that are proven lost get nothing as long as there are others.

        Computed in logarithms, so that no temperature overflows. Raises TypeError or ValueError for a temperature that
        is no number or negative.
        """
        temperature = not_negative("temperature", temperature)
        best = next(move for move in self.moves if move.column == self.column)
        if self.proof is not None:
            played = [move for move in self.moves if (move.proof, move.distance) == (best.proof, best.distance)]
            temperature = math.inf
        else:
            played = [move for move in self.moves if move.proof != "loss"] or [best]
        visits = np.array([move.visits for move in played], dtype=np.float64)
        shares = np.zeros(self.board.rules.width)
        shares[[move.column for move in played]] = _shares(visits, temperature)
        return shares

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, strings, lists and None, ready for JSON; the board as FEN."""
        fields = {name: getattr(self, name) for name in self.__slots__ if name not in ("board", "moves")}
        return {
            "board": self.board.to_fen(),
            **fields,
            "pv": list(self.pv),
            "moves": [{**asdict(move), "pv": list(move.pv)} for move in self.moves],
        }

    def _head(self) -> str:
        return (
            f"column {self.column}, {verdict(self.value, self.proof, self.distance)}, "
            f"{self.simulations:,} simulations in {self.seconds:.2f} s, {self.nodes:,} nodes"
        )

    def __repr__(self) -> str:
        """One line; print shows the table."""
        return f"<c4mcts.SearchResult {self._head()}>"

    def __str__(self) -> str:
        """A table for people: a line for the whole, one for each column."""
        lines = [self._head(), "", "  column      visits  value  proof     principal variation"]
        for move in self.moves:
            value = "    -" if move.value is None else f"{move.value:5.3f}"
            proof = "" if move.proof is None else f"{move.proof} in {move.distance}"
            mark = ">" if move.column == self.column else " "
            lines.append(
                f"{mark} {move.column:6}  {move.visits:10,}  {value}  {proof:<8}  {line_text(move.pv)}".rstrip()
            )
        return "\n".join(lines)

    def _repr_svg_(self) -> str:
        from ..view.result_svg import result_svg

        return result_svg(self)


def _shares(visits: npt.NDArray[np.float64], temperature: float) -> npt.NDArray[np.float64]:
    """In proportion to visits ** (1 / temperature), sum 1; all alike at infinity, and without visits."""
    if temperature == math.inf or not visits.any():
        return np.full(len(visits), 1 / len(visits))
    shares = np.zeros(len(visits))
    tried = visits > 0
    logs = np.log(visits[tried] / visits.max())
    with np.errstate(over="ignore"):  # a tiny temperature leaves the most visited alone: exp(-inf) = 0
        shares[tried] = np.exp(logs / temperature) if temperature > 0 else logs == 0
    return np.asarray(shares / shares.sum())


def verdict(value: float | None, proof: Proof | None, distance: int | None) -> str:
    """'win in 3', 'draw' where the end is not known, or 'value 0.532' where nothing is proven."""
    if proof is not None:
        return proof if distance is None else f"{proof} in {distance}"
    return "value unknown" if value is None else f"value {value:.3f}"


def line_text(columns: Iterable[int]) -> str:
    """Columns separated by blanks."""
    return " ".join(map(str, columns))

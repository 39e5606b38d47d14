"""Reads a tree: from nodes to MoveStats and SearchResult. Searching is elsewhere."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _layout
from .board import Board
from .params import SearchParams
from .result import MoveStats, Proof, SearchResult

PROOFS: dict[int, Proof] = {_layout.WON: "win", _layout.DRAWN: "draw"}


class TreeReader:
    """A view of one tree and its root position.

    rows(first, count): copies of nodes as a structured array. Nothing is kept between calls, so the tree may grow.
    """

    def __init__(self, rows: Callable[[int, int], npt.NDArray[np.void]], board: Board, params: SearchParams) -> None:
        self._rows = rows
        self._board = board
        self._params = params
        self._units = params.settings().win

    def node(self, index: int) -> Any:
        """One node."""
        return self._rows(index, 1)[0]

    def children(self, node: Any) -> npt.NDArray[np.void]:
        """The children of a node, in column order."""
        return self._rows(int(node["children"]), int(node["size"]))

    def result(self, word: int, *, simulations: int, nodes: int, seconds: float) -> SearchResult:
        """What the tree says now; `word` is 64 random bits for ties, where the parameters ask for them."""
        moves = self.moves()
        best = self._choose(moves, word)
        return SearchResult(
            board=self._board.copy(),
            column=best.column,
            value=best.value,
            proof="win" if best.proof == "win" else None,
            distance=best.distance if best.proof == "win" else None,
            simulations=simulations,
            nodes=nodes,
            seconds=seconds,
            pv=best.pv,
            moves=moves,
        )

    def moves(self) -> tuple[MoveStats, ...]:
        """Statistics of every legal column."""
        wins = self._board.winning_columns()
        tried = {int(child["column"]): child for child in self.children(self.node(_layout.ROOT))}
        moves = []
        for column in self._board.legal_columns:
            child = tried.get(column)
            visits = 0 if child is None else int(child["visits"])
            value = None if child is None or not visits else int(child["value_sum"]) / (self._units * visits)
            proof, distance = self._proof(0 if child is None else int(child["proof"]))
            if column in wins:  # known without a visit
                proof, distance = "win", 1
            pv = (column,) if child is None else (column, *self._line(child))
            moves.append(MoveStats(column, visits, value, None, proof, distance, pv))
        return tuple(moves)

    def _proof(self, field: int) -> tuple[Proof | None, int | None]:
        """Proof and distance of a child of the root, seen from the root."""
        proof = PROOFS.get(field & ~_layout.DISTANCE_MASK)
        return (proof, (field & _layout.DISTANCE_MASK) + 1) if proof else (None, None)

    def _line(self, node: Any) -> list[int]:
        """The most visited moves below a node, as far as two visits speak for them."""
        line = []
        while node["size"]:
            children = self.children(node)
            node = children[int(np.argmax(children["visits"]))]
            if node["visits"] < 2:
                break
            line.append(int(node["column"]))
        return line

    def _choose(self, moves: tuple[MoveStats, ...], word: int) -> MoveStats:
        """The move to play: an immediate win, an answer to an immediate threat, else by the rule of the parameters."""
        urgent = self._board.winning_columns() or self._board.threatened_columns()
        candidates = [move for move in moves if not urgent or move.column in urgent]
        best = max(map(self._merit, candidates))
        equals = [move for move in candidates if self._merit(move) == best]
        return equals[(word >> 32) * len(equals) >> 32 if self._params.tie_break == "random" else 0]

    def _merit(self, move: MoveStats) -> tuple[float, float]:
        value = -1.0 if move.value is None else move.value
        return (move.visits, value) if self._params.choice == "visits" else (value, move.visits)

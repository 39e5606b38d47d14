"""Reads a tree: from nodes to MoveStats and SearchResult. Searching is elsewhere."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _layout
from ..board.board import Board
from ..solver.scores import win_score
from .move_selection import choose, exact_value
from .params import SearchParams
from .results import MoveStats, SearchResult
from .root_bounds import Bounds, Narrowing

FARTHEST = 6  # plies over which a position is looked for in an old tree
Rows = Callable[[int, int], npt.NDArray[np.void]]  # copies of nodes: first, count


class TreeReader:
    """A view of one tree and its root position.

    rows(first, count): copies of nodes as a structured array. narrowing: what else is known of the root's columns;
    gets what the tree knows. short_wins: by column, plies to the soonest win in a simulation, 0 for none. Nothing is
    kept between calls, so the tree may grow.
    """

    def __init__(
        self,
        rows: Rows,
        board: Board,
        params: SearchParams,
        narrowing: Narrowing,
        short_wins: list[int],
    ) -> None:
        self._rows = rows
        self._board = board
        self._params = params
        self._narrowing = narrowing
        self._short_wins = short_wins
        self._units = params.settings().win
        self._judged = params.selection == "puct"

    def node(self, index: int) -> Any:
        """One node."""
        return self._rows(index, 1)[0]

    def children(self, node: Any) -> npt.NDArray[np.void]:
        """The children of a node, in column order."""
        return self._rows(int(node["children"]), int(node["size"]))

    def result(self, word: int, *, simulations: int, nodes: int, seconds: float) -> SearchResult:
        """What the tree says now; `word` is 64 random bits for ties, where the parameters ask for them."""
        moves = self.moves()
        best = choose(moves, self._narrowing, self._params, word)
        proof, distance = self._narrowing.proof()
        return SearchResult(
            board=self._board.copy(),
            column=best.column,
            value=best.value,
            proof=proof,
            distance=distance,
            simulations=simulations,
            nodes=nodes,
            seconds=seconds,
            pv=best.pv,
            moves=moves,
        )

    def proven(self) -> dict[int, Bounds]:
        """What the tree knows for certain of the scores of the root's columns, for the player to move there."""
        return {
            int(child["column"]): self._bounds(int(child["proof"])) for child in self.children(self.node(_layout.ROOT))
        }

    def moves(self) -> tuple[MoveStats, ...]:
        """Statistics of every legal column."""
        tried = {int(child["column"]): child for child in self.children(self.node(_layout.ROOT))}
        moves = []
        for column in self._board.legal_columns:
            child = tried.get(column)
            visits = 0 if child is None else int(child["visits"])
            value = self._value(child) if visits else None
            prior = float(child["prior"]) if self._judged and child is not None else None
            if child is not None:
                self._narrowing.add(column, self._bounds(int(child["proof"])))
            proof, distance = self._narrowing.proof(column)
            if proof is not None:
                value = exact_value(proof, self._params)
            pv = (column,) if child is None else (column, *self._line(child))
            moves.append(MoveStats(column, visits, value, prior, proof, distance, pv, self._short_wins[column] or None))
        return tuple(moves)

    def _value(self, node: Any) -> float:
        """Mean of a visited node, in [0, 1], for the player who moved into it."""
        if self._judged:
            return (float(node["value"]) + 1) / 2
        return int(node["value_sum"]) / (self._units * int(node["visits"]))

    def _bounds(self, proof: int) -> Bounds:
        """What the proof field of a child of the root says of its column's score, for the player at the root."""
        cells = self._board.rules.cells
        best = win_score(cells, self._board.ply + 1)
        score = win_score(cells, self._board.ply + 1 + (proof & _layout.DISTANCE_MASK))
        return bounds_of(proof, score, best)

    def _line(self, node: Any) -> list[int]:
        """The best moves below a node: what is proven, else the most visited, as far as two visits speak for them."""
        line = []
        while node["size"]:
            node = max(self.children(node), key=lambda child: appeal(int(child["proof"]), int(child["visits"])))
            if node["visits"] < 2 and not node["proof"]:
                break
            line.append(int(node["column"]))
        return line


def line_between(rows: Rows, root: Board, board: Board) -> list[int] | None:
    """Moves from a tree's root through visited nodes to a position up to FARTHEST plies on; None if there are none."""
    if root.rules != board.rules or not 0 <= board.ply - root.ply <= FARTHEST:
        return None
    target = _discs(board)
    seen = set()
    stack: list[tuple[Any, Board, list[int]]] = [(rows(_layout.ROOT, 1)[0], root, [])]
    while stack:
        node, here, line = stack.pop()
        if here == board:
            return line
        if here in seen or any(discs & ~wanted for discs, wanted in zip(_discs(here), target, strict=True)):
            continue
        seen.add(here)
        for child in rows(int(node["children"]), int(node["size"])):
            if child["visits"]:
                after = here.copy()
                after.push(int(child["column"]))
                stack.append((child, after, [*line, after.peek()]))
    return None


def _discs(board: Board) -> tuple[int, int]:
    """Discs of the first and of the second player."""
    other = board.own ^ board.mask
    return (board.own, other) if board.turn == 0 else (other, board.own)


def bounds_of(proof: int, score: int, best: int) -> Bounds:
    """What the proof field of a node says of the score of the move into it.

    score: of a win at the distance in the field. best: of the fastest win there could be.
    """
    code = proof >> _layout.DISTANCE_BITS
    if _layout.LOWERS[code] == _layout.WIN:
        return score, best
    if _layout.UPPERS[code] == _layout.LOSS:
        return -best, -score
    return 0 if _layout.LOWERS[code] == _layout.DRAW else -best, 0 if _layout.UPPERS[code] == _layout.DRAW else best


def appeal(proof: int, visits: int) -> tuple[int, int]:
    """How much a move recommends itself to the player who makes it: a quick win, the most visits, a late loss."""
    code = proof >> _layout.DISTANCE_BITS
    distance = proof & _layout.DISTANCE_MASK
    if _layout.LOWERS[code] == _layout.WIN:
        return 1, -distance
    return (-1, distance) if _layout.UPPERS[code] == _layout.LOSS else (0, visits)

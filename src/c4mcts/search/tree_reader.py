"""Reads a tree: from nodes to MoveStats and SearchResult."""

from collections.abc import Callable
from typing import Any, NamedTuple

from .. import _layout
from ..board.board import Board
from ..solver.book import Book
from .results import MoveStats, SearchResult
from .root_moves import RootMoves, Row, exact_value

MAX_PLIES_ON = 6  # how far below the old root a position is looked for


class NodeCopy(NamedTuple):
    """A copy of a node, see _layout.NODE_FIELDS and ESTIMATE_FIELDS: faster to read than a row of an array."""

    visits: int
    value_sum: int
    children: int
    proof: int
    column: int
    size: int
    value: float = 0.0
    prior: float = 0.0


Nodes = Callable[[int, int], list[NodeCopy]]  # copies of nodes: first, count


class TreeReader:
    """A view of one tree and its root position.

    nodes(first, count): copies of nodes. searcher: the backend's part of the tree. moves: those of the root; their
    bounds are narrowed by what the tree proves. book: continues the principal variations. Nothing else is kept between
    calls, so the tree may grow.
    """

    def __init__(
        self,
        nodes: Nodes,
        searcher: Any,
        board: Board,
        moves: RootMoves,
        settings: _layout.Settings,
        book: Book | None = None,
    ) -> None:
        self._nodes = nodes
        self._searcher = searcher
        self._board = board
        self._moves = moves
        self._settings = settings
        self._book = book
        self._has_estimates = settings.selection == _layout.PUCT

    def result(self, random_bits: int, *, simulations: int, nodes: int, seconds: float) -> SearchResult:
        """The result of the search so far. random_bits: 64 of them, for ties and temperature."""
        known = self.moves()
        moves = self._statistics(known.rows())
        column = known.choose(self._settings, random_bits)
        best = next(move for move in moves if move.column == column)
        proof, distance = known.proof()
        return SearchResult(
            board=self._board.copy(),
            column=column,
            value=best.value,
            root_value=self._root_value() if proof is None else exact_value(proof, self._settings),
            proof=proof,
            distance=distance,
            simulations=simulations,
            nodes=nodes,
            seconds=seconds,
            pv=best.pv,
            moves=moves,
        )

    def moves(self) -> RootMoves:
        """The moves of the root, with what the tree knows of them now."""
        self._moves.read_tree(self._searcher)
        return self._moves

    def _statistics(self, rows: list[Row]) -> tuple[MoveStats, ...]:
        """Statistics of every legal column."""
        has_children = self._nodes(_layout.ROOT, 1)[0].size > 0
        has_weights = has_children and (self._settings.gumbel or self._settings.forced_visits > 0)
        return tuple(
            MoveStats(
                row.column,
                row.visits,
                None if row.share < 0 else row.share,
                row.prior if has_children and self._has_estimates else None,
                *self._moves.proof_of(row),
                self._continued([row.column, *self._searcher.line(row.column)]),
                row.short_win or None,
                row.weight if has_weights else None,
            )
            for row in rows
        )

    def _root_value(self) -> float | None:
        """Mean of the root, in [0, 1], for the player to move there."""
        root = self._nodes(_layout.ROOT, 1)[0]
        if not root.visits:
            return None
        if self._has_estimates:
            return (1 - root.value) / 2
        units, children = self._settings.win, self._nodes(root.children, root.size)
        visits = sum(child.visits for child in children)
        if not visits:  # only the root itself was rolled out
            return 1 - root.value_sum / (units * root.visits)
        return sum(child.value_sum for child in children) / (units * visits)

    def _continued(self, line: list[int]) -> tuple[int, ...]:
        """A line of moves, and the best ones that follow as far as the book knows them."""
        if self._book is None:
            return tuple(line)
        board = self._board.copy()
        for column in line:
            board.push(column)
        return (*line, *self._book.line(board))


def line_between(nodes: Nodes, root: Board, board: Board) -> list[int] | None:
    """Moves from a tree's root through visited nodes to a position at most MAX_PLIES_ON plies later.

    None if there are none, or if the rules differ.
    """
    if root.rules != board.rules or not 0 <= board.ply - root.ply <= MAX_PLIES_ON:
        return None
    stride = board.rules.height + 1
    target = _discs(board)
    if any(discs & ~wanted for discs, wanted in zip(_discs(root), target, strict=True)):
        return None
    seen = set()
    stack: list[tuple[NodeCopy, Board, list[int]]] = [(nodes(_layout.ROOT, 1)[0], root, [])]
    while stack:
        node, here, line = stack.pop()
        if here == board:
            return line
        if here in seen:
            continue
        seen.add(here)
        for child in nodes(node.children, node.size):
            cell = here.mask + (1 << child.column * stride) & ~here.mask
            if child.visits and cell & target[here.turn]:
                after = here.copy()
                after.push(child.column)
                stack.append((child, after, [*line, after.peek()]))
    return None


def _discs(board: Board) -> tuple[int, int]:
    """Discs of the first and of the second player."""
    other = board.own ^ board.mask
    return (board.own, other) if board.turn == 0 else (other, board.own)

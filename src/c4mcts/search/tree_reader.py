"""Reads a tree: from nodes to bounds, MoveStats and SearchResult. Changes nothing."""

from collections.abc import Callable
from typing import NamedTuple

from .. import _layout
from ..board.board import Board
from ..solver.book import Book
from ..solver.solution import win_score
from .move_selection import choose_board_move, exact_value
from .params import SearchParams
from .results import MoveStats, SearchResult
from .root_bounds import Bounds, RootBounds

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
Rates = Callable[[], tuple[list[float], list[float]]]  # scores and weights of the root's children: see puct.rate


class TreeReader:
    """A view of one tree and its root position.

    nodes(first, count): copies of nodes. line(column): the best moves after a column of the root. known: what is known
    of the root's columns beside what the tree has proven. short_wins: by column, plies to the soonest win in a
    simulation, 0 for none. book: continues the principal variations. rates: of a search whose policy is not that of its
    visits. Nothing is kept between calls, so the tree may grow.
    """

    def __init__(
        self,
        nodes: Nodes,
        line: Callable[[int], list[int]],
        board: Board,
        params: SearchParams,
        known: RootBounds,
        short_wins: list[int],
        book: Book | None = None,
        rates: Rates | None = None,
    ) -> None:
        self._nodes = nodes
        self._line = line
        self._board = board
        self._params = params
        self._known = known
        self._short_wins = short_wins
        self._book = book
        self._rates = rates
        self._units = params.settings().win
        self._has_estimates = params.needs_evaluator

    def node(self, index: int) -> NodeCopy:
        """One node."""
        return self._nodes(index, 1)[0]

    def children(self, node: NodeCopy) -> list[NodeCopy]:
        """The children of a node, in column order."""
        return self._nodes(node.children, node.size)

    def result(self, random_bits: int, *, simulations: int, nodes: int, seconds: float) -> SearchResult:
        """The result of the search so far. random_bits: 64 of them, for ties and temperature."""
        children = self._root_children()
        bounds = self._merged(children)
        rates = ([], []) if self._rates is None else self._rates()
        scores, weights = (dict(zip(children, numbers, strict=False)) for numbers in rates)
        moves = self._moves(children, bounds, weights)
        best = choose_board_move(moves, bounds, self._params, random_bits, scores)
        proof, distance = bounds.proof()
        return SearchResult(
            board=self._board.copy(),
            column=best.column,
            value=best.value,
            root_value=self._root_value() if proof is None else exact_value(proof, self._params),
            proof=proof,
            distance=distance,
            simulations=simulations,
            nodes=nodes,
            seconds=seconds,
            pv=best.pv,
            moves=moves,
        )

    def bounds(self) -> RootBounds:
        """All that is known of the scores of the root's columns."""
        return self._merged(self._root_children())

    def proven(self) -> dict[int, Bounds]:
        """What the tree alone has proven of the scores of the root's columns."""
        return {column: self._proven(child.proof) for column, child in self._root_children().items()}

    def contenders(self) -> list[int]:
        """Visits of the columns of which one may be the best, the most first."""
        children = self._root_children()
        columns = self._merged(children).contenders()
        return sorted((children[c].visits if c in children else 0 for c in columns), reverse=True)

    def columns_by_visits(self) -> list[int]:
        """The legal columns, the most visited first."""
        children = self._root_children()
        return sorted(
            self._board.legal_columns,
            key=lambda column: -children[column].visits if column in children else 0,
        )

    def _root_children(self) -> dict[int, NodeCopy]:
        """The children of the root by column."""
        return {child.column: child for child in self.children(self.node(_layout.ROOT))}

    def _merged(self, children: dict[int, NodeCopy]) -> RootBounds:
        """What is known, and what the tree has proven."""
        bounds = self._known
        for column, child in children.items():
            if child.proof and column in bounds.columns:
                bounds = bounds.narrowed(column, self._proven(child.proof))
        return bounds

    def _moves(
        self, children: dict[int, NodeCopy], bounds: RootBounds, weights: dict[int, float]
    ) -> tuple[MoveStats, ...]:
        """Statistics of every legal column. weights: in the policy, by column, where they are not the visits."""
        moves = []
        for column in self._board.legal_columns:
            child = children.get(column)
            visits = 0 if child is None else child.visits
            value = None if child is None or not visits else self._value(child)
            prior = child.prior if self._has_estimates and child is not None else None
            proof, distance = bounds.proof(column)
            if proof is not None:
                value = exact_value(proof, self._params)
            pv = self._continued([column, *self._line(column)])
            short_win, weight = self._short_wins[column] or None, weights.get(column)
            moves.append(MoveStats(column, visits, value, prior, proof, distance, pv, short_win, weight))
        return tuple(moves)

    def _value(self, node: NodeCopy) -> float:
        """Mean of a visited node, in [0, 1], for the player who moved into it."""
        if self._has_estimates:
            return (node.value + 1) / 2
        return node.value_sum / (self._units * node.visits)

    def _root_value(self) -> float | None:
        """Mean of the root, in [0, 1], for the player to move there."""
        root = self.node(_layout.ROOT)
        if not root.visits:
            return None
        if self._has_estimates:
            return (1 - root.value) / 2
        children = self.children(root)
        visits = sum(child.visits for child in children)
        if not visits:  # only the root itself was rolled out
            return 1 - self._value(root)
        return sum(child.value_sum for child in children) / (self._units * visits)

    def _proven(self, proof: int) -> Bounds:
        """Bounds of a root column's score by the proof field of its node, for the player to move at the root."""
        cells = self._board.rules.cells
        best = win_score(cells, self._board.ply + 1)
        if not (self._params.proofs or self._params.checks):  # a finished game counts as often as it was reached
            return -best, best
        score = win_score(cells, self._board.ply + 1 + (proof & _layout.DISTANCE_MASK))
        return proven_bounds(proof, score, best)

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


def proven_bounds(proof: int, score: int, best: int) -> Bounds:
    """Bounds of the score of a move by the proof field of its node.

    score: of a win at the distance in the field. best: of the fastest win there could be.
    """
    code = proof >> _layout.DISTANCE_BITS
    if _layout.LOWERS[code] == _layout.WIN:
        return score, best
    if _layout.UPPERS[code] == _layout.LOSS:
        return -best, -score
    lower = 0 if _layout.LOWERS[code] == _layout.DRAW else -best
    upper = 0 if _layout.UPPERS[code] == _layout.DRAW else best
    return lower, upper

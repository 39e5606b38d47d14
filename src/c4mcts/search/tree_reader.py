"""Reads a tree: nodes as a person looks at them, statistics of the moves, results, and the way to a later position."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType, SimpleNamespace
from typing import Any, NamedTuple, SupportsIndex

from .. import _layout
from .._backend import load
from .._validation import numbers, whole_number
from ..board.board import Board
from ..solver.book import Book
from .params import GumbelParams, SearchParams
from .results import SearchResult, decided
from .root_moves import NOTHING, OUTCOMES, Bound, MoveStats, Proof, Proven, RootMoves, Row

# The fewest plies to the end after a move that does not end the game, by its outcome; they are exact.
FEWEST: dict[Proof, int] = {"win": 2, "loss": 1}


@dataclass(frozen=True, slots=True)
class ChildStats:
    """A move at a node of a tree. Value, score and proof are for the player to move at the node."""

    column: int
    visits: int
    value: float | None  # mean reward in [0, 1]; None without visits
    score: float | None  # what the next selection compares, see TreeNode; None where it compares nothing
    prior: float | None  # None where no evaluator gave one
    proof: Proof | None
    distance: int | None  # if proven, plies from the node to the end of the game: see bound
    bound: Bound | None  # "exact" or "at most", see MoveStats


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node of a tree. Value and proof are for the player to move at its board.

    The scores of the children are on the scale of the values, [0, 1]: value + exploration sqrt(ln N / n) with UCB1,
    value + exploration P sqrt(N) / (1 + n) with PUCT. A child without visits has first_play in place of the value; with
    UCB1 that is its score, by default infinity. A child that can't be better than what is proven has -inf. Scores are
    None where nothing is selected by them: at a proven node, where a random opponent moves, and with GumbelParams.
    """

    board: Board
    visits: int
    value: float | None  # mean of the children's values by their visits; None without
    proof: Proof | None
    distance: int | None  # if proven, plies from here to the end of the game: see bound
    bound: Bound | None  # "exact" or "at most", see MoveStats
    exploration: float  # the factor of the exploration term, on the scale of the values
    children: tuple[ChildStats, ...]  # in column order; none yet at a leaf


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


def node_at(
    nodes: Nodes,
    root: Board,
    params: SearchParams,
    path: Iterable[SupportsIndex],
    noise: list[float],
    moves: RootMoves,
) -> TreeNode:
    """The node that a path of columns leads to from the root.

    noise: in the priors of the root's children, in column order; empty for none. moves: those of the root, of which
    more may be known than the tree says.

    Raises TypeError or ValueError naming the move that is not in the tree.
    """
    board, (node,) = root.copy(), nodes(_layout.ROOT, 1)
    columns = numbers("path", path, "a list of columns", root.rules.cells)
    for index, given in enumerate(columns):
        column = whole_number(f"path[{index}]", given)
        there = {child.column: child for child in nodes(node.children, node.size)}
        if column not in there:
            known = "no moves" if not there else f"only the moves {', '.join(map(str, there))}"
            raise ValueError(f"path[{index}]: the tree has {known} there, not {column}")
        node = there[column]
        board.push(column)
    children = nodes(node.children, node.size)
    is_drawn_at_random = params.opponent == "random" and len(columns) % 2 == 1
    scores: Sequence[float | None] = [None] * len(children)
    if not is_drawn_at_random and not isinstance(params, GumbelParams) and outcome_of(node.proof) is None:
        scores = scores_of(node, children, params, noise, is_root=not columns)
    proofs = {} if columns else {row.column: moves.proof_of(row) for row in moves.rows()}
    found = tuple(
        _child(child, score, proofs.get(child.column) or _proven_move(child, board), params)
        for child, score in zip(children, scores, strict=True)
    )
    visits = sum(child.visits for child in found)
    reached = proven(node.proof, board)
    return TreeNode(
        board=board,
        visits=node.visits,
        value=sum((child.value or 0.0) * child.visits for child in found) / visits if visits else None,
        **(reached.reversed() if columns else moves.proof())._asdict(),
        exploration=exploration_of(params, node.visits),
        children=found,
    )


def _child(child: NodeCopy, score: float | None, proven_move: Proven, params: SearchParams) -> ChildStats:
    """What a child holds. proven_move: what is proven of its move."""
    has_priors, value = params.settings().selection == _layout.PUCT, None
    if child.visits:
        value = (
            (child.value + 1) / 2 if params.needs_evaluator else child.value_sum / child.visits / params.settings().win
        )
    prior = child.prior if has_priors else None
    return ChildStats(child.column, child.visits, value, score, prior, *proven_move)


def _proven_move(child: NodeCopy, board: Board) -> Proven:
    """What is proven of the move to a child, by the tree alone. board: of its parent."""
    found = proven(child.proof, board)
    if found.distance is None or found.proof == "draw":
        return found
    return found._replace(distance=found.distance + 1)


def scores_of(
    node: NodeCopy, children: list[NodeCopy], params: SearchParams, noise: list[float], is_root: bool
) -> list[float]:
    """The scores that a selection at a node compares, on the scale of the values.

    The pure backend computes them; both backends have the same numbers.
    """
    backend, settings = load("pure"), params.settings()
    if not is_root:
        settings = settings._replace(forced_visits=0.0)
    nodes = [node._replace(children=1, size=len(children)), *children]
    scores: list[float] = []
    pool = SimpleNamespace(nodes=nodes, estimates=nodes)
    tree, priors = SimpleNamespace(pool=pool, settings=settings), [0.0] * len(children)
    if not params.needs_evaluator:
        if settings.rollout == _layout.NETWORK:
            backend.selection.score_by_prior(tree, _layout.ROOT, node.visits, scores)
        else:
            backend.selection.score_children(nodes, settings, _layout.ROOT, node.visits, scores)
        return [score / settings.win for score in scores]
    backend.puct_score.mix_priors(tree, noise, priors)
    backend.puct_score.score_children(tree, priors if is_root else [], _layout.ROOT, node.visits, scores)
    return [(score + 1) / 2 for score in scores]


def exploration_of(params: SearchParams, visits: int) -> float:
    """The factor of the exploration term at a node with this number of visits, on the scale of the values, [0, 1]."""
    settings = params.settings()
    if params.needs_evaluator:
        return float(load("pure").puct_score.exploration_of(settings, visits)) / 2
    return settings.exploration / settings.win


def outcome_of(proof: int) -> Proof | None:
    """What a proof field says for the player who moved into the node."""
    return OUTCOMES.get(proof & ~_layout.DISTANCE_MASK)


def proven(proof: int, board: Board) -> Proven:
    """What is proven for the player who moved into a node; the plies are those from there to the end.

    board: for draws, which fill the board, the position from which the plies count.
    """
    outcome, plies = outcome_of(proof), proof & _layout.DISTANCE_MASK
    if outcome is None:
        return NOTHING
    if outcome == "draw":
        return Proven(outcome, board.rules.cells - board.ply, "exact")
    return Proven(outcome, plies, "exact" if plies <= FEWEST[outcome] else "at most")


MAX_PLIES_ON = 6  # how far below the old root a position is looked for


class TreeReader:
    """A view of one tree and its root position.

    nodes(first, count): copies of nodes. searcher: the backend's part of the tree. moves: those of the root; their
    bounds are narrowed by what the tree proves. book: continues the principal variations. lines: of best play, by the
    column that begins them, in place of the tree's. Nothing else is kept between calls, so the tree may grow.
    """

    def __init__(
        self,
        nodes: Nodes,
        searcher: Any,
        board: Board,
        moves: RootMoves,
        settings: _layout.Settings,
        book: Book | None = None,
        lines: Mapping[int, tuple[int, ...]] = MappingProxyType({}),
    ) -> None:
        self._nodes = nodes
        self._searcher = searcher
        self._board = board
        self._moves = moves
        self._settings = settings
        self._book = book
        self._lines = lines
        self._has_priors = settings.selection == _layout.PUCT
        self._has_means = self._has_priors and settings.rollout != _layout.NETWORK

    def result(self, random_bits: int, *, simulations: int, nodes: int, seconds: float) -> SearchResult:
        """The result of the search so far. random_bits: 64 of them, for ties and temperature."""
        known = self.moves()
        moves = self._statistics(known.rows())
        figures = {"simulations": simulations, "nodes": nodes, "seconds": seconds}
        board = self._board.copy()
        return decided(board, known, moves, self._settings, random_bits, root_value=self._root_value(), **figures)

    def moves(self) -> RootMoves:
        """The moves of the root, with what the tree knows of them now."""
        self._moves.read_tree(self._searcher)
        return self._moves

    def _statistics(self, rows: list[Row]) -> tuple[MoveStats, ...]:
        """Statistics of every legal column."""
        has_children = self._nodes(_layout.ROOT, 1)[0].size > 0
        has_weights = self._settings.gumbel or self._settings.forced_visits > 0
        has_weights = has_weights or (self._has_means and not any(row.visits for row in rows))
        return tuple(
            MoveStats(
                row.column,
                row.visits,
                None if row.share < 0 else row.share,
                row.prior if has_children and self._has_priors else None,
                *self._moves.proof_of(row),
                self._line(row.column),
                row.short_win or None,
                row.weight if has_children and has_weights else None,
            )
            for row in rows
        )

    def _root_value(self) -> float | None:
        """Mean of the root, in [0, 1], for the player to move there."""
        root = self._nodes(_layout.ROOT, 1)[0]
        if not root.visits:
            return None
        if self._has_means:
            return (1 - root.value) / 2
        units, children = self._settings.win, self._nodes(root.children, root.size)
        visits = sum(child.visits for child in children)
        if not visits:  # only the root itself was rolled out
            return 1 - root.value_sum / (units * root.visits)
        return sum(child.value_sum for child in children) / (units * visits)

    def _line(self, column: int) -> tuple[int, ...]:
        """The principal variation of a column, continued by the book as far as that reaches."""
        if column in self._lines:
            return self._lines[column]
        line = [column, *self._searcher.line(column)]
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

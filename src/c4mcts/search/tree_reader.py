"""Reads a tree: nodes as a person looks at them, and the way to a later position."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple, SupportsIndex

from .. import _layout
from .._backend import load
from .._validation import members, whole_number
from ..board.board import Board
from ..solver.verdict import Judged, Proof, Verdict
from .params import GumbelParams, SearchParams
from .root_moves import MoveStats, RootMoves, position_verdict

# What the proof field of a node says; the other codes leave the outcome open.
OUTCOMES: dict[int, Proof] = {_layout.WON: "win", _layout.DRAWN: "draw", _layout.LOST: "loss"}
# The fewest plies to the end after a move that does not end the game, by its outcome; they are exact.
FEWEST: dict[Proof, int] = {"win": 2, "loss": 1}


@dataclass(frozen=True, slots=True)
class TreeNode(Judged):
    """A node of a tree. Value and proof are for the player to move at its board.

    The `ucb` of the children is what the next selection compares, on the scale of the values, [0, 1]: value +
    exploration sqrt(ln N / n) with UCB1, value + exploration P sqrt(N) / (1 + n) with PUCT. A child without visits has
    first_play instead of the value; with UCB1 that is its whole score, by default infinity. A child that can't be
    better than what is proven has -inf. It is None where nothing is selected by it: at a proven node, where a random
    opponent moves, and with GumbelParams.
    """

    board: Board
    visits: int
    value: float | None  # mean of the children's values by their visits; None without
    verdict: Verdict
    exploration: float  # the factor of the exploration term, on the scale of the values
    children: tuple[MoveStats, ...]  # in column order; none yet at a leaf


class NodeCopy(NamedTuple):
    """A copy of a node, see _layout.NODE_FIELDS and ESTIMATE_FIELDS: faster to read than a row of an array."""

    visits: int
    value_sum: int
    children: int
    proof: int
    column: int
    size: int
    prior: float = 0.0
    value: float = 0.0


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

    noise: in the priors of the root's children, in column order; empty for none. moves: the root's, of which
    more may be known than the tree says.

    Raises TypeError or ValueError naming the move that is not in the tree.
    """
    board, (node,) = root.copy(), nodes(_layout.ROOT, 1)
    columns = members("path", path, "a list of columns", root.rules.cells)
    for index, each in enumerate(columns):
        column = whole_number(f"path[{index}]", each)
        there = {child.column: child for child in nodes(node.children, node.size)}
        if column not in there:
            legal = "no moves" if not there else f"only the moves {', '.join(map(str, there))}"
            raise ValueError(f"path[{index}]: the tree has {legal} there, not {column}")
        node = there[column]
        board.push(column)
    children = nodes(node.children, node.size)
    is_drawn_at_random = params.opponent == "random" and len(columns) % 2 == 1
    scores: Sequence[float | None] = [None] * len(children)
    if not is_drawn_at_random and not isinstance(params, GumbelParams) and outcome_of(node.proof) is None:
        scores = scores_of(node, children, params, noise, is_root=not columns)
    cells, root_moves = board.rules.cells, () if columns else moves.moves()
    verdicts = {move.column: move.verdict for move in root_moves}
    moves_there = tuple(
        child_stats(child, ucb, verdicts.get(child.column) or move_verdict(child.proof, cells, board.ply + 1), params)
        for child, ucb in zip(children, scores, strict=True)
    )
    visits = sum(child.visits for child in moves_there)
    if columns or not children:
        verdict = move_verdict(node.proof, cells, board.ply).after_move()
    else:
        verdict = position_verdict(root_moves)
    value = sum((child.value or 0.0) * child.visits for child in moves_there) / visits if visits else None
    return TreeNode(board, node.visits, value, verdict, exploration_of(params, node.visits), moves_there)


def child_stats(child: Any, ucb: float | None, verdict: Verdict, params: SearchParams) -> MoveStats:
    """The statistics of a child, a NodeCopy or a node of the pure backend. verdict: of its move."""
    settings, value = params.settings, None
    if child.visits:
        value = (child.value + 1) / 2 if params.needs_evaluator else child.value_sum / child.visits / settings.win
    prior = child.prior if settings.selection == _layout.PUCT else None
    return MoveStats(child.column, child.visits, value, prior, *verdict, ucb=ucb)


def move_verdict(proof: int, cells: int, ply: int) -> Verdict:
    """The verdict of a move by the proof field of the node that it leads to.

    cells: of the board. ply: discs on it after the move.
    """
    best, empty = _layout.win_score(cells, ply), cells - ply + 1
    outcome, plies = outcome_of(proof), proof & _layout.DISTANCE_MASK
    if outcome is None:
        code = proof >> _layout.DISTANCE_BITS
        lower, upper = 0 if _layout.LOWERS[code] else -best, 0 if _layout.UPPERS[code] < _layout.WIN else best
        return Verdict(lower, upper, empty)
    if outcome == "draw":
        return Verdict(0, 0, empty)
    score = _layout.win_score(cells, ply + plies)
    most = score if plies <= FEWEST[outcome] else best
    return Verdict(score, most, empty) if outcome == "win" else Verdict(-most, -score, empty)


def scores_of(
    node: NodeCopy, children: list[NodeCopy], params: SearchParams, noise: list[float], is_root: bool
) -> list[float]:
    """The scores that a selection at a node compares, on the scale of the values.

    The pure backend computes them; both backends have the same numbers.
    """
    backend, settings = load("pure"), params.settings
    if not is_root:
        settings = settings._replace(forced_visits=0.0)
    nodes = [node._replace(children=1, size=len(children)), *children]
    scores: list[float] = []
    pool = SimpleNamespace(nodes=nodes, estimates=nodes)
    tree = SimpleNamespace(pool=pool, settings=settings)
    priors = [0.0] * len(children) if is_root else []  # the temperature and the noise are the root's
    if not params.needs_evaluator:
        if settings.rollout == _layout.NETWORK:
            backend.selection.score_by_prior(tree, _layout.ROOT, node.visits, scores)
        else:
            backend.selection.score_children(nodes, settings, _layout.ROOT, node.visits, scores)
        return [score / settings.win for score in scores]
    if is_root:
        backend.puct_score.mix_priors(tree, noise, priors)
    backend.puct_score.score_children(tree, priors, _layout.ROOT, node.visits, scores)
    return [(score + 1) / 2 for score in scores]


def exploration_of(params: SearchParams, visits: int) -> float:
    """The factor of the exploration term at a node with this number of visits, on the scale of the values, [0, 1]."""
    settings = params.settings
    if params.needs_evaluator:
        return float(load("pure").puct_score.exploration_of(settings, visits)) / 2
    return settings.exploration / settings.win


def outcome_of(proof: int) -> Proof | None:
    """The verdict in a proof field, for the player who moved into the node."""
    return OUTCOMES.get(proof & ~_layout.DISTANCE_MASK)


MAX_PLIES_ON = 6  # how far below the old root a position is looked for


def line_between(nodes: Nodes, root: Board, board: Board) -> list[int] | None:
    """Moves from a tree's root through visited nodes to a position at most MAX_PLIES_ON plies later.

    None if there are none, or if the rules differ.
    """
    if root.rules != board.rules or not 0 <= board.ply - root.ply <= MAX_PLIES_ON:
        return None
    stride = board.rules.height + 1
    target = board._sides()
    if any(discs & ~goal for discs, goal in zip(root._sides(), target, strict=True)):
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
                stack.append((child, here.after(child.column), [*line, child.column]))
    return None

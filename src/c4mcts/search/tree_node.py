"""A node of a tree and its children, as a person looks at them: what the next selection compares."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from .. import _layout
from .._backend import load
from .._validation import numbers, whole_number
from ..board.board import Board
from .params import GumbelParams, SearchParams
from .root_moves import OUTCOMES, Proof

REVERSED: dict[Proof | None, Proof | None] = {"win": "loss", "draw": "draw", "loss": "win", None: None}


@dataclass(frozen=True, slots=True)
class ChildStats:
    """A move at a node of a tree. Value, score and proof are for the player to move at the node."""

    column: int
    visits: int
    value: float | None  # mean reward in [0, 1]; None without visits
    score: float | None  # what the next selection compares, see TreeNode; None where it compares nothing
    prior: float | None  # None where no evaluator gave one
    proof: Proof | None
    distance: int | None  # plies from the node to the end of the game, where that is proven


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node of a tree. Value and proof are for the player to move at its board.

    The scores of the children are on the scale of the values, [0, 1]: value + exploration sqrt(ln N / n) with UCB1,
    value + exploration P sqrt(N) / (1 + n) with PUCT. In place of the value a child without visits has first_play; with
    UCB1 that is its score, by default infinity. A child that can't be better than what is proven has -inf. They are
    None where nothing is selected by such scores: at a node that is proven, where a random opponent moves, and with
    GumbelParams.
    """

    board: Board
    visits: int
    value: float | None  # mean of the children's values by their visits; None without
    proof: Proof | None
    distance: int | None  # plies from here to the end of the game, where that is proven
    exploration: float  # the factor of the exploration term, on the scale of the values
    children: tuple[ChildStats, ...]  # in column order; none yet at a leaf


def node_at(
    rows: Callable[[int, int], npt.NDArray[np.void]],
    root: Board,
    params: SearchParams,
    path: Iterable[SupportsIndex],
    noise: list[float],
) -> TreeNode:
    """The node that a path of columns leads to from the root. rows(first, count): copies of nodes.

    noise: in the priors of the root's children, in column order; empty for none.

    Raises TypeError or ValueError naming the move that is not in the tree.
    """
    board, node = root.copy(), rows(_layout.ROOT, 1)[0]
    columns = numbers("path", path, "a list of columns", root.rules.cells)
    for index, given in enumerate(columns):
        column = whole_number(f"path[{index}]", given)
        children = {int(child["column"]): child for child in _children(rows, node)}
        if column not in children:
            known = "no moves" if not children else f"only the moves {', '.join(map(str, children))}"
            raise ValueError(f"path[{index}]: the tree has {known} there, not {column}")
        node = children[column]
        board.push(column)
    children_rows = list(_children(rows, node))
    is_drawn_at_random = params.opponent == "random" and len(columns) % 2 == 1
    scores: Sequence[float | None] = [None] * len(children_rows)
    if not is_drawn_at_random and not isinstance(params, GumbelParams) and outcome_of(int(node["proof"])) is None:
        scores = scores_of(node, children_rows, params, noise, is_root=not columns)
    children_stats = tuple(
        _child(child, score, board, params) for child, score in zip(children_rows, scores, strict=True)
    )
    tried = [child for child in children_stats if child.value is not None]
    visits = sum(child.visits for child in tried)
    proof, distance = proven(int(node["proof"]), board)
    return TreeNode(
        board=board,
        visits=int(node["visits"]),
        value=sum((child.value or 0.0) * child.visits for child in tried) / visits if visits else None,
        proof=REVERSED[proof],
        distance=distance,
        exploration=exploration_of(params, int(node["visits"])),
        children=children_stats,
    )


def _children(rows: Callable[[int, int], npt.NDArray[np.void]], node: Any) -> npt.NDArray[np.void]:
    return rows(int(node["children"]), int(node["size"]))


def _child(child: Any, score: float | None, board: Board, params: SearchParams) -> ChildStats:
    """What a child holds. board: of its parent."""
    visits, is_puct = int(child["visits"]), params.needs_evaluator
    value = None
    if visits:
        value = (float(child["value"]) + 1) / 2 if is_puct else int(child["value_sum"]) / visits / params.settings().win
    proof, distance = proven(int(child["proof"]), board)
    return ChildStats(
        column=int(child["column"]),
        visits=visits,
        value=value,
        score=score,
        prior=float(child["prior"]) if is_puct else None,
        proof=proof,
        distance=distance if distance is None or proof == "draw" else distance + 1,
    )


def scores_of(
    node: Any, children: Sequence[Any], params: SearchParams, noise: list[float], is_root: bool
) -> list[float]:
    """The scores that a selection at a node compares, on the scale of the values.

    The pure backend computes them; both backends have the same numbers.
    """
    backend, settings = load("pure"), params.settings()
    if not is_root:
        settings = settings._replace(forced_visits=0.0)
    pool = SimpleNamespace(nodes=[], estimates=[])
    for row in (node, *children):
        copied = backend.pool.Node(int(row["column"]))
        for name in ("visits", "value_sum", "proof"):
            setattr(copied, name, int(row[name]))
        pool.nodes.append(copied)
    pool.nodes[0].children, pool.nodes[0].size = 1, len(children)
    visits = pool.nodes[0].visits
    scores: list[float] = []
    if not params.needs_evaluator:
        backend.selection.score_children(pool.nodes, settings, _layout.ROOT, visits, scores)
        return [score / settings.win for score in scores]
    for row in (node, *children):
        estimate = backend.pool.NodeEstimate(float(row["prior"]))
        estimate.value = float(row["value"])
        pool.estimates.append(estimate)
    tree, priors = SimpleNamespace(pool=pool, settings=settings), [0.0] * len(children)
    backend.puct_score.mix_priors(tree, noise, priors)
    backend.puct_score.score_children(tree, priors if is_root else [], _layout.ROOT, visits, scores)
    return [(score + 1) / 2 for score in scores]


def exploration_of(params: SearchParams, visits: int) -> float:
    """The factor of the exploration term at a node with so many visits, on the scale of the values, [0, 1]."""
    settings = params.settings()
    if params.needs_evaluator:
        return float(load("pure").puct_score.exploration_of(settings, visits)) / 2
    return settings.exploration / settings.win


def outcome_of(proof: int) -> Proof | None:
    """What a proof field says for the player who moved into the node."""
    return OUTCOMES.get(proof & ~_layout.DISTANCE_MASK)


def proven(proof: int, board: Board) -> tuple[Proof | None, int | None]:
    """Outcome for the player who moved into a node, and the plies from there to the end; a draw fills the board.

    board: for draws, the position from which the plies count.
    """
    outcome = outcome_of(proof)
    if outcome is None:
        return None, None
    return outcome, board.rules.cells - board.ply if outcome == "draw" else proof & _layout.DISTANCE_MASK

"""Replies about the inside of a search: a node of its tree, and its simulations one by one.

Scores may be infinite, which JSON can't say: then they are the strings "inf" and "-inf".
"""

import math

from ..board.board import Board
from ..search.params import UctParams
from ..search.steps import Candidate, SimulationStep
from ..search.tree_reader import ChildStats, TreeNode, exploration_of
from .replies import Reply


def tree_node(name: str, path: tuple[int, ...], node: TreeNode, search: str | None) -> Reply:
    """A node of a tree. search: the id of the query that is growing it; None for a kept tree."""
    return {
        "id": name,
        "searchId": search,
        "path": list(path),
        "fen": node.board.to_fen(),
        "currentPlayer": node.board.turn,
        "visits": node.visits,
        "value": node.value,
        "proof": node.proof,
        "distance": node.distance,
        "exploration": node.exploration,
        "children": [_child(child) for child in node.children],
    }


def _child(child: ChildStats) -> Reply:
    return {
        "move": child.column,
        "visits": child.visits,
        "value": child.value,
        "ucb": _score(child.score),
        "prior": child.prior,
        "proof": child.proof,
        "distance": child.distance,
    }


def steps(name: str, turn: int, board: Board, params: UctParams, made: list[SimulationStep], seed: int) -> Reply:
    """The first simulations of a search."""
    return {
        "id": name,
        "turnNumber": turn,
        "isDuringSearch": False,
        "fen": board.to_fen(),
        "currentPlayer": board.turn,
        "selection": params.selection,
        "exploration": exploration_of(params, 0),
        "rolloutPolicy": params.rollout,
        "steps": [_step(step) for step in made],
        "seed": seed,
    }


def _step(step: SimulationStep) -> Reply:
    return {
        "number": step.number,
        "path": list(step.path),
        "selected": [
            {
                "node": level.node,
                "visits": level.visits,
                "move": level.column,
                "children": [_candidate(child) for child in level.candidates],
            }
            for level in step.selected
        ],
        "expanded": [
            {"node": each.node, "children": [{"node": node, "move": column} for node, column in each.children]}
            for each in step.expanded
        ],
        "leaf": step.leaf,
        "isProven": step.is_proven,
        "rollout": list(step.rollout),
        "winner": step.winner,
        "reward": step.reward,
        "proofs": [{"node": each.node, "proof": each.proof, "distance": each.distance} for each in step.proofs],
        "backup": [
            {"node": each.node, "visits": each.visits, "value": each.value, "reward": each.reward}
            for each in step.backup
        ],
    }


def _candidate(child: Candidate) -> Reply:
    return {
        "node": child.node,
        "move": child.column,
        "visits": child.visits,
        "value": child.value,
        "ucb": _score(child.score),
    }


def _score(score: float | None) -> float | str | None:
    """A score; infinity as a string."""
    return score if score is None or math.isfinite(score) else str(score)

"""Replies: what a session sends, as dicts that are ready for JSON. Columns are 0-based.

Values are for the player to move in the position of the query. Scores in a tree may be infinite, which JSON does not
have: they are the strings "inf" and "-inf".
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast

from .. import __version__
from .._files import json_types
from .._validation import described
from ..board.board import Board
from ..board.threats import Threat, columns_below_threats, is_zugzwang, threats, zugzwang_after
from ..play.exam import Theme
from ..play.known_openings import known_opening
from ..play.levels import LEVELS
from ..play.puzzles import Puzzle
from ..play.strategy import PlanMove
from ..search.params import UctParams
from ..search.results import SearchResult
from ..search.root_moves import MoveStats, best_first
from ..search.steps import SimulationStep
from ..search.tree_reader import TreeNode, exploration_of
from ..solver.book import OpeningMove, book_for
from ..solver.solution import Solution
from ..solver.verdict import Judged
from . import reply_types as types
from .caps import Caps
from .messages import Id, Refusal
from .requests import MAX_VISITS, PLAYABLE, WITH_ROLLOUTS

MAX_ERROR = 2000  # characters

Reply = dict[str, Any]


def analysis(head: types.Head, result: SearchResult, seed: int, nbytes: int) -> types.AnalysisReply:
    """The result of a search. nbytes: memory of the engine."""
    return {
        **head,
        "moveInfos": [_move(order, move) for order, move in enumerate(best_first(result.moves, result.column))],
        "rootInfo": {
            "currentPlayer": result.board.turn,
            "winrate": result.value,
            "visits": sum(move.visits for move in result.moves),
            "simulations": result.simulations,
            "nodes": result.nodes,
            "bytes": nbytes,
            "seconds": result.seconds,
            **_proof(result),
            "seed": seed,
        },
    }


def no_results(head: types.Head) -> types.NoResultsReply:
    return {**head, "noResults": True}


def _move(order: int, move: MoveStats) -> types.MoveInfo:
    return {
        "move": move.column,
        "order": order,
        "visits": move.visits,
        "winrate": move.value,
        "prior": move.prior,
        **_proof(move),
        "pv": list(move.pv),
    }


def _proof(judged: Judged) -> types.Proven:
    return {"proof": judged.proof, "distance": judged.distance, "bound": judged.bound}


def solution(head: types.Head, solved: Solution, line: list[int]) -> types.SolutionReply:
    """Exact scores; None for those not found within the limits. line: of best play, or the known part of it."""
    zugzwang = zugzwang_after(solved.board, line)
    return {
        **head,
        "currentPlayer": solved.board.turn,
        "score": solved.score,
        "distance": solved.distance,
        "columns": None if solved.columns is None else list(solved.columns),
        "best": list(solved.best),
        "nodes": solved.nodes,
        "seconds": solved.seconds,
        "pv": line,
        "zugzwang": None if zugzwang is None else threat(zugzwang),
    }


def threat(cell: Threat) -> types.ThreatInfo:
    return {"player": cell.player, "cell": json_types((cell.column, cell.row)), "isOdd": cell.is_odd}


def plan(head: types.Head, answers: Mapping[int | None, PlanMove | None]) -> types.PlanReply:
    """The moves of a plan. answers: to each reply of the opponent, or to None if the winner is to move."""
    replies: list[types.PlanAnswer] = [
        {
            "reply": reply,
            "move": answer.column,
            "reason": answer.reason,
            "zugzwang": None if answer.zugzwang is None else threat(answer.zugzwang),
        }
        for reply, answer in answers.items()
        if answer is not None
    ]
    return {**head, "answers": replies}


def steps(
    head: types.Head, board: Board, params: UctParams, simulations: Sequence[SimulationStep], seed: int
) -> types.StepsReply:
    return {
        **head,
        "fen": board.to_fen(),
        "currentPlayer": board.turn,
        "selection": params.selection,
        "exploration": exploration_of(params, 0),
        "rolloutPolicy": params.rollout,
        "steps": [_step(step) for step in simulations],
        "seed": seed,
    }


def _step(step: SimulationStep) -> types.Step:
    return {
        "number": step.number,
        "path": list(step.path),
        "selected": [
            {
                "node": each.node,
                "visits": each.visits,
                "move": each.column,
                "children": [
                    {"node": node, **_child(child)} for node, child in enumerate(each.candidates, each.first_child)
                ],
            }
            for each in step.selected
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
        "proofs": [{"node": change.node, **_proof(change)} for change in step.proofs],
        "backup": json_types(step.backup),
    }


def tree_node(name: Id, path: Sequence[int], node: TreeNode, search: Id | None) -> types.TreeReply:
    """A node of a tree. search: the id of the query that is growing it; None for a kept tree."""
    return {
        "id": name,
        "searchId": search,
        "path": list(path),
        "fen": node.board.to_fen(),
        "currentPlayer": node.board.turn,
        "visits": node.visits,
        "value": node.value,
        **_proof(node),
        "exploration": node.exploration,
        "children": [{**_child(child), "prior": child.prior, **_proof(child)} for child in node.children],
    }


def _child(child: MoveStats) -> types.ChildInfo:
    """A child of a node, as the next selection sees it."""
    ucb: Any = child.ucb  # infinity is a string
    if ucb is not None and math.isinf(ucb):
        ucb = str(ucb)
    return {"move": child.column, "visits": child.visits, "value": child.value, "ucb": ucb}


def description(name: Id, turn: int, board: Board) -> types.DescriptionReply:
    return {
        "id": name,
        "turnNumber": turn,
        "rules": json_types(board.rules),
        "start": board.start.to_fen(),
        "moves": list(board.moves),
        "fen": board.to_fen(),
        "board": board.to_array().tolist(),
        "ply": board.ply,
        "currentPlayer": board.turn,
        "legalMoves": board.legal_columns,
        "winningMoves": board.winning_columns(),
        "threatenedMoves": board.threatened_columns(),
        "threats": [threat(each) for each in threats(board)],
        "movesBelowThreats": columns_below_threats(board),
        "isZugzwang": is_zugzwang(board),
        "lastCell": json_types(board.last_cell),
        "outcome": json_types(board.outcome()),
    }


def opening(name: Id, turn: int, board: Board) -> types.OpeningReply:
    """The book's entries for an unfinished position; none for other rules."""
    book, name_of = book_for(True, board.rules, board.ply), known_opening(board)
    return {
        "id": name,
        "turnNumber": turn,
        "currentPlayer": board.turn,
        "score": None if book is None else book.score(board),
        "moves": [] if book is None else [_opening_move(board, move) for move in book.children(board)],
        "opening": None if name_of is None else {"name": name_of.name, "text": name_of.text, "ply": len(name_of.moves)},
    }


def _opening_move(board: Board, move: OpeningMove) -> types.BookMove:
    after = board.after(move.column)
    name = known_opening(after)
    return {
        "move": move.column,
        "score": move.score,
        "distance": move.distance,
        "replies": move.replies,
        "holding": move.holding,
        "name": name.name if name is not None and len(name.moves) == after.ply else None,
    }


def puzzle_list(name: Id, items: Sequence[Puzzle]) -> types.PuzzlesReply:
    return {"id": name, "puzzles": [json_types(puzzle) | {"rating": puzzle.rating} for puzzle in items]}


def question_list(name: Id, items: Sequence[tuple[Board, Theme]]) -> types.ExamReply:
    return {"id": name, "questions": [{"moves": list(board.moves), "theme": theme} for board, theme in items]}


def version(name: Id, backend: str, workers: int, caps: Caps) -> types.VersionReply:
    limits = asdict(caps)
    return {
        "id": name,
        "action": "query_version",
        "version": __version__,
        "protocol": 1,
        "backend": backend,
        "workers": workers,
        "presets": list(PLAYABLE),
        "rolloutPresets": list(WITH_ROLLOUTS),
        "levels": [{"level": level.number, "name": level.name, "rating": level.rating} for level in LEVELS],
        "limits": {"messageBytes": limits.pop("message_bytes"), **limits, "visits": MAX_VISITS},
    }


def error(message: str, name: Id | None = None, field: str | None = None, turn: int | None = None) -> types.ErrorReply:
    """The reply to a refused message, or to a position whose work failed; unknown keys are left out."""
    keys = {"error": message[:MAX_ERROR], "field": field, "id": name, "turnNumber": turn}
    return cast(types.ErrorReply, {key: value for key, value in keys.items() if value is not None})


def failure(caught: Exception, name: Id | None = None, turn: int | None = None) -> types.ErrorReply:
    """The reply to an exception that no message should cause."""
    message = "there is not enough memory" if isinstance(caught, MemoryError) else described(caught)
    return error(message, name, turn=turn)


def refusal(caught: Refusal) -> types.ErrorReply:
    return error(str(caught), caught.id, caught.field)

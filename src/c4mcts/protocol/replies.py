"""Replies: what a session sends, as dicts that are ready for JSON. Columns are 0-based.

Values are for the player to move in the position of the query. Scores in a tree may be infinite, which JSON does not
have: they are the strings "inf" and "-inf".
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, fields, is_dataclass
from typing import Any

from .. import __version__
from .._files import json_types
from ..board.board import Board
from ..board.threats import Threat, columns_below_threats, is_zugzwang, threats, zugzwang_after
from ..play.known_openings import known_opening
from ..play.levels import LEVELS
from ..play.puzzles import Puzzle
from ..play.strategy import Answer
from ..search.params import UctParams
from ..search.results import SearchResult
from ..search.root_moves import Known, MoveStats, best_first
from ..search.steps import Expanded, Selected, SimulationStep
from ..search.tree_reader import TreeNode, exploration_of
from ..solver.book import OpeningMove, book_for
from ..solver.solution import Solution
from .messages import Id, Refusal
from .requests import MAX_VISITS, PLAYABLE, WITH_ROLLOUTS, Caps

VERSION = 1  # of the protocol
MAX_ERROR = 2000  # characters
SOLUTION = ("score", "distance", "columns", "best", "nodes", "seconds")  # attributes of it that are sent
# The fields that have another name in the protocol.
NAMES = {"is_proven": "isProven", "message_bytes": "messageBytes"}

Reply = dict[str, Any]


def analysis(result: SearchResult, seed: int, nbytes: int) -> Reply:
    """The result of a search. nbytes: memory of the engine."""
    return {
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


def _move(order: int, move: MoveStats) -> Reply:
    return {
        "move": move.column,
        "order": order,
        "visits": move.visits,
        "winrate": move.value,
        "prior": move.prior,
        **_proof(move),
        "pv": list(move.pv),
    }


def _proof(known: Known) -> Reply:
    return {"proof": known.proof, "distance": known.distance, "bound": known.bound}


def solution(solved: Solution, line: list[int]) -> Reply:
    """Exact scores; None for those not found within the limits. line: of best play, as far as it is known."""
    zugzwang = zugzwang_after(solved.board, line)
    return {
        "currentPlayer": solved.board.turn,
        **{name: plain(getattr(solved, name)) for name in SOLUTION},
        "pv": line,
        "zugzwang": None if zugzwang is None else threat(zugzwang),
    }


def threat(found: Threat) -> Reply:
    return {"player": found.player, "cell": [found.column, found.row], "isOdd": found.is_odd}


def plan(answers: dict[int | None, Answer | None]) -> Reply:
    """answers: to each reply of the opponent, or to None if the winner is to move."""
    known = [
        {
            "reply": reply,
            "move": answer.column,
            "reason": answer.reason,
            "zugzwang": None if answer.zugzwang is None else threat(answer.zugzwang),
        }
        for reply, answer in answers.items()
        if answer is not None
    ]
    return {"answers": known}


def steps(board: Board, params: UctParams, made: list[SimulationStep], seed: int) -> Reply:
    return {
        "fen": board.to_fen(),
        "currentPlayer": board.turn,
        "selection": params.selection,
        "exploration": exploration_of(params, 0),
        "rolloutPolicy": params.rollout,
        "steps": plain(tuple(made)),
        "seed": seed,
    }


def tree_node(name: Id, path: Sequence[int], node: TreeNode, search: Id | None) -> Reply:
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
        "children": [_child(child) | {"prior": child.prior, **_proof(child)} for child in node.children],
    }


def _child(child: MoveStats) -> Reply:
    """A child of a node, as the next selection sees it."""
    return {"move": child.column, "visits": child.visits, "value": child.value, "ucb": plain(child.ucb)}


def plain(value: Any) -> Any:
    """A value for JSON: fields of objects by their names in the protocol, tuples as lists, infinity as a string."""
    if isinstance(value, Expanded):
        return {"node": value.node, "children": [{"node": node, "move": column} for node, column in value.children]}
    if isinstance(value, Selected):
        children = [{"node": value.first_child + i, **_child(child)} for i, child in enumerate(value.candidates)]
        return {"node": value.node, "visits": value.visits, "move": value.column, "children": children}
    if is_dataclass(value):
        found = {each.name: plain(getattr(value, each.name)) for each in fields(value)}
        return {NAMES.get(name, name): each for name, each in found.items()}
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    return str(value) if isinstance(value, float) and math.isinf(value) else value


def description(name: Id, turn: int, board: Board) -> Reply:
    return {
        "id": name,
        "turnNumber": turn,
        "rules": asdict(board.rules),
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


def opening(name: Id, turn: int, board: Board) -> Reply:
    """What the book of the package knows about an unfinished position; nothing if it is for other rules."""
    book, known = book_for(True, board.rules, board.ply), known_opening(board)
    return {
        "id": name,
        "turnNumber": turn,
        "currentPlayer": board.turn,
        "score": None if book is None else book.score(board),
        "moves": [] if book is None else [_opening_move(board, move) for move in book.children(board)],
        "opening": None if known is None else {"name": known.name, "text": known.text, "ply": len(known.moves)},
    }


def _opening_move(board: Board, move: OpeningMove) -> Reply:
    after = board.after(move.column)
    known = known_opening(after)
    return {
        "move": move.column,
        "score": move.score,
        "distance": move.distance,
        "replies": move.replies,
        "holding": move.holding,
        "name": known.name if known is not None and len(known.moves) == after.ply else None,
    }


def puzzle_list(name: Id, found: Sequence[Puzzle]) -> Reply:
    return {"id": name, "puzzles": [{**json_types(puzzle), "rating": puzzle.rating} for puzzle in found]}


def version(echo: Reply, backend: str, workers: int, caps: Caps) -> Reply:
    return {
        **echo,
        "version": __version__,
        "protocol": VERSION,
        "backend": backend,
        "workers": workers,
        "presets": list(PLAYABLE),
        "rolloutPresets": list(WITH_ROLLOUTS),
        "levels": [{"level": level.number, "name": level.name, "rating": level.rating} for level in LEVELS],
        "limits": {**plain(caps), "visits": MAX_VISITS},
    }


def error(message: str, name: Id | None = None, field: str | None = None, turn: int | None = None) -> Reply:
    """The reply to a refused message, or to a position whose work failed; unknown keys are left out."""
    found = {"error": message[:MAX_ERROR], "field": field, "id": name, "turnNumber": turn}
    return {key: value for key, value in found.items() if value is not None}


def failure(caught: Exception, name: Id | None = None, turn: int | None = None) -> Reply:
    """The reply to an exception that no message should cause."""
    message = "there is not enough memory" if isinstance(caught, MemoryError) else f"{type(caught).__name__}: {caught}"
    return error(message, name, turn=turn)


def refusal(refused: Refusal) -> Reply:
    return error(str(refused), refused.id, refused.field)

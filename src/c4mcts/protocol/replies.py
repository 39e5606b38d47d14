"""Replies: the messages that a session sends, as dicts ready for JSON. Columns count from 0.

Values are for the player to move in the position that was asked about.
"""

from dataclasses import asdict
from typing import Any

from .. import __version__
from ..board.board import Board
from ..play.levels import LEVELS, Level
from ..search.results import MoveStats, SearchResult, known_moves
from ..solver.solution import Solution
from .caps import MAX_VISITS, Caps
from .messages import Refusal

VERSION = 1  # of the protocol
MAX_ERROR = 2000  # characters of an error

Reply = dict[str, Any]


def analysis(name: str, turn: int, result: SearchResult, seed: int, nbytes: int, during: bool) -> Reply:
    """The result of a search. nbytes: memory of the engine. during: whether the search goes on."""
    return {
        "id": name,
        "turnNumber": turn,
        "isDuringSearch": during,
        "moveInfos": [_move(order, move) for order, move in enumerate(_ranked(result))],
        "rootInfo": {
            "currentPlayer": result.board.turn,
            "winrate": result.value,
            "visits": sum(move.visits for move in result.moves),
            "simulations": result.simulations,
            "nodes": result.nodes,
            "bytes": nbytes,
            "seconds": result.seconds,
            "proof": result.proof,
            "distance": result.distance,
            "seed": seed,
        },
    }


def _ranked(result: SearchResult) -> list[MoveStats]:
    """The moves, the one to play first; the others by what is proven of them, then by visits."""
    ranks = {row.column: (row.column == result.column, row.rank, row.visits) for row in known_moves(result).rows()}
    return sorted(result.moves, key=lambda move: ranks[move.column], reverse=True)


def _move(order: int, move: MoveStats) -> Reply:
    return {
        "move": move.column,
        "order": order,
        "visits": move.visits,
        "winrate": move.value,
        "prior": move.prior,
        "proof": move.proof,
        "distance": move.distance,
        "pv": list(move.pv),
    }


def solution(name: str, turn: int, solved: Solution) -> Reply:
    """Exact scores; None for those that were not found within the limits."""
    return {
        "id": name,
        "turnNumber": turn,
        "isDuringSearch": False,
        "currentPlayer": solved.board.turn,
        "score": solved.score,
        "distance": solved.distance,
        "columns": None if solved.columns is None else list(solved.columns),
        "best": list(solved.best),
        "nodes": solved.nodes,
        "seconds": solved.seconds,
    }


def solving(name: str, turn: int, nodes: int) -> Reply:
    """How far a solution is."""
    return {"id": name, "turnNumber": turn, "isDuringSearch": True, "nodes": nodes}


def move(name: str, turn: int, column: int, level: Level, seed: int) -> Reply:
    """The move of a level."""
    return {
        "id": name,
        "turnNumber": turn,
        "isDuringSearch": False,
        "move": column,
        "level": level.number,
        "name": level.name,
        "seed": seed,
    }


def review(name: str, turn: int, found: Reply) -> Reply:
    """The review of a game."""
    return {"id": name, "turnNumber": turn, "isDuringSearch": False, "review": found}


def reviewing(name: str, turn: int, reviewed: int, moves: int) -> Reply:
    """How far a review is."""
    return {"id": name, "turnNumber": turn, "isDuringSearch": True, "reviewed": reviewed, "moves": moves}


def no_results(name: str, turn: int) -> Reply:
    """The last reply to a position whose search was ended before it had a result."""
    return {"id": name, "turnNumber": turn, "isDuringSearch": False, "noResults": True}


def description(name: str, turn: int, board: Board) -> Reply:
    """What the rules say of a position."""
    outcome = board.outcome()
    return {
        "id": name,
        "turnNumber": turn,
        "rules": asdict(board.rules),
        "fen": board.to_fen(),
        "board": board.to_array().tolist(),
        "ply": board.ply,
        "currentPlayer": board.turn,
        "legalMoves": board.legal_columns,
        "winningMoves": board.winning_columns(),
        "threatenedMoves": board.threatened_columns(),
        "lastCell": None if board.last_cell is None else list(board.last_cell),
        "outcome": None
        if outcome is None
        else {"winner": outcome.winner, "cells": [list(cell) for cell in outcome.cells]},
    }


def version(echo: Reply, backend: str, workers: int, presets: tuple[str, ...], caps: Caps) -> Reply:
    """What the server is and allows."""
    return {
        **echo,
        "version": __version__,
        "protocol": VERSION,
        "backend": backend,
        "workers": workers,
        "presets": list(presets),
        "levels": [{"level": level.number, "name": level.name} for level in LEVELS],
        "limits": {
            "messageBytes": caps.message_bytes,
            "waiting": caps.waiting,
            "seconds": caps.seconds,
            "memory": caps.memory,
            "threads": caps.threads,
            "visits": MAX_VISITS,
        },
    }


def error(message: str, name: str | None = None, field: str | None = None, turn: int | None = None) -> Reply:
    """A message that was refused, or a position whose search failed; keys that are not known are left out."""
    found = {"error": message[:MAX_ERROR], "field": field, "id": name, "turnNumber": turn}
    return {key: value for key, value in found.items() if value is not None}


def failure(caught: Exception, name: str | None = None, turn: int | None = None) -> Reply:
    """An exception that no message should cause."""
    message = "there is not enough memory" if isinstance(caught, MemoryError) else f"{type(caught).__name__}: {caught}"
    return error(message, name, turn=turn)


def refusal(refused: Refusal) -> Reply:
    """The reply to a message that was refused."""
    return error(str(refused), refused.id, refused.field)

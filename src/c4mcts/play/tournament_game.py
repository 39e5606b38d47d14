"""One game of a tournament: a job for an executor, which no player can make fail."""

from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np

from .._backend import BackendName
from .._validation import between, json_list, number_between, refused, word
from ..board.board import Board
from ..executors.background import Check
from ..rules import Rules
from ..solver.solver import solve
from .openings import Moves
from .player_specs import Contestant
from .supervision import MAX_REASON, Forfeit, SupervisedPlayer

MAX_SECONDS = 1e9  # thirty years


class Played(TypedDict):
    """A finished game, in JSON types."""

    moves: list[int]  # since the empty board
    winner: int | None  # 0: who moved first on the empty board, 1: the other; None: a draw
    end: str  # see tournament_result.Game
    reason: str
    seconds: list[float]


@dataclass(frozen=True, slots=True)
class Terms:
    """What all games of a tournament have in common."""

    rules: Rules
    adjudicate: int | None  # number of discs from which on the exact score decides
    move_seconds: float | None
    backend: BackendName


def play(
    first: Contestant, second: Contestant, opening: Moves, terms: Terms, seed: np.random.SeedSequence, check: Check
) -> Played:
    """Play one game; check: raises Cancelled when the game is no longer wanted."""
    board = Board.from_moves(opening, terms.rules)
    seats: list[SupervisedPlayer] = []
    turn = 0
    try:
        for turn, (entrant, child) in enumerate(zip((first, second), seed.spawn(2), strict=True)):
            seats.append(SupervisedPlayer(entrant.make, terms.move_seconds, check))
            seats[turn].begin(child)
        while not board.is_over():
            if terms.adjudicate is not None and board.ply >= terms.adjudicate:
                return _played(board, _exact_winner(board, terms, check), "adjudication", "", seats)
            turn = board.turn
            seats[turn].move(board)
    except Forfeit as forfeit:
        return _played(board, 1 - turn, "forfeit", str(forfeit), seats)
    outcome = board.outcome()
    assert outcome is not None
    return _played(board, outcome.winner, "full board" if outcome.winner is None else "line", "", seats)


def _played(board: Board, winner: int | None, end: str, reason: str, seats: list[SupervisedPlayer]) -> Played:
    seconds = [round(seat.seconds, 6) for seat in seats] + [0.0] * (2 - len(seats))
    return {"moves": list(board.moves), "winner": winner, "end": end, "reason": reason, "seconds": seconds}


def check_played(opening: Moves, terms: Terms, found: Any) -> None:
    """Check a game in a checkpoint, which may be forged: its moves are played again. TypeError, ValueError."""
    names = Played.__annotations__.keys()
    if type(found) is not dict or found.keys() != names:
        raise ValueError(refused("game", f"an object with {', '.join(names)}", found))
    board = Board(terms.rules)
    moves, winner, end, reason = found["moves"], found["winner"], found["end"], found["reason"]
    for column in json_list("moves", moves):
        board.push(between("moves", column, 0, terms.rules.width - 1))
    if tuple(moves[: len(opening)]) != opening:
        raise ValueError(refused("moves", f"a game that begins with {list(opening)}", moves))
    if winner is not None:
        between("winner", winner, 0, 1)
    _check_end(board, terms, winner, end)
    if type(reason) is not str or len(reason) > MAX_REASON or not reason.isprintable():
        raise ValueError(refused("reason", f"a line of at most {MAX_REASON} characters", reason))
    if reason and end != "forfeit":
        raise ValueError(refused("reason", f"empty, as the game ended by {end}", reason))
    for seconds in json_list("seconds", found["seconds"], 2):
        number_between("seconds", seconds, 0, MAX_SECONDS)


def _check_end(board: Board, terms: Terms, winner: int | None, end: str) -> None:
    """ValueError if a game can't have ended so."""
    outcome = board.outcome()
    if outcome is not None:
        ends: tuple[str, ...] = ("full board",) if outcome.winner is None else ("line",)
        winners: tuple[int | None, ...] = (outcome.winner,)
    else:
        is_late = terms.adjudicate is not None and board.ply >= terms.adjudicate
        ends = ("forfeit", "adjudication") if is_late else ("forfeit",)
        winners = (0, 1) if end == "forfeit" else (0, 1, None)
    word("end", end, ends)
    if winner not in winners:
        raise ValueError(refused("winner", " or ".join("null" if one is None else str(one) for one in winners), winner))


def _exact_winner(board: Board, terms: Terms, check: Check) -> int | None:
    """The winner under perfect play."""
    score = solve(board, columns=False, on_progress=check, backend=terms.backend).score
    assert score is not None
    return None if score == 0 else board.turn if score > 0 else 1 - board.turn

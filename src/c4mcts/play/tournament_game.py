"""One game of a tournament: a job for an executor, which no player can make fail."""

from contextlib import closing
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from .._backend import BackendName
from ..board.board import Board
from ..executors.background import Check
from ..rules import Rules
from ..solver.solver import solve
from .arena import moves_of
from .openings import Moves
from .player_specs import Contestant
from .supervision import Forfeit, SupervisedPlayer


class Played(TypedDict):
    """A finished game, in JSON types."""

    moves: list[int]  # since the empty board
    winner: int | None  # 0: who moved first on the empty board, 1: the other; None: a draw
    end: str  # see tournament_result.TournamentGame
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
    seats = [SupervisedPlayer(entrant.make, terms.move_seconds, check) for entrant in (first, second)]
    forfeit = None
    try:
        with closing(moves_of(board, seats, seed)) as moves:
            for _ in moves:
                if terms.adjudicate is not None and board.ply >= terms.adjudicate:
                    break
    except Forfeit as error:
        forfeit = error
    if (outcome := board.outcome()) is not None:
        return _played(board, outcome.winner, "full board" if outcome.winner is None else "line", "", seats)
    if forfeit is not None:
        return _played(board, 1 - seats.index(forfeit.player), "forfeit", str(forfeit), seats)
    return _played(board, _exact_winner(board, terms, check), "adjudication", "", seats)


def _played(board: Board, winner: int | None, end: str, reason: str, seats: list[SupervisedPlayer]) -> Played:
    seconds = [round(seat.seconds, 6) for seat in seats]
    return {"moves": list(board.moves), "winner": winner, "end": end, "reason": reason, "seconds": seconds}


def _exact_winner(board: Board, terms: Terms, check: Check) -> int | None:
    """The winner under perfect play."""
    score = solve(board, columns=False, on_progress=check, backend=terms.backend).score
    assert score is not None
    return None if score == 0 else board.turn if score > 0 else 1 - board.turn

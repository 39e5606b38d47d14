"""Chooses the move to play from the statistics of all legal moves."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from .move_order import Proof, Proven, undominated, visit_weights
from .params import GumbelParams, SearchParams
from .results import MoveStats
from .root_bounds import Bounds, RootBounds


class CandidateMove(Proven, Protocol):
    """A move with the statistics of a search."""

    @property
    def visits(self) -> int: ...

    @property
    def value(self) -> float | None: ...

    @property
    def short_win(self) -> int | None: ...


C = TypeVar("C", bound=CandidateMove)
Score = tuple[float, float]


def choose_board_move(
    moves: tuple[MoveStats, ...],
    bounds: RootBounds,
    params: SearchParams,
    random_bits: int,
    scores: Mapping[int, float] | None = None,
) -> MoveStats:
    """The move to play: with `checks` an immediate win, else one that stops an immediate threat; else `choose_move`.

    scores: with GumbelParams what decides between equal visits, by column; without them their weights in the policy.
    """
    moves = tuple(move for move in moves if not bounds.forced or move.column in bounds.forced)
    score = None
    if isinstance(params, GumbelParams):
        ranks = scores or {move.column: move.weight or 0.0 for move in moves}

        def score(move: MoveStats) -> Score:
            return move.visits, ranks.get(move.column, 0.0)

    return choose_move(moves, lambda move: bounds.columns[move.column], params, random_bits, score)


def choose_move(
    moves: Sequence[C],
    bounds_of: Callable[[C], Bounds],
    params: SearchParams,
    random_bits: int,
    score: Callable[[C], Score] | None = None,
) -> C:
    """The best move by `certainty`; among equals by the rule of the parameters (`choice`, `temperature`, `tie_break`).

    bounds_of: bounds of a move's score for the player who makes it; a draw is 0, a win above 0, the higher the faster.
    random_bits: 64 of them, for ties and temperature. score: in place of `choice`.
    """
    score = score or _score_function(moves, params)
    candidates = undominated(moves)
    if params.settings().prove_draws and candidates[0].proof in (None, "draw"):
        candidates = _draw_or_try(candidates, bounds_of, score, params)
    elif candidates[0].proof == "loss":
        # the distance of a loss is at most that: of equals those that are known to last the longest
        longest = max(bounds_of(move)[0] for move in candidates)
        candidates = [move for move in candidates if bounds_of(move)[0] == longest]
    if params.temperature > 0 and candidates[0].proof != "win":
        return _random_by_visits(candidates, params.temperature, random_bits)
    best = max(map(score, candidates))
    equals = [move for move in candidates if score(move) == best]
    return equals[(random_bits >> 32) * len(equals) >> 32] if params.tie_break == "random" else equals[0]


def exact_value(proof: Proof, params: SearchParams) -> float:
    """The value of a proven move, in [0, 1]."""
    settings = params.settings()
    return {"win": 1.0, "draw": settings.draw / settings.win, "loss": 0.0}[proof]


def _draw_or_try(
    moves: list[C], bounds_of: Callable[[C], Bounds], score: Callable[[C], Score], params: SearchParams
) -> list[C]:
    """All moves if none guarantees a draw; otherwise those that do, or those that can still win.

    Keep the drawing moves if no move can win, or if the best-looking one that can win may also lose and is valued below
    a draw or not at all; otherwise keep the moves that can still win.
    """
    safe = [move for move in moves if bounds_of(move)[0] == 0]
    if not safe:
        return moves
    winnable = [move for move in moves if bounds_of(move)[1] > 0]
    best = max(winnable, key=score, default=None)
    if best is None:
        return safe
    is_worth_less = best.value is None or best.value < exact_value("draw", params)
    return safe if is_worth_less and bounds_of(best)[0] < 0 else winnable


def _random_by_visits(moves: Sequence[C], temperature: float, random_bits: int) -> C:
    """A move at random, with chances in proportion to visits ** (1 / temperature); equal chances without visits."""
    weights = visit_weights([move.visits for move in moves], temperature)
    point = (random_bits >> 11) * 2.0**-53 * sum(weights)
    for move, weight in zip(moves, weights, strict=True):
        point -= weight
        if point < 0:
            return move
    return moves[weights.index(max(weights))]  # rounding has left a remainder


def _score_function(moves: Sequence[C], params: SearchParams) -> Callable[[C], Score]:
    """What `choice` compares: the higher, the better the move."""
    total = sum(move.visits for move in moves)
    settings = params.settings()
    factor = settings.exploration / (2 if params.needs_evaluator else settings.win)  # values lie in [0, 1]

    def margin(move: C) -> float:
        """The exploration term of UCB1, as in selection."""
        return factor * math.sqrt(math.log(total) / move.visits)

    def score(move: C) -> Score:
        if move.value is None or not move.visits:
            # never tried; it has a value only if it is proven
            if params.choice == "visits":
                return 0, -1.0 if move.value is None else move.value
            return (0, 0) if params.choice == "visits_only" else (-math.inf, 0)
        match params.choice:
            case "visits":
                return move.visits, move.value
            case "visits_only":
                return move.visits, 0
            case "value":
                return move.value, move.visits
            case "secure":
                return move.value - margin(move), move.visits
            case _:  # "ucb_short_win"
                return move.value + margin(move), -math.inf if move.short_win is None else -move.short_win

    return score

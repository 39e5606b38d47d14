"""The move to play, from what a search says of all of them."""

import math
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from .params import SearchParams
from .results import MoveStats, Proof
from .root_bounds import Bounds, Narrowing


class Counted(Protocol):
    """A move with what a search has counted."""

    @property
    def visits(self) -> int: ...

    @property
    def value(self) -> float | None: ...

    @property
    def short_win(self) -> int | None: ...


M = TypeVar("M", bound=Counted)
Merit = tuple[float, float]


def choose(moves: tuple[MoveStats, ...], narrowing: Narrowing, params: SearchParams, word: int) -> MoveStats:
    """By what is certain, against immediate threats, else by the rule of the parameters.

    word: 64 random bits for ties, where the parameters ask for them.
    """
    urgent = narrowing.urgent
    moves = tuple(move for move in moves if not urgent or move.column in urgent)
    return best_of(moves, lambda move: narrowing.bounds(move.column), params, word)


def best_of(moves: Sequence[M], bounds: Callable[[M], Bounds], params: SearchParams, word: int) -> M:
    """By what is certain, else by the rule of the parameters.

    bounds: of a move's score, for the player who makes it; a win is above 0 and the higher the sooner, a draw is 0.
    """
    merit = _merit_of(moves, params)
    candidates = _candidates(moves, bounds, merit, params)
    if params.temperature > 0 and not any(bounds(move)[0] > 0 for move in candidates):
        return _drawn(candidates, params.temperature, word)
    best = max(map(merit, candidates))
    equals = [move for move in candidates if merit(move) == best]
    return equals[(word >> 32) * len(equals) >> 32 if params.tie_break == "random" else 0]


def _drawn(moves: Sequence[M], temperature: float, word: int) -> M:
    """One of the moves, with chances in proportion to visits ** (1 / temperature); all alike without visits.

    Computed in logarithms, so that no temperature overflows. word: 64 random bits.
    """
    most = max(move.visits for move in moves)
    alike = not most or temperature == math.inf
    logs = [0.0 if alike else math.log(move.visits / most) if move.visits else -math.inf for move in moves]
    shares = [math.exp(log / temperature) if log > -math.inf else 0.0 for log in logs]
    point = (word >> 11) * 2.0**-53 * sum(shares)
    for move, share in zip(moves, shares, strict=True):
        point -= share
        if point < 0:
            return move
    return moves[shares.index(max(shares))]  # rounding has left a rest


def exact_value(proof: Proof, params: SearchParams) -> float:
    """The value of a proven move, in [0, 1]."""
    settings = params.settings()
    return {"win": 1.0, "draw": settings.draw / settings.win, "loss": 0.0}[proof]


def _candidates(
    moves: Sequence[M], bounds: Callable[[M], Bounds], merit: Callable[[M], Merit], params: SearchParams
) -> Sequence[M]:
    """The moves that are not worse than another by what is certain."""
    lowers = {move: bounds(move)[0] for move in moves}
    uppers = {move: bounds(move)[1] for move in moves}
    lower, upper = max(lowers.values()), max(uppers.values())
    if lower > 0:
        return [move for move in moves if lowers[move] == lower]
    if upper < 0:
        return [move for move in moves if uppers[move] == upper]
    if lower < 0:
        return [move for move in moves if uppers[move] >= 0]
    sure = [move for move in moves if lowers[move] == 0]
    hopes = [move for move in moves if uppers[move] > 0]
    best = max(hopes, key=merit, default=None)
    if best is None or (lowers[best] < 0 and (best.value is None or best.value < exact_value("draw", params))):
        return sure
    return hopes


def _merit_of(moves: Sequence[M], params: SearchParams) -> Callable[[M], Merit]:
    """What the rule of the parameters compares: the higher, the better the move."""
    total = sum(move.visits for move in moves)
    win, _, loss = params.rewards
    factor = params.exploration / (win - loss)  # values lie in [0, 1]

    def bonus(move: M) -> float:
        """Of UCB1, as in selection."""
        return factor * math.sqrt(math.log(total) / move.visits)

    def merit(move: M) -> Merit:
        if move.value is None or not move.visits:
            # never tried: known by a proof, if at all
            return (0, -1.0 if move.value is None else move.value) if params.choice == "visits" else (-math.inf, 0)
        match params.choice:
            case "visits":
                return move.visits, move.value
            case "value":
                return move.value, move.visits
            case "secure":
                return move.value - bonus(move), move.visits
            case "ucb_short_win":
                return move.value + bonus(move), -math.inf if move.short_win is None else -move.short_win

    return merit

"""How moves compare by what is proven of them, and by their visits."""

import math
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol, TypeVar

from .. import _layout

Proof = Literal["win", "draw", "loss"]

# What the proof field of a node says; the other codes leave the outcome open.
OUTCOMES: dict[int, Proof] = {_layout.WON: "win", _layout.DRAWN: "draw", _layout.LOST: "loss"}


class Proven(Protocol):
    """A move with what is proven of it."""

    @property
    def proof(self) -> Proof | None: ...

    @property
    def distance(self) -> int | None: ...


P = TypeVar("P", bound=Proven)


def certainty(proof: Proof | None, distance: int | None) -> tuple[int, int]:
    """Sort key of a move for the player who makes it: the higher, the better.

    The order in which a move is chosen:

    1. a proven win, the fastest first;
    2. a move that is neither a proven win nor a proven loss; all of these are equal here, proven draws included;
    3. a proven loss, the slowest first.

    Callers break ties differently: choose_move by the parameters (and weighs a sure draw against a possible win),
    SearchResult.policy by visit shares, node_rank by visits.

    distance: plies to the end of the game; needed for wins and losses.
    """
    if proof == "win" and distance is not None:
        return 1, -distance
    if proof == "loss" and distance is not None:
        return -1, distance
    return 0, 0


def undominated(moves: Iterable[P]) -> list[P]:
    """The moves that come first by `certainty`, in the given order."""
    moves = list(moves)
    best = max(certainty(move.proof, move.distance) for move in moves)
    return [move for move in moves if certainty(move.proof, move.distance) == best]


def node_rank(proof: int, visits: int) -> tuple[int, int]:
    """Sort key of a node among its siblings: by `certainty`, then by visits where nothing is decided.

    The order of proofs.rank in the backends, in which a searcher follows its principal variations.

    proof: the proof field of the node.
    """
    rank, plies = certainty(OUTCOMES.get(proof & ~_layout.DISTANCE_MASK), proof & _layout.DISTANCE_MASK)
    return (rank, visits) if rank == 0 else (rank, plies)


def visit_weights(visits: Sequence[float], temperature: float) -> list[float]:
    """Weights in proportion to visits ** (1 / temperature); the largest is 1.

    At temperature 0 only the most visited have a weight. At infinity, and without any visits, all weights are 1.
    Computed with logarithms, so that no temperature overflows.
    """
    most = max(visits)
    if most == 0 or temperature == math.inf:
        return [1.0] * len(visits)
    if temperature == 0:
        return [float(count == most) for count in visits]
    return [math.exp(math.log(count / most) / temperature) if count else 0.0 for count in visits]

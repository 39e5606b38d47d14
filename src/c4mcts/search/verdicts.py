"""What is said of moves and positions, in words and in which order, by everything that shows results.

What is proven comes first. What the search believes, its value, comes second, where nothing is proven.
"""

from typing import Protocol

from .root_moves import Bound, MoveStats, Proof

AT_MOST = "<="  # of a distance; "≤" where every character can be shown


class Known(Protocol):
    """A move or a position of which something may be proven, for the player to move: MoveStats, SearchResult, TreeNode
    and others.
    """

    @property
    def proof(self) -> Proof | None: ...

    @property
    def distance(self) -> int | None: ...

    @property
    def bound(self) -> Bound | None: ...


class Valued(Known, Protocol):
    """One that has a value, too."""

    @property
    def value(self) -> float | None: ...


def proof_text(known: Known, at_most: str = AT_MOST) -> str:
    """ "win in 3", "loss in <= 36", "draw", or nothing."""
    proof = known.proof
    if proof is None or proof == "draw":
        return proof or ""
    return f"{proof} in {known.distance if known.bound == 'exact' else f'{at_most} {known.distance}'}"


def verdict(known: Valued, at_most: str = AT_MOST) -> str:
    """What is proven, in words; otherwise the search's value: "value 0.532"."""
    if known.proof is not None:
        return proof_text(known, at_most)
    return "value unknown" if known.value is None else f"value {known.value:.3f}"


def is_cut(move: MoveStats) -> bool:
    """Whether the principal variation of a proven move ends before the game does."""
    distance = move.distance
    return distance is not None and len(move.pv) < distance

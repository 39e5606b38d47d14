"""What is said of moves and positions, in words and in which order, by everything that shows results.

What is proven comes first. What the search believes, its value, comes second, where nothing is proven.
"""

from typing import Protocol

from .root_moves import Bound, MoveStats, Proof, Proven

AT_MOST = "<="  # of a distance; "≤" where every character can be shown


class Known(Protocol):
    """A move or a position of which something may be proven: MoveStats, SearchResult, TreeNode and others."""

    @property
    def proof(self) -> Proof | None: ...

    @property
    def distance(self) -> int | None: ...

    @property
    def bound(self) -> Bound | None: ...


def proven_of(known: Known) -> Proven:
    return Proven(known.proof, known.distance, known.bound)


def proof_text(proven: Proven, at_most: str = AT_MOST) -> str:
    """ "win in 3", "loss in <= 36", "draw", or nothing."""
    proof, distance, bound = proven
    if proof is None or proof == "draw" or distance is None:
        return proof or ""
    return f"{proof} in {distance if bound == 'exact' else f'{at_most} {distance}'}"


def verdict(value: float | None, proven: Proven, at_most: str = AT_MOST) -> str:
    """What is proven, in words; otherwise the search's value: "value 0.532"."""
    if proven.proof is not None:
        return proof_text(proven, at_most)
    return "value unknown" if value is None else f"value {value:.3f}"


def is_cut(move: MoveStats) -> bool:
    """Whether the principal variation of a proven move ends before the game does."""
    return move.proof is not None and move.distance is not None and len(move.pv) < move.distance

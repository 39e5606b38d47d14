"""Checks what a file says of a tree, which may be damaged or forged."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ..board.board import Board
from .root_moves import Bounds, RootMoves

State = tuple[int, int]  # of a generator: two 64-bit integers, not both zero


def facts_of_root(facts: dict[str, Any], moves: RootMoves, board: Board) -> tuple[int | None, list[int]]:
    """The facts of a snapshot about its board: the player the tree was grown for, and short_wins.

    moves: those of the root; their bounds are narrowed by those of the snapshot.

    Raises as EngineTree.restore does.
    """
    player, wins, pairs = facts["player"], facts["wins"], facts["bounds"]
    if player not in (None, 0, 1) or isinstance(player, bool | float):
        raise ValueError(f"the player it was grown for is {player!r}")
    columns = board.legal_columns
    if not all(
        type(column) is int and column in columns and [type(number) for number in pair] == [int, int]
        for column, pair in pairs
    ):
        raise ValueError(f"the bounds of the columns are {pairs!r}")
    if (
        not isinstance(wins, list)
        or len(wins) != board.rules.width
        or not all(type(plies) is int and 0 <= plies < 2**13 for plies in wins)
    ):
        raise ValueError(f"the plies to the soonest wins are {wins!r}")
    for column, (lower, upper) in pairs:
        narrow(moves, column, (lower, upper))
    return player, wins


def narrow(moves: RootMoves, column: int, read: Bounds) -> None:
    """RootMoves.narrow with bounds that were read from a file; ValueError if they contradict what is known."""
    try:
        is_contradiction = moves.contradicts(column, read)
    except OverflowError:
        raise ValueError(f"the bounds of column {column} are {read!r}") from None
    if is_contradiction:
        lower, upper = moves.bounds()[column]
        lower, upper = max(lower, read[0]), min(upper, read[1])
        raise ValueError(f"column {column} can't score at least {lower} and at most {upper}")
    moves.narrow(column, read)


def fault_of_estimates(rows: npt.NDArray[np.void]) -> str:
    """What is wrong with the evaluator's part of nodes; empty if it is sound."""
    if not ((np.abs(rows["value"]) <= 1) & (rows["prior"] >= 0) & (rows["prior"] <= 1)).all():
        return "a value or a prior lies outside its bounds"
    return "a node has more evaluations than visits" if (rows["value_sum"] > rows["visits"]).any() else ""


def checked_state(state: Any) -> State:
    """The state of a generator. TypeError or ValueError for anything else."""
    a, b = state
    if type(a) is not int or type(b) is not int or not (0 <= a < 2**64 and 0 <= b < 2**64 and (a or b)):
        raise ValueError(f"the state of the generator is {state!r}")
    return a, b

"""Exact scores of the columns of a board, for experiments that compare searches with them."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..board.board import Board
from ..executors.background import Check
from ..rules import fits_word
from ..search.params import SearchParams
from ..solver.solver import solve

QUICK = 500_000  # positions that the solver may search where exact scores are welcome, but not needed

Scores = Sequence[int | None]  # by column; None for a full one


def scores_of(
    board: Board, max_nodes: int | None, seed: np.random.SeedSequence, check: Check
) -> tuple[int | None, ...] | None:
    """A job: the exact scores of all columns; None if they are not known after so many positions."""
    solved = solve(board, max_nodes=max_nodes, on_progress=check).columns
    assert solved is not None
    return solved if all(solved[column] is not None for column in board.legal_columns) else None


def unknown(seed: np.random.SeedSequence, check: Check) -> None:
    """A job in the place of `scores_of`: nothing is known."""


def require_solvable(board: Board, name: str, instead: str) -> None:
    """ValueError for boards that the solver is too slow for. instead: what the caller can do."""
    if not fits_word(board.rules):
        raise ValueError(f"{name} must {instead}: a board of {board.rules} is too large to be solved")


def rewards_of(scores: Scores, params: SearchParams) -> npt.NDArray[np.float64]:
    """The exact rewards of the columns: float64 of shape (width,), NaN for full ones."""
    win, draw, loss = params.rewards
    return np.array([np.nan if score is None else (draw, win, loss)[np.sign(score)] for score in scores])


def best_columns(scores: Scores) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The columns with the best score, and those with the same outcome as the best."""
    known = [(column, score) for column, score in enumerate(scores) if score is not None]
    best = max(score for _, score in known)
    optimal = tuple(column for column, score in known if score == best)
    return optimal, tuple(column for column, score in known if np.sign(score) == np.sign(best))

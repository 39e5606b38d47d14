"""Exact scores for the positions of self-play."""

from typing import Any

import numpy as np
import numpy.typing as npt

from .._files import StrPath
from .._validation import an_instance
from ..executors.background import AnyExecutor
from ..executors.jobs import Progress
from ..solver.book import NO_SCORE, Book
from ..solver.bulk import given_positions, solve_many
from .dataset import SelfPlay


def label(
    data: SelfPlay,
    rows: Any = slice(None),
    *,
    columns: bool = False,
    known: SelfPlay | None = None,
    book: bool | Book = True,
    executor: AnyExecutor | None = None,
    progress: Progress = False,
    checkpoint: StrPath | None = None,
) -> SelfPlay:
    """The same games with exact scores: a new SelfPlay that has them in `score`, on the scale of Solution.

    rows: anything that chooses rows of an array, since early positions take the solver longest; for instance
    data.ply >= 20. All other rows keep what they have. columns: also score every move, in `scores`.
    known: games with the same rules that have scores; positions found there, or their mirror images, are not solved
    again. book, executor, progress, checkpoint: as for solve_many, which says what is raised.

    The board must have at most 252 cells.
    """
    an_instance("data", data, SelfPlay, "a SelfPlay")
    chosen = np.arange(len(data))[rows].reshape(-1)
    score, scores = data.score.copy(), data.scores.copy()
    if known is not None:
        chosen = chosen[~_copied(score, scores, data, chosen, known, columns)]
    positions = data.own[chosen], data.mask[chosen]
    how: dict[str, Any] = {"book": book, "executor": executor, "progress": progress, "checkpoint": checkpoint}
    found = solve_many(positions, columns=columns, rules=data.rules, **how)
    score[chosen] = found.scores
    if columns:
        scores[chosen] = found.columns
    return SelfPlay(data.sources, {**data.arrays, "score": score, "scores": scores})


def _copied(
    score: npt.NDArray[np.int8],
    scores: npt.NDArray[np.int8],
    data: SelfPlay,
    rows: npt.NDArray[np.intp],
    known: SelfPlay,
    columns: bool,
) -> npt.NDArray[np.bool_]:
    """Fill in the scores of these rows that other games have. Returns which rows those are. TypeError, ValueError."""
    an_instance("known", known, SelfPlay, "a SelfPlay")
    if known.rules != data.rules:
        raise ValueError(f"known must be games with the rules {data.rules}, not {known.rules}")
    scored = known.score != NO_SCORE
    if columns:
        scored &= (known.scores != NO_SCORE).any(axis=1)
    there = np.flatnonzero(scored)
    if not len(there):
        return np.zeros(len(rows), bool)
    old, old_flipped = given_positions((known.own[there], known.mask[there]), data.rules).canonical()
    new, new_flipped = given_positions((data.own[rows], data.mask[rows]), data.rules).canonical()
    keys = old.keys()
    order = np.argsort(keys)
    place = order[np.minimum(np.searchsorted(keys, new.keys(), sorter=order), len(order) - 1)]
    found: npt.NDArray[np.bool_] = keys[place] == new.keys()
    to, of = rows[found], place[found]
    score[to] = known.score[there[of]]
    if columns:
        copied = known.scores[there[of]]
        flipped = old_flipped[of] != new_flipped[found]
        copied[flipped] = copied[flipped, ::-1]
        scores[to] = copied
    return found

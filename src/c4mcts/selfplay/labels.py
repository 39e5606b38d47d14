"""Labels: exact scores for the positions of self-play games."""

from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _files
from .._validation import an_instance
from ..executors.executor import AnyExecutor
from ..executors.progress import Progress
from ..solver.book import NO_SCORE, Book
from ..solver.bulk import checked_positions, solve_many
from .dataset import SelfPlay
from .rows import chosen_rows


def label(
    data: SelfPlay,
    rows: Any = slice(None),
    *,
    columns: bool = False,
    reuse: SelfPlay | None = None,
    book: bool | Book = True,
    executor: AnyExecutor | None = None,
    progress: Progress = False,
    checkpoint: _files.StrPath | None = None,
) -> SelfPlay:
    """The same games with exact scores: a new SelfPlay that has them in `score`, on the scale of Solution.

    rows: anything that chooses rows of an array, since early positions take the solver longest; for instance
    data.ply >= 20. All other rows keep what they have. columns: also score every move, in `scores`.
    reuse: games with the same rules that have scores; positions found there, or their mirror images, are not solved
    again. book, executor, progress, checkpoint: as for solve_many, which says what is raised.

    The board must have at most 252 cells.
    """
    an_instance("data", data, SelfPlay, "a SelfPlay")
    chosen = chosen_rows("rows", rows, len(data))
    score, scores = data.score.copy(), data.scores.copy()
    if reuse is not None:
        chosen = chosen[~_copied(score, scores, data, chosen, reuse, columns)]
    positions = data.own[chosen], data.mask[chosen]
    how: dict[str, Any] = {"book": book, "executor": executor, "progress": progress, "checkpoint": checkpoint}
    solutions = solve_many(positions, columns=columns, rules=data.rules, **how)
    score[chosen] = solutions.scores
    if columns:
        scores[chosen] = solutions.columns
    return SelfPlay(data.sources, {**data.arrays, "score": score, "scores": scores})


def _copied(
    score: npt.NDArray[np.int8],
    scores: npt.NDArray[np.int8],
    data: SelfPlay,
    rows: npt.NDArray[np.intp],
    reuse: SelfPlay,
    columns: bool,
) -> npt.NDArray[np.bool_]:
    """Fill in the scores of these rows that other games have. Returns which rows those are. TypeError, ValueError."""
    an_instance("reuse", reuse, SelfPlay, "a SelfPlay")
    if reuse.rules != data.rules:
        raise ValueError(f"reuse must be games with the rules {data.rules}, not {reuse.rules}")
    scored = reuse.score != NO_SCORE
    if columns:
        scored &= (reuse.scores != NO_SCORE).any(axis=1)
    there = np.flatnonzero(scored)
    if not len(there):
        return np.zeros(len(rows), bool)
    old, old_flipped = checked_positions((reuse.own[there], reuse.mask[there]), data.rules).canonical()
    new, new_flipped = checked_positions((data.own[rows], data.mask[rows]), data.rules).canonical()
    keys = old.keys()
    order = np.argsort(keys)
    place = order[np.minimum(np.searchsorted(keys, new.keys(), sorter=order), len(order) - 1)]
    matches: npt.NDArray[np.bool_] = keys[place] == new.keys()
    to, of = rows[matches], place[matches]
    score[to] = reuse.score[there[of]]
    if columns:
        copied = reuse.scores[there[of]]
        flipped = old_flipped[of] != new_flipped[matches]
        copied[flipped] = copied[flipped, ::-1]
        scores[to] = copied
    return matches

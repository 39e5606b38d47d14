"""label: the exact scores of the positions of self-play, by the solver and its book."""

from typing import TYPE_CHECKING, Any

import numpy as np

from .._files import StrPath
from .._validation import an_instance
from ..executors.progress import Progress
from ..solver.book import Book
from ..solver.bulk import solve_many
from .dataset import SelfPlay

if TYPE_CHECKING:
    from concurrent.futures import Executor


def label(
    data: SelfPlay,
    rows: Any = slice(None),
    *,
    columns: bool = False,
    book: bool | Book = True,
    executor: "Executor | None" = None,
    progress: Progress = False,
    checkpoint: StrPath | None = None,
) -> SelfPlay:
    """The same games with exact scores: a new SelfPlay that has them in `score`, on the scale of Solution.

    rows: anything that chooses rows of an array, since early positions take the solver longest; for instance
    data.ply >= 20. All other rows keep what they have. columns: also score every move, in `scores`. book, executor,
    progress, checkpoint: as for solve_many, which says what is raised.

    The board must have at most 64 bits, width * (height + 1).
    """
    an_instance("data", data, SelfPlay, "a SelfPlay")
    chosen = np.arange(len(data))[rows].reshape(-1)
    found = solve_many(
        (data.own[chosen], data.mask[chosen]),
        columns=columns,
        book=book,
        rules=data.rules,
        executor=executor,
        progress=progress,
        checkpoint=checkpoint,
    )
    score, scores = data.score.copy(), data.scores.copy()
    score[chosen] = found.scores
    if found.columns is not None:
        scores[chosen] = found.columns
    ends = np.cumsum([len(shard["ply"]) for shard in data.shards])[:-1]
    parts = zip(data.shards, np.split(score, ends), np.split(scores, ends), strict=True)
    return SelfPlay(data.sources, tuple({**shard, "score": one, "scores": all_} for shard, one, all_ in parts))

"""Exact labels: late positions learn the best moves and the value under perfect play, instead of what self-play found.

The scores of a generation have a separate file: the folder of its games stays as `generate` wrote it.
"""

import io
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt

from c4mcts.selfplay import SelfPlay, label
from c4mcts.solver.book import NO_SCORE

from . import files

# (n, 7): of the moves of each position; NO_SCORE in full columns and in positions without labels
Scores = npt.NDArray[np.int8]

SOFTNESS = 2.0  # points of the score that make a share smaller by a factor of e


def exact_scores(
    data: SelfPlay, first: int, earlier: Sequence[SelfPlay], threads: int, progress: bool = False
) -> Scores:
    """Solve the positions with at least `first` discs: the scores of their moves.

    earlier: labelled games, whose positions are not solved again.
    """
    known = sum(earlier[1:], earlier[0]) if earlier else None
    with ThreadPoolExecutor(threads) as executor:
        late = data.ply >= first
        return label(data, late, columns=True, reuse=known, book=False, executor=executor, progress=progress).scores


def write(path: Path, scores: Scores) -> None:
    """Write the scores of a generation."""
    buffer = io.BytesIO()
    np.save(buffer, scores)
    files.write(path, buffer.getvalue())


def labelled(data: SelfPlay, scores: Scores) -> SelfPlay:
    """The same games with these scores and what follows from them: values, outcomes, policies, weights.

    A game counts as if it were played perfectly from its first scored position on, so earlier positions get another
    outcome, too.
    """
    score = scores.max(axis=1)
    known = score != NO_SCORE
    outcome = np.where(known, np.sign(score), perfect_end(data, score))
    new = {
        "score": score,
        "scores": scores,
        "outcome": outcome.astype(np.int8),
        "value": np.where(known, np.sign(score), data.value).astype(np.float32),
        "policy": np.where(known[:, None], good_moves(scores), data.policy).astype(np.float32),
        "weight": np.where(known, 1, data.weight).astype(np.float32),
    }
    return SelfPlay(data.sources, {**data.arrays, **new})


def perfect_end(data: SelfPlay, score: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """The outcome of each position if its game is played perfectly from the first position with a score on."""
    rows = np.flatnonzero(score != NO_SCORE)
    games, place = np.unique(data.game[rows], return_index=True)
    first = np.full(data.games, -1)
    first[games] = rows[place]
    here = first[data.game]
    same_player = (data.ply - data.ply[here]) % 2 == 0
    values = np.sign(score[here])
    return np.where(here < 0, data.outcome, np.where(same_player, values, -values)).astype(np.int8)


def good_moves(scores: Scores) -> npt.NDArray[np.float32]:
    """(n, 7): shares of the moves that keep the value of their position, the higher the better their scores.

    For rows without scores too, which nobody uses. It learns better than equal shares of the best moves, or of all that
    keep the value (docs/guide/training.md).
    """
    best = scores.max(axis=1, keepdims=True)
    keeping = (np.sign(scores) == np.sign(best)) & ((scores != NO_SCORE) | (best == NO_SCORE))
    weights = np.where(keeping, np.exp((scores - best.astype(float)) / SOFTNESS), 0)
    shares: npt.NDArray[np.float32] = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
    return shares

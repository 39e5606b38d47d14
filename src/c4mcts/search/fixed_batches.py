"""FixedBatches: an evaluator that asks another one about the same number of positions each time."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from .._layout import MAX_ROWS
from .._validation import positive
from .evaluation import Answer, Arrays, Evaluator, Started, an_evaluator, shaped

ROWS = 128  # on a CPU a network takes about as long for a position as in larger batches


class FixedBatches:
    """An evaluator that asks another one about exactly `rows` positions each time, so that batches have one size.

    Libraries round differently for another size of the batch, so a position gets other numbers, in the last bits. With
    this evaluator it gets the same ones from an Engine, from `search_many` and in self-play. Empty boards fill a batch
    up; a larger one is divided.

    evaluator: any; the row of a position, and the other positions of the batch, must not change its answer. rows: by
    default 128, or as many as the evaluator prefers (`preferred_batch`).

    When called, it raises ValueError for answers of the wrong shape, and errors of the evaluator.
    """

    def __init__(self, evaluator: Evaluator, rows: int | None = None) -> None:
        self.evaluator = an_evaluator(evaluator)
        preferred: int | None = getattr(evaluator, "preferred_batch", None)
        self.rows = positive("rows", rows, MAX_ROWS) if rows is not None else preferred or ROWS
        self.preferred_batch = None if preferred is None else self.rows

    @property
    def fingerprint(self) -> str | None:
        """The fingerprint of the evaluator, if it has one."""
        return getattr(self.evaluator, "fingerprint", None)

    @property
    def submit(self) -> Callable[[Any, Any], Started] | None:
        """Starts the evaluation of a batch, as the evaluator's `submit` does; None if it has none."""
        submit = getattr(self.evaluator, "submit", None)
        return None if submit is None else partial(self._submit, submit)

    def buffers(self, planes: tuple[int, ...], width: int) -> Arrays | None:
        """Arrays of the evaluator for a batch of this shape, if it has such, and this is the size of its batches."""
        buffers = getattr(self.evaluator, "buffers", None)
        return None if buffers is None or planes[0] != self.rows else buffers(planes, width)

    def __call__(self, planes: Any, legal: Any) -> Answer:
        """Priors and values of a batch of any size: see Evaluator."""
        return _joined(
            [shaped(self.evaluator(*part), part[1].shape) for part in self._parts(planes, legal)], len(legal)
        )

    def has_equal_rows(self, planes: Any, legal: Any) -> bool:
        """Whether these positions get the same answers, to the last bit, in all rows, and beside empty boards."""
        n = min(len(planes), self.rows)
        batches = [np.arange(self.rows) % n, *(np.arange(i, n, 2) for i in range(min(n, 2)))]
        answers = [self(planes[rows], legal[rows]) for rows in batches]
        return all(
            np.array_equal(part, full[rows])
            for rows, answer in zip(batches, answers, strict=True)
            for part, full in zip(answer, answers[0], strict=True)
        )

    def _submit(self, submit: Callable[[Any, Any], Any], planes: Any, legal: Any) -> Started:
        shape = self.rows, legal.shape[1]
        pending = [submit(*part) for part in self._parts(planes, legal)]
        return Started(lambda: _joined([shaped(each.result(), shape) for each in pending], len(legal)))

    def _parts(self, planes: Any, legal: Any) -> list[Arrays]:
        empty = -len(planes) % self.rows
        if empty:
            planes = np.concatenate([planes, np.zeros((empty, *planes.shape[1:]), np.float32)])
            legal = np.concatenate([legal, np.ones((empty, legal.shape[1]), np.bool_)])
        return [(planes[i : i + self.rows], legal[i : i + self.rows]) for i in range(0, len(planes), self.rows)]


def _joined(answers: Sequence[Answer], n: int) -> Answer:
    """The first n rows of all answers, not copied if there is one."""
    priors, values = answers[0] if len(answers) == 1 else map(np.concatenate, zip(*answers, strict=True))
    return priors[:n], values[:n]

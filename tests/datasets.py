"""Small sets of self-play games for tests, and their comparison."""

from functools import partial

import numpy as np
from pools import generated

from c4mcts import Board, Rules, SearchParams
from c4mcts.selfplay.rows import layout

UCT = SearchParams.preset("uct")
SMALL = Board(Rules(5, 4, 4))
ARRAYS = tuple(layout(SMALL.rules))
CALL = partial(generated, 12, UCT, start=SMALL, simulations=30, seed=7)
MORE = partial(CALL.func, 20, *CALL.args[1:], **CALL.keywords)  # 8 games more


def same_rows(one, other):
    """Whether all arrays of two data sets are equal, and of the same types."""
    return all(
        getattr(one, name).dtype == getattr(other, name).dtype
        and np.array_equal(getattr(one, name), getattr(other, name), equal_nan=name in ("q", "prior", "raw_value"))
        for name in ARRAYS
    )


def same(one, other):
    """Whether two data sets are equal, the arguments that made them included."""
    return one.sources == other.sources and same_rows(one, other)


def content(path):
    """All files below a folder."""
    return {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}

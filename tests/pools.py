"""Pools of self-play games for tests: what they play with an evaluator, and its comparison."""

import numpy as np
from evaluators import fingerprint

from c4mcts import Board, Rules, SearchParams

PUCT = SearchParams.preset("alphazero", batch_size=1)
SMALL = Board(Rules(5, 4, 4))


def answer(batch, evaluator=fingerprint):
    """Priors and values of all rows of a batch, single precision."""
    return tuple(part.astype(np.float32) for part in evaluator(batch.planes, batch.legal))


def played(pool, evaluator=fingerprint):
    """All games of a pool by number."""
    found = []
    while (batch := pool.gather()) is not None:
        pool.complete(*answer(batch, evaluator))
        found += pool.finished()
    found += pool.finished()
    assert len(dict(found)) == len(found), "no game is played twice"
    return dict(found)


def same(one, other):
    """Whether two sets of games are equal to the last bit."""
    return one.keys() == other.keys() and all(one[n].to_json() == other[n].to_json() for n in one)

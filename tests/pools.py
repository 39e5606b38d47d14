"""Pools of self-play games for tests: what they play with an evaluator, and its comparison."""

from dataclasses import fields, replace

import numpy as np
from evaluators import fingerprint

from c4mcts import Board, Rules, SearchParams
from c4mcts.selfplay import BatchParams, PlayParams, Pool, generate

PUCT = SearchParams.preset("alphazero", batch_size=1)
SMALL = Board(Rules(5, 4, 4))


def grouped(options):
    """Arguments of Pool or generate: fields of PlayParams and BatchParams go into `play` and `batches`."""
    found = dict(options)
    for name, kind in (("play", PlayParams), ("batches", BatchParams)):
        given = {field.name: found.pop(field.name) for field in fields(kind) if field.name in found}
        if given:
            found[name] = replace(found.get(name) or kind(), **given)
    return found


def new_pool(params=PUCT, **options):
    """A pool, with all fields of PlayParams and BatchParams as arguments."""
    return Pool(params, **grouped(options))


def generated(*args, **options):
    """Games, with all fields of PlayParams and BatchParams as arguments."""
    return generate(*args, **grouped(options))


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
    return one.keys() == other.keys() and all(one[n].to_bytes() == other[n].to_bytes() for n in one)

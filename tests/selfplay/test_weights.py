"""Readers that respect weights, and games that stop at a proof."""

from functools import partial

import numpy as np
import pytest
from datasets import SMALL
from evaluators import fingerprint
from pools import PUCT

from c4mcts import SearchParams, selfplay
from c4mcts.selfplay import Ending, PlayParams

LEARN = partial(selfplay.generate, 60, PUCT, start=SMALL, simulations=12, seed=7, evaluator=fingerprint)


@pytest.mark.native
def test_training_leaves_out_positions_of_no_weight():
    data = LEARN(play=PlayParams(full_share=0.3, fast_simulations=4))
    kept = np.flatnonzero(data.weight > 0)
    assert 0 < len(kept) < len(data)
    target = data.mixed_value(0.5)
    for one, other in zip(data.training(value=target), data.training(value=target, rows=kept), strict=True):
        assert np.array_equal(one, other)
    assert len(data.training()[0]) == 2 * len(kept)
    assert len(data.training(rows=slice(None))[0]) == 2 * len(data)
    heavy = LEARN(play=PlayParams(full_share=0.3, fast_simulations=4, fast_weight=0.5))
    assert len(heavy.training()[0]) == 2 * len(heavy)
    assert np.array_equal(heavy.visits, data.visits)


ENGINES = partial(selfplay.generate, 20, SearchParams.preset("uct", proofs=True), start=SMALL, simulations=40, seed=7)


def test_engines_stop_at_a_proof():
    whole = ENGINES()
    stopped = ENGINES(play=PlayParams(after_proof="stop"))
    for game in range(20):
        rows, all_rows = (np.flatnonzero(data.game == game) for data in (stopped, whole))
        assert np.array_equal(stopped.visits[rows], whole.visits[all_rows[: len(rows)]])
        assert np.array_equal(stopped.outcome[rows], whole.outcome[all_rows[: len(rows)]])
    assert set(stopped.ending) == {Ending.PROVEN}

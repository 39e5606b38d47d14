"""Interrupted experiments continue from their checkpoint."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from counting import jobs_done
from stores import put_results, results_in

from c4mcts import Board, Rules, SearchParams, study
from c4mcts.executors.store import Store
from c4mcts.executors.work import perform

UCT = SearchParams.preset("uct")
CALL = partial(study.action_frequency, Board(), UCT, simulations=30, runs=20, seed=7)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "checkpoint"


@pytest.fixture
def interrupted(file):
    """The checkpoint of an interrupted experiment, with eight of twenty results."""

    def stop(done, total):
        if done == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        CALL(checkpoint=file, progress=stop)
    assert len(results_in(file)) == 8
    return file


def test_an_interrupted_experiment_goes_on_and_is_not_done_again(interrupted):
    told = []
    first, jobs = jobs_done(partial(CALL, checkpoint=interrupted, progress=lambda done, total: told.append(done)))
    assert jobs == 12
    assert told == list(range(8, 21))
    assert np.array_equal(first.columns, CALL().columns)
    again, jobs = jobs_done(partial(CALL, checkpoint=interrupted, seed=None))
    assert (jobs, again.seed) == (0, 7), "without a seed it is that of the file"
    assert np.array_equal(again.wall_seconds, first.wall_seconds)


@pytest.mark.parametrize(
    "call",
    [
        partial(study.convergence, Board.from_moves([0] * 6), UCT, simulations=[3, 50], runs=6),
        partial(study.regret, Board(Rules(4, 4, 3)), UCT, simulations=[3, 50], runs=6),
        partial(study.win_rate, {"a": Board()}, {"b": UCT}, budgets=[3, 8], games=3),
        partial(study.head_to_head, Board(), {"a": UCT, "b": UCT}, budgets=[3, 8], games=3),
        partial(study.optimality, Board(Rules(4, 4, 3)), UCT, values=[-1, 1], simulations=9, runs=3),
    ],
    ids=lambda call: call.func.__name__,
)
def test_every_experiment_goes_on(call, file):
    expected = call(seed=5)
    whole = call(seed=5, checkpoint=file)
    results = results_in(file)
    put_results(file, dict(list(results.items())[:3]))
    found, jobs = jobs_done(partial(call, seed=5, checkpoint=file))
    assert jobs == len(results) - 3
    for result in (whole, found):
        assert str(result) == str(expected)


def test_work_that_is_done_early_leaves_the_rest(file):
    def double(seed, check):
        return int(seed.spawn_key[0]) * 2

    seen = []

    def until(results, seed):
        seen.append((len(results), seed))
        return len(results) >= 3

    def call(**options):
        with Store(file, "doubling", {}, seed=5) as store:
            return perform(store, [double] * 10, until=until, **options)

    with ThreadPoolExecutor(1) as one:
        assert call(executor=one) == [0, 2, 4, *[None] * 7]
    assert seen == [(0, 5), (1, 5), (2, 5), (3, 5)]
    assert jobs_done(call) == ([0, 2, 4, *[None] * 7], 0), "it was done before"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"board": Board.from_pons("4")}, "board is '7/7/7/7/7/7 x 7x6x4' there"),
        ({"params": SearchParams.preset("uct", choice="value")}, "params: choice is 'visits' there, 'value' here"),
    ],
    ids=str,
)
def test_another_experiment_is_refused(interrupted, changes, words):
    before = interrupted.read_bytes()
    arguments = {"board": Board(), "params": UCT, "simulations": 30, "runs": 20, "seed": 7, **changes}
    with pytest.raises(study.CheckpointError, match=words):
        study.action_frequency(**arguments, checkpoint=interrupted)
    with pytest.raises(study.CheckpointError, match="experiment is 'action_frequency' there, 'convergence' here"):
        study.convergence(Board(), UCT, runs=20, seed=7, checkpoint=interrupted)
    assert interrupted.read_bytes() == before


def test_the_order_of_names_counts(file):
    sets = {"a": UCT, "b": SearchParams.preset("uct", exploration=0)}
    call = partial(study.head_to_head, Board(Rules(4, 4, 3)), budgets=[5], games=4, seed=1, checkpoint=file)
    call(sets)
    with pytest.raises(study.CheckpointError, match="axes: pair is "):
        call(dict(reversed(sets.items())))

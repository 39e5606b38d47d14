"""Self-play with an evaluator: pools, how games are divided among jobs, and evaluators that fail."""

import os
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context

import numpy as np
import pytest
from datasets import SMALL, same, same_rows
from evaluators import fingerprint, uniform
from pools import generated, new_pool, played

from c4mcts import CheckpointError, PuctParams, SearchParams, selfplay
from c4mcts.cli import main
from c4mcts.evaluators import FixedBatches
from c4mcts.selfplay import PlayParams
from c4mcts.selfplay.generation import parts_of
from c4mcts.selfplay.rows import rows_of

pytestmark = pytest.mark.native

PUCT = PuctParams(root_noise=(1.0, 0.25))
PLAY = PlayParams(
    full_share=0.5,
    fast_simulations=5,
    openings=["1", "32"],
    opening_plies=(0, 2),
    opening_moves="policy",
    resign_value=-0.3,
    after_proof="fast",
)
LEARN = partial(generated, 6, PUCT, start=SMALL, simulations=30, seed=7, evaluator=fingerprint)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "games"


def test_games_are_those_of_a_pool_whoever_plays_them():
    """With all ways to begin and to end, with and without a cache, here and in an executor."""
    data = LEARN(play=PLAY)
    records = played(new_pool(PUCT, games=6, simulations=30, seed=7, start=SMALL, play=PLAY))
    expected = rows_of([records[number] for number in range(6)], SMALL, 0)
    for name, array in expected.items():
        np.testing.assert_array_equal(getattr(data, name), array, err_msg=name)
    with ThreadPoolExecutor(3) as threads, ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        for options in (
            {"cache": 50, "threads": 2, "groups": 3},
            {"executor": threads, "cache": 100_000, "concurrent": 2},
            {"executor": threads, "threads": 2, "groups": 2, "concurrent": 4},
            {"executor": processes, "concurrent": 2},
        ):
            assert same(LEARN(play=PLAY, **options), data)
    assert not np.array_equal(LEARN(play=PLAY, evaluator=uniform).policy[0], data.policy[0])


class Rounding:
    """An evaluator whose answer for a position depends on the size of its batch; it notes the sizes."""

    def __init__(self):
        self.sizes = set()

    def __call__(self, planes, legal):
        self.sizes.add(len(planes))
        priors, values = fingerprint(planes, legal)
        return priors + np.arange(legal.shape[1]) * (len(planes) % 7), values


def test_an_evaluator_that_rounds_by_the_size_of_its_batch_plays_the_same_games():
    """In whatever numbers they are played, here and in jobs, in one call or two, and by engines."""
    evaluator = Rounding()
    data = LEARN(evaluator=evaluator)
    for options in ({"concurrent": 2}, {"groups": 3, "concurrent": 6}, {"cache": 50}, {"leaves_per_tree": 1}):
        assert same(LEARN(evaluator=evaluator, **options), data)
    for workers in (1, 2, 3):
        with ThreadPoolExecutor(workers) as threads:
            assert same(LEARN(evaluator=evaluator, executor=threads, concurrent=2), data)
    assert evaluator.sizes == {128}
    assert data.about["rows"] == 128
    assert not same_rows(LEARN(evaluator=FixedBatches(evaluator, 15)), data)
    loose = LEARN(evaluator=evaluator, pad=False)
    assert not same_rows(loose, data)
    assert loose.about["rows"] is None
    assert "not reproducible" in str(loose)
    assert "not reproducible" not in str(data)


@pytest.mark.parametrize("term", [lambda answers: np.arange(len(answers))[:, None] % 4, np.sum], ids=["row", "batch"])
def test_an_evaluator_whose_answers_depend_on_the_row_or_on_other_positions_is_noticed(term, out):
    def of_the_batch(planes, legal):
        priors, values = fingerprint(planes, legal)
        return priors + term(priors), values

    assert not LEARN(evaluator=of_the_batch, out=out).is_reproducible
    data = LEARN(evaluator=of_the_batch, out=out)
    assert (data.about["rows"], data.is_reproducible) == (128, False)
    assert "not reproducible" in str(data)


def test_a_folder_is_not_continued_with_batches_of_another_size(out):
    LEARN(out=out, evaluator=FixedBatches(fingerprint, 16))
    with pytest.raises(CheckpointError, match="rows is 16 there, 128 here"):
        LEARN(out=out)


@pytest.mark.parametrize(
    ("games", "slots", "workers", "sizes"),
    [(6, 64, 2, [6]), (104, 8, 5, [20, 21, 21, 21, 21]), (20, 8, 4, [10, 10]), (90, 4, 2, [22, 23] * 2)],
)
def test_a_job_has_several_games_for_each_slot_if_there_are_enough(games, slots, workers, sizes):
    parts = parts_of(range(games), slots, workers)
    assert [len(part) for part in parts] == sizes
    assert [number for part in parts for number in part] == list(range(games))


class Slow:
    """An evaluator that works in its own thread, and counts how many batches it has at once."""

    def __init__(self):
        self.threads = ThreadPoolExecutor(1)
        self.waiting = self.most = 0

    def submit(self, planes, legal):
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        return self.threads.submit(self.work, planes, legal)

    def work(self, planes, legal):
        answer = fingerprint(planes, legal)
        self.waiting -= 1
        return answer

    def __call__(self, planes, legal):
        return fingerprint(planes, legal)


def test_the_next_batch_is_gathered_while_an_evaluator_works():
    evaluator = Slow()
    data = LEARN(evaluator=FixedBatches(evaluator, 2))
    assert np.array_equal(data.visits, LEARN().visits)
    assert evaluator.most == 2
    evaluator.threads.shutdown()


def broken(after, how):
    """An evaluator that does something else in its call number `after`."""
    calls = []

    def evaluator(planes, legal):
        calls.append(1)
        return how(planes, legal) if len(calls) == after else fingerprint(planes, legal)

    return evaluator


def raises(planes, legal):
    raise ZeroDivisionError("broken network")


@pytest.mark.parametrize(
    ("how", "error", "words"),
    [
        (raises, ZeroDivisionError, "broken network"),
        (lambda p, legal: (np.ones(legal.shape), np.full(len(p), 7)), ValueError, r"values\[0\] must lie in"),
        (lambda p, legal: None, ValueError, "the evaluator must return"),
    ],
)
def test_what_fails_is_raised_and_finished_games_stay(out, how, error, words):
    threads = threading.active_count()
    with pytest.raises(error, match=words):
        LEARN(evaluator=broken(400, how), out=out, concurrent=2, cache=1000)
    assert os.listdir(out) == ["unfinished.sqlite"]
    done = []
    data = LEARN(evaluator=broken(0, how), out=out, progress=lambda finished, total: done.append(finished))
    assert 0 < done[0] < 6
    assert np.array_equal(data.visits, LEARN().visits)
    assert threading.active_count() <= threads + 1


def test_the_command_plays_many_games_at_once(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "openings.txt").write_text("1\n\n32\n")
    argv = ["selfplay", "--games", "5", "--simulations", "8", "--seed", "7", "--rules", "5x4"]
    argv += ["--evaluator", "evaluators:fingerprint"]
    more = "--openings openings.txt --play opening_plies=0,2 --play opening_moves=policy --play full_share=0.5"
    more += " --play fast_simulations=5 --play resign_value=-0.3 --play resign_moves=3 --play never_resign=0.1"
    more += " --play after_proof=fast"
    assert main([*argv, *more.split()]) == 0
    params = SearchParams.preset("alphazero")
    options = {"start": SMALL, "simulations": 8, "seed": 7, "evaluator": fingerprint}
    assert same(selfplay.load("games"), selfplay.generate(5, params, **options, play=PLAY))
    capsys.readouterr()
    assert main([*argv, "--out", "more", "--play", "full_share=0.5"]) == 2
    assert "--play: fast_simulations is needed with a full_share below 1" in capsys.readouterr().err

"""Self-play with an evaluator: the games of engines, checkpoints, and evaluators that fail."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context

import numpy as np
import pytest
from datasets import SMALL, UCT, same
from evaluators import fingerprint, uniform
from signals import interrupted_everywhere, searches_end

from c4mcts import Board, CheckpointError, Engine, Rules, SearchParams, selfplay
from c4mcts.cli import main

PUCT = SearchParams.preset("puct-node", planes="binary", root_noise=(1.0, 0.25))
LEARN = partial(selfplay.generate, 6, PUCT, start=SMALL, simulations=30, seed=7, evaluator=fingerprint)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "games"


@pytest.mark.parametrize("leaves", [1, 4])
def test_games_are_those_of_engines(leaves):
    """Without random moves an engine with the same seed plays the same game; its batch size is leaves_per_tree."""
    data = LEARN(temperature_plies=0, leaves_per_tree=leaves)
    params = PUCT.changed(batch_size=leaves)
    assert data.about["params"]["batch_size"] == leaves
    for number, child in enumerate(np.random.SeedSequence(7).spawn(data.games)):
        engine, board = Engine(params, seed=child, evaluator=fingerprint), SMALL.copy()
        for row in np.flatnonzero(data.game == number):
            result = engine.search(board, simulations=30)
            assert data.column[row] == result.column
            assert data.value[row] == pytest.approx(2 * result.root_value - 1, abs=1e-6)
            assert data.simulations[row] == result.simulations
            assert [data.visits[row, move.column] for move in result.moves] == [move.visits for move in result.moves]
            board.push(result.column)
        assert board.is_over()


@pytest.mark.parametrize("concurrent", [1, 2, 5, 100])
def test_games_do_not_depend_on_how_many_are_played_at_once(concurrent):
    assert same(LEARN(concurrent=concurrent), LEARN())


def test_games_do_not_depend_on_workers():
    expected = LEARN()
    with ThreadPoolExecutor(3) as threads:
        assert same(LEARN(executor=threads, concurrent=2), expected)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert same(LEARN(executor=processes, concurrent=2), expected)
    assert not np.array_equal(LEARN(evaluator=uniform).policy, expected.policy)


class Slow:
    """An evaluator that works in a thread of its own, and counts how many batches it has at once."""

    def __init__(self):
        self.threads = ThreadPoolExecutor(1)
        self.waiting = self.most = 0

    def submit(self, planes, legal):
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        return self.threads.submit(self, planes, legal)

    def __call__(self, planes, legal):
        answer = fingerprint(planes, legal)
        self.waiting -= 1
        return answer


def test_the_next_batch_is_gathered_while_an_evaluator_works():
    evaluator = Slow()
    data = LEARN(evaluator=evaluator)
    assert np.array_equal(data.visits, LEARN().visits)
    assert evaluator.most == 2
    evaluator.threads.shutdown()


def test_columns_as_simulations():
    assert LEARN(simulations="columns").about["limits"]["simulations"] == "columns"
    assert LEARN(simulations="columns").simulations.max() == 5


def test_values_may_have_a_second_axis_and_any_type():
    def wide(planes, legal):
        priors, values = fingerprint(planes, legal)
        return priors.tolist(), values.astype(np.float16)[:, None]

    assert np.array_equal(LEARN(evaluator=wide).visits, LEARN().visits)


# evaluators that fail


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
        (
            lambda p, legal: (np.full(legal.shape, np.nan), np.zeros(len(p))),
            ValueError,
            r"priors\[0, \d\] must be finite",
        ),
        (lambda p, legal: (np.ones(legal.shape), np.full(len(p), 7)), ValueError, r"values\[0\] must lie in"),
        (lambda p, legal: (np.ones((3, 3)), np.zeros(len(p))), ValueError, "priors must have the shape"),
        (lambda p, legal: (np.ones(legal.shape), np.zeros(3)), ValueError, "values must have the shape"),
        (lambda p, legal: None, ValueError, "the evaluator must return"),
        (lambda p, legal: ("ab", "cd"), ValueError, "the evaluator must return"),
        (lambda p, legal: (1e300 * legal, np.zeros(len(p))), ValueError, r"priors\[0, \d\] must be finite .* not inf"),
    ],
)
@pytest.mark.parametrize("concurrent", [1, 2])
def test_what_fails_is_raised_and_finished_games_stay(out, how, error, words, concurrent):
    """The games that had ended are in the checkpoint, and the same call goes on from there."""
    threads = threading.active_count()
    with pytest.raises(error, match=words):
        LEARN(evaluator=broken(700, how), out=out, concurrent=concurrent)
    assert not out.exists()
    lines = out.with_name("games.jsonl").read_text().splitlines()
    assert 1 < len(lines) < 7
    done = []
    data = LEARN(evaluator=broken(0, how), out=out, progress=lambda finished, total: done.append(finished))
    assert done[0] == len(lines) - 1
    assert np.array_equal(data.visits, LEARN().visits)
    assert threading.active_count() <= threads + 1


def test_games_interrupted_at_each_moment_go_on(out):
    """Repeat the call, interrupted at a later moment each time, until all games are finished."""
    assert interrupted_everywhere(partial(LEARN, out=out, concurrent=2)) > 8
    assert searches_end()
    assert same(selfplay.load(out), LEARN())


CHILD = """
import sys, time
sys.path.insert(0, {tests!r})
from evaluators import fingerprint
from c4mcts import Board, Rules, SearchParams, selfplay
def slow(planes, legal):
    time.sleep(0.002)
    return fingerprint(planes, legal)
slow.__module__, slow.__qualname__ = "evaluators", "fingerprint"
params = SearchParams.preset("puct-node", planes="binary", root_noise=(1.0, 0.25))
start = Board(Rules(5, 4, 4))
selfplay.generate(40, params, start=start, simulations=30, seed=7, evaluator=slow, out=sys.argv[1], concurrent=8)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_killed_process_loses_no_finished_game(out):
    checkpoint = out.with_name("games.jsonl")
    code = CHILD.format(tests=os.path.dirname(os.path.dirname(__file__)))
    with subprocess.Popen([sys.executable, "-c", code, str(out)]) as process:
        while not checkpoint.exists() or checkpoint.read_bytes().count(b"\n") < 6:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    done = []
    call = partial(selfplay.generate, 40, PUCT, start=SMALL, simulations=30, seed=7, evaluator=fingerprint)
    data = call(out=out, progress=lambda finished, total: done.append(finished))
    assert done[0] >= 5
    assert same(data, call())


# arguments


class Remembered:
    """An evaluator that is an object, not a function."""

    def __call__(self, planes, legal):
        return uniform(planes, legal)


def test_an_evaluator_is_known_by_its_name(out):
    assert LEARN(out=out).about["evaluator"] == f"{fingerprint.__module__}.fingerprint"
    with pytest.raises(CheckpointError, match=r"evaluator is '.*fingerprint' there, '.*Remembered' here"):
        LEARN(evaluator=Remembered(), out=out)


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"evaluator": None}, ValueError, "needs an evaluator"),
        ({"evaluator": 3}, TypeError, "evaluator must be callable"),
        ({"params": UCT}, ValueError, "evaluator needs"),
        ({"params": PUCT.changed(temperature=1.0)}, ValueError, "temperature=0, not 1.0"),
        ({"params": PUCT.changed(choice="secure")}, ValueError, "not 'secure'"),
        ({"concurrent": 0}, ValueError, "concurrent must be at least 1, not 0"),
        ({"concurrent": "all"}, TypeError, "concurrent must be an integer, not 'all'"),
        ({"leaves_per_tree": 0}, ValueError, "leaves_per_tree must be 1 to 65536, not 0"),
        ({"simulations": 10**7}, ValueError, "simulations must be 1 to 1000000"),
        ({"seconds": 0.1}, ValueError, "seconds does not go with an evaluator"),
        ({"simulations": None, "nodes": 10}, ValueError, "nodes does not go with an evaluator"),
        ({"executor": 3}, TypeError, "executor must be"),
        ({"seed": -1}, ValueError, "seed must be at least 0"),
        ({"progress": 3}, TypeError, "progress must be"),
    ],
)
def test_what_is_refused(changes, error, words, out):
    arguments = {"params": PUCT, "simulations": 10, "evaluator": uniform, "out": out, **changes}
    with pytest.raises(error, match=words):
        selfplay.generate(2, **arguments)
    assert list(out.parent.iterdir()) == []


def test_a_larger_board():
    data = selfplay.generate(2, PUCT, start=Board(Rules(9, 9)), simulations=10, seed=1, evaluator=uniform)
    assert data.games == 2


# the command


def test_the_command_plays_many_games_at_once(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    argv = ["selfplay", "--games", "5", "--simulations", "8", "--seed", "7", "--width", "5", "--height", "4"]
    assert main([*argv, "--evaluator", "evaluators:fingerprint", "--concurrent", "3"]) == 0
    params = SearchParams.preset("alphazero")
    expected = selfplay.generate(5, params, start=SMALL, simulations=8, seed=7, evaluator=fingerprint)
    assert same(selfplay.load("games"), expected)
    assert capsys.readouterr().out == f"{expected}\nwritten: games\n"
    assert main([*argv, "--concurrent", "3", "--out", "more"]) == 2
    assert "concurrent needs an evaluator" in capsys.readouterr().err
    assert main([*argv, "--evaluator", "evaluators:fingerprint", "--concurrent", "0"]) == 2
    assert "--concurrent must be 1 to 1048576, not 0" in capsys.readouterr().err

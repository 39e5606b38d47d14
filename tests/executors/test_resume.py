"""Interrupted experiments continue from their checkpoint."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from counting import Counting, jobs_done
from stores import facts_in, jobs_kept, put_results, results_in

from c4mcts import Board, Rules, SearchParams, study
from c4mcts.executors.jobs import JobSet, perform

UCT = SearchParams.preset("uct")
CALL = partial(study.action_frequency, Board(), UCT, simulations=30, runs=20, seed=7)
CHILD = """
import sys, time
from c4mcts import Board, Rules, SearchParams, study
slow = lambda done, total: time.sleep(0.05)
study.action_frequency(
    Board(), SearchParams.preset("uct"), simulations=30, runs=100, seed=7, checkpoint=sys.argv[1], progress=slow
)
"""


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


def test_what_is_finished_is_not_done_again(file):
    first, jobs = jobs_done(partial(CALL, checkpoint=file))
    assert jobs == 20
    again, jobs = jobs_done(partial(CALL, checkpoint=file))
    assert jobs == 0
    assert np.array_equal(again.columns, first.columns)
    assert np.array_equal(again.wall_seconds, first.wall_seconds)
    assert np.array_equal(CALL().columns, first.columns)


def test_an_interrupted_experiment_goes_on(interrupted):
    told = []
    result, jobs = jobs_done(partial(CALL, checkpoint=interrupted, progress=lambda done, total: told.append(done)))
    assert jobs == 12
    assert told == list(range(8, 21))
    assert np.array_equal(result.columns, CALL().columns)


@pytest.mark.parametrize(
    "call",
    [
        partial(study.convergence, Board.from_moves([0] * 6), UCT, simulations=[3, 50], runs=6),
        partial(study.win_rate, {"a": Board()}, {"b": UCT}, budgets=[3, 8], games=3),
        partial(study.optimality, Board(Rules(4, 4, 3)), UCT, values=[-1, 1], simulations=9, runs=3),
    ],
    ids=["convergence", "win_rate", "optimality"],
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


def test_a_killed_process_loses_nothing_that_was_finished(file):
    with subprocess.Popen([sys.executable, "-c", CHILD, str(file)]) as process:
        while jobs_kept(file) < 5:
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
        process.wait()
    kept = len(results_in(file))
    assert 5 <= kept < 100
    call = partial(study.action_frequency, Board(), UCT, simulations=30, runs=100, seed=7)
    result, jobs = jobs_done(partial(call, checkpoint=file))
    assert jobs == 100 - kept
    assert np.array_equal(result.columns, call().columns)


def test_work_that_is_done_early_leaves_the_rest(file):
    def double(seed, check):
        return int(seed.spawn_key[0]) * 2

    seen = []

    def until(results, seed):
        seen.append((len(results), seed))
        return len(results) >= 3

    work = JobSet("doubling", {}, until=until)
    call = partial(perform, work, [double] * 10, seed=5, checkpoint=file)
    with ThreadPoolExecutor(1) as one:
        assert call(executor=one) == ([0, 2, 4, *[None] * 7], 5)
    assert seen == [(0, 5), (1, 5), (2, 5), (3, 5)]
    (results, _), jobs = jobs_done(call)
    assert (results, jobs) == ([0, 2, 4, *[None] * 7], 0), "it was done before"


def test_without_a_seed_the_files_is_taken(interrupted):
    result, jobs = jobs_done(partial(CALL, seed=None, checkpoint=interrupted))
    assert (jobs, result.seed) == (12, 7)


def test_a_drawn_seed_is_kept(file):
    first = CALL(seed=None, checkpoint=file)
    assert CALL(seed=None, checkpoint=file).seed == first.seed


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": 8}, "seed is 7 there, 8 here"),
        ({"simulations": 31}, "simulations is 30 there, 31 here"),
        ({"runs": 21}, "runs is 20 there, 21 here"),
        ({"board": Board.from_pons("4")}, "board is '7/7/7/7/7/7 x 7x6x4' there"),
        ({"params": SearchParams.preset("uct", choice="value")}, "params: choice is 'visits' there, 'value' here"),
    ],
)
def test_another_experiment_is_refused(interrupted, changes, words):
    before = interrupted.read_bytes()
    arguments = {"board": Board(), "params": UCT, "simulations": 30, "runs": 20, "seed": 7, **changes}
    with pytest.raises(study.CheckpointError, match=words):
        study.action_frequency(**arguments, checkpoint=interrupted)
    assert interrupted.read_bytes() == before


def test_another_kind_of_experiment_is_refused(interrupted):
    with pytest.raises(study.CheckpointError, match="experiment is 'action_frequency' there, 'convergence' here"):
        study.convergence(Board(), UCT, runs=20, seed=7, checkpoint=interrupted)


def test_a_folder_that_is_not_there_is_an_error_before_the_work(tmp_path):
    with Counting() as executor:
        with pytest.raises(FileNotFoundError):
            CALL(checkpoint=tmp_path / "none" / "file", executor=executor)
        assert executor.jobs == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one child")
@pytest.mark.parametrize("board", ["", "45461667"], ids=["solving", "searching"])
def test_control_c_ends_threads_and_keeps_the_checkpoint(tmp_path, board):
    """The solver and the searches both take far longer than the test waits."""
    code = """
import signal, sys
from c4mcts.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
print("ready", file=sys.stderr, flush=True)
sys.exit(main(sys.argv[1:]))
"""
    argv = ["study", "exploration", board, "--out", str(tmp_path), "--simulations", "1e10", "--values", "1,2"]
    with subprocess.Popen([sys.executable, "-c", code, *argv], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr.readline() == "ready\n"
        while not (tmp_path / "exploration.checkpoint").exists():
            time.sleep(0.01)
        time.sleep(0.3)
        process.send_signal(2)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert err.endswith(
        f"c4mcts study: stopped; the same command continues from {tmp_path / 'exploration.checkpoint'}\n"
    )
    assert "Traceback" not in err
    assert facts_in(tmp_path / "exploration.checkpoint")["experiment"] == "optimality"

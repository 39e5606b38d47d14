"""Dask: a call on a cluster that loses its scheduler, whose jobs fail, or that is interrupted.

tests/executors/test_everywhere.py has what a lost worker does: nothing.
"""

import contextlib
import os
import subprocess
import sys
from functools import partial

import pytest

from c4mcts import Board, SearchParams, search_ensemble, study
from c4mcts.executors.background import as_done
from c4mcts.executors.dask import RETRIES, LostScheduler

distributed = pytest.importorskip("distributed")

UCT = SearchParams.preset("uct")
pytestmark = pytest.mark.filterwarnings("default")  # those of Dask and of its dependencies


class Cluster:
    """A scheduler and one worker in processes of their own, and a client."""

    def __init__(self, tmp_path):
        self.file = tmp_path / "scheduler.json"
        options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        program = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard", "--port", "0"]
        self.scheduler = subprocess.Popen([*program, "--scheduler-file", str(self.file)], **options)
        program = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-dashboard", "--no-nanny", "--nthreads=1"]
        self.worker = subprocess.Popen([*program, "--scheduler-file", str(self.file)], **options)
        self.client = distributed.Client(scheduler_file=str(self.file), timeout=60)
        self.client.wait_for_workers(1, timeout=60)

    def close(self):
        self.scheduler.kill()
        self.worker.kill()
        self.scheduler.wait()
        self.worker.wait()
        with contextlib.suppress(TimeoutError):
            self.client.close(timeout=1)


@pytest.fixture
def cluster(tmp_path):
    made = Cluster(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="module")
def client():
    options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None, "processes": False}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as one:
        yield one


def rates(client, path, progress=False):
    return study.win_rate(
        Board(), UCT, budgets=[200], games=30, seed=1, executor=client, checkpoint=path, progress=progress
    )


def test_a_lost_scheduler_is_one_sentence_that_names_the_checkpoint(cluster, client, tmp_path):
    path = tmp_path / "rates.checkpoint"

    def kill(done, total):
        if done == 3:
            cluster.scheduler.kill()

    with pytest.raises(LostScheduler) as caught:
        rates(cluster.client, path, kill)
    words = str(caught.value)
    assert words.startswith("the Dask scheduler tcp://")
    assert words.endswith(f"is lost, or has cancelled the jobs; the same call continues from the checkpoint {path}")
    assert caught.value.__cause__ is None
    assert "\n" not in words
    begins = []
    found = rates(client, path, lambda done, total: begins.append(done))
    assert begins[0] >= 3
    assert found.wins.tolist() == rates(None, None).wins.tolist()


def waiting(client):
    """The tasks that the cluster still has to do."""
    return [key for key, state in client.futures.items() if state.status == "pending"]


def count(path, check):
    """A job that fails until it has run more often than Dask repeats it by itself."""
    with open(path, "a") as file:
        file.write("x")
    if os.path.getsize(path) <= RETRIES:
        raise OSError("a machine that goes down")
    return os.path.getsize(path)


def fail(check):
    raise ZeroDivisionError("always")


def test_a_job_that_fails_runs_again(client, tmp_path):
    assert list(as_done([partial(count, str(tmp_path / "runs"))], client)) == [(0, RETRIES + 1)]


def test_the_exception_of_a_job_is_raised_and_the_others_are_cancelled(client):
    with pytest.raises(ZeroDivisionError, match="always"):
        list(as_done([fail, *[partial(search, 1000)] * 50], client))
    assert not waiting(client)


def search(simulations, check):
    return search_ensemble(Board(), UCT, trees=1, simulations=simulations, seed=1).column


def test_leaving_early_cancels_what_has_not_begun(client):
    done = as_done([partial(search, 100)] * 200, client)
    next(done)
    done.close()
    assert not waiting(client)
    assert client.submit(sum, [1, 2]).result(timeout=60) == 3


def test_the_executor_of_dask_is_refused(client):
    with client.get_executor() as executor, pytest.raises(TypeError, match="must be the Client of Dask itself"):
        search_ensemble(Board(), UCT, trees=2, simulations=10, executor=executor)

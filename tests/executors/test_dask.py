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
from c4mcts.cli import main
from c4mcts.executors.dask import RETRIES, LostScheduler
from c4mcts.executors.executor import as_done

distributed = pytest.importorskip("distributed")

UCT = SearchParams.preset("uct")
pytestmark = pytest.mark.filterwarnings("default")  # those of Dask and of its dependencies


@pytest.fixture
def scheduler_and_client(tmp_path, started):
    """A scheduler in a process of its own, and a client; there is a worker, too."""
    place = ["--no-dashboard", "--scheduler-file", tmp_path / "scheduler.json"]
    options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = started(sys.executable, "-m", "distributed.cli.dask_scheduler", *place, "--port", "0", **options)
    started(sys.executable, "-m", "distributed.cli.dask_worker", *place, "--no-nanny", "--nthreads=1", **options)
    client = distributed.Client(scheduler_file=str(place[-1]), timeout=60)
    client.wait_for_workers(1, timeout=60)
    yield scheduler, client
    with contextlib.suppress(TimeoutError):
        client.close(timeout=1)


@pytest.fixture(scope="module")
def client():
    options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None, "processes": False}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as one:
        yield one


def rates(client, path, progress=False):
    return study.win_rate(
        Board(), UCT, budgets=[200], games=30, seed=1, executor=client, checkpoint=path, progress=progress
    )


def test_a_lost_scheduler_is_one_sentence_that_names_the_checkpoint(scheduler_and_client, client, tmp_path):
    scheduler, losing = scheduler_and_client
    path = tmp_path / "rates.checkpoint"
    argv = ["solve", "45461667", "--out", str(tmp_path / "scores.csv"), "--executor", losing.scheduler.address]
    assert main(argv) == 0, "a command takes the address of a scheduler"

    def kill(done, total):
        if done == 3:
            scheduler.kill()

    with pytest.raises(LostScheduler) as caught:
        rates(losing, path, kill)
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


def search(check):
    return search_ensemble(Board(), UCT, trees=1, simulations=1000, seed=1).column


def test_a_job_that_fails_runs_again(client, tmp_path):
    assert list(as_done([partial(count, str(tmp_path / "runs"))], client)) == [(0, RETRIES + 1)]


def test_the_exception_of_a_job_is_raised_and_the_others_are_cancelled(client):
    with pytest.raises(ZeroDivisionError, match="always"):
        list(as_done([fail, *[search] * 50], client))
    assert not waiting(client)


def test_the_executor_of_dask_is_refused(client):
    with client.get_executor() as executor, pytest.raises(TypeError, match="must be the Client of Dask itself"):
        search_ensemble(Board(), UCT, trees=2, simulations=10, executor=executor)

"""What takes an executor does the same in one thread, in processes, with loky and on Dask, though a worker is killed.

tests/study and tests/play/test_tournament.py have the experiments and tournaments. The Dask cluster and the pool of
processes are shared, because they take long to start.
"""

import os
import random
import signal
import sys
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_all_start_methods, get_context
from types import SimpleNamespace

import numpy as np
import pytest
from polling import until
from random_boards import random_board

from c4mcts import Board, Rules, SearchParams, build_book, search_ensemble, selfplay, solve_many

UCT = SearchParams.preset("uct")
SMALL = Rules(5, 4)
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # on Windows, SIGTERM does the same
FAST = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"  # fork, beside threads, may hang
CONTEXT = get_context(FAST)
if FAST == "forkserver":
    CONTEXT.set_forkserver_preload(["c4mcts"])
pytestmark = [
    pytest.mark.native,  # the pure backend would take minutes
    pytest.mark.filterwarnings("default"),  # those of Dask and of its dependencies
]


def solved(**options):
    """The scores of 300 positions of the middle game."""
    chance = random.Random(1)
    found = solve_many([random_board(Rules(), 24, chance) for _ in range(300)], columns=True, **options)
    return found.scores, found.columns, found.nodes


def ensemble(**options):
    """The result of eight trees. It takes no checkpoint."""
    options.pop("checkpoint", None)
    result = search_ensemble(Board(), UCT, trees=8, seed=1, simulations=30_000, **options)
    return result.column, [(move.visits, move.value) for move in result.moves]


def played(checkpoint=None, **options):
    """The games of self-play; its checkpoint belongs to the file that it writes."""
    games = selfplay.generate(8, UCT, seed=1, simulations=1000, out=checkpoint, **options)
    return games.planes, games.policy, games.column


def built(**options):
    """The scores of a book."""
    book = build_book(SMALL, 6, **options)
    return [book.score(Board.from_pons(text, SMALL)) for text in ("", "1", "33", "3234", "51322")], book.plies


CALLS = {call.__name__: call for call in (solved, ensemble, played, built)}


@pytest.fixture(scope="module")
def expected():
    """What each call returns in one thread."""
    with ThreadPoolExecutor(1) as thread:
        return {name: call(executor=thread) for name, call in CALLS.items()}


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2, mp_context=CONTEXT) as executor:
        yield executor


@pytest.fixture(scope="module")
def client():
    """A client of a cluster with two workers on this machine."""
    dask, distributed = (pytest.importorskip(name) for name in ("dask", "distributed"))
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    # 15 s after a worker is lost, a cluster closes any worker of its name, also the one that replaced it.
    patient = dask.config.set({"distributed.deploy.lost-worker-timeout": "1h"})
    with patient, distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as one:
        yield one


class Killing:
    """An executor that kills one of its processes when the first job is finished. find: returns its id."""

    def __init__(self, submit, find):
        self._submit, self._find = submit, find
        self.killed = None

    def submit(self, *call, **options):
        future = self._submit(*call, **options)
        future.add_done_callback(self._kill)
        return future

    def _kill(self, _):
        if self.killed is None:
            self.killed = self._find()
            os.kill(self.killed, KILL)


def running(client):
    """The processes of both workers, once Dask has replaced the one that was killed last."""

    def both():
        ids = sorted(client.run(os.getpid, on_error="ignore").values())
        return len(ids) == 2 and ids == sorted(worker.pid for worker in client.cluster.workers.values()) and ids

    return until(both)


@pytest.mark.parametrize("name", CALLS)
def test_processes_give_the_same_as_one_thread(name, processes, expected):
    np.testing.assert_equal(CALLS[name](executor=processes), expected[name])


@pytest.mark.parametrize("name", ["solved", "ensemble", "played"])
def test_dask_gives_the_same_though_a_worker_is_killed(name, client, expected, monkeypatch):
    victim = running(client)[0]
    killing = Killing(client.submit, lambda: victim)
    monkeypatch.setattr(client, "submit", killing.submit)
    np.testing.assert_equal(CALLS[name](executor=client), expected[name])
    assert killing.killed == victim


def test_loky_gives_the_same(expected):
    loky = pytest.importorskip("loky")
    np.testing.assert_equal(solved(executor=loky.get_reusable_executor(2)), expected["solved"])


def test_an_executor_of_interpreters_is_refused_at_once(monkeypatch):
    """They can't load NumPy. Python has them from 3.14 on; here an executor of threads stands in for one."""
    module = SimpleNamespace(InterpreterPoolExecutor=ThreadPoolExecutor)
    monkeypatch.setitem(sys.modules, "concurrent.futures.interpreter", module)
    with ThreadPoolExecutor(1) as executor:
        for call in (ensemble, played, solved):
            with pytest.raises(TypeError, match=r"^executor can't be an InterpreterPoolExecutor: NumPy"):
                call(executor=executor)


@pytest.mark.parametrize("name", ["solved", "played", "built"])
def test_a_killed_process_is_an_error_after_which_the_call_can_be_repeated(name, processes, expected, tmp_path):
    """The standard library ends the whole pool; a checkpoint keeps what was finished."""
    file = tmp_path / "checkpoint"
    with ProcessPoolExecutor(1, mp_context=CONTEXT) as executor:
        killing = Killing(executor.submit, executor.submit(os.getpid).result)
        with pytest.raises(BrokenExecutor):
            CALLS[name](executor=killing, checkpoint=file)
    assert killing.killed
    np.testing.assert_equal(CALLS[name](executor=processes, checkpoint=file), expected[name])


@pytest.mark.parametrize("name", ["solved", "built"])
def test_after_an_interruption_a_call_goes_on_from_its_checkpoint(name, expected, tmp_path):
    call, told = partial(CALLS[name], checkpoint=tmp_path / "checkpoint"), []

    def stop(done, total):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        call(progress=stop)
    np.testing.assert_equal(call(progress=lambda done, total: told.append(done)), expected[name])
    assert told[0] > 0

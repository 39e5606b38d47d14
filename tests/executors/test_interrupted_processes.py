"""Ctrl-C, a process that is gone, errors of jobs, and executors that don't do what they should."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest
from polling import PATIENCE as HANG
from polling import until
from waiting import fail, leave, wait_for_the_end

from c4mcts.executors.executor import as_done

needs_signals = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one child")

# A job that would take years, in two processes, each of which writes a line when it begins with one.
SCRIPT = """
import os, sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from c4mcts import Board, Engine, SearchParams
from c4mcts.executors.executor import as_done

def search(path, check):
    with open(path, "a") as file:
        file.write(f"{os.getpid()}\\n")
    Engine(SearchParams.preset("uct", max_nodes=1000)).search(Board(), simulations=10**15, on_progress=check)

if __name__ == "__main__":
    with ProcessPoolExecutor(2, mp_context=get_context(sys.argv[2])) as executor:
        list(as_done([partial(search, sys.argv[1])] * 20, executor))
"""
# A player that never answers, and writes a line when it is asked.
THINKER = """
import os, time
from c4mcts.play import RandomPlayer

class Thinker(RandomPlayer):
    def choose(self, board):
        with open(os.environ["WORKING"], "a") as file:
            file.write(f"{os.getpid()}\\n")
        time.sleep(3600)
"""
# What runs in a process while it starts, and takes a second.
SLOW_START = """
import os, sys, time
if "--multiprocessing-fork" in sys.orig_argv:
    with open(os.environ["WORKING"], "a") as file:
        file.write(f"{os.getpid()}\\n")
    time.sleep(1)
"""


@pytest.fixture
def working(started):
    """A function that starts a command, two of whose processes write their ids into a file; it returns these, too."""

    def start(argv, file, **options):
        process = started(sys.executable, *argv, stderr=subprocess.PIPE, **options)
        until(lambda: process.poll() is not None or (file.exists() and file.read_text().count("\n") >= 2))
        assert process.poll() is None
        return process, [int(line) for line in file.read_text().split()]

    return start


@pytest.fixture
def searching(tmp_path, working):
    def start(method):
        (tmp_path / "script.py").write_text(SCRIPT)
        return working([tmp_path / "script.py", tmp_path / "ids", method], tmp_path / "ids")

    return start


@pytest.fixture(params=["--executor processes:2", "--executor threads:2 --move-seconds 3600"])
def thinking(tmp_path, request, working):
    """A command that lets two processes think for an hour."""
    (tmp_path / "thinker.py").write_text(THINKER)
    argv = ["-m", "c4mcts", "match", "thinker:Thinker", "random", "--checkpoint", "kept", *request.param.split()]
    environment = {**os.environ, "WORKING": "working", "PYTHONPATH": os.pathsep.join([*sys.path, str(tmp_path)])}
    return working(argv, tmp_path / "working", cwd=tmp_path, env=environment)[0]


@needs_signals
@pytest.mark.parametrize("start", ["spawn", "fork" if sys.platform == "linux" else "spawn"])
def test_control_c_ends_the_jobs_of_a_pool(searching, start):
    """A terminal sends it to all processes."""
    process, _ = searching(start)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(HANG) not in (None, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_killed_process_leaves_no_jobs_running(searching):
    """Those of a pool of the standard library wait for a process that is gone, but don't work any more."""
    process, workers = searching("fork")
    until(lambda: not all(map(is_idle, workers)))
    process.kill()
    process.wait(HANG)
    until(lambda: all(map(is_idle, workers)))


def is_idle(process):
    """Whether a process has ended, or uses no CPU for half a second (Linux)."""
    used = []
    for _ in range(2):
        try:
            state, *fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            return True
        used.append(fields[10:12])
        time.sleep(0.5)
    return state in "SZX" and used[0] == used[1]


@needs_signals
@pytest.mark.parametrize("is_terminal", [False, True], ids=["to one process", "as in a terminal"])
def test_a_command_ends_its_processes_without_a_traceback(thinking, is_terminal):
    (os.killpg if is_terminal else os.kill)(thinking.pid, signal.SIGINT)
    _, err = thinking.communicate(timeout=HANG)
    assert thinking.returncode == 130
    assert err == "c4mcts match: stopped; the same command continues from kept\n"


@needs_signals
@pytest.mark.parametrize("more", ["--executor processes:2", "--executor threads:2 --move-seconds 3600"])
def test_so_does_one_whose_processes_have_just_started(tmp_path, working, more):
    (tmp_path / "sitecustomize.py").write_text(SLOW_START)
    argv = ["-m", "c4mcts", "match", "random", "uct@1000", "--checkpoint", "kept", *more.split()]
    environment = {**os.environ, "WORKING": "working", "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    process, _ = working(argv, tmp_path / "working", cwd=tmp_path, env=environment)
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=HANG)[1] == "c4mcts match: stopped; the same command continues from kept\n"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_killed_command_leaves_no_processes(thinking):
    thinking.kill()
    thinking.wait(HANG)
    until(lambda: not group_of(thinking.pid))


def group_of(leader):
    """The processes of a group on Linux that have not ended; those that nobody has waited for have."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            state, _, group = path.read_text().rpartition(")")[2].split()[:3]
            if int(group) == leader and state not in "ZX":
                found.append(int(path.parent.name))
    return found


def test_the_error_of_one_job_ends_the_others():
    with ThreadPoolExecutor(2) as executor, pytest.raises(OSError, match="no luck"):
        dict(as_done([wait_for_the_end, fail, wait_for_the_end], executor))


def test_the_error_of_a_job_counts_if_others_end_first():
    """They end as soon as it has set the flag, which is before the executor reports it."""

    class Late(ThreadPoolExecutor):
        def submit(self, function, task, *arguments):
            future = super().submit(function, task, *arguments)
            if task is not fail:
                others.append(future)
                return future
            report = Future()
            future.add_done_callback(lambda done: wait(others) and report.set_exception(done.exception()))
            return report

    others = []
    with Late(2) as executor, pytest.raises(OSError, match="no luck"):
        dict(as_done([wait_for_the_end, fail], executor))


def test_the_error_of_one_job_cancels_those_that_have_not_begun(tmp_path):
    jobs = [fail, *(partial(leave, str(tmp_path / str(number))) for number in range(50))]
    pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
    with pool as executor, pytest.raises(OSError, match="no luck"):
        dict(as_done(jobs, executor))
    assert len(list(tmp_path.iterdir())) < 10, "a pool sends a few jobs to its processes in advance"

"""Ctrl-C, a process that is gone, errors of jobs, and executors that do not what they should."""

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest
from waiting import HANG, ask_once, fail, leave, wait_for_the_end

from c4mcts import Board, search_ensemble, solve_many, study
from c4mcts.executors.background import Cancellation, Cancelled, as_done

needs_signals = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one child")

# Jobs that would take years, in two processes, which write their ids into a file.
SCRIPT = """
import os, signal, sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from c4mcts import Board, SearchParams, study

def begin():
    with open(sys.argv[1], "a") as file:
        file.write(f"{os.getpid()}\\n")

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    params = SearchParams.preset("uct", max_nodes=1000)
    with ProcessPoolExecutor(2, mp_context=get_context(sys.argv[2]), initializer=begin) as executor:
        study.action_frequency(Board(), params, simulations=10**15, runs=20, executor=executor)
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def started(argv, ids, count):
    """Start a command in its own group of processes, and wait until this many have written their ids."""
    process = subprocess.Popen([sys.executable, *map(str, argv)], start_new_session=True, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + HANG
    while not ids.exists() or ids.read_text().count("\n") < count:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(0.3)  # now the jobs are running
    return process, [int(line) for line in ids.read_text().split()]


def cpu_seconds(process):
    """CPU time of a process on Linux; None if there is none."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@needs_signals
@pytest.mark.parametrize("start", ["spawn", "fork" if sys.platform == "linux" else "spawn"])
def test_control_c_ends_the_jobs_of_a_pool(script, tmp_path, start):
    """A terminal sends it to all processes."""
    process, _ = started([script, tmp_path / "ids", start], tmp_path / "ids", 2)
    os.killpg(process.pid, signal.SIGINT)
    try:
        assert process.wait(HANG) not in (None, 0)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_killed_process_leaves_no_jobs_running(script, tmp_path):
    process, workers = started([script, tmp_path / "ids", "fork"], tmp_path / "ids", 2)
    try:
        process.kill()
        process.wait(HANG)
        deadline = time.monotonic() + HANG
        before = None
        while time.monotonic() < deadline:
            now = [cpu_seconds(worker) for worker in workers]
            if now == before:
                break
            before = now
            time.sleep(0.5)
        assert now == before, "they still use the processor"
    finally:
        os.killpg(process.pid, signal.SIGKILL)


@needs_signals
@pytest.mark.parametrize("is_terminal", [False, True], ids=["to one process", "as in a terminal"])
def test_a_command_ends_its_processes_without_a_traceback(tmp_path, is_terminal):
    code = """
import signal, sys
from c4mcts.cli import main
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
"""
    argv = ["study", "action-frequency", "--simulations", "1e12", "--set", "max_nodes=1000", "--out", tmp_path]
    argv += ["--executor", "processes:2", "--seed", "1"]
    call = [sys.executable, "-c", code, *map(str, argv)]
    with subprocess.Popen(call, start_new_session=True, stderr=subprocess.PIPE, text=True) as process:
        while not (tmp_path / "action-frequency.checkpoint").exists():
            time.sleep(0.02)
        time.sleep(4)  # now they work
        (os.killpg if is_terminal else os.kill)(process.pid, signal.SIGINT)
        try:
            _, err = process.communicate(timeout=HANG)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130
    kept = tmp_path / "action-frequency.checkpoint"
    assert err == f"c4mcts study: stopped; the same command continues from {kept}\n"


def group_of(leader):
    """The processes of a group on Linux that have not ended; those that nobody has waited for have."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            state, _, group = path.read_text().rpartition(")")[2].split()[:3]
            if int(group) == leader and state not in "ZX":
                found.append(int(path.parent.name))
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("wanted", [4, 2])  # itself, tracker and two workers; as soon as there is another
def test_a_killed_command_leaves_no_processes(tmp_path, wanted):
    argv = ["study", "action-frequency", "--simulations", "1e12", "--set", "max_nodes=1000", "--out", str(tmp_path)]
    call = [sys.executable, "-m", "c4mcts", *argv, "--executor", "processes:2", "--seed", "1"]
    process = subprocess.Popen(call, start_new_session=True, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + HANG
        while len(group_of(process.pid)) < wanted:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.kill()
        process.wait(HANG)
        deadline = time.monotonic() + HANG
        while group_of(process.pid):
            assert time.monotonic() < deadline, "they wait for a process that is gone"
            time.sleep(0.02)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def test_the_error_of_one_job_ends_the_others():
    start = time.monotonic()
    with ThreadPoolExecutor(2) as executor, pytest.raises(OSError, match="no luck"):
        dict(as_done([wait_for_the_end, fail, wait_for_the_end], executor))
    assert time.monotonic() - start < HANG / 2


def test_the_error_of_one_job_cancels_those_that_have_not_begun(tmp_path):
    jobs = [fail, *(partial(leave, str(tmp_path / str(number))) for number in range(50))]
    pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
    with pool as executor, pytest.raises(OSError, match="no luck"):
        dict(as_done(jobs, executor))
    assert len(list(tmp_path.iterdir())) < 10, "a pool sends a few jobs to its processes in advance"


def test_a_pickled_flag_does_not_see_a_cancellation():
    flag = Cancellation()
    copy = pickle.loads(pickle.dumps(flag))
    flag.cancel()
    with pytest.raises(Cancelled):
        flag()
    assert flag.is_cancelled()
    assert not copy.is_cancelled()


@pytest.mark.parametrize("ends", [True, False])
def test_nothing_is_written_for_other_processes(tmp_path, monkeypatch, ends):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        done = as_done([ask_once] * 3, executor)
        next(done)
        if ends:
            assert len(list(done)) == 2
        done.close()
    assert list(tmp_path.iterdir()) == []


class Rubbish:
    """An executor that returns something else than it should."""

    def __init__(self, returned):
        self.returned = returned

    def submit(self, function, *arguments):
        if self.returned != "no future":
            future = Future()
            future.set_result(self.returned)
            return future
        return function(*arguments)


@pytest.mark.parametrize("returned", [None, 3, (1, 2, 3), (7, "result"), "no future"])
def test_an_executor_that_returns_rubbish(returned):
    calls = (
        lambda executor: list(as_done([ask_once] * 3, executor)),
        lambda executor: solve_many(["45461667"], executor=executor, book=False),
        lambda executor: study.convergence(Board(), runs=2, simulations=[5], executor=executor),
        lambda executor: search_ensemble(Board(), trees=2, simulations=5, executor=executor),
    )
    for call in calls:
        with pytest.raises(TypeError, match=r"executor must be one whose (submit returns|futures have)"):
            call(Rubbish(returned))

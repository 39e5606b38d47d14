"""Ctrl-C, and a process that is gone, end the jobs in other processes."""

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from waiting import HANG, ask_once, fail, wait_for_the_end

from c4mcts.executors.background import Cancelled, Check, as_done

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
@pytest.mark.parametrize("is_terminal", [False, True], ids=["to one process", "as in a terminal"])
@pytest.mark.parametrize("start", ["spawn", "fork" if sys.platform == "linux" else "spawn"])
def test_control_c_ends_the_jobs_of_a_pool(script, tmp_path, is_terminal, start):
    """A terminal sends it to all processes; a notebook, or kill, to one."""
    process, _ = started([script, tmp_path / "ids", start], tmp_path / "ids", 2)
    (os.killpg if is_terminal else os.kill)(process.pid, signal.SIGINT)
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
def test_a_command_ends_its_processes_without_a_traceback(tmp_path):
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
        while not (tmp_path / "action-frequency.jsonl").exists():
            time.sleep(0.02)
        time.sleep(2)  # now they work
        os.killpg(process.pid, signal.SIGINT)
        try:
            _, err = process.communicate(timeout=HANG)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130
    assert err == (f"c4mcts study: stopped; the same command continues from {tmp_path / 'action-frequency.jsonl'}\n")


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
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        start = time.monotonic()
        with pytest.raises(OSError, match="no luck"):
            dict(as_done([wait_for_the_end, fail, wait_for_the_end], executor))
    assert time.monotonic() - start < HANG / 2


def test_a_check_that_is_pickled_late_is_cancelled_too(tmp_path, monkeypatch):
    """Executors pickle in threads of their own."""
    import pickle

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    check = Check()
    early = pickle.loads(pickle.dumps(check))
    assert not early.is_cancelled()
    assert list(tmp_path.iterdir()) == []
    check.cancel()
    for other in (early, pickle.loads(pickle.dumps(check)), pickle.loads(pickle.dumps(early))):
        with pytest.raises(Cancelled):
            other()
    late = Check()
    late.cancel()
    assert pickle.loads(pickle.dumps(late)).is_cancelled()
    assert len(list(tmp_path.iterdir())) == 2


def test_finished_work_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    class Pickling:
        """Pickles its calls, as processes do."""

        def submit(self, *call):
            function, *arguments = pickle.loads(pickle.dumps(call))
            future = Future()
            threading.Thread(target=lambda: future.set_result(function(*arguments))).start()
            return future

    assert dict(as_done([ask_once] * 3, Pickling())) == {0: 1, 1: 1, 2: 1}
    assert list(tmp_path.iterdir()) == []

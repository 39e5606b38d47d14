"""SIGINT and SIGTERM: the result so far is printed, also into a pipe, and the exit code is 130 or 143."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from schemas import require_valid

from c4mcts import Board, Rules, solve
from c4mcts.cli.process import Terminated, stopping

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for a single child")

CHILD = """
import signal, sys
import c4mcts
from c4mcts.cli import main

def search(engine, board, on_progress=lambda result: None, **options):
    def report(result):
        if not reported:
            reported.append(True)
            print("searching", file=sys.stderr, flush=True)
        on_progress(result)

    return plain_search(engine, board, on_progress=report, **options)

reported = []
c4mcts.Engine(seed=1).search(c4mcts.Board(), simulations=1)  # loads most modules: what follows is the command itself
plain_search, c4mcts.Engine.search = c4mcts.Engine.search, search
signal.signal(signal.SIGINT, signal.default_int_handler)
print("ready", file=sys.stderr, flush=True)
sys.exit(main())
"""
SIGNALS = [(signal.SIGINT, 130), (signal.SIGTERM, 143)]
ANALYZE = ["analyze", "--rules", "8x7", "--seconds", "60"]  # too large to be proven within seconds


def stopped(number, *argv, when=lambda process: True, data=None):
    """Run a command, send it a signal; return its exit code, stdout and stderr.

    when: called with the process every few milliseconds, until it is time for the signal.
    """
    pipes = {name: subprocess.PIPE for name in ("stdin", "stdout", "stderr")}
    with subprocess.Popen([sys.executable, "-c", CHILD, *argv], text=True, **pipes) as process:
        assert process.stderr.readline() == "ready\n"
        if data is not None:
            process.stdin.write(data)
            process.stdin.flush()
        while not when(process):
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def searching(process):
    """Whether its search has reported something; waits for it."""
    return process.stderr.readline() == "searching\n"


def worked(process):
    """Whether it has worked for two seconds of CPU time, of which most commands need half a second to begin."""
    used = subprocess.run(["ps", "-o", "time=", "-p", str(process.pid)], capture_output=True, text=True, check=True)
    *_, minutes, seconds = used.stdout.strip().split(":")
    return 60 * int(minutes) + float(seconds) >= 2


def size(path):
    return path.stat().st_size if path.exists() else 0


def waited(process):
    """Whether it still runs after a second."""
    time.sleep(1)
    return process.poll() is None


@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_analyze_prints_what_it_has_found(number, status, backend):
    code, out, err = stopped(number, *ANALYZE, "44", "--json", "--backend", backend, when=searching)
    assert (code, err) == (status, "")
    found = json.loads(out)
    require_valid("analyze", found)
    assert found["simulations"] > 0
    assert found["seconds"] < 30


def test_a_solve_with_a_checkpoint_continues(tmp_path):
    path = tmp_path / "solve.c4"
    argv = "solve", "", "--rules", "8x8", "--checkpoint", str(path)

    def reported(process):
        return " nodes, " in process.stderr.readline()

    code, out, err = stopped(signal.SIGINT, *argv, when=reported)
    assert (code, out) == (130, "?\n")
    assert err.endswith(f"c4mcts solve: stopped; the same command continues from {path}\n")
    nodes = solve(Board(Rules(8, 8)), columns=False, checkpoint=path, max_nodes=1).nodes
    assert nodes > 1
    code, _, err = stopped(signal.SIGINT, *argv, when=reported)
    assert code == 130
    assert solve(Board(Rules(8, 8)), columns=False, checkpoint=path, max_nodes=1).nodes > nodes


def test_analyze_prints_a_table(tmp_path):
    dot = tmp_path / "tree.dot"
    code, out, _ = stopped(signal.SIGINT, *ANALYZE, "44", "--dot", str(dot), when=searching)
    assert code == 130
    assert "principal variation" in out
    assert dot.read_text().startswith("digraph")


def test_analyze_of_lines_ends_at_the_one_it_is_at():
    data = "45\n44\n43\n"
    code, out, _ = stopped(signal.SIGTERM, *ANALYZE, "-", "--json", when=searching, data=data)
    assert code == 143
    (found,) = map(json.loads, out.splitlines())
    assert found["position"] == "45"


def test_a_command_that_waits_for_input_is_ended():
    assert stopped(signal.SIGTERM, "analyze", "-", when=waited)[:2] == (143, "")
    assert stopped(signal.SIGINT, "analyze", "-", when=waited)[:2] == (130, "")


@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_perft_prints_the_depths_it_has(number, status, backend):
    code, out, err = stopped(number, "perft", "--depth", "30", "--json", "--backend", backend, when=worked)
    assert (code, err) == (status, "")
    require_valid("perft", json.loads(out))
    assert json.loads(out)["depths"][1]["sequences"] == 7


def test_bench_prints_the_rows_it_has():
    code, out, err = stopped(signal.SIGTERM, "bench", "--json", "--backend", "pure", when=worked)
    assert (code, err) == (143, "searching\n")
    require_valid("bench", json.loads(out))


def test_self_play_keeps_its_checkpoint(tmp_path):
    out = tmp_path / "games"
    argv = ["selfplay", "--games", "100000", "--simulations", "20", "--out", str(out), "--executor", "threads:1"]
    checkpoint = tmp_path / "games.jsonl"
    code, _, err = stopped(
        signal.SIGTERM, *argv, when=lambda _: checkpoint.exists() and checkpoint.stat().st_size > 4000
    )
    assert code == 143
    assert "the same command continues" in err
    assert checkpoint.exists()


def test_the_first_signal_stops_and_the_second_raises():
    stops = []

    def interrupted_twice():
        with stopping(lambda: stops.append(1)) as interruption:
            signal.raise_signal(signal.SIGINT)
            assert isinstance(interruption.cause, KeyboardInterrupt)
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        return interruption

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        interruption = interrupted_twice()
        assert stops == [1]
        with pytest.raises(KeyboardInterrupt):
            interruption.raise_it()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        with stopping(print) as interruption:
            pass
        interruption.raise_it()
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_signal_that_somebody_else_handles_is_left_alone():
    got = []
    before = signal.signal(signal.SIGTERM, lambda *_: got.append(1))
    try:
        with stopping(print) as interruption:
            signal.raise_signal(signal.SIGTERM)
        assert (got, interruption.cause) == ([1], None)
        assert issubclass(Terminated, KeyboardInterrupt)
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_solve_prints_what_it_knows(number, status):
    """The scores of the columns that were solved before the signal, and of no position after that."""
    code, out, err = stopped(number, "solve", "--rules", "8x7", "--all", "--json", "4", "45461667", when=worked)
    assert (code, err) == (status, "")
    found = json.loads(out)
    require_valid("solve", found)
    assert (found["position"], found["score"]) == ("4", None)
    assert found["seconds"] < 30

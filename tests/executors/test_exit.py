"""A process ends with its main thread, no matter what its daemon threads are doing; it waits for the others."""

import subprocess
import sys
from pathlib import Path

import pytest

HANG = 60  # seconds
TESTS = str(Path(__file__).parents[1])

# A call that lasts for hours, and the function that its jobs are in.
LONG = {
    "rollouts": ("rollouts(Board(), games=10**13, threads=2)", "play"),
    "search": ("Engine(seed=1, threads=4).search(Board(), seconds=3600)", "grow"),
    "solve": ("solve(Board(), threads=4, book=False)", "_within_limits"),
    "generate": ("selfplay.generate(99, SearchParams.preset('uct'), simulations=10**8, out=sys.argv[1])", "by_engine"),
    "generate in a pool": (
        "selfplay.generate(10**5, PUCT, simulations=100, evaluator=evaluators.uniform, out=sys.argv[1])",
        "games_of",
    ),
}
NATIVE = ("rollouts", "search", "solve", "generate in a pool")  # whose threads and pools the pure backend does not have

THREAD = """
import sys, threading
from c4mcts import *
from c4mcts import selfplay
from polling import until
import evaluators

PUCT = SearchParams.preset("alphazero")

def work():
    {call}
    print("complete")

def stack(frame):
    while frame is not None:
        yield frame.f_code.co_name
        frame = frame.f_back

threading.Thread(target=work, daemon={daemon}).start()
until(lambda: any({function!r} in stack(frame) for frame in sys._current_frames().values()))
"""


def run(code, *words):
    """Run a program that can import the modules of the tests."""
    program = f"import sys; sys.path.insert(0, {TESTS!r})\n{code}"
    argv = [sys.executable, "-W", "ignore", "-c", program, *map(str, words)]
    return subprocess.run(argv, capture_output=True, text=True, timeout=HANG)


def test_a_search_that_nobody_watches_any_more_ends_with_the_process():
    done = run("from c4mcts import *; infos = Engine(seed=1).analysis(Board()); next(infos)")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("call", "function"),
    [pytest.param(*LONG[name], id=name, marks=[pytest.mark.native] if name in NATIVE else []) for name in LONG],
)
def test_the_call_of_a_daemon_thread_ends_with_the_process(call, function, tmp_path):
    done = run(THREAD.format(call=call, function=function, daemon=True), tmp_path / "games")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not (tmp_path / "games" / "games.npz").exists()


@pytest.mark.skipif(
    (3, 12, 0) <= sys.version_info[:3] < (3, 12, 2), reason="starts no thread once the main thread has ended"
)
def test_the_process_waits_for_the_calls_of_other_threads(tmp_path):
    """The executors of the standard library take no jobs once the main thread has ended."""
    call = "selfplay.generate(20, SearchParams.preset('uct'), simulations=1000, out=sys.argv[1])"
    call += ", solve_many(['45461667'], book=False)"
    done = run(THREAD.format(call=call, function="by_engine", daemon=False), tmp_path / "games")
    assert (done.returncode, done.stdout, done.stderr) == (0, "complete\n", "")
    assert (tmp_path / "games" / "games.npz").exists()

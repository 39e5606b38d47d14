"""Several threads solve one position: the scores are those of one thread, and every limit holds."""

import os
import random
import subprocess
import sys
import threading
from functools import partial

import pytest
from random_boards import random_board

import c4mcts
from c4mcts import Board, Rules
from c4mcts._backend import load

solve = partial(c4mcts.solve, book=False)  # the search alone

pytestmark = pytest.mark.native

SHARED_EMPTY = 19  # with at least this many empty cells threads look at what others are searching
INFINITY = 1 << 12


@pytest.mark.parametrize("threads", [2, 8])
@pytest.mark.parametrize(
    ("rules", "plies"),
    [
        *(
            (Rules(), 16),
            (Rules(7, 6, 4, diagonals=False), 20),
            (Rules(7, 6, 5), 22),
            (Rules(5, 5), 4),
            (Rules(6, 5), 8),
        ),
        *((Rules(8, 7), 28), (Rules(8, 8), 40), (Rules(9, 7), 42)),  # entries of more than one word
    ],
    ids=str,
)
def test_scores_are_those_of_one_thread(rules, plies, threads):
    chance = random.Random(threads)
    assert rules.cells - plies >= SHARED_EMPTY
    for _ in range(12):
        board = random_board(rules, plies, chance)
        one, several = solve(board), solve(board, threads=threads)
        assert (several.score, several.columns, several.best) == (one.score, one.columns, one.best), board
        assert solve(board, columns=False, threads=threads).score == one.score
        assert several.distance == one.distance


@pytest.mark.parametrize("window", [(-1, 1), (0, 1), (3, 9), (-9, -3), (-INFINITY, INFINITY)], ids=str)
def test_windows(window):
    """Asked whether a score lies above or below: the bounds hold, and say as much as those of one thread."""
    chance = random.Random(1)
    low, high = window
    for _ in range(8):
        board = random_board(Rules(), 18, chance)
        score = solve(board, columns=False).score
        for threads in (1, 4):
            solver = load("native").solver.AlphaBetaSolver(board.rules, 20, 1000, threads)
            lower, upper = solver.solve(board.own, board.mask, low, high, 10**9, bool)
            assert lower <= score <= upper
            assert lower == upper or lower >= high or upper <= low


def test_the_table_of_two_threads_grows_as_that_of_one():
    """With one of the final size, 256 MB, a node takes up to twice as long."""
    board = Board.from_pons("445326")
    one, two = (load("native").new_solver(board.rules, threads) for threads in (1, 2))
    found = [solver.solve(board.own, board.mask, -INFINITY, INFINITY, 10**9, bool) for solver in (one, two)]
    assert found[0] == found[1]
    assert one.nbytes() == two.nbytes() == 1 << 18


def test_the_work_of_two_threads_is_not_done_twice():
    """Both search the whole tree, so without the shared table and the postponed moves the nodes would double."""
    chance = random.Random(4)
    one, two = (
        sum(solve(board, columns=False, threads=threads).nodes for board in boards)
        for boards in [[random_board(Rules(), 12, chance) for _ in range(12)]]
        for threads in (1, 2)
    )
    assert one / 2 < two < 1.5 * one


@pytest.mark.parametrize("columns", [True, False])
@pytest.mark.parametrize("max_nodes", [1, 511, 30_000])
def test_the_limit_of_nodes_is_that_of_all_threads_together(max_nodes, columns):
    for threads in (2, 5):
        solution = solve(Board.from_pons("4546"), columns=columns, max_nodes=max_nodes, threads=threads)
        assert (solution.score, solution.best, solution.nodes) == (None, (), max_nodes)


def test_the_time_limit_and_the_reports():
    assert solve(Board(), seconds=0.5, threads=3).score is None
    reports = []
    solution = solve(Board(), on_progress=lambda nodes: reports.append(nodes) or len(reports) == 2, threads=3)
    assert 0 < reports[0] <= reports[1] <= solution.nodes
    assert solution.seconds >= 2 * 0.1


def test_a_stopped_solver_goes_on_where_it_was():
    board = Board.from_pons("4453262")
    solver = load("native").new_solver(board.rules, 3)
    asked = []

    def poll():
        asked.append(solver.nodes())
        return len(asked) == 2

    lower, upper = solver.solve(board.own, board.mask, -INFINITY, INFINITY, 10**9, poll)
    assert lower < upper
    assert solver.nodes() >= asked[1] >= asked[0]
    lower, upper = solver.solve(board.own, board.mask, -INFINITY, INFINITY, 10**9, bool)
    assert lower == upper == solve(board, columns=False).score


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_in_a_callback():
    """The new process has none of the threads: it continues alone, to the same score."""
    code = (
        "import faulthandler, os, c4mcts\n"
        "child = None\n"
        "def report(nodes):\n"
        "    global child\n"
        "    if child is None:\n"
        "        child = os.fork()\n"
        "        faulthandler.dump_traceback_later(90, exit=True)\n"  # says where it hangs
        "board = c4mcts.Board.from_pons('445')\n"
        "solution = c4mcts.solve(board, book=False, max_nodes=10**6, threads=3, on_progress=report)\n"
        "late = c4mcts.solve(c4mcts.Board.from_pons('4544551676'), threads=3).score\n"
        'text = f\'{"child" if child == 0 else "parent"} {solution.nodes > 0} {late}\\n\'\n'
        "os.write(1, text.encode())\n"  # in one piece
        "if child: os.waitpid(child, 0)"
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=120)
    late = solve(Board.from_pons("4544551676")).score
    assert sorted(done.stdout.splitlines()) == [f"child True {late}", f"parent True {late}"], done.stderr


def test_small_stacks():
    """Deep searches in threads that have their own stacks, whatever the program has set for others."""
    code = (
        "import threading, c4mcts\n"
        "threading.stack_size(64 * 1024)\n"
        "solution = c4mcts.solve(c4mcts.Board(c4mcts.Rules(2, 27, 5)), columns=False, threads=4, max_nodes=100)\n"
        "print(solution.nodes, threading.stack_size())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=50)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["100", "65536"], "")


def test_many_calls_in_many_threads():
    board = Board.from_pons("4544551676645443")
    wanted = solve(board).columns
    found = []
    threads = [
        threading.Thread(target=lambda: found.extend(solve(board, threads=3).columns for _ in range(2)))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 12


def test_wrong_numbers_of_threads():
    for threads in (0, 257, 10**30):
        with pytest.raises(ValueError, match=f"threads must be 1 to 256, not {threads}"):
            solve(Board(), threads=threads)
        with pytest.raises(ValueError, match=f"threads must be 1 to 256, not {threads}"):
            load("native").solver.AlphaBetaSolver(Rules(), 20, 100, threads)
    for board, backend in ((Board(), "pure"), (Board(Rules(20, 14)), "auto")):
        with pytest.raises(ValueError, match="threads must be 1 for the pure backend, not 2"):
            solve(board, threads=2, backend=backend)


STARVED = """
import os, resource, threading, c4mcts
board = c4mcts.Board.from_pons("45445516")
c4mcts.solve(board, book=False, max_nodes=1000, threads=256)
seen, done = [], threading.Event()
def watch():
    while not done.wait(0.001):
        seen.append(len(os.listdir("/proc/self/task")) - 1)  # without itself
watcher = threading.Thread(target=watch, daemon=True)
watcher.start()
with open("/proc/self/statm") as file:
    taken = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
resource.setrlimit(resource.RLIMIT_AS, (taken + (48 << 20), resource.RLIM_INFINITY))
c4mcts.solve(c4mcts.Board.from_pons("445523"), book=False, max_nodes=10**6, threads=256)
done.set()
watcher.join()
print(max(seen), c4mcts.solve(board, columns=False, book=False, threads=256).score)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to RLIMIT_AS and tells its size")
def test_a_system_without_more_threads():
    """There is room for the stacks of some of them: these do the work."""
    done = subprocess.run([sys.executable, "-c", STARVED], capture_output=True, text=True, timeout=50)
    assert (done.returncode, done.stderr) == (0, "")
    running, score = map(int, done.stdout.split())
    assert 1 < running < 200
    assert score == solve(Board.from_pons("45445516"), columns=False).score

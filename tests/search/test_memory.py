"""Bounds of memory hold, and a tree that got no memory grows once there is some; tools/leaks.py looks for leaks."""

import subprocess
import sys
from pathlib import Path

import pytest
from trees import require_whole

from c4mcts import Board, Engine, Rules, SearchParams

pytestmark = pytest.mark.native

MB = 1 << 20


@pytest.mark.parametrize("preset", ["uct", "strong"])
@pytest.mark.parametrize("rules", [Rules(), Rules(3, 9, 3), Rules(9, 9), Rules(1, 40)], ids=str)
def test_max_bytes_holds_for_whole_games(preset, rules):
    params = SearchParams.preset(preset, max_bytes=5 * MB)
    engine = Engine(params, seed=1)
    board = Board(rules)
    while not board.is_over() and board.ply < 25:
        result = engine.search(board, simulations=20_000)
        assert engine.nbytes <= 5 * MB
        require_whole(engine)
        board.push(result.column)
    engine.reset()
    assert engine.nbytes == 0


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("rules", [Rules(8, 7), Rules(16, 7)], ids=str)
def test_max_bytes_holds_for_the_longest_keys(rules, threads):
    """On boards of 64 and of 128 bits."""
    engine = Engine(SearchParams.preset("strong", max_bytes=5 * MB), seed=1, threads=threads)
    engine.search(Board(rules), simulations=20_000)
    assert 3 * MB < engine.nbytes <= 5 * MB


def test_bytes_are_counted(backend):
    engine = Engine(SearchParams.preset("uct"), seed=1, backend=backend)
    assert engine.nbytes == 0
    engine.search(Board(), simulations=100)
    few = engine.nbytes
    engine.search(Board(), simulations=5000)
    assert engine.nbytes > 2 * few > 1000


STARVED = """
import resource, sys
sys.path.insert(0, sys.argv[1])
from evaluators import fingerprint
from trees import require_whole
from c4mcts import Board, Engine, SearchParams

params = SearchParams.preset(sys.argv[2], **eval(sys.argv[3]))
engine = Engine(params, seed=1, backend="native", evaluator=fingerprint if params.needs_evaluator else None)
fresh = engine.search(Board(), simulations=400).nodes
soft, hard = resource.getrlimit(resource.RLIMIT_AS)
with open("/proc/self/statm") as file:
    taken = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + (1 << 20), hard))
starved = engine.search(Board(), simulations=int(sys.argv[4])).nodes
resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
result = engine.search(Board(), simulations=int(sys.argv[4]))
require_whole(engine)
print(fresh, starved, result.nodes)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to RLIMIT_AS and tells its size")
@pytest.mark.parametrize(
    ("preset", "changes", "simulations"),
    [("uct", {}, 100_000), ("uct", {"transpositions": True}, 150_000), ("puct-node", {"batch_size": 250}, 15_000)],
    ids=["nodes", "positions", "estimates"],
)
def test_a_tree_that_was_refused_memory_grows_once_there_is_some(preset, changes, simulations):
    """Without memory it continues as if it were full."""
    args = [str(Path(__file__).parents[1]), preset, repr(changes), str(simulations)]
    output = subprocess.run([sys.executable, "-c", STARVED, *args], capture_output=True, text=True, check=True).stdout
    fresh, starved, grown = map(int, output.split())
    assert fresh < starved < 2**17
    assert grown > 3 * starved

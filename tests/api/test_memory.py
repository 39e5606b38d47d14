"""Bounds of memory hold, and what is taken is given back."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from c4mcts import Board, Engine, Rules, SearchParams, rollouts, solve

MB = 1 << 20


@pytest.mark.parametrize("preset", ["uct", "strong"])
@pytest.mark.parametrize("rules", [Rules(), Rules(3, 9, 3), Rules(9, 9), Rules(1, 40)], ids=str)
def test_max_bytes_holds_for_whole_games(preset, rules):
    params = SearchParams.preset(preset, max_bytes=5 * MB)
    engine = Engine(params, seed=1)
    board = Board(rules)
    while not board.is_over():
        result = engine.search(board, simulations=20_000)
        assert engine.nbytes <= 5 * MB
        engine.check()
        board.push(result.column)
    engine.reset()
    assert engine.nbytes == 0


def test_a_full_tree_plays_on(backend):
    params = SearchParams.preset("uct", transpositions=True, max_bytes=20_000)
    engine = Engine(params, seed=1, backend=backend)
    assert params.settings().max_nodes == 20_000 // 42
    for simulations in (1500, 500):
        result = engine.search(Board(), simulations=simulations)
        assert result.simulations == simulations
        assert result.nodes <= 20_000 // 42
        assert backend == "pure" or engine.nbytes <= 20_000
    assert result.column == 3


def test_bytes_are_counted(backend):
    engine = Engine(SearchParams.preset("uct"), seed=1, backend=backend)
    assert engine.nbytes == 0
    engine.search(Board(), simulations=100)
    few = engine.nbytes
    engine.search(Board(), simulations=5000)
    assert engine.nbytes > 2 * few > 1000


@pytest.mark.parametrize("value", [0, -1, 5, 4 * MB])
def test_too_little_is_refused(value):
    with pytest.raises(ValueError, match="max_bytes"):
        SearchParams(max_bytes=value)


@pytest.mark.parametrize("value", ["5", 1.5, True])
def test_bad_types_are_refused(value):
    with pytest.raises(TypeError, match="max_bytes"):
        SearchParams(max_bytes=value)


def lives(count):
    """Engines that are made, searched, moved, saved, copied and dropped."""
    for i in range(count):
        engine = Engine(SearchParams(max_bytes=8 * MB), seed=i)
        board = Board.from_pons("4453")
        engine.search(board, simulations=100)
        engine.advance(2)
        engine.search(board, simulations=20)
        pickle.loads(pickle.dumps(engine)).check()
        solve(Board.from_pons("2252576253462244111563365343671351441"))
        rollouts(board, games=10, seed=i)


def test_nothing_leaks():
    """Peak memory after 300 lives is that after 60."""
    pytest.importorskip("resource")
    code = (
        "import sys, resource; sys.path.insert(0, sys.argv[1]); from test_memory import lives\n"
        "def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "lives(60); before = peak(); lives(240); print(before, peak())"
    )
    folder = str(Path(__file__).parent)
    output = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=True).stdout
    before, after = map(int, output.split())
    assert after < 1.05 * before

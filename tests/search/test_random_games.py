"""rollouts: in vectors or lane by lane, in blocks, on several threads; always the same games."""

import os
import subprocess
import sys

import pytest

from c4mcts import Board, Rules, rollouts
from c4mcts._backend import load
from c4mcts.search import random_games

SCRIPT = "from c4mcts._backend import load; print(load('native').rollout.form())"


@pytest.fixture
def lanes():
    """The native module, whose form the test may change."""
    module = load("native").rollout
    form = module.form()
    yield module
    module.use_form(form)


@pytest.mark.native
@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        (Rules(), []),
        (Rules(), [3, 3, 3, 3, 3, 2, 2, 4, 0, 0, 0, 0, 0, 0]),
        (Rules(7, 6, 5), [3]),
        (Rules(6, 5, 4, diagonals=False), []),
        (Rules(8, 7), [0]),
        (Rules(5, 4, 3), []),
        (Rules(3, 3), [1]),  # every game is drawn
        (Rules(1, 7, 3), []),
        (Rules(31, 1, 2), []),
        (Rules(32, 1, 3), []),  # all of the 64 bits
        (Rules(1, 63, 7), []),
        (Rules(9, 9), [4]),  # too large for vectors
    ],
    ids=str,
)
def test_all_forms_play_the_same_games(lanes, rules, moves):
    board = Board.from_moves(moves, rules)
    for games in (1, 23, 24 * 12, 20_011):
        stats = []
        for form in lanes.forms():
            lanes.use_form(form)
            assert lanes.form() == form
            stats.append(rollouts(board, games, seed=3))
        assert len(set(stats)) == 1
        assert stats[0].games == games


@pytest.mark.native
def test_the_environment_chooses_the_form(lanes):
    for form in lanes.forms():
        environment = os.environ | {"C4MCTS_SIMD": form}
        found = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True)
        assert found.stdout.split() == [form]
    environment = os.environ | {"C4MCTS_SIMD": "mmx"}
    found = subprocess.run([sys.executable, "-m", "c4mcts", "info"], env=environment, capture_output=True, text=True)
    assert found.returncode == 1
    assert (
        found.stderr == f"c4mcts info: error: C4MCTS_SIMD must be one of {', '.join(lanes.forms())} here, not 'mmx'\n"
    )


@pytest.mark.native
@pytest.mark.parametrize("policy", ["random", "safe"])
def test_threads_play_the_same_games(monkeypatch, policy):
    monkeypatch.setattr(random_games, "BLOCK", 100)
    board = Board.from_moves([3])
    stats = {rollouts(board, 1234, seed=3, policy=policy, threads=threads) for threads in (1, 2, 3, 40)}
    assert len(stats) == 1


def test_blocks_differ(monkeypatch):
    whole = rollouts(Board(), 1000, seed=3)
    monkeypatch.setattr(random_games, "BLOCK", 500)
    assert rollouts(Board(), 1000, seed=3) not in (whole, rollouts(Board(), 500, seed=3))

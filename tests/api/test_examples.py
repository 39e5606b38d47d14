"""The examples run, and do what they say."""

import itertools
import runpy
from functools import reduce
from operator import xor
from pathlib import Path

import pytest

from c4mcts.gamesearch import GameSearch

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def nim():
    return runpy.run_path(str(EXAMPLES / "nim.py"))


def test_nim_plays_to_the_end(nim, capsys):
    nim["main"]([1, 2, 4])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "[1, 2, 4]: player 0 takes 1 from pile 2, a win in 7"
    assert lines[-1] == "player 0 wins"


def test_nim_is_solved(nim):
    """Lost where the piles add up to 0 without carries: Bouton, "Nim, a game with a complete mathematical theory"."""
    for piles in itertools.product(range(4), repeat=3):
        if any(piles):
            game = nim["Nim"](piles)
            result = GameSearch(game, seed=1).search(simulations=3000)
            assert result.proof == ("win" if reduce(xor, piles) else "loss"), piles
            game.play(result.move)
            assert reduce(xor, game.piles) == 0 or result.proof == "loss"

"""Experiments on games other than Connect-4, which GameSearch searches."""

import csv
import re
from functools import partial

import numpy as np
import pytest
from counting import jobs_done
from refusals import refused

from c4mcts import GameOverError, SearchParams, UctParams, study
from c4mcts.games import GameSearch, TicTacToe

UCT = SearchParams.preset("uct")
CORNER = TicTacToe([0])  # only the centre, 4, holds the draw
CALLS = {
    "action_frequency": partial(study.action_frequency, CORNER, UCT, simulations=30, runs=6),
    "convergence": partial(study.convergence, CORNER, UCT, simulations=[10, 300], runs=2),
    "win_rate": partial(study.win_rate, CORNER, UCT, opponent="uct@5", budgets=[3, 20], games=4),
    "optimality": partial(study.optimality, CORNER, UCT, values=[0, 1], optimal=[4], simulations=20, runs=3),
    "head_to_head": partial(study.head_to_head, CORNER, {"a": UCT, "b": UCT}, budgets=[5], games=4),
}


class Unnamed(TicTacToe):
    """Its repr does not tell the position."""

    __repr__ = object.__repr__


def test_convergence_is_that_of_one_search():
    found = study.convergence(CORNER, UCT, simulations=[100, 1000], runs=1, seed=3)
    (seed,) = np.random.SeedSequence(3).spawn(1)
    expected = GameSearch(CORNER, UCT, seed=seed).search(simulations=1000)
    assert found.visits[0, -1].tolist() == [move.visits for move in expected.moves]
    assert found.q[0, -1].tolist() == [move.value for move in expected.moves]
    assert found.moves[found.chosen[0, -1]] == expected.move == 4
    assert found.exact is None


def test_win_rate_against_chance_and_against_a_search():
    found = study.win_rate(TicTacToe(), UCT, budgets=[1, 200], games=30, seed=1)
    assert found.losses[0, 0, 1] == 0 < found.losses[0, 0, 0]
    assert found.wins[0, 0, 1] > found.wins[0, 0, 0] + 5
    even = study.win_rate({"start": TicTacToe()}, UCT, opponent="uct@500", budgets=[500], games=2, seed=1)
    assert even.draws.item() == 2
    assert "won against uct@500" in str(even)


def test_optimality_of_moves_that_are_given():
    found = study.optimality(CORNER, UCT, sweep="simulations", values=[5, 500], optimal=[4], runs=6, seed=1)
    assert found.optimal == (3,), "the place of the centre among the legal moves"
    assert found.frequency[1] > found.frequency[0]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_tables_name_the_moves(call, tmp_path):
    found = call(seed=1)
    assert str(found) == found.as_text()
    found.to_csv(tmp_path / "table.csv")
    with open(tmp_path / "table.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    if "move" in rows[0]:
        assert {row["move"] for row in rows} <= set("12345678")
    if hasattr(found, "sweep"):
        assert "optimal: move 4" in str(found), "not its place"
        assert "move_4" in rows[0]


def test_a_checkpoint_is_of_one_game(tmp_path):
    call = partial(study.action_frequency, simulations=30, runs=6, seed=1, checkpoint=tmp_path / "file")
    first, (again, jobs) = call(CORNER), jobs_done(partial(call, CORNER))
    assert (jobs, str(first)) == (0, str(again))
    with pytest.raises(study.CheckpointError, match=re.escape("TicTacToe([0])") + ".* there.*" + re.escape("([1])")):
        call(TicTacToe([1]))


def test_a_checkpoint_needs_a_game_that_tells_its_position(tmp_path):
    words = "checkpoint: Unnamed needs a __repr__ that tells its position"
    with pytest.raises(ValueError, match=words):
        study.action_frequency(Unnamed(), UCT, runs=1, checkpoint=tmp_path / "file")
    assert list(tmp_path.iterdir()) == []
    assert study.action_frequency(Unnamed(), UCT, simulations=5, runs=2, seed=1).runs == 2


test_bad_input_is_named = refused(
    (lambda: study.action_frequency(TicTacToe([0, 3, 1, 4, 2])), GameOverError, "board: the game is over"),
    (lambda: study.action_frequency(CORNER, UctParams()), ValueError, "proofs=True is for an Engine only"),
    (lambda: study.optimality(CORNER), ValueError, "optimal must be given: the solver knows a Board only"),
    (lambda: study.optimality(CORNER, optimal=[0]), ValueError, "optimal: move 0 can't be played on TicTacToe"),
    (lambda: study.win_rate(CORNER, opponent="perfect"), ValueError, "opponent: .*proofs=True is for an Engine"),
)

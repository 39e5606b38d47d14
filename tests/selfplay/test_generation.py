"""Self-play: rows are checked by replaying their games; seeds, errors, the command, and games without pools."""

from functools import partial

import numpy as np
import pytest
from datasets import CALL, SMALL, UCT, same
from evaluators import fingerprint, uniform
from pools import PUCT, generated

from c4mcts import Board, GameOverError, SearchParams, selfplay
from c4mcts.cli import main
from c4mcts.selfplay import Ending, PlayParams, generation


@pytest.fixture
def out(tmp_path):
    return tmp_path / "games"


@pytest.mark.parametrize(
    "start", [Board.from_moves([0] * 6 + [1] * 5), Board.from_fen("xo5/ox5/xo5/ox5/xo5/xoxo3 x 7x6x4")], ids=repr
)
def test_every_row_follows_from_the_moves(start):
    data = generated(3, SearchParams.preset("strong"), start=start, simulations=20, seed=5)
    row = 0
    for number in range(3):
        board = start.copy()
        while not board.is_over():
            assert (data.game[row], data.ply[row]) == (number, board.ply)
            assert data.policy[row].sum() == pytest.approx(1, abs=1e-6)
            assert not np.delete(data.policy[row], board.legal_columns).any()
            assert (data.policy[row] >= 0).all()
            assert data.board(row) == board
            board.push(data.column[row])
            row += 1
        assert abs(data.outcome[row - 1]) == (board.outcome().winner is not None)
    assert row == len(data), "nothing follows the last game"
    assert data.games == 3
    assert data.start == start


GAMES = 100


def test_the_first_plies_are_drawn_from_the_policy_and_no_others():
    """At the first ply all games draw from nearly the same policy, since their trees start at the same position."""
    for temperature in (1.0, np.inf):
        data = generated(GAMES, UCT, start=SMALL, simulations=30, temperature=temperature, temperature_plies=1, seed=3)
        first = data.ply == 0
        expected = data.policy[first].mean(axis=0) if temperature == 1 else np.full(5, 0.2)
        shares = np.bincount(data.column[first], minlength=5) / GAMES
        assert np.abs(shares - expected).max() < 4 * 0.5 / np.sqrt(GAMES)  # four standard errors
        best = data.policy[np.arange(len(data)), data.column] == data.policy.max(axis=1)
        assert best[data.ply == 1].all(), "the search's own choice, where nothing threatens yet"
    assert best[first].mean() < 0.6, "a random move seldom has the most visits"


def test_temperatures_by_ply_and_a_last_one():
    schedule = {"temperature": (0, np.inf), "temperature_plies": 3, "last_temperature": np.inf}
    data = generated(GAMES, UCT, start=SMALL, simulations=30, seed=3, **schedule)
    best = data.policy[np.arange(len(data)), data.column] == data.policy.max(axis=1)
    assert best[data.ply == 0].all()
    for ply in (1, 2, 3, 5):
        assert best[data.ply == ply].mean() < 0.7, "the last of the values, then last_temperature"


def test_games_that_are_all_the_same_are_counted_once():
    data = selfplay.generate(5, SearchParams.preset("uct"), start=SMALL, simulations=1, seed=1)
    assert data.different_games == 1
    assert str(data).startswith("5 games, of which 1 differ")
    assert "differ" not in str(CALL())


@pytest.mark.parametrize("name", ["games.npz", "games.PARQUET", "games.csv"])
def test_a_folder_is_not_named_like_a_file(name, tmp_path):
    for call, argument in (
        (partial(CALL, out=tmp_path / name), "out"),
        (partial(CALL().save, tmp_path / name), "path"),
    ):
        with pytest.raises(ValueError, match=f"{argument} must be the name of a folder"):
            call()
    assert list(tmp_path.iterdir()) == []


def test_a_drawn_seed_is_in_the_result():
    first = CALL(seed=None)
    assert same(CALL(seed=first.seed), first)
    assert CALL(seed=None).seed != first.seed


def test_all_that_was_asked_for_is_in_the_result():
    about = CALL(temperature=0.5).about
    assert SearchParams.from_dict(about["params"]) == UCT
    assert about["limits"]["simulations"] == 30
    assert (about["games"], about["seed"]) == (12, 7)
    assert (about["play"]["temperature"], about["play"]["temperature_plies"]) == (0.5, 10)
    assert (about["board"], about["evaluator"]) == (SMALL.to_fen(), None)


POOLED = {"params": PUCT, "evaluator": uniform}
DRAWN = PlayParams(opening_plies=2, opening_moves="policy")
FAST = PlayParams(full_share=0.5, fast_simulations=11)


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"start": Board.from_pons("1212121")}, GameOverError, "start: the game is over"),
        ({"simulations": None}, ValueError, "a search needs a limit"),
        ({"evaluator": uniform}, ValueError, "evaluator needs"),
        ({"concurrent": 8}, ValueError, "batches needs an evaluator"),
        ({"play": FAST}, ValueError, "fast_simulations needs an evaluator"),
        ({"play": DRAWN}, ValueError, "opening_moves='policy' needs an evaluator"),
        ({**POOLED, "seconds": 0.1}, ValueError, "seconds does not go with an evaluator"),
        ({**POOLED, "play": PlayParams(openings=["8"])}, ValueError, r"openings\[0\]: moves\[0\]: column must be"),
        ({**POOLED, "buffers": []}, ValueError, "buffers are for your own Pool"),
    ],
)
def test_what_is_refused(changes, error, words, out):
    arguments = {"games": 2, "simulations": 10, "out": out, **changes}
    with pytest.raises(error, match=words):
        generated(**arguments)
    assert list(out.parent.iterdir()) == []


def test_the_command_writes_what_the_call_finds(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    argv = ["selfplay", "3", "--rules", "5x4", "--games", "6", "--simulations", "30", "--preset", "uct", "--seed", "7"]
    argv += ["--play", "temperature=inf", "--play", "temperature_plies=3", "--executor", "threads:3"]
    start = Board.from_pons("3", SMALL.rules)
    expected = generated(6, UCT, start=start, simulations=30, temperature=np.inf, temperature_plies=3, seed=7)
    for words in ("", "c4mcts selfplay: 6 of 6 were there already\n"):
        assert main(argv) == 0
        assert capsys.readouterr() == (f"{expected}\nin the folder games\n", words)
        assert same(selfplay.load("games"), expected)
    assert main([*argv, "--games", "8"]) == 0
    assert capsys.readouterr().err == "c4mcts selfplay: 6 of 8 were there already\n"
    assert main([*argv, "--games", "8", "--simulations", "20"]) == 2
    assert capsys.readouterr().err.startswith("c4mcts selfplay: error: the folder games holds other games: limits: ")


@pytest.mark.native
def test_games_of_engines_are_those_of_a_pool(monkeypatch):
    """tests/parity compares games with all that engines can do; only they have no value of the position itself."""
    call = partial(generated, 3, PUCT, start=SMALL, simulations=12, seed=7, evaluator=fingerprint)
    pooled = call()
    monkeypatch.setattr(generation, "backend", lambda: "pure")
    alone = call()
    assert alone.sources == pooled.sources
    assert np.isnan(alone.raw_value).all()
    assert np.array_equal(alone.visits, pooled.visits)
    for options in ({"full_share": 0.5, "fast_simulations": 3}, {"opening_plies": 2, "opening_moves": "policy"}):
        with pytest.raises(ValueError, match="needs the native backend"):
            call(play=PlayParams(**options))


@pytest.mark.native
def test_training_leaves_out_positions_of_no_weight():
    call = partial(generated, 60, PUCT, start=SMALL, simulations=12, seed=7, evaluator=fingerprint)
    data = call(full_share=0.3, fast_simulations=4)
    kept = np.flatnonzero(data.weight > 0)
    assert 0 < len(kept) < len(data)
    target = data.mixed_value(0.5)
    for one, other in zip(data.training(value=target), data.training(value=target, rows=kept), strict=True):
        assert np.array_equal(one, other)
    assert len(data.training()[0]) == 2 * len(kept)
    assert len(data.training(rows=slice(None))[0]) == 2 * len(data)
    heavy = call(full_share=0.3, fast_simulations=4, fast_weight=0.5)
    assert len(heavy.training()[0]) == 2 * len(heavy)
    assert np.array_equal(heavy.visits, data.visits)


def test_engines_stop_at_a_proof():
    params = SearchParams.preset("uct", proofs=True)
    call = partial(generated, 20, params, start=SMALL, simulations=40, seed=7)
    whole, stopped = call(), call(after_proof="stop")
    for game in range(20):
        rows, all_rows = (np.flatnonzero(data.game == game) for data in (stopped, whole))
        assert np.array_equal(stopped.visits[rows], whole.visits[all_rows[: len(rows)]])
        assert np.array_equal(stopped.outcome[rows], whole.outcome[all_rows[: len(rows)]])
    assert set(stopped.ending) == {Ending.PROVEN}

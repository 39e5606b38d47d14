"""A player is recognised by its code, its files and what it holds, in every process; and nothing changed is missed."""

import os
import subprocess
import sys
import threading
from functools import partial

import numpy as np
import pytest

from c4mcts import Board, CheckpointError, Rules, SearchParams
from c4mcts.evaluators import NumpyEvaluator
from c4mcts.play import EnginePlayer, GameSearchPlayer, exploit
from c4mcts.play.identity import file_digest, identity_of
from c4mcts.play.player import maker
from c4mcts.play.player_specs import contestant
from c4mcts.study import win_rate
from c4mcts.tictactoe import TicTacToe


def identity(player):
    return identity_of("it", contestant(player).make if isinstance(player, str) else maker("it", player))


def of_column(place):
    return lambda board: board.legal_columns[place]


first = of_column(0)


def helped(board, by=first):
    return by(board)


class Mine:
    """Draws its first numbers at random."""

    def __init__(self, weights):
        self.weights, self.generator = weights, np.random.default_rng()

    def begin(self, seed):
        self.generator = np.random.default_rng(seed)

    def choose(self, board):
        return self.ends(board) if board.ply in {"a", "b"} else self.choose(board)

    @staticmethod
    def ends(board):
        return 0


class Other(Mine):
    @staticmethod
    def ends(board):
        return 1


def network(scale):
    return NumpyEvaluator(lambda weights, planes: None, {"scale": np.array([scale])})


DIFFERENT = [
    lambda board: board.legal_columns[0],
    lambda board: board.legal_columns[-1],
    of_column(1),
    of_column(2),
    helped,
    partial(helped, by=of_column(3)),
    Mine(np.zeros(3)),
    Mine(np.ones(3)),
    Other(np.ones(3)),
    "random",
    "perfect",
    "level:2",
    "level:3",
    "uct@10",
    "uct@11",
    EnginePlayer("alphazero@10", evaluator=network(1.0)),
    EnginePlayer("alphazero@10", evaluator=network(2.0)),
    GameSearchPlayer("uct@10"),
    GameSearchPlayer("uct@10", rollout=lambda game, seed: 0.0),
]


def test_players_that_differ_have_different_identities():
    found = [identity(player) for player in DIFFERENT]
    assert len(set(found)) == len(found)
    assert found == [identity(player) for player in DIFFERENT]
    assert identity(Mine(np.zeros(3))) == identity(Mine(np.zeros(3)))


def test_identities_are_the_same_in_another_process():
    code = "import test_identity as t; print(*map(t.identity, t.DIFFERENT))"
    environment = os.environ | {"PYTHONPATH": os.path.dirname(__file__), "PYTHONHASHSEED": "7"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split() == [identity(player) for player in DIFFERENT]


def test_a_file_is_what_it_uses_beside_it(tmp_path):
    files = {
        "bot.py": "import json, helper\nWEIGHTS = 'w.npy'\ndef choose(board): return 0\n",
        "helper.py": "from deep import inner",
        "deep/__init__.py": "",
        "deep/inner.py": "x = 1",
        "w.npy": "1",
    }
    (tmp_path / "deep").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    found = {file_digest(str(tmp_path / "bot.py"))}
    (tmp_path / "unused.py").write_text("x = 2")
    assert {file_digest(str(tmp_path / "bot.py"))} == found
    for name, text in files.items():
        (tmp_path / name).write_text(text + " # changed")
        found.add(file_digest(str(tmp_path / "bot.py")))
    assert len(found) == 1 + len(files)
    (tmp_path / "bot.py").write_text("def (")
    assert file_digest(str(tmp_path / "bot.py")) not in found


def test_a_player_without_a_stable_form_is_refused_with_a_checkpoint(tmp_path):
    lock = threading.Lock()

    def locked(board):
        return lock and 0

    call = partial(exploit, locked, Rules(3, 3, 3), checkpoint=tmp_path / "kept")
    with pytest.raises(ValueError, match=r"can't tell whether locked has changed .*lock.*; give the player a finger"):
        call()
    locked.fingerprint = "first column"
    assert call() == call()


def test_answers_of_a_changed_player_are_refused(tmp_path):
    call = partial(exploit, rules=Rules(4, 4), seed=1, checkpoint=tmp_path / "kept")
    first = call(of_column(0))
    assert call(of_column(0)) == first
    with pytest.raises(CheckpointError, match=r"kept holds another experiment: <lambda> has changed since; delete it"):
        call(of_column(1))


def test_games_against_a_changed_opponent_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("def agent(observation): return observation.board.index(0)\n")
    call = partial(win_rate, Board(Rules(4, 4)), opponent="bot.py", budgets=[2], games=2, seed=1, checkpoint="kept")
    assert call().wins.tolist() == call().wins.tolist()
    (tmp_path / "bot.py").write_text("def agent(observation): return observation.board[:4].index(0)\n")
    with pytest.raises(CheckpointError, match=r"bot.py has changed since; delete it"):
        call()


def test_games_of_changed_rules_are_refused(tmp_path, monkeypatch):
    class Own(TicTacToe):
        def result(self, player):
            return super().result(player)

    call = partial(
        win_rate, Own(), SearchParams.preset("uct"), budgets=[2], games=2, seed=1, checkpoint=tmp_path / "kept"
    )
    call()
    monkeypatch.setattr(Own, "result", lambda self, player: -TicTacToe.result(self, player))
    with pytest.raises(CheckpointError, match="Own has changed since; delete it"):
        call()

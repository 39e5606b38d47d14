"""Each command does its job once: what a new wheel is tested with, on an installation without extras."""

import io
from importlib.util import find_spec

import pytest

from c4mcts.cli import COMMANDS, main

WORDS = {
    "analyze": ["4453", "--simulations", "100", "--seed", "1"],
    "play": ["--level", "1", "--seed", "1"],
    "match": ["uct@20", "random", "--games", "2", "--seed", "1", "--rules", "5x4"],
    "grade": ["bots", "--against", "random", "--games", "2", "--seed", "1", "--rules", "5x4"],
    "review": ["44444226"],
    "puzzles": ["--count", "2"],
    "solve": ["45461667", "--all"],
    "prove": ["--rules", "4x4", "--out", "proof.c4p"],
    "exploit": ["level:1", "--rules", "5x4", "--seed", "1"],
    "study": ["action-frequency", "--simulations", "20", "--runs", "2", "--seed", "1", "--out", "results"],
    "selfplay": ["--games", "2", "--simulations", "5", "--preset", "uct", "--seed", "1", "--rules", "5x4"],
    "serve": [],
    "export-kaggle": ["--out", "agent.py", "--single-file"],
    "bench": ["--quick", "--backend", "native"],
    "info": [],
}
ANSWERS = {
    "analyze": "column",
    "play": "your column",
    "match": "uct@20 against random",
    "grade": "first against random",
    "review": "accuracy",
    "puzzles": "level",
    "solve": "45461667 11 5 5 11 11 5 6 5",
    "prove": "proven",
    "exploit": "moving second, ",
    "study": "2 searches of 20 simulations",
    "selfplay": "games",
    "serve": '"id": "a"',
    "export-kaggle": "agent.py",
    "bench": "simulations",
    "info": "native",
}


@pytest.mark.native
@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"web"}))  # which serves until it is stopped: test_web.py
def test_it_works(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "first.py").write_text("def choose(board):\n    return board.legal_columns[0]\n")
    query = b'{"id": "a", "moves": [3], "maxVisits": 10}\n' if name == "serve" else b""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(query))))
    # without matplotlib an experiment writes its table, and says that the plot is missing
    assert main([name, *WORDS[name]]) == (name == "study" and find_spec("matplotlib") is None)
    assert ANSWERS[name] in capsys.readouterr().out

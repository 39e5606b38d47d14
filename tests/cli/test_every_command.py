"""Each command does its job once: what a new wheel is tested with, on an installation without extras."""

import io
import re
from importlib.util import find_spec

import pytest

from c4mcts.cli import COMMANDS, main

TINY = "--seed 1 --rules 5x4"
COMMANDS_AND_ANSWERS = {  # the words after the name, and what is printed
    "analyze": ("4453 --simulations 100 --seed 1", "column"),
    "play": ("--level 1 --seed 1", "your column"),
    "match": (f"uct@20 random --games 2 {TINY}", "uct@20 against random"),
    "grade": (f"bots --against random --games 2 {TINY}", "first against random"),
    "check": ("level:1 --games 1 --seed 1 --sizes 5x4", "level:1 passes"),
    "review": ("44444226", "accuracy"),
    "exam": ("random --seed 1", "errors: "),
    "puzzles": ("--count 2", "level"),
    "solve": ("45461667 --all", "45461667 11 5 5 11 11 5 6 5"),
    "prove": ("--rules 4x4 --out proof.c4p", "proven"),
    "exploit": (f"level:1 {TINY}", "moving second, "),
    "study": ("action-frequency --simulations 20 --runs 2 --seed 1 --out results", "2 searches of 20 simulations"),
    "selfplay": (f"--games 2 --simulations 5 --preset uct {TINY}", "games"),
    "serve": ("", '"id": "a"'),
    "export-kaggle": ("--policy --out agent.py", "agent.py"),
    "bench": ("--quick --backend native", "simulations"),
    "info": ("", "native"),
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
    words, answer = COMMANDS_AND_ANSWERS[name]
    assert main([name, *words.split()]) == (name == "study" and find_spec("matplotlib") is None)
    assert answer in capsys.readouterr().out


@pytest.mark.parametrize(
    "argv",
    [
        "match broken.py random",
        "exploit broken.py",
        "check broken.py",
        "exam broken.py",
        "play --watch broken.py",
        "grade . --against broken.py",
        "study win-rate --opponent broken.py",
    ],
)
def test_an_error_of_a_player_names_the_player(argv, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.py").write_text("import not_there\n\n\ndef choose(board):\n    return 0\n")
    assert main(argv.split()) == 1
    assert re.search("broken.py'?: ModuleNotFoundError: No module named 'not_there'$", capsys.readouterr().err)

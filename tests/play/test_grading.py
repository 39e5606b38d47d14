"""Grading: what a bot does wrong harms that bot alone, and the files say what was played."""

import csv
import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import inf
from multiprocessing import active_children
from pathlib import Path
from socket import socketpair

import numpy as np
import pytest
from counting import jobs_done

from c4mcts import Board, CheckpointError, Rules, solve
from c4mcts.play import RandomPlayer
from c4mcts.play.grading import grade
from c4mcts.play.player_process import PlayerProcess, RemoteSeat, Sandbox, end_idle

EXERCISE = Path(__file__).parents[2] / "examples" / "exercise"
SMALL = Rules(5, 4)
BOTS = {
    "careful": "    return (board.winning_columns() or board.threatened_columns() or board.legal_columns)[0]",
    "exits": "    import os; os._exit(3)",
    "hangs": "    while True: pass",
    "prints": "    print('x' * 100_000); return board.legal_columns[0]",
    "illegal": "    return 9",
    "calls": "    import socket; socket.create_connection(('127.0.0.1', 9))",
    "writes": "    open('careful.py', 'w')",
    "starts": "    import subprocess; subprocess.run(['true'])",
    "removes": "    import os; os.remove('careful.py')",
    "broken": "    return (",
}
REASONS = {
    "exits": "its process ended with exit code 3",
    "hangs": "took longer than 2 s to choose a move",
    "illegal": "chose 9: column must be 0 to 4, not 9",
    "calls": "PermissionError: a player must not do this: socket.",
    "writes": "PermissionError: a player must not write to files: careful.py",
    "starts": "PermissionError: a player must not do this: subprocess.Popen",
    "removes": "PermissionError: a player must not do this: os.remove",
    "broken": "ValueError: it must be a Python file, but: ",
    "nothing": "ValueError: nothing.py must define choose(board) or an agent as on Kaggle",
    "two": "ValueError: the folder must have one Python file",
}
if os.path.exists("/proc/self/status"):
    BOTS |= {"eats": "    x = bytearray(1 << 30)", "opens": "    x = [open(__file__) for _ in range(99)]"}
    REASONS |= {"eats": "MemoryError", "opens": "OSError: [Errno 24]"}

ENUM = """
from enum import IntEnum
import numpy
class Column(IntEnum):
    MIDDLE = 2
def choose(board):
    return Column.MIDDLE if board.is_legal(2) else numpy.int8(board.legal_columns[0])
"""
PICKLES = """
class Answer:
    def __reduce__(self): return open, ("unpickled", "w")
    def __repr__(self): return "an Answer"
class Unpicklable(Exception):
    def __init__(self, one, other): super().__init__("\\x07" + 999 * "x")
def choose(board):
    if board.ply % 2: raise Unpicklable(1, 2)
    return Answer()
"""


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "class"
    root.mkdir()
    for name, body in BOTS.items():
        (root / f"{name}.py").write_text(f"def choose(board):\n{body}\n")
    (root / "enum.py").write_text(ENUM)
    (root / "pickles.py").write_text(PICKLES)
    (root / ".git").mkdir()
    (root / "nothing.py").write_text("")
    (root / "kaggle").mkdir()
    (root / "kaggle" / "submission.py").write_text("def agent(observation): return observation.board.index(0)\n")
    (root / "two").mkdir()
    for name in "ab":
        (root / "two" / f"{name}.py").write_text("def choose(board): return 0\n")
    return root


def test_a_class(folder, tmp_path, monkeypatch):
    """One test, as each bot needs a process."""
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    with ThreadPoolExecutor(1) as executor:
        limits = {"seconds": 2, "memory": 1 << 29}
        points = {"points": ["legal=2", "random=1.5", "random=3@100%"]}
        found = grade(folder, against=["random"], games=2, rules=SMALL, seed=3, executor=executor, **limits, **points)
    assert os.listdir() == [], "nothing has been unpickled here"
    check_who_fails_loses_alone_and_says_why(found, folder)
    check_the_best_come_first(found)
    check_mistakes_are_moves_that_changed_the_result(found)
    check_files(found, tmp_path)


def check_who_fails_loses_alone_and_says_why(grades, folder):
    players = grades.tournament.players
    assert players == (*sorted([*BOTS, "enum", "nothing", "kaggle", "pickles", "two"]), "random")
    for bot, name in enumerate(players[:-1]):
        assert len(grades.tournament.games_of(bot)) == 2
        reasons = grades.tournament.reasons(bot)
        if name in REASONS:
            assert list(reasons.values()) == [2], reasons
            assert next(iter(reasons)).startswith(REASONS[name])
        elif name == "pickles":
            chose, raised = sorted(reasons)[::-1]
            assert chose.startswith("chose an Answer: column must be ")
            assert raised.startswith("Unpicklable: \\x07xxx")
        else:
            assert reasons == {}
    assert "return" in (folder / "careful.py").read_text()
    assert not (folder / "__pycache__").exists()


def check_the_best_come_first(grades):
    names = [one.name for one in grades.ranking]
    assert set(names[:4]) == {"careful", "enum", "kaggle", "prints"}
    scores = [one.score for one in grades.ranking]
    assert scores == sorted(scores, reverse=True)
    assert str(grades) == str(grades.tournament)


def check_mistakes_are_moves_that_changed_the_result(grades):
    found = [(bot, mistake) for bot in range(grades.bots) for mistake in grades.mistakes(bot)]
    assert found
    for bot, mistake in found:
        ply = mistake.move.ply
        assert bot == (mistake.game.first, mistake.game.second)[ply % 2]
        before = Board.from_moves(mistake.game.moves[:ply], SMALL)
        best, played = solve(before).score, before.after(mistake.move.column)
        after = solve(played).score if not played.is_over() else 0
        assert mistake.board == played
        assert (best > 0) - (best < 0) > (after < 0) - (after > 0)


def check_files(grades, tmp_path):
    grades.save(tmp_path / "grades.csv")
    with open(tmp_path / "grades.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == [one.name for one in grades.ranking]
    assert all(float(row["score against random"]) == float(row["score"]) for row in rows)
    assert {row["name"] for row in rows if row["forfeits"] == "2"} == {*REASONS, "pickles"}
    for row in rows:
        score = float(row["score"])
        assert float(row["points"]) == 2 * (row["forfeits"] == "0") + 1.5 * (score > 0.5) + 3 * (score == 1)
    grades.save(tmp_path / "class.html")
    text = (tmp_path / "class.html").read_text(encoding="utf-8")
    replays = {tuple(map(int, moves.split(","))) for moves in re.findall('data-moves="([^"]*)"', text)}
    assert replays == {game.moves for game in grades.tournament.games}
    assert "http" not in re.sub('xmlns="[^"]*"', "", text), "it needs no server"
    with pytest.raises(ValueError, match=r"must be a name that ends in \.csv or \.html"):
        grades.save(tmp_path / "grades.txt")


def test_a_late_or_repaired_submission_leaves_the_games_of_the_others(tmp_path):
    def submit(name, place):
        (tmp_path / "bots" / f"{name}.py").write_text(f"def choose(board): return board.legal_columns[{place}]\n")

    (tmp_path / "bots").mkdir()
    submit("first", 0)
    submit("second", 0)
    call = partial(grade, tmp_path / "bots", against=["random"], games=2, rules=SMALL, seed=1)
    kept = partial(call, checkpoint=tmp_path / "kept")
    assert [jobs_done(kept)[1], jobs_done(kept)[1]] == [4, 0]
    submit("aaron", 0)
    submit("second", -1)
    with pytest.warns(UserWarning, match="kept: second changed since, so games are played again$"):
        found, jobs = jobs_done(kept)
    assert jobs == 4
    assert [one.moves for one in found.tournament.games] == [one.moves for one in call().tournament.games]
    with pytest.raises(CheckpointError, match=r"seconds is 1\.0 there, 2\.0 here"):
        kept(seconds=2)


def test_bots_of_a_class_play_each_other(tmp_path):
    """One of them has the name of an opponent."""
    for name, place in {"first": 0, "last": -1, "random": 1}.items():
        (tmp_path / f"{name}.py").write_text(
            f"def choose(board): return board.legal_columns[{place} % len(board.legal_columns)]\n"
        )
    seen = []
    options = {
        "round_robin": True,
        "points": ["the class=4", "random (2)=1"],
        "on_game": lambda so_far: seen.append(so_far()),
    }
    found = grade(tmp_path, against=["random"], games=2, rules=SMALL, seconds=10, seed=1, **options)
    assert [len(each.games) for each in seen] == list(range(13))
    assert found.tournament.players == ("first", "last", "random", "random (2)")
    assert {one.games for one in found.ranking} == {6}
    for row in found.table():
        bot = found.tournament.players.index(row["name"])
        points = [game.points(bot) for game in found.tournament.games_of(bot) if max(game.first, game.second) < 3]
        assert row["score against the class"] == sum(points) / 4
        assert row["points"] == 4 * (sum(points) > 2) + (row["score against random (2)"] > 0.5)


@pytest.fixture
def listening():
    """A process as its parent sees it, and the socket of the other end."""
    process, (ours, theirs) = object.__new__(PlayerProcess), socketpair()
    process._socket = ours
    with ours, theirs:
        yield process, theirs


def test_an_answer_is_a_column_and_an_error(listening):
    process, theirs = listening
    theirs.sendall(b'[2, ""]\n')
    assert process.receive(inf, int) == (2, "")
    theirs.sendall(b'[null, "no\\u00a0idea"]\n')
    assert process.receive(inf, int) == (None, "no\xa0idea")


@pytest.mark.parametrize(
    "sent",
    [
        b'["1", ""]\n',
        b"[true, 3]\n",
        b'[1.0, ""]\n',
        b"1\n",
        b'[1, ""]\n' * 2,
        b"\xff\n",
        b"[" * 9999,
        b"[" * 8000 + b"\n",
    ],
)
def test_anything_else_than_one_answer_is_refused(sent, listening):
    process, theirs = listening
    theirs.sendall(sent)
    with pytest.raises((ValueError, TypeError, RecursionError)):
        process.receive(inf, int)


@pytest.mark.parametrize("sent", [b"", b'[2, ""]'])
def test_half_an_answer_is_awaited_until_the_time_is_over(sent, listening):
    process, theirs = listening
    theirs.sendall(sent)
    checks = []
    with pytest.raises(TimeoutError):
        process.receive(0, lambda: checks.append(1))
    assert checks
    theirs.close()
    with pytest.raises((EOFError, ConnectionError)):
        process.receive(inf, int)


def test_processes_of_bots_that_have_played_end():
    """Those of a class would not fit in the memory."""
    first, second = (RemoteSeat(RandomPlayer, 60, int, Sandbox(1 << 29, files)) for files in (64, 65))
    alive = []
    for player in (first, second, first, first):
        if len(alive) == 3:  # what ends a process between two games is no fault of the player
            for process in active_children():
                process.kill()
                process.join()
        player.begin(np.random.SeedSequence(1))
        assert player.choose(Board()) in range(7)
        player.end()
        alive.append([process.name for process in active_children()].count("c4mcts player"))
    end_idle()
    assert alive == [1, 1, 1, 1]


def test_the_solution_of_the_exercise_beats_the_template(tmp_path):
    shutil.copytree(EXERCISE, tmp_path / "bots")
    source = (tmp_path / "bots" / "solution" / "bot.py").read_text()
    (tmp_path / "bots" / "solution" / "bot.py").write_text(source.replace("SECONDS = 0.5", "SECONDS = 0.05"))
    found = grade(tmp_path / "bots", against=["level:1"], games=4, seconds=10, seed=1)
    assert [one.name for one in found.ranking] == ["solution", "template"]
    assert found.ranking[0].score > 0.5
    assert found.ranking[0].forfeits == found.ranking[1].forfeits == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seconds": 0}, "seconds must be positive"),
        ({"memory": 1000}, "memory must be "),
        ({"files": 3}, "files must be 16"),
        ({"against": []}, "against must be a list of texts, 1 to 100 of them, not 0"),
        ({"points": ["random=1"]}, "points must be for one of legal, level:3, level:5, not 'random'"),
        ({"points": ["legal=1@50%"]}, "points must be such as legal=2"),
        ({"folder": "none"}, "none"),
        ({"folder": "."}, r"folder: there is no Python file in \."),
    ],
)
def test_bad_arguments(change, words, folder, tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    with pytest.raises((ValueError, FileNotFoundError), match=words):
        grade(**{"folder": folder, "games": 2, **change})

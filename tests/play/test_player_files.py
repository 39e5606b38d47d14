"""Players in files: a file is what it defines, for every command; and nothing of one player gets into another."""

import io
import pickle
import sys
import tarfile

import pytest

from c4mcts import Board, Rules
from c4mcts.play import archives, contestant
from c4mcts.play.grading import grade

CHOOSE = "def choose(board): return board.legal_columns[{}]\n"
AGENT = "def act(observation, configuration): return {}\n"
CLASS = "class {0}:\n    def choose(self, board): return {1}\n"


@pytest.fixture
def write(tmp_path, monkeypatch):
    """A function that writes files into the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def write(**files):
        for name, text in files.items():
            path = tmp_path / (name.replace("__", "/") + ".py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)

    return write


def choice(text):
    player = pickle.loads(pickle.dumps(contestant(text, Rules()))).make()
    return player.choose(Board())


@pytest.mark.parametrize(
    ("source", "text", "column"),
    [
        (CHOOSE.format(2), "bot.py", 2),
        ("import random\nfrom deep.inner import choose\n", "bot.py", 5),
        (CLASS.format("Bot", 3), "bot.py", 3),
        (
            "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\n"
            + CLASS.format("A", 1),
            "bot.py",
            1,
        ),
        (AGENT.format(4), "bot.py", 4),
        (CLASS.format("Tree", 2) + AGENT.format(4), "bot.py", 4),
        ("def helper(board): return 0\nagent = lambda obs: 1\n", "bot.py", 1),
        (CHOOSE.format(2) + "def agent(obs): return 6\n", "bot.py:choose", 2),
        (CHOOSE.format(2) + "def agent(obs): return 6\n", "bot.py:agent", 6),
        (CHOOSE.format(2) + "def agent(obs): return 6\n", "kaggle:bot.py", 6),
        (CLASS.format("One", 1) + CLASS.format("Two", 2), "bot.py:Two", 2),
        (CHOOSE.format(5), ".", 5),
    ],
)
def test_a_file_is_what_it_defines(write, source, text, column):
    write(bot=source, deep__inner=CHOOSE.format(5))
    assert choice(text) == column


@pytest.mark.parametrize(
    ("source", "text", "words"),
    [
        (CHOOSE.format(2) + "def agent(obs): return 6\n", "bot.py", r"defines choose\(board\) and an agent for Kaggle"),
        (CLASS.format("One", 1) + CLASS.format("Two", 2), "bot.py", "several players: write FILE:One or FILE:Two"),
        (CHOOSE.format(2), "bot.py:other", "bot.py has no other"),
        ("def choose(", "bot.py", "must be a Python file, but: '\\(' was never closed"),
        ("x = '\0'", "bot.py", "must be a Python file, but: "),
        ("x = 1", "none.py", "'none.py': No such file"),
        ("x = 1", "none.tar.gz", "'none.tar.gz': No such file"),
        ("x = 1", "bot.py:x", "x must be a Player, a function from a board to a column"),
    ],
)
def test_what_could_mean_two_things_or_none_is_refused(write, source, text, words):
    write(bot=source)
    with pytest.raises((TypeError, ValueError), match=words):
        contestant(text)


def test_files_of_one_name_and_their_modules_are_kept_apart(write):
    for name, column in {"one": 1, "two": 2}.items():
        write(**{f"{name}__bot": "import helper\ndef choose(board): return helper.column\n"})
        write(**{f"{name}__helper": f"column = {column}\n"})
    sys.modules["helper"] = marker = type(sys)("helper")
    try:
        players = [contestant(f"{name}/bot.py").make() for name in ("one", "two")]
        assert [player.choose(Board()) for player in players] == [1, 2]
        assert [contestant(name).make().choose(Board()) for name in ("one", "two")] == [1, 2], "folders"
        assert sys.modules["helper"] is marker
    finally:
        del sys.modules["helper"]


def archive(path, files, **attributes):
    with tarfile.open(path, "w:gz") as tar:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            for attribute, value in attributes.items():
                setattr(member, attribute, value)
            tar.addfile(member, io.BytesIO(text.encode()))
    return str(path)


def test_an_archive_for_kaggle_is_a_player(tmp_path):
    files = {
        "main.py": "import own\n" + AGENT.format("own.column"),
        "own.py": "column = 5\n",
        "deep/main.py": "x = 1\n",
    }
    assert choice(archive(tmp_path / "submission.tar.gz", files)) == 5


@pytest.mark.parametrize(
    ("files", "attributes", "words"),
    [
        ({"other.py": "x = 1"}, {}, "must have a file main.py"),
        ({"../main.py": "x = 1"}, {}, "can't be unpacked: .*outside the destination"),
        ({"main.py": ""}, {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}, "can't be unpacked: .*absolute path"),
        ({"main.py": "x" * 11_000}, {}, "must have at most 3 files and 0 MB of content"),
        (dict.fromkeys("abcd", ""), {}, "must have at most 3 files and 0 MB of content"),
    ],
)
def test_an_archive_stays_in_its_folder_and_within_limits(files, attributes, words, tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_UNPACKED", 11_000)  # an empty archive has 10,240
    monkeypatch.setattr(archives, "MAX_MEMBERS", 3)
    with pytest.raises(ValueError, match=words):
        contestant(archive(tmp_path / "submission.tar.gz", files, **attributes))


def test_what_is_no_archive_is_refused(tmp_path):
    (tmp_path / "a.tar.gz").write_bytes(b"\x1f\x8b\x08" + bytes(99))
    with pytest.raises(ValueError, match="can't be unpacked"):
        contestant(str(tmp_path / "a.tar.gz"))


def test_an_opponent_that_fails_at_its_first_move_is_an_error_of_grade(write):
    write(bots__ann=CHOOSE.format(0), broken="def choose(board): return board.columns\n")
    with pytest.raises(ValueError, match=r"player broken.py fails at its first move: AttributeError: "):
        grade("bots", against=["broken.py"], games=2, rules=Rules(4, 4))
    found = grade("bots", against=["bots/ann.py"], games=2, rules=Rules(4, 4))
    assert [one.forfeits for one in found.ranking] == [0]

"""The check of a player finds what would lose its games, and nothing else."""

import pytest

from c4mcts import Rules
from c4mcts.play.player_check import check_player

NAMES = ["moving first", "moving second", "against itself", "asked twice"]
BOT = "import random, time\ndef choose(board):\n    {}\n    return board.legal_columns[0]\n"


@pytest.fixture
def bot(tmp_path):
    def bot(line):
        (tmp_path / "bot.py").write_text(BOT.format(line))
        return str(tmp_path / "bot.py")

    return bot


def found(player, *sizes, **options):
    options = {"seconds": 30, **options}
    return list(check_player(player, [Rules(5, 4), *sizes], games=1, seed=1, **options))


def test_a_player_that_loses_passes(bot):
    trials = found(bot("pass"), Rules(6, 5, 5))
    assert [trial.name for trial in trials] == [f"{rules} {name}" for rules in ("5x4x4", "6x5x5") for name in NAMES]
    assert not any(trial.failure for trial in trials)
    assert {trial.note for trial in trials} == {"", "the same answer in 3 of 3 positions"}
    assert all(trial.seconds > 0 for trial in trials)


@pytest.mark.parametrize(
    ("line", "reason", "failing"),
    [
        ("if board.ply > 2: return 7", "chose 7: column must be 0 to 4, not 7", NAMES),
        ("if board.ply == 0: raise OSError('no file')", "OSError: no file", NAMES[::2]),
        ("if board.ply == 1: time.sleep(60)", "took longer than 5 s to choose a move", NAMES[1:3]),
    ],
)
def test_what_loses_a_game_is_named(bot, line, reason, failing):
    trials = found(bot(line), seconds=1, overage=4 if "sleep" in line else 30)
    failed = {trial.name.removeprefix("5x4x4 "): trial.failure for trial in trials if trial.failure}
    assert {*failing} - {"asked twice"} <= failed.keys() <= {*failing, "asked twice"}
    assert all(failure.startswith(reason) for failure in failed.values())
    assert all(str(trial).startswith("FAILS  " if trial.failure else "ok  ") for trial in trials)


def test_a_bad_limit_is_named():
    with pytest.raises(ValueError, match=r"^seconds must be positive"):
        found("random", seconds=0)


def test_another_answer_is_no_failure(bot):
    last = found(bot("return random.choice(board.legal_columns)"))[-1]
    assert last.failure == ""
    assert last.note.startswith("the same answer in ")

"""Programs as players: the protocol, the bots of its page, and what programs do wrong."""

import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from c4mcts import Board, Rules
from c4mcts.executors.cancellation import Cancelled
from c4mcts.play import Terms, contestant, play_game, play_tournament
from c4mcts.play.grading import ClassTerms
from c4mcts.play.player_process import Sandbox
from c4mcts.play.programs import Program, line_for
from c4mcts.play.seats import Forfeit

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "programs.md"
BOT = """
import os, sys, time
for line in sys.stdin:
    print(line.strip(), os.environ["C4MCTS_SEED"], file=sys.stderr)
    {body}
"""
pytestmark = pytest.mark.skipif(sys.platform == "emscripten", reason="no processes")


def program(tmp_path, body):
    file = tmp_path / "bot.py"
    file.write_text(BOT.format(body=body))
    return f'program:"{sys.executable}" "{file}"'.replace("\\", "\\\\")


@pytest.mark.parametrize(
    ("moves", "rules", "line"),
    [
        ([], Rules(), ""),
        ([3, 3, 6], Rules(), "447"),
        ([], Rules(8, 7, 5), "8x7x5:"),
        ([3, 0], Rules(5, 4, diagonals=False), "5x4x4-no-diagonals:41"),
        ([3], Rules(20, 14, 5), "20x14x5:3,"),
        ([0, 10], Rules(20, 14, 5), "20x14x5:0,10"),
    ],
)
def test_a_line_is_a_position_that_the_package_reads(moves, rules, line):
    board = Board.from_moves(moves, rules)
    assert line_for(board) == line
    assert Board.parse(line) == board


def test_columns_count_as_in_the_line(tmp_path):
    player = contestant(program(tmp_path, "print(line.strip()[-1:] or 7, flush=True)")).make()
    player.begin(np.random.SeedSequence(1))
    boards = Board(), Board.from_pons("13"), Board.from_moves([0, 2], Rules(20, 5))
    assert [player.choose(board) for board in boards] == [6, 2, 2]
    with pytest.raises(ValueError, match="must begin on an empty board"):
        player.choose(Board.from_fen("7/7/7/7/7/2xo3 x 7x6x4"))
    player.end()


@pytest.mark.parametrize(
    ("body", "seconds", "reason"),
    [
        ("print(8, flush=True)", 60, "answered '8', not one of the columns 2, 3, 4, 5, 6, 7"),
        ("print('four', flush=True)", 60, "answered 'four', not"),
        ("sys.exit(5)", 60, "its process ended with exit code 5"),
        ("time.sleep(60)", 1, "took longer than 1 s to choose a move"),
    ],
)
def test_what_a_program_does_wrong(tmp_path, body, seconds, reason):
    player = contestant(program(tmp_path, body)).make()
    player.time_limit(seconds, 0)
    player.begin(np.random.SeedSequence(1))
    with pytest.raises(Forfeit, match=reason):
        player.choose(Board.from_pons("111111"))
    player.end()


def test_lines_that_nobody_asked_for_are_no_answers(tmp_path):
    player = contestant(program(tmp_path, "print('3\\n4', flush=True)")).make()
    player.begin(np.random.SeedSequence(1))
    assert player.choose(Board()) == 2
    player._lines.put(player._lines.get(timeout=30))
    with pytest.raises(Forfeit, match="wrote more than one line for a move: '4'"):
        player.choose(Board.from_pons("33"))
    player.end()


def test_a_program_that_ends_in_a_game_loses_that_game(tmp_path):
    body = "print(1, flush=True) if line.count('1') == 1 else sys.exit(3)"
    players = [program(tmp_path, body), "random"]
    found = play_tournament(players, games=2, openings=["1"], terms=Terms(move_seconds=30), seed=1)
    assert found.reasons(0) == {"its process ended with exit code 3": 2}
    assert [len(game.moves) for game in found.games] == [4, 3]


def test_a_move_that_is_not_wanted_any_more_ends_the_program(tmp_path):
    def check():
        raise Cancelled

    text, of_class = program(tmp_path, "time.sleep(60)"), ClassTerms(bots=frozenset(), sandbox=Sandbox(1 << 29, 64))
    seats = [terms.seat(contestant(text).make, check) for terms in (Terms(), Terms(move_seconds=60), of_class)]
    for player in (contestant(text, check=check).make(), *seats):
        player.begin(np.random.SeedSequence(1))
        process = getattr(player, "_player", player)._process
        with pytest.raises(Cancelled):
            player.choose(Board())
        assert process.poll() is not None


def test_the_input_of_a_program_ends_when_c4mcts_is_killed(tmp_path):
    source = r"import sys; [sys.stderr.write('asked\n') for line in sys.stdin]; sys.stderr.write('ended\n')"
    (tmp_path / "bot.py").write_text(source)
    command = [sys.executable, "-m", "c4mcts", "match", f"program:{sys.executable} bot.py", "random", "--games", "2"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr.readline() == "asked\n"
        process.kill()
        assert process.stderr.read().splitlines()[-1] == "ended"


@pytest.mark.parametrize("language", ["c", "js"])
def test_the_bots_of_the_page_beat_a_random_player(tmp_path, language):
    tool = shutil.which({"c": "cc", "js": "node"}[language])
    if tool is None:
        pytest.skip("this machine has no tool for it")
    source = tmp_path / {"c": "bot.c", "js": "bot.mjs"}[language]
    source.write_text(re.search(f"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1])
    text = f"program:{tool} {source}"
    if language == "c":
        subprocess.run([tool, "-Wall", "-Werror", "-o", tmp_path / "bot", source], check=True)
        text = str(tmp_path / "bot")
        assert contestant(text, Rules(9, 5)).make().program.command == (text,)
        assert play_game(text, text, start=Board(Rules(9, 5, 5))).game.is_over()
    assert isinstance(pickle.loads(pickle.dumps(contestant(text))).make, Program)
    found = play_tournament([text, "random"], games=6, openings=["", "44"], terms=Terms(move_seconds=30), seed=1)
    assert found.pairings[0].score > 0.5
    assert not found.reasons(0)


def test_a_first_move_that_fails_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="fails at its first move: its process ended with exit code 5"):
        play_tournament([program(tmp_path, "sys.exit(5)"), "random"], games=2, openings=["1"], seed=1)
    with pytest.raises(ValueError, match="'program:none': there is no program none"):
        contestant("program:none")

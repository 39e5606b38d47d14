"""`c4mcts play` with the user's answers as lines on standard input."""

import io
import json
import os
import re
from pathlib import Path

import pytest

from c4mcts import Board, Rules, SearchParams
from c4mcts.cli import main
from c4mcts.cli.play.dialogue import ACTIONS
from c4mcts.play import LEVELS, EnginePlayer, RandomPlayer, play_game


@pytest.fixture
def play(monkeypatch, capsys):
    """A function that plays with given answers and returns the output. Nothing may go wrong."""

    def play(answers, *argv):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
        status = main(["play", "--seed", "1", *map(str, argv)])
        out, err = capsys.readouterr()
        assert (status, err) == (0, "")
        return out

    return play


def boards(out):
    """The boards in the output, as lists of rows."""
    pictures = re.findall(r"╭.*?╰", out.replace("[", " ").replace("]", " "), re.DOTALL)
    return [["".join(row.split()) for row in re.findall(r"│(.*)│", picture)] for picture in pictures]


def discs(board):
    return sum(row.count("●") + row.count("○") for row in board)


def test_moves_are_answered(play):
    out = play(["\N{BYTE ORDER MARK}4", "", "3"], "--level", 1)
    assert [discs(board) for board in boards(out)] == [0, 1, 2, 3, 4]
    assert boards(out)[1][-1] == "···●···", "columns count from 1"
    assert "[●]" in out, "the last disc is marked"
    assert "[○]" in out
    replies = re.findall(r"Beginner plays (\d)", out)
    assert out.endswith(f"moves: 4{replies[0]}3{replies[1]}\nto continue: c4mcts play 4{replies[0]}3{replies[1]}\n")
    assert "  1  2  3  4  5  6  7 \n" in out
    assert out.count("your column") == 4, "also after an empty line"


def test_a_win_ends_the_game_with_its_line_marked(play):
    out = play(["4"], "112233")
    assert re.search(r"you win \([x●]\)", out)
    assert out.count("[●]") >= 4
    assert "moves: 1122334\nto review it: c4mcts review 1122334\nreview now?" in out


def test_a_draw(play):
    assert "a draw" in play(["1", "1", "2", "2"], "--rules", "2x2", "--level", 1)


def test_first_second_and_the_side_to_move(play):
    assert re.search("you are [x●] yellow;", play([]))
    for argv in (["4"], ["--second"]):
        out = play([], *argv)
        assert re.search("you are [o○] red;", out)
        assert discs(boards(out)[-1]) == 1


def test_undo_takes_back_both_moves(play):
    out = play(["4", "undo", "3"], "--level", 1)
    assert [discs(board) for board in boards(out)] == [0, 1, 2, 0, 1, 2]
    for argv in ([], ["--second"], ["4455"]):
        assert "no move of yours" in play(["undo"], *argv), "where the game began"


def test_hint_suggests_a_column_and_leaves_the_board(play):
    out = play(["hint", "h"], "112233", "--level", 1)
    assert out.count("hint: column 4, win in 1 for you") == 2
    assert len(boards(out)) == 1


def test_resign(play):
    out = play(["RESIGN", "4"])
    assert re.search(rf"you resign: {LEVELS[2].name} wins \([o○]\)", out)
    assert len(boards(out)) == 1
    assert "the game is over" in out


def test_quit_and_the_end_of_input_leave_politely(play):
    for answers in (["quit"], ["q"], []):
        out = play(answers)
        assert out.rstrip().endswith(("for help:", "quit", "q"))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("4 5", "'4 5' is neither"),
        ("8", "column 8 is not on the board: 1 to 7"),
        ("-1", "column -1 is not on the board: 1 to 7"),
        ("1", "column 1 is full"),
        ("review", "review is possible when the game is over"),
        ("save", "save needs the name of a file: save games.txt"),
        ("load no/such", "no/such: No such file"),
        ("[bold]", "'[bold]' is neither"),
        ("9" * 5000, "is neither"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(play, answer, words):
    out = play([answer], "111111")
    assert words in out
    assert len(boards(out)) == 1
    assert out.count("your column") == 2


class Interrupted(io.StringIO):
    """Lines, and then Ctrl-C."""

    def readline(self, size=-1):
        if line := super().readline(size):
            return line
        raise KeyboardInterrupt


@pytest.mark.parametrize("rules", ["20x14x5", "64x64", "3x3x3-no-diagonals"])
def test_any_board(play, rules):
    out = play(["1", "2", "hint", "undo"], "--rules", rules, "--level", 2)
    assert "hint: column" in out
    assert f"(1-{rules.partition('x')[0]})" in out


def test_players_of_matches_are_opponents(play):
    out = play(["4"], "--against", "strong@20")
    assert "strong@20 is ○ red" in out
    assert re.search(r"strong@20 plays \d: 20 simulations in \d\.\d\d s$", out, flags=re.MULTILINE)
    assert "random plays" in play(["4"], "--against", "random")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_game_that_cannot_be_kept_is_a_failure(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("4\n"))
    assert main(["play", "--save", "/dev/full", "--level", "1"]) == 1
    assert capsys.readouterr().err == "c4mcts play: error: No space left on device\n"


def test_the_transcript_of_the_guide(play):
    page = (Path(__file__).parents[2] / "docs/guide/play.md").read_text(encoding="utf-8")
    transcript = re.search(r"```\n\$ c4mcts play ([^\n]*)\n(.*?)```", page, re.DOTALL)
    answers = re.findall(r"(?:for help|quit): (.+)", transcript[2])
    out = play(answers, *transcript[1].split())
    written, played = ([line.rstrip() for line in text.splitlines()] for text in (transcript[2], out))
    assert re.sub(r"in \S+ s$", "in ... s", "\n".join(played), flags=re.MULTILINE).splitlines() == written


def test_help_lists_all_commands(play):
    out = play(["?", "help"])
    for action in ACTIONS:
        assert (
            out.count(f"{action.name} FILE, {action.key}" if action.takes_file else f"{action.name}, {action.key}") == 2
        )
    assert "1 to 7" in out


def test_undo_after_the_end(play):
    out = play(["4", "undo", "5", "quit"], "112233", "--level", 1)
    assert "you win" in out
    assert [discs(board) for board in boards(out)] == [6, 7, 6, 7, 8]
    out = play(["resign", "undo", "4"], "112233")
    assert out.index("you resign") < out.index("you win")
    out = play(["7", "undo"], "112233", "--level", 10, "--second")
    assert "there is no move of yours to take back" in out, "Perfect has won with its first move"


def test_review_after_the_end(play):
    for answer in ("y", "review", "v"):
        out = play(["n", answer, "4"], "1122", "--level", 1, "--seed", 1)
        assert "review is possible" in out or "'n' is neither" in out
        out = play(["4", "n", answer], "112233")
        assert re.search(r" 7  yellow +4  4 +\S+ > \S+  (best|only)", out)
        assert "yellow: " in out
        assert out.count("review now?") == 3
    assert "there are no moves to review" in play(["resign", "y"])


def test_rematch_swaps_the_sides(play):
    out = play(["resign", "rematch", "resign", "m"], "--level", 1)
    assert re.findall(r"you are . (\w+);", out) == ["yellow", "red", "yellow"]
    assert out.count("Beginner plays") == 1


def test_save_and_load(play, tmp_path):
    file = tmp_path / "games.txt"
    out = play(["save x", f"4\nsave {file}", f"resign\nS {file}\nrematch\nload {file}\nundo\n3"])
    assert out.count("there are no moves to save") == 1
    assert out.count(f"saved to {file}") == 2
    lines = file.read_text().splitlines()
    moves, facts = lines[1].split(" ", 1)
    assert lines[0].startswith(f"{moves} ")
    assert json.loads(facts) == {
        "first": "you", "second": LEVELS[2].name, "result": "0-1", "end": "resignation", "opening": 0, "seed": 1,
        "rules": "7x6x4",
    }  # fmt: skip
    assert out.count("you resign") == 2, "the loaded game has ended so, too"
    assert re.search(r"to continue: c4mcts play 4\d3\d\n$", out), "undo took the resignation back"
    assert "you resign" in play([], "--load", file)
    assert main(["review", "--file", str(file)]) == 0


def test_a_saved_game_of_another_board_and_start(play, tmp_path):
    file = tmp_path / "games.txt"
    out = play(["12", "1"], "--rules", "12x6x5", "0,0", "--level", 1, "--save", file)
    assert re.search(r"moves: 1 1 12 \d+ 1 \d+\n", out)
    assert re.search(r"to continue: c4mcts play 12x6x5:0,0,11,\d+,0,\d+\n", out)
    again = play(["undo", "undo", "undo"], "--load", file, "--second")
    assert [discs(board) for board in boards(again)] == [6, 7, 5, 3]
    assert "no move of yours" in again
    fen = "7/7/7/7/7/2xo3 x 7x6x4"
    out = play(["4"], fen, "--save", file, "--level", 1)
    assert re.search(r"moves: 4\d\nto continue: c4mcts play 7/7/7/7/7/2xo3_x_7x6x4:4\d\n", out)
    assert [discs(board) for board in boards(play(["undo"], "--load", file))] == [4, 2]


def test_every_game_is_kept(play, tmp_path, monkeypatch, capsys):
    file = tmp_path / "games.txt"
    play(["4", "resign", "undo", "3", "resign", "rematch", "1"], "--save", file, "--level", 1)
    results = [json.loads(line.split(" ", 1)[1])["result"] for line in file.read_text().splitlines()]
    assert results == ["0-1", "*"]

    monkeypatch.setattr("sys.stdin", Interrupted("4\n"))
    assert main(["play", "--save", str(file)]) == 130
    assert capsys.readouterr().err == ""
    assert len(file.read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the file is empty"),
        ("44\n4444a4 {}\n", "line 2: character 5, 'a4', is not a column"),
        ("44 {", "line 1: the text after the moves is not JSON"),
    ],
)
def test_a_file_that_cannot_be_loaded_leaves_the_game(play, tmp_path, text, words):
    file = tmp_path / "games.txt"
    file.write_text(text)
    out = play(["4", f"load {file}", "quit"], "112233", "--level", 1)
    assert f"{file}: " in out
    assert words in out
    assert out.count("review now?") == 2
    assert main(["play", "--load", str(file)]) == 2


def test_show_value(play):
    out = play(["4", "undo"], "1122", "--show-value", "--level", 1)
    assert re.search(r"█+·+ draw for you", out)
    assert "for you" not in play(["4"], "1122", "--level", 1)


def test_clocks_are_shown(play):
    out = play(["4"], "--clock", "60+1", "--level", 1)
    assert "clock: you 1:00, Beginner 1:00\n" in out
    assert "clock: you 1:01, Beginner 1:01\n" in out
    assert "clock: you 5.0, random 5.0\n" in play([], "--clock", "5", "--against", "random")


def test_a_flag_that_falls_loses(play):
    out = play(["4", "undo", "rematch"], "--clock", "0.000001", "--level", 1)
    assert re.search(r"you ran out of time: Beginner wins \([○o]\)", out)
    assert "time can't be taken back" in out
    assert discs(boards(out)[0]) == 0
    assert re.search(r"Beginner ran out of time: you win \([○o]\)", out)
    assert "plays" not in out


@pytest.mark.parametrize("opponent", ["uct@600s", "hang.py"])
def test_a_flag_that_falls_ends_a_search_and_the_process_of_a_bot(play, tmp_path, monkeypatch, opponent):
    monkeypatch.chdir(tmp_path)
    Path("hang.py").write_text("def agent(observation, configuration):\n    while True:\n        pass\n")
    out = play(["rematch"], "--clock", "0.3", "--against", opponent, "--second")
    assert f"{opponent} ran out of time: you win" in out
    assert f"{opponent} plays" not in out
    assert "clock: you 0.3" in out, "clocks of the next game are new"


@pytest.mark.parametrize("is_second", [False, True])
def test_two_players_are_watched(play, is_second):
    """It is the game of the same seed in Python; each search says how many simulations it has made in what time."""
    options = ["--watch", "notebook-uct@100", "--against", "random", "--rules", "5x4", "--seed", 3]
    out = play([], *options, *["--second"] * is_second)
    players = [EnginePlayer(SearchParams.preset("notebook-uct"), simulations=100), RandomPlayer()]
    names = ["notebook-uct@100", "random"]
    if is_second:
        players.reverse()
        names.reverse()
    game = play_game(*players, start=Board(Rules(5, 4)), seed=3).game
    moves = re.findall(r"(notebook-uct@100|random) plays (\d)(: 100 simulations in \S+ s)?$", out, flags=re.MULTILINE)
    assert [int(column) - 1 for _, column, _ in moves] == list(game.moves)
    assert [name for name, _, _ in moves] == [names[ply % 2] for ply in range(game.ply)]
    assert all(bool(done) == (name != "random") for name, _, done in moves)
    assert len(boards(out)) == game.ply + 1
    assert out.endswith(f"to review it: c4mcts review {game.format('address')}\n")


def test_players_that_fail_are_named(run):
    Path("players.py").write_text(
        "def broken():\n    class Broken:\n        def begin(self, seed): pass\n"
        "        def choose(self, board): raise OSError('lost')\n    return Broken()\n"
    )
    status, _, err = run("play", "--watch", "players:broken", typed="")
    assert (status, err) == (1, "c4mcts play: error: players:broken: OSError: lost\n")

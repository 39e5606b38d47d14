"""`c4mcts play` with the user's answers on standard input."""

import io
import re

import pytest

import c4mcts
from c4mcts.cli import main


@pytest.fixture
def play(monkeypatch, capsys):
    """A function that plays with given answers and returns exit code and output. Nothing may be written to stderr."""

    def play(answers, *argv):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
        status = main(["play", "--seed", "1", *map(str, argv)])
        out, err = capsys.readouterr()
        assert err == ""
        return status, out

    return play


def boards(out):
    """The boards in the output, as lists of rows."""
    pictures = re.findall(r"╭.*?╰", out.replace("[", " ").replace("]", " "), re.DOTALL)
    return [["".join(row.split()) for row in re.findall(r"│(.*)│", picture)] for picture in pictures]


def discs(board):
    return sum(row.count("●") + row.count("○") for row in board)


def test_moves_are_answered(play):
    status, out = play(["3", "2"], "--level", 1)
    assert status == 0
    assert [discs(board) for board in boards(out)] == [0, 1, 2, 3, 4]
    assert boards(out)[1][-1] == "···●···"
    assert out.count("the engine plays") == 2
    assert out.endswith("bye\n")


def test_the_last_disc_is_marked(play):
    _, out = play(["3"], "--level", 1)
    assert "[●]" in out
    assert "[○]" in out


def test_the_same_seed_plays_the_same_game(play):
    assert play(["3", "2", "1"], "--level", 3) == play(["3", "2", "1"], "--level", 3)


def test_a_win_ends_the_game_with_its_line_marked(play):
    status, out = play(["3", "0"], "112233", "--level", 1)
    assert status == 0
    assert re.search(r"you win \([x●]\)", out)
    assert out.count("[●]") >= 4
    assert "another game" not in out  # nobody is at a terminal


def test_the_engine_takes_its_win(play):
    _, out = play(["6"], "112233", "--level", 1, "--second")
    assert re.search(r"the engine wins \([x●]\)", out)


def test_a_draw(play):
    _, out = play(["0", "0", "1", "1"], "--width", 2, "--height", 2, "--level", 1)
    assert "a draw" in out


def test_first_second_and_the_side_to_move(play):
    assert re.search("you are [x●],", play([])[1])
    assert re.search("you are [o○],", play([], "4")[1])
    _, out = play([], "--second")
    assert re.search("you are [o○],", out)
    assert discs(boards(out)[-1]) == 1
    assert discs(boards(play([], "4", "--first")[1])[-1]) == 2


def test_undo_takes_back_both_moves(play):
    _, out = play(["3", "undo", "2"], "--level", 1)
    assert [discs(board) for board in boards(out)] == [0, 1, 2, 0, 1, 2]


def test_undo_stops_where_the_game_began(play):
    for argv in ([], ["--second"], ["4455"]):
        _, out = play(["undo"], *argv)
        assert "no move of yours" in out


def test_hint_suggests_a_column_and_leaves_the_board(play):
    _, out = play(["hint", "h"], "112233", "--level", 1)
    assert re.search(r"hint: column 3, win in 1 for you", out)
    assert len(boards(out)) == 1


def test_resign(play):
    status, out = play(["RESIGN", "3"])
    assert status == 0
    assert re.search(r"the engine \([o○]\) wins", out)
    assert len(boards(out)) == 1


def test_quit_and_the_end_of_input_leave_politely(play):
    for answers in (["quit"], ["q"], []):
        status, out = play(answers)
        assert status == 0
        assert out.endswith("bye\n")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("7", "0 to 6, not 7"),
        ("-1", "0 to 6, not -1"),
        ("0", "column 0 is full"),
        ("three", "'three' is neither"),
        ("[bold]", "'[bold]' is neither"),
        ("3.5", "'3.5' is neither"),
        ("9" * 5000, "is neither"),
        ("\0" * 5000, "is neither"),
        (":heart:", "':heart:' is neither"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(play, answer, words):
    status, out = play([answer], "111111")
    assert status == 0
    assert words in out
    assert len(boards(out)) == 1
    assert out.count("your column") == 2


def test_an_empty_line_is_asked_again(play):
    _, out = play(["", "   "])
    assert out.count("your column") == 3


def test_a_line_without_an_end_is_refused(monkeypatch, capsys):
    class Zeros(io.StringIO):
        def readline(self, size=-1):
            assert 0 < size < 1_000_000, "the memory it takes has a bound"
            return "\0" * size

    monkeypatch.setattr("sys.stdin", Zeros())
    assert main(["play"]) == 2
    assert capsys.readouterr().err == (
        "c4mcts play: error: a line of standard input has more than 100,000 characters\n"
    )


def test_what_is_no_text_is_refused_like_a_wrong_word(monkeypatch, capsys):
    stdin = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n3\n"), encoding="utf-8", errors="strict")
    monkeypatch.setattr("sys.stdin", stdin)
    assert main(["play", "--level", "1"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "is neither a column" in out
    assert "the engine plays" in out


def test_control_c(monkeypatch, capsys):
    class Interrupted(io.StringIO):
        def readline(self, size=-1):
            raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", Interrupted())
    assert main(["play"]) == 130
    assert capsys.readouterr().err == ""


def test_another_game_is_offered_on_a_terminal(monkeypatch, capsys):
    class Keyboard(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr("sys.stdin", Keyboard("resign\nyes\nresign\n\n"))
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert main(["play", "--level", "1"]) == 0
    out = capsys.readouterr().out
    assert out.count("another game? (y/N)") == 2
    assert out.count("you resign") == 2


@pytest.mark.parametrize(
    "argv",
    [
        ["--width", "20", "--height", "14", "--connect", "5"],
        ["--width", "7", "--height", "40"],
        ["--width", "64", "--height", "64"],
        ["--width", "3", "--height", "3", "--connect", "3", "--no-diagonals"],
    ],
)
def test_any_board(play, argv):
    status, out = play(["1", "2", "hint", "undo"], *argv, "--level", 2)
    assert status == 0
    assert "hint: column" in out
    assert f"(0-{int(argv[1]) - 1})" in out


def test_other_budgets(play):
    assert "0.01 seconds" in play(["3"], "--seconds", 0.01)[1]
    assert "20 simulations" in play(["3"], "--simulations", 20)[1]
    assert "and 2 seconds" in play([], "--simulations", 20, "--seconds", 2)[1]


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--level", "0"], "--level must be 1 to 10, not 0"),
        (["--level", "11"], "--level must be 1 to 10, not 11"),
        (["--level", "2", "--seconds", "1"], "--level can't be combined"),
        (["--first", "--second"], "--second: not allowed with argument --first"),
        (["1212121"], "first player (x) has won"),
    ],
)
def test_wrong_usage(capsys, argv, words):
    assert main(["play", *argv]) == 2
    assert words in capsys.readouterr().err


def test_pure_backend(play):
    assert "the engine plays" in play(["3"], "--backend", "pure", "--level", 2)[1]
    assert c4mcts.backend() in ("native", "pure")

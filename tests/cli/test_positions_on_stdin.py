"""`analyze` reads positions from standard input: a result or an error for each line."""

import io
import json
import os
import subprocess
import sys

import pytest
from schemas import require_valid

import c4mcts
from c4mcts import Board
from c4mcts.cli import main

COMMAND = [sys.executable, "-m", "c4mcts", "analyze", "--simulations", "50", "--seed", "3"]


@pytest.fixture
def analyze(capsys, monkeypatch):
    """A function that analyses lines; returns exit code, stdout and stderr."""

    def analyze(text, *argv, position="-"):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        words = [position, "--simulations", "50", "--seed", "3", *map(str, argv)]
        return main(["analyze", *words]), *capsys.readouterr()

    return analyze


def records(out):
    found = [json.loads(line) for line in out.splitlines()]
    for record in found:
        require_valid("analyze", record)
    return found


def test_each_line_is_analysed_as_if_it_were_the_only_one(analyze, capsys):
    status, out, err = analyze("4453\n44\n4453\n", "--json")
    assert (status, err) == (0, "")
    first, second, third = records(out)
    assert first["moves"] == third["moves"]
    assert [record["index"] for record in (first, second, third)] == [0, 1, 2]
    expected = c4mcts.Engine(seed=3).search(Board.from_pons("44"), simulations=50)
    assert [move["visits"] for move in second["moves"]] == [move.visits for move in expected.moves]


def test_forms_of_a_position(analyze):
    fen = "7/7/7/7/7/2xo3 x 7x6x4"
    text = f"4453 the rest is ignored\n3,3,4\n{fen}\n  44\r\n"
    boards = [Board.from_pons("4453"), Board.from_moves([3, 3, 4]), Board.from_fen(fen), Board.from_pons("44")]
    assert [record["board"] for record in records(analyze(text, "--json")[1])] == [board.to_fen() for board in boards]
    wide = analyze("19,0\n", "--json", "--rules", "20x14")
    assert records(wide[1])[0]["board"] == Board.from_moves([19, 0], c4mcts.Rules(20, 14)).to_fen()


def test_blank_lines_are_skipped_and_bad_ones_reported(analyze):
    text = "\n44\n   \n44x\n4444444\n1212121\n7/7 x 7x6x4\n3,x\n" + "4" * 200_000 + "\n45"
    status, out, err = analyze(text, "--json")
    assert (status, err.count("\n")) == (2, 6)
    found = records(out)
    assert [record["line"] for record in found] == [2, 4, 5, 6, 7, 8, 9, 10]
    assert [record["index"] for record in found] == list(range(8))
    assert ["error" in record for record in found] == [False, *[True] * 6, False]
    for record, word in zip(found[1:7], ("'x'", "full", "over", "rows", "'x'", "100,000"), strict=True):
        assert word in record["error"]
    assert len(found[6]["position"]) == 100


def test_errors_in_text_name_the_line(analyze):
    status, out, err = analyze("44\n\n44x\n45\n")
    assert status == 2
    assert err == "c4mcts analyze: line 3: '44x': character 3, 'x', is not a column: columns are the digits 1 to 9\n"
    assert out.count("principal variation") == 2


def test_no_lines(analyze):
    assert analyze("", "--json") == (0, "", "")


def test_a_picture_needs_one_position(analyze, tmp_path):
    status, out, err = analyze("44\n", "--dot", tmp_path / "tree.dot")
    assert (status, out) == (2, "")
    assert "--dot" in err


@pytest.mark.parametrize(
    ("stdin", "boards"),
    [
        (b"44\n45\n", ["44", "45"]),
        (b"", [""]),  # no line at all, as under a scheduler: the empty board
        (None, [""]),  # no pipe
    ],
)
def test_a_pipe_is_read_without_asking(stdin, boards):
    options = {"stdin": subprocess.DEVNULL} if stdin is None else {"input": stdin}
    done = subprocess.run([*COMMAND, "--json"], capture_output=True, check=True, **options)
    assert [record["board"] for record in records(done.stdout.decode())] == [
        Board.from_pons(board).to_fen() for board in boards
    ]


def test_a_pipe_is_not_read_when_a_position_is_given():
    reader, writer = os.pipe()  # stays open: a command that reads it would wait for ever
    try:
        done = subprocess.run([*COMMAND, "44", "--json"], stdin=reader, capture_output=True, check=True, timeout=60)
    finally:
        os.close(reader)
        os.close(writer)
    assert records(done.stdout.decode())[0]["board"] == Board.from_pons("44").to_fen()


def test_results_come_line_by_line():
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([*COMMAND, "-", "--json"], text=True, **pipes) as process:
        for position in ("44", "", "45"):
            process.stdin.write(position + "\n")
            process.stdin.flush()
            if position:
                assert json.loads(process.stdout.readline())["position"] == position
        process.stdin.close()
        assert process.wait(60) == 0

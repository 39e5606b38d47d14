"""The command `solve`: lines, records, tables, and what can go wrong."""

import csv
import json

import pytest
from schemas import require_valid

from c4mcts import Board, solve

OVER = "'1212121': the game is over: the first player (x) has won"
LATE = ["7422341735647741166133573473", "23163416124767223154467471272", "65214673556155731566316327373"]


def scores(text):
    return [solve(Board.from_pons(each), columns=False).score for each in text]


@pytest.mark.parametrize("text", ["3, 3, 4, 4, 2", "4 4 5 5 3", "d1 d2 e1 e2 c1", "1. 4 4 2. 5 5 3. 3"])
def test_a_whole_line_is_one_position(run, text):
    score = solve("44553").score
    for answer in (run("solve", text), run("solve", typed=f"{text}\n"), run("solve", typed=f"\ufeff{text}\r\n")):
        assert answer == (0, f"{text} {score}\n", "")


def test_lines_of_moves_and_a_score(run, tmp_path):
    moves, score = LATE[0], scores(LATE)[0]
    file = tmp_path / "test.txt"
    file.write_text(f"{moves} -3\n", encoding="utf-8")
    for answer in (run("solve", typed=f"{moves} -3\n"), run("solve", f"{moves} -3"), run("solve", "--file", file)):
        assert answer == (0, f"{moves} {score}\n", "")
    status, _, err = run("solve", typed="44 53\n4 4\n4453 -2 good\n4453 comment\n")
    assert (status, err.count("is not a column")) == (2, 2)
    assert "line 1: '44 53': two groups of digits are a position and its score, which is -20 to 20" in err
    assert "line 2: '4 4': '4 4' could be the moves 44, or the position after 4 with the score 4" in err


def test_a_file_that_counts_columns_from_0(run, tmp_path):
    file, score = tmp_path / "test.txt", scores(LATE)[1]
    from_0 = "".join(str(int(digit) - 1) for digit in LATE[1])
    file.write_text(f"{LATE[0]} 0\n{from_0} -4\n", encoding="utf-8")
    words = "line 2: there is a 0, so the strings of digits in this file count columns from 0: add --from 0\n"
    assert run("solve", "--file", file) == (2, "", f"c4mcts solve: error: --file {file}: {words}")
    status, out, err = run("solve", typed=file.read_text(encoding="utf-8"))
    assert (status, len(out.splitlines()), words in err) == (2, 1, True), "a pipe is answered up to that line"
    file.write_text(f"{from_0} -4\n", encoding="utf-8")
    for argument in ([from_0], ["--file", file]):
        assert run("solve", *argument, "--from", 0) == (0, f"{from_0} {score}\n", "")
    file.write_text("0" * 40 + "12\n", encoding="utf-8")
    assert run("solve", "--file", file, "--nodes", 10)[0] == 0, "the cells of a board"


def test_the_scores_of_a_test_file_are_compared(run, tmp_path):
    file, (score, other, _) = tmp_path / "test.txt", scores(LATE)
    file.write_text(f"{LATE[0]} {score}\n{LATE[1]} {other}\n", encoding="utf-8")
    assert run("solve", "--file", file, "--check") == (0, "2 of 2 scores agree\n", "")
    file.write_text(f"{LATE[0]} {score + 1}\n{LATE[1]} {other}\n", encoding="utf-8")
    differs = f"line 1: {LATE[0]} {score + 1}: the exact score is {score}\n1 of 2 scores agree\n"
    assert run("solve", "--file", file, "--check") == (1, differs, "")
    status, out, err = run("solve", "--check", typed=f"{LATE[0]} {score}\n{LATE[1]}\n")
    assert (status, out) == (2, "1 of 1 score agrees\n")
    assert f"line 2: '{LATE[1]}': there is no score after the moves" in err
    assert "--json can't be combined with --check" in run("solve", "--check", "--json", LATE[0])[2]


def test_two_digits_are_a_position_and_a_score_among_lines_of_a_test_file(run, tmp_path):
    file = tmp_path / "test.txt"
    file.write_text(f"{LATE[0]} 0\n1 2\n", encoding="utf-8")
    out = run("solve", "--file", file, "--rules", "7x6", "--nodes", 10)[1]
    assert [line.split()[0] for line in out.splitlines()] == [LATE[0], "1"]


def test_the_name_of_a_file_is_no_position(failed, tmp_path):
    file = tmp_path / "positions.txt"
    file.write_text(LATE[0], encoding="utf-8")
    starts = [*map(str.split, ("analyze", "play", "selfplay", "study regret", "prove --out a.c4p"))]
    for command, option in ((["solve"], "--file"), (["review"], "--file"), *((start, "--start") for start in starts)):
        assert f"positions.txt' is a file: give it with {option}" in failed(*command, file)


def test_an_empty_argument_is_the_empty_board(run):
    assert run("solve", "", "--nodes", 10, "--rules", "8x8") == (0, "?\n", "")


def test_every_line_has_a_record(run):
    status, out, err = run("solve", "--json", typed=f"{LATE[0]}\n\n44x\n1212121\n{LATE[1]}\n")
    records = [json.loads(line) for line in out.splitlines()]
    assert status == 2
    assert [record["index"] for record in records] == [0, 1, 2, 3]
    for record in records:
        require_valid("solve", record)
    assert [record.get("score") for record in records] == [scores(LATE)[0], None, None, scores(LATE)[1]]
    assert "'x', is not a column" in records[1]["error"]
    assert records[2] == {"index": 2, "line": 4, "position": "1212121", "error": OVER}
    assert "line 3: '44x'" in err
    assert "line 4: '1212121'" in err


def test_a_file_of_positions(run, failed, tmp_path):
    file = tmp_path / "positions.txt"
    file.write_text("\n".join(LATE), encoding="utf-8")
    assert run("solve", "--file", file) == run("solve", *LATE)
    for words in (["--file", "-"], ["-"]):
        assert run("solve", *words, typed=file.read_text())[1] == run("solve", *LATE)[1]
    assert "error: --file : No such file or directory\n" in failed("solve", "--file", "", typed="44\n")
    assert run("solve", typed="\r".join(LATE)) == run("solve", *LATE), "the lines of an old Mac"
    of_columns = run("solve", *LATE, "--all")[1]
    assert "".join(run("solve", each, "--all")[1] for each in LATE) == of_columns
    assert " . " in of_columns, "a full column"


def test_a_list_in_brackets_is_a_line_or_goes_on_over_lines(run):
    found = run("solve", "--file", "-", "--json", typed="[3, 3]\n44\n [3,\n 3]\n")[1]
    assert [json.loads(line)["position"] for line in found.splitlines()] == ["[3, 3]", "44", "[3,\n 3]"]


@pytest.mark.parametrize("all_columns", [False, True])
def test_tables(run, tmp_path, all_columns):
    file = tmp_path / "positions.txt"
    file.write_text("\n".join([*LATE, "44x", LATE[0], "5x4:44"]), encoding="utf-8")
    options = ["--all"] if all_columns else []
    names = ["position", "score", *(f"column_{i}" for i in range(7 * all_columns)), "nodes", "error"]
    solutions = [solve(Board.from_pons(each)) for each in LATE]
    expected = [[each.score, *(each.columns if all_columns else [])] for each in solutions]
    out = tmp_path / "scores.csv"
    status, said, err = run("solve", "--file", file, "--out", out, *options)
    assert (status, said) == (2, f"written: {out}, 4 positions solved, 2 with an error\n")
    assert err.startswith("c4mcts solve: line 4: '44x'")
    assert err.endswith("line 6: '5x4:44': rules 5x4x4 in a table for 7x6x4\n")
    rows = table_of(out)
    assert [*rows[0]] == names
    found = [[row[name] for name in names[1:-2]] for row in rows]
    assert found == [*expected, [None] * len(expected[0]), expected[0], [None] * len(expected[0])]
    assert [bool(row["error"]) for row in rows] == [False, False, False, True, False, True]
    assert {each.name for each in tmp_path.iterdir()} == {"positions.txt", "scores.csv"}
    parquet = pytest.importorskip("pyarrow.parquet")
    assert run("solve", "--file", file, "--out", tmp_path / "scores.parquet", *options)[0] == 2
    columns = parquet.read_table(tmp_path / "scores.parquet").to_pydict()
    assert columns["score"] == [row["score"] for row in rows], "numbers, and None where there is none"


def table_of(path):
    """The rows of a table, with None for what is missing."""
    with path.open(newline="") as file:
        return [
            {name: text if name in ("position", "error") else int(text) if text else None for name, text in row.items()}
            for row in csv.DictReader(file)
        ]


def test_a_cluster_that_is_not_there(failed, tmp_path, monkeypatch):
    monkeypatch.setattr("c4mcts.cli.executors.CONNECT_SECONDS", 0.5)
    argv = ["--out", tmp_path / "a.csv", "--executor", "tcp://127.0.0.1:9", *LATE]
    assert "--executor tcp://127.0.0.1:9" in failed("solve", *argv, status=1)


def test_a_checkpoint(run, failed, tmp_path):
    path = tmp_path / "solve.c4"
    argv = "solve", "", "--rules", "5x4", "--all", "--checkpoint", path
    out = []
    while not out or "?" in out[-1]:
        status, line, err = run(*argv, "--nodes", 3000)  # which reports its progress, where it is slow
        assert status == 0, err
        out.append(line)
    assert len(out) > 1
    assert out[-1] == run(*argv[:-2])[1]
    words = f"checkpoint {path} holds another experiment: rules is '5x4x4' there, '5x5x4' here"
    assert words in failed("solve", "", "--rules", "5x5", "--checkpoint", path)
    for wrong in (["1", "2"], [], ["--file", "-"], ["1", "--out", tmp_path / "a.csv"]):
        err = failed("solve", *wrong, "--checkpoint", path, typed="1\n")
        assert "--checkpoint is for one position" in err or "--checkpoint can't be combined with --out" in err

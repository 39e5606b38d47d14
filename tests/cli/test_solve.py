"""The commands `solve` and `book`: lines, records, tables, books, and what can go wrong."""

import csv
import io
import json
import random
import sys

import numpy as np
import pytest
from schemas import require_valid

import c4mcts
from c4mcts import Board, Rules, build_book, solve
from c4mcts._backend import _warn_of_size
from c4mcts.cli import main

LATE = ["7422341735647741166133573473", "23163416124767223154467471272", "65214673556155731566316327373"]


@pytest.fixture
def run(capsys, monkeypatch):
    """A function that runs a command line with a standard input and returns exit code, stdout and stderr."""

    def run(*argv, stdin=""):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        status = main([str(word) for word in argv])
        return status, *capsys.readouterr()

    return run


def scores(text):
    return [solve(Board.from_pons(each), columns=False).score for each in text]


def test_blank_lines_are_skipped(run):
    status, out, err = run("solve", stdin=f"\n{LATE[0]} 7\n   \n{LATE[1]}\r\n\n")
    assert (status, err) == (0, "")
    assert out == "".join(f"{name} {score}\n" for name, score in zip(LATE[:2], scores(LATE[:2]), strict=True))


def test_an_empty_argument_is_the_empty_board(run):
    assert run("solve", "", "--nodes", 10, "--no-book") == (0, "?\n", "")


def test_every_line_has_a_record(run):
    status, out, err = run("solve", "--json", stdin=f"{LATE[0]}\n\n44x\n1212121\n{LATE[1]}\n")
    records = [json.loads(line) for line in out.splitlines()]
    assert status == 2
    assert [record["index"] for record in records] == [0, 1, 2, 3]
    for record in records:
        require_valid("solve", record)
    assert [record.get("score") for record in records] == [scores(LATE)[0], None, None, scores(LATE)[1]]
    assert "'x', is not a column" in records[1]["error"]
    assert records[2] == {"index": 2, "line": 4, "position": "1212121", "error": "'1212121': the game is over"}
    assert "line 3: '44x'" in err
    assert "line 4: '1212121'" in err


def test_a_file_of_positions(run, tmp_path):
    file = tmp_path / "positions.txt"
    file.write_text("\n".join(LATE), encoding="utf-8")
    assert run("solve", "--file", file) == run("solve", *LATE)
    assert run("solve", "--file", "-", stdin=file.read_text())[1] == run("solve", *LATE)[1]


@pytest.mark.parametrize("all_columns", [False, True])
def test_tables(run, tmp_path, all_columns):
    file = tmp_path / "positions.txt"
    file.write_text("\n".join([*LATE, "44x", LATE[0]]), encoding="utf-8")
    options = ["--all"] if all_columns else []
    names = ["position", "score", *(f"column_{i}" for i in range(7 * all_columns)), "nodes", "error"]
    solutions = [solve(Board.from_pons(each)) for each in LATE]
    expected = [[each.score, *(each.columns if all_columns else [])] for each in solutions]
    for suffix in ("csv", "npz", "parquet"):
        out = tmp_path / f"scores.{suffix}"
        status, said, err = run("solve", "--file", file, "--out", out, *options)
        assert (status, said) == (2, f"written: {out}, 4 positions solved, 1 with an error\n")
        assert err.startswith("c4mcts solve: line 4: '44x'")
        rows = table_of(out)
        assert [*rows[0]] == names
        found = [[row[name] for name in names[1:-2]] for row in rows]
        assert found == [*expected, [None] * len(expected[0]), expected[0]]
        assert [bool(row["error"]) for row in rows] == [False, False, False, True, False]
    assert {each.name for each in tmp_path.iterdir()} == {
        "positions.txt",
        *(f"scores.{s}" for s in ("csv", "npz", "parquet")),
    }


def test_a_table_of_a_larger_board(run, tmp_path):
    """Positions of 8x8, of which each has a few empty cells."""
    games = late_games(Rules(8, 8), 5)
    file, out = tmp_path / "positions.txt", tmp_path / "scores.csv"
    file.write_text("\n".join(games), encoding="utf-8")
    status, said, err = run("solve", "--file", file, "--out", out, "--rules", "8x8", "--all")
    assert (status, said, err) == (0, f"written: {out}, 5 positions solved, 0 with an error\n", "")
    solutions = [solve(Board.from_pons(game, Rules(8, 8))) for game in games]
    expected = [[each.score, *each.columns] for each in solutions]
    assert [[*row.values()][1:-2] for row in table_of(out)] == expected
    printed = run("solve", *games, "--rules", "8x8", "--all")[1].splitlines()
    assert [line.split()[1:] for line in printed] == [["." if n is None else str(n) for n in row] for row in expected]


def late_games(rules, count):
    chance, games = random.Random(4), []
    while len(games) < count:
        board = Board(rules)
        while board.ply < rules.cells - 12 and (quiet := {*board.legal_columns} - {*board.winning_columns()}):
            board.push(chance.choice(sorted(quiet)))
        if board.ply == rules.cells - 12:
            games.append(board.to_pons())
    return games


@pytest.mark.native
@pytest.mark.filterwarnings("default")
def test_the_largest_boards_are_solved_after_a_warning(run, tmp_path):
    """By the pure backend, which the user is told before it starts, once for all positions."""
    words = (
        "c4mcts: warning: boards of more than 128 bits, width * (height + 1), are solved by the pure-Python backend, "
        "about a hundred times slower than the native one, which has no solver for them\n"
    )
    for options in ([], ["--out", tmp_path / "scores.csv"]):
        _warn_of_size.cache_clear()
        status, _, err = run("solve", "121212", "212121", "--rules", "9x14", *options)
        assert (status, err) == (0, words)
    assert [row["score"] for row in table_of(tmp_path / "scores.csv")] == [60, 60]


def table_of(path):
    """The rows of a table, with None for what is missing."""
    if path.suffix == ".csv":
        with path.open(newline="") as file:
            rows = [*csv.DictReader(file)]
        return [
            {
                name: value if name in ("position", "error") else int(value) if value else None
                for name, value in row.items()
            }
            for row in rows
        ]
    if path.suffix == ".npz":
        arrays = np.load(path)
        rows = zip(*(arrays[name].tolist() for name in arrays.files), strict=True)
        return [
            {name: None if value == -128 else value for name, value in zip(arrays.files, row, strict=True)}
            for row in rows
        ]
    parquet = pytest.importorskip("pyarrow.parquet")
    return parquet.read_table(path).to_pylist()


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--out", "a.txt"], "--out a.txt: the name must end in .csv, .npz, .parquet"),
        (["--out", "no/such/a.csv"], "there is no folder no/such"),
        (["--out", "a.csv", "--seconds", "3"], "--seconds can't be combined with --out"),
        (["--out", "a.csv", "--json"], "--json can't be combined with --out"),
        (["--out", "a.csv", "--executor", "moon"], "--executor must be threads, processes, either"),
        (["--out", "a.csv", "--executor", "threads:0"], "--executor threads:0: the number must be 1 to"),
        (["--file", "no/such.txt"], "--file no/such.txt: No such file"),
        (["44", "--file", "-"], "give only one of"),
    ],
    ids=str,
)
def test_solve_refuses_bad_options(run, argv, words):
    status, out, err = run("solve", *argv, stdin=LATE[0])
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_a_cluster_that_is_not_there(run, tmp_path, monkeypatch):
    monkeypatch.setattr("c4mcts.cli.arguments.CONNECT_SECONDS", 0.5)
    argv = ["--out", tmp_path / "a.csv", "--executor", "tcp://127.0.0.1:9", *LATE]
    status, out, err = run("solve", *argv)
    assert (status, out) == (1, "")
    assert "--executor tcp://127.0.0.1:9" in err


def test_pyarrow_is_optional(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    file = tmp_path / "a.parquet"
    for argv in (["solve", LATE[0]], ["match", "random", "random"]):
        status, out, err = run(*argv, "--out", file)
        assert (status, out) == (1, ""), "before the work begins"
        assert err == f"c4mcts {argv[0]}: error: --out {file} needs pyarrow: pip install 'c4mcts[parquet]'\n"


# book


def test_a_book_is_built_described_and_verified(run, tmp_path):
    out = tmp_path / "book.npz"
    size = ["--rules", "5x4"]
    status, said, err = run("book", "build", "--plies", 5, *size, "--executor", "processes:2", "--out", out)
    book = build_book(Rules(5, 4), 5)
    assert (status, err) == (0, "")
    assert said.endswith(f"written: {out}\n")
    assert c4mcts.Book.load(out) == book
    assert [each.name for each in tmp_path.iterdir()] == ["book.npz"]
    status, said, err = run("book", "info", out, "--json")
    found = json.loads(said)
    require_valid("book", found)
    assert (found["plies"], found["positions"], found["bytes"]) == (5, len(book), 148)
    assert (
        run("book", "info", out)[1]
        == f"5x4x4, positions with up to 5 discs: {len(book):,} scores, 148 bytes in memory\n"
    )
    status, said, err = run("book", "verify", out, "--sample", 50, "--seed", 1)
    assert (status, err) == (0, "")
    assert ": 0 wrong; " in said


def test_a_wrong_book_is_found(run, tmp_path):
    """All scores are a point too high."""
    book = build_book(Rules(4, 4), 4)
    function = book._function._replace(symbols=book._function.symbols + np.int8(1))
    c4mcts.Book(Rules(4, 4), 4, function, len(book)).save(tmp_path / "book.npz")
    status, said, _ = run("book", "verify", tmp_path / "book.npz")
    assert status == 1
    assert said.startswith("own 0xa0, mask 0x1e0: 1 instead of 0\n")


def test_the_book_of_the_package(run):
    status, said, err = run("book", "info")
    assert (status, err) == (0, "")
    lines = "17,376 of best play with up to 24"
    assert said == f"7x6x4, positions with up to 12 discs, and {lines}: 6,991,294 scores, 3,086,274 bytes in memory\n"


@pytest.mark.parametrize(
    ("argv", "status", "words"),
    [
        (["build", "--plies", "50", "--out", "a.npz"], 2, "plies must be 0 to 42, not 50"),
        (["build", "--plies", "-1", "--out", "a.npz"], 2, "plies must be 0 to 42, not -1"),
        (["build", "--plies", "2", "--rules", "20x6", "--out", "a.npz"], 2, "at most 128 bits"),
        (["build", "--plies", "2", "--out", "no/such/a.npz"], 2, "there is no folder no/such"),
        (["info", "no/such.npz"], 2, "no/such.npz: No such file"),
        (["info", __file__], 1, "is not a book, or is damaged"),
        (["verify", "--sample", "0"], 2, "--sample must be 1 to"),
    ],
    ids=str,
)
def test_book_refuses_bad_options(run, argv, status, words):
    found, out, err = run("book", *argv)
    assert (found, out, err.count("\n")) == (status, "", 1)
    assert words in err


def test_a_checkpoint(run, tmp_path):
    path = tmp_path / "solve.c4"
    argv = "solve", "", "--rules", "5x4", "--all", "--checkpoint", path
    out = []
    while not out or "?" in out[-1]:
        status, line, err = run(*argv, "--nodes", 3000)
        assert (status, err) == (0, "")
        out.append(line)
    assert len(out) > 1
    assert out[-1] == run(*argv[:-2])[1]
    status, out, err = run("solve", "", "--rules", "5x5", "--checkpoint", path)
    words = f"checkpoint {path} is of another solve: rules is '5x4x4' there, '5x5x4' here"
    assert (status, out) == (2, "")
    assert words in err
    for wrong in (["1", "2"], [], ["--file", "-"], ["1", "--out", tmp_path / "a.csv"]):
        status, out, err = run("solve", *wrong, "--checkpoint", path, stdin="1\n")
        assert (status, out) == (2, "")
        assert "--checkpoint is for one position" in err or "--checkpoint can't be combined with --out" in err

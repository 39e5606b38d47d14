"""solve(..., checkpoint=PATH): a solve that continues after limits, Ctrl-C and kill -9; files that are refused."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from c4mcts import Board, Rules, Solver, solve
from c4mcts._files import opened, pack, unpacked
from c4mcts.errors import CheckpointError
from c4mcts.solver import checkpoint as checkpoints

RULES = Rules(5, 4)
BOARD = Board(RULES)

# Solves a position with a checkpoint that is saved all the time; once enough is done, waits to be killed.
SCRIPT = """
import os, sys
from importlib import import_module
from c4mcts import Board, Rules, Solver
import_module("c4mcts.solver.limits").SAVE_EVERY = 0.01
solver = Solver(Rules(6, 6), book=False)

def look(_):
    if solver.windows().done >= int(sys.argv[2]) and os.path.exists(sys.argv[1]):
        print("now", flush=True)
        sys.stdin.read()

solver.solve(Board(Rules(6, 6)), checkpoint=sys.argv[1], on_progress=look)
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "solve.c4"


def content(path):
    """What a checkpoint is about, and its table."""
    with opened(str(path)) as file, unpacked(file, "damaged") as archive:
        return archive.about(), archive.array("table", np.uint8, (range(1 << 30),))


def near_the_end(rules):
    """A board that has been filled from the left, up to 12 cells."""
    board = Board(rules)
    while rules.cells - board.ply > 12:
        board.push(board.legal_columns[0])
    return board


WIDE_BOARD = near_the_end(Rules(16, 7, 8))  # of 128 bits


@pytest.mark.parametrize("columns", [False, True, "best"])
@pytest.mark.parametrize("board", [BOARD, WIDE_BOARD, Board(Rules(4, 4, 3))], ids=lambda board: str(board.rules))
def test_parts_lead_to_the_same_scores(columns, board, path, backend):
    wanted = solve(board, columns=columns, backend=backend)
    calls = 0
    nodes = 0
    while True:
        found = solve(board, columns=columns, checkpoint=path, max_nodes=3000, backend=backend)
        calls += 1
        assert nodes <= found.nodes <= nodes + 3000
        nodes = found.nodes
        if found.score is not None and (columns != "best" or found.best):
            break
    assert (found.score, found.columns, found.best) == (wanted.score, wanted.columns, wanted.best)
    assert nodes <= 2 * wanted.nodes + 3000
    assert calls > 1 or wanted.nodes < 3000
    assert os.listdir(path.parent) == [path.name]


def test_a_finished_solve_costs_nothing(path):
    first = solve(BOARD, columns=False, checkpoint=path)
    again = solve(BOARD, columns=False, checkpoint=path)
    assert (again.score, again.nodes) == (first.score, first.nodes)
    assert again.seconds >= first.seconds
    scores = solve(BOARD, checkpoint=path)  # of the columns, too, with the table of before
    assert scores.columns == solve(BOARD).columns
    assert scores.nodes - first.nodes < solve(BOARD).nodes


def test_a_table_that_has_grown_is_kept(path):
    rules = Rules(6, 6)
    first = solve(Board(rules), columns=False, checkpoint=path, max_nodes=400_000)
    about, table = content(path)
    assert (first.score, about["nodes"]) == (None, first.nodes)
    assert len(table) > 1 << 16
    assert np.count_nonzero(table)
    solver = Solver(rules)
    solver.solve(Board(rules), columns=False, checkpoint=path, max_nodes=1)
    assert solver._twin.nbytes() == len(table)


@pytest.mark.native
@pytest.mark.parametrize("board", [BOARD, WIDE_BOARD], ids=lambda board: str(board.rules))
def test_other_options_may_continue(path, board):
    solve(board, columns=False, checkpoint=path, max_nodes=2000, backend="pure")
    found = solve(board, checkpoint=path, threads=2, backend="native")
    assert found.columns == solve(board).columns


def test_progress_says_how_far_it_has_come(path):
    solver, said = Solver(RULES, backend="pure"), []
    assert solver.windows() is None
    found = solver.solve(BOARD, checkpoint=path, on_progress=lambda nodes: said.append((nodes, solver.windows())))
    assert solver.windows() is None
    assert [windows.nodes for _, windows in said] == [nodes for nodes, _ in said]
    assert [windows.done for _, windows in said] == sorted(windows.done for _, windows in said)
    assert said[-1][1].done > 3
    assert all(windows.lower <= windows.upper for _, windows in said)
    assert said[-1][1].seconds <= found.seconds


def test_an_exception_loses_nothing(path):
    """Ctrl-C, for one."""

    def stop(nodes):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(Board(Rules(6, 6)), columns=False, checkpoint=path, on_progress=stop)
    about, table = content(path)
    assert about["nodes"] > 0
    assert np.count_nonzero(table)
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("windows", [0, 3])
def test_kill_9(path, windows):
    """The file is whole, and the next call needs only the rest of the nodes."""
    board = Board(Rules(6, 6))
    wanted = solve(board)
    argv = [sys.executable, "-c", SCRIPT, path, str(windows)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "now\n"
        process.kill()
    assert process.returncode == -signal.SIGKILL
    about, _ = content(path)
    assert about["windows"][0] >= windows - 1, "all but the one that was done since the last save"
    assert 0 < about["nodes"] < wanted.nodes
    found = solve(board, checkpoint=path)
    assert found.columns == wanted.columns
    assert about["nodes"] < found.nodes < 2 * wanted.nodes
    assert not Path(f"{path}.lock").exists()


def test_one_call_at_a_time(path):
    def another(_):
        with pytest.raises(CheckpointError, match=r"solve\.c4\.lock is in use, by another process or call"):
            solve(BOARD, checkpoint=path)
        return True

    reports = []
    solve(Board(Rules(6, 6)), checkpoint=path, on_progress=lambda n: reports.append(another(n)) or True)
    assert reports == [True]


@pytest.mark.parametrize(
    ("board", "words"),
    [
        (Board(Rules(5, 5)), "of another solve: rules is '5x4x4' there, '5x5x4' here"),
        (Board.from_pons("3", RULES), "of another solve: position is '.*' there, '.*' here"),
        (WIDE_BOARD, "of another solve: rules is '5x4x4' there, '16x7x8' here"),
    ],
    ids=["rules", "position", "wide"],
)
def test_a_checkpoint_of_something_else_is_refused(path, board, words):
    solve(BOARD, checkpoint=path, max_nodes=100)
    before = path.read_bytes()
    with pytest.raises(CheckpointError, match=f"{path.name} is {words}"):
        solve(board, checkpoint=path)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_another_version_is_refused(path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "FORMAT", 0)
        solve(BOARD, checkpoint=path, max_nodes=100)
    with pytest.raises(CheckpointError, match="format is 0 there, 2 here"):
        solve(BOARD, checkpoint=path)


@pytest.mark.parametrize("board", [BOARD, WIDE_BOARD], ids=lambda board: str(board.rules))
def test_a_damaged_file_is_refused(board, path):
    solve(board, checkpoint=path, max_nodes=100)
    data = path.read_bytes()
    places = np.random.default_rng(1).integers(len(data), size=20).tolist()
    damaged = [data[:place] + bytes([data[place] ^ 16]) + data[place + 1 :] for place in places]
    for wrong in (b"", b"PK", data[:-1], data[: len(data) // 2], data + b"x", *damaged):
        path.write_bytes(wrong)
        with pytest.raises(CheckpointError, match=r"solve\.c4 .*is damaged, or not one of solve"):
            solve(board, checkpoint=path)
        assert path.read_bytes() == wrong


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("windows", [0, []], "is damaged"),
        ("windows", [0, [[0, 0]] * 5 + [[1, 0]]], "windows must be 1 to 11, not 0"),
        ("windows", [0, [[0, 0]] * 5 + [[-12, 0]]], "windows must be -11 to 11, not -12"),
        ("windows", [0, [[0.0, 0]] * 6], "windows must be an integer, not 0.0"),
        ("nodes", -1, "nodes must be"),
        ("nodes", "1", "nodes must be"),
        ("seconds", "1", "seconds must be"),
        ("kind", "book", "kind is 'book' there, 'solve' here"),
        ("rules", 3, "rules is 3 there"),
        ("more", 3, "more is 3 there, missing here"),
    ],
    ids=str,
)
def test_a_forged_field_is_named(path, name, value, words):
    solve(BOARD, checkpoint=path, max_nodes=100)
    about, table = content(path)
    path.write_bytes(pack({**about, name: value}, {"table": table}))
    with pytest.raises(CheckpointError, match=words):
        solve(BOARD, checkpoint=path)


@pytest.mark.parametrize("board", [BOARD, WIDE_BOARD], ids=lambda board: str(board.rules))
@pytest.mark.parametrize("table", [np.zeros(8, np.uint8), np.full(1 << 16, 255, np.uint8)], ids=["size", "scores"])
def test_a_forged_table_is_refused(path, board, table, backend):
    solve(board, checkpoint=path, max_nodes=100, backend=backend)
    about, good = content(path)
    path.write_bytes(pack(about, {"table": np.resize(table, len(good)) if len(table) > 8 else table}))
    with pytest.raises(CheckpointError, match="the table has scores or a size that no table has"):
        solve(board, checkpoint=path, backend=backend)


def test_a_missing_field_is_damage(path):
    solve(BOARD, checkpoint=path, max_nodes=100)
    about, table = content(path)
    del about["nodes"]
    path.write_bytes(pack(about, {"table": table}))
    with pytest.raises(CheckpointError, match="is damaged"):
        solve(BOARD, checkpoint=path)


def test_only_regular_files(path, tmp_path):
    path.mkdir()
    with pytest.raises(CheckpointError, match=r"solve\.c4 is not a regular file"):
        solve(BOARD, checkpoint=path)
    with pytest.raises(OSError, match="missing"):
        solve(BOARD, checkpoint=tmp_path / "missing" / "solve.c4")
    with pytest.raises(TypeError, match="checkpoint must be a path"):
        solve(BOARD, checkpoint=3)
    if os.name == "posix":
        for make in (lambda name: name.symlink_to(tmp_path / "target"), os.mkfifo):
            make(tmp_path / "other")
            with pytest.raises(CheckpointError, match="other is not a regular file"):
                solve(BOARD, checkpoint=tmp_path / "other")
            (tmp_path / "other").unlink()
    assert sorted(os.listdir(tmp_path)) == [path.name]

"""solve(..., checkpoint=PATH): a solve that continues after limits, Ctrl-C and kill -9; files that are refused."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from stores import facts_in, put_results, results_in

from c4mcts import Board, Rules, Solver, solve
from c4mcts.errors import CheckpointError
from c4mcts.solver import checkpoint as checkpoints

RULES = Rules(5, 4)
BOARD = Board(RULES)

# Solves a position with a checkpoint that is saved all the time; once enough is done, waits to be killed.
SCRIPT = """
import os, sys
from importlib import import_module
from c4mcts import Board, Rules, Solver
import_module("c4mcts.solver.solver").SAVE_EVERY = 0.01
solver = Solver(Rules(6, 6), book=False)

def look(nodes):
    if nodes >= 20_000 and os.path.exists(sys.argv[1]):
        print("now", flush=True)
        sys.stdin.read()

solver.solve(Board(Rules(6, 6)), checkpoint=sys.argv[1], on_progress=look)
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "solve.c4"


def content(path):
    """What a checkpoint knows: windows, nodes, seconds, bounds; and its table."""
    (_, known), *parts = sorted(results_in(path).items())
    return known, np.frombuffer(b"".join(part for _, part in parts), np.uint8)


def near_the_end(rules):
    """A board that has been filled from the left, up to 12 cells."""
    board = Board(rules)
    while rules.cells - board.ply > 12:
        board.push(board.legal_columns[0])
    return board


WIDE_BOARD = near_the_end(Rules(16, 7, 8))  # of 128 bits


@pytest.mark.parametrize("columns", [False, True, "best"])
@pytest.mark.parametrize("board", [Board.from_pons("33", RULES), WIDE_BOARD], ids=lambda board: str(board.rules))
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


@pytest.mark.native
def test_a_table_that_has_grown_is_kept(path):
    rules = Rules(6, 6)
    first = solve(Board(rules), columns=False, checkpoint=path, max_nodes=400_000)
    known, table = content(path)
    assert (first.score, known[1]) == (None, first.nodes)
    assert len(table) > 1 << 16
    assert np.count_nonzero(table)
    solver = Solver(rules)
    solver.solve(Board(rules), columns=False, checkpoint=path, max_nodes=1)
    assert solver._scores.solver.nbytes() == len(table)


@pytest.mark.native
@pytest.mark.parametrize("board", [BOARD, WIDE_BOARD], ids=lambda board: str(board.rules))
def test_other_options_may_continue(path, board):
    solve(board, columns=False, checkpoint=path, max_nodes=2000, backend="pure")
    found = solve(board, checkpoint=path, threads=2, backend="native")
    assert found.columns == solve(board).columns


def test_an_exception_loses_nothing(path):
    """Ctrl-C, for one."""

    def stop(nodes):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(Board(Rules(6, 6)), columns=False, checkpoint=path, on_progress=stop)
    known, table = content(path)
    assert known[1] > 0
    assert np.count_nonzero(table)
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.native  # the pure solver takes too long
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_kill_9(path, started):
    """The file is whole, and the next call needs only the rest of the nodes."""
    board = Board(Rules(6, 6))
    wanted = solve(board)
    process = started(sys.executable, "-c", SCRIPT, path, stdin=subprocess.PIPE)
    assert process.stdout.readline() == "now\n"
    process.kill()
    assert process.wait() == -signal.SIGKILL
    found = solve(board, checkpoint=path, max_nodes=1)
    (_, nodes, _, _), _ = content(path)
    assert 0 < nodes < wanted.nodes
    found = solve(board, checkpoint=path)
    assert found.columns == wanted.columns
    assert nodes < found.nodes < 2 * wanted.nodes
    assert os.listdir(path.parent) == [path.name]


def test_a_checkpoint_of_something_else_is_refused(path):
    solve(BOARD, checkpoint=path, max_nodes=100)
    before = path.read_bytes()
    for board, words in (
        (Board(Rules(5, 5)), "rules is '5x4x4' there, '5x5x4' here"),
        (Board.from_pons("3", RULES), "position is '.*' there, '.*' here"),
    ):
        with pytest.raises(CheckpointError, match=f"{path.name} holds another experiment: {words}"):
            solve(board, checkpoint=path)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_another_version_is_refused(path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "FORMAT", 0)
        solve(BOARD, checkpoint=path, max_nodes=100)
    with pytest.raises(CheckpointError, match="table is 0 there, 2 here"):
        solve(BOARD, checkpoint=path)


@pytest.mark.parametrize("known", [None, [0, 0, 0], [0, 0, 0, [[0]] * 6]])
def test_what_the_call_does_not_know_is_damage(path, known):
    solve(BOARD, checkpoint=path, max_nodes=100)
    put_results(path, {**results_in(path), 0: known})
    with pytest.raises(CheckpointError, match=r"solve\.c4 is damaged: "):
        solve(BOARD, checkpoint=path)


@pytest.mark.parametrize("board", [BOARD, WIDE_BOARD], ids=lambda board: str(board.rules))
@pytest.mark.parametrize("kind", ["size", "scores", "text"])
def test_a_forged_table_is_refused(path, board, kind, backend):
    solve(board, checkpoint=path, max_nodes=100, backend=backend)
    known, good = content(path)
    table = {"size": bytes(8), "scores": b"\xff" * len(good), "text": "text"}[kind]
    put_results(path, {0: known, 1: table})
    with pytest.raises(CheckpointError, match=r"damaged|the table of the checkpoint has scores or a size that no"):
        solve(board, checkpoint=path, backend=backend)


def test_a_table_of_several_parts(path, monkeypatch):
    wanted = solve(BOARD)
    monkeypatch.setattr(checkpoints, "PART", 1000)
    solve(BOARD, checkpoint=path, max_nodes=wanted.nodes // 2)
    assert len(results_in(path)) > 60
    found = solve(BOARD, checkpoint=path)
    assert (found.columns, facts_in(path)["experiment"]) == (wanted.columns, "solve")
    assert found.nodes <= 2 * wanted.nodes

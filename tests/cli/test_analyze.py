"""The command `analyze`: positions, parameters, evaluators, and lines of positions."""

import json
import re
import subprocess
import sys
from functools import partial

import pytest

import c4mcts
from c4mcts import Board, Engine, Rules, UctParams
from c4mcts.board.notation import write_drawing
from c4mcts.cli.options import setting
from c4mcts.search.results import result_text, with_solution

FEN = "7/7/7/7/7/2xo3 x 7x6x4"


EVALUATOR = """
import numpy as np
from c4mcts.evaluators import NumpyEvaluator

def middle(planes, legal):
    '''Prefers the middle.'''
    width = legal.shape[1]
    return np.minimum(np.arange(width), np.arange(width)[::-1]) + np.ones(legal.shape), np.zeros(len(legal))

class Box:
    inner = staticmethod(middle)

def broken(planes, legal):
    raise ZeroDivisionError("no luck")

def silent(planes, legal):
    assert not planes.size

def leaving(planes, legal):
    raise SystemExit(3)

def linear(weights, planes):
    sums = planes.reshape(len(planes), -1) @ weights["dense"]
    return sums[:, 1:], np.tanh(sums[:, 0])

network = NumpyEvaluator(linear, {"dense": np.ones((84, 8), np.float32) / 84})
number = 5
"""


@pytest.fixture
def module(run, tmp_path, monkeypatch):
    """The current directory has a module `mine` with evaluators."""
    (tmp_path / "mine.py").write_text(EVALUATOR)
    (tmp_path / "faulty.py").write_text("1 / 0")
    yield tmp_path
    for name in ("mine", "faulty"):
        sys.modules.pop(name, None)


@pytest.fixture
def analyzed(record):
    return partial(record, "analyze")


def test_analyze_prints_the_board_and_the_table(printed):
    out = printed("analyze", "44444", "--simulations", 500, "--seed", 7)
    searched = Engine(seed=7).search(Board.from_pons("44444"), simulations=500)
    result = with_solution(searched, c4mcts.solve(searched.board))
    assert write_drawing(Board.from_pons("44444").to_array().tolist(), first=1) in out
    assert result_text(result, first=1, searched=searched).partition("\n")[2] in out
    assert "\n1 2 3 4 5 6 7\n" in out, "columns count from 1 at the shell"
    best = next(line for line in out.splitlines() if line.startswith(">"))
    assert int(best.split()[1]) == result.column + 1 == int(out.split("column ")[1].split(",")[0])
    assert best.split()[-len(result.pv) - 1 :] == [*(str(column + 1) for column in result.pv), "..."]
    assert "seed 7" in out
    assert "\x1b" not in out


@pytest.mark.native  # the pure solver takes too long
def test_analyze_says_what_is_exact_first_and_what_the_search_believes_second(printed):
    """A search that is stopped early is wrong here: it prefers column 4 (from 1), which loses sooner than others."""
    out = printed("analyze", "4453", "--simulations", 10_000, "--seed", 1)
    head = out.split("\n\n")[1].splitlines()
    assert head[0].startswith("column 7, loss in 36, ")
    assert re.fullmatch(r"the search alone: column 4, value 0\.\d+", head[1])
    rows = [line.split() for line in out.splitlines() if " loss in " in f" {line}" and not line.startswith("column")]
    assert [int(row[row.index("in") + 1]) for row in rows] == [36, 36, 36, 34, 32, 30, 30]
    out = printed("analyze", "4453", "--simulations", 1_000_000, "--seed", 1)
    assert "the search alone" not in out
    assert "column 3, loss in 36, " in out


def test_analyze_of_boards_without_a_quick_solution(printed):
    for argv in (["--rules", "9x8x5"], ["--rules", "12x9x4"], ["123456712", "--rules", "8x7x4"]):
        assert "the search alone" not in printed("analyze", *argv, "--simulations", 20)


def test_analyze_json_is_the_result_and_how_to_have_it_again(analyzed, backend):
    found = analyzed("4453", "--simulations", 300, "--seed", 7, "--backend", backend)
    expected = Engine(seed=7).search(Board.from_pons("4453"), simulations=300).to_dict()
    speed = found.pop("simulations_per_second")
    assert speed == pytest.approx(300 / found["seconds"])
    found["seconds"] = expected["seconds"]
    about = {
        "version": c4mcts.__version__,
        "backend": backend,
        "preset": "strong",
        "params": UctParams().to_dict(),
        "limits": {"simulations": 300, "seconds": None, "nodes": None},
        "threads": 1,
        "seed": 7,
        "rules": {"width": 7, "height": 6, "connect": 4, "diagonals": True},
        "point_of_view": "player_to_move",
    }
    assert found == {**about, **expected}
    assert list(found)[: len(about)] == list(about)


def test_a_drawn_seed_is_reported(analyzed):
    first = analyzed("--simulations", 200)
    second = analyzed("--simulations", 200, "--seed", first["seed"])
    assert first["moves"] == second["moves"]


def test_parameters_and_limits_reach_the_search(analyzed):
    changes = "--set", "exploration=0.3", "--set", "choice=value"
    found = analyzed("--simulations", 300, "--seed", 1, *changes, "--preset", "uct")
    params = c4mcts.SearchParams.preset("uct", exploration=0.3, choice="value")
    expected = Engine(params, seed=1).search(Board(), simulations=300)
    assert [move["visits"] for move in found["moves"]] == [move.visits for move in expected.moves]
    assert analyzed("--nodes", 100)["nodes"] <= 110
    assert analyzed("--seconds", 0.05)["seconds"] >= 0.05


def test_positions(analyzed, tmp_path):
    """What texts mean is tested with Board.parse."""
    for argv, board in (
        ([], Board()),
        (["4453"], Board.from_pons("4453")),
        ([FEN], Board.from_fen(FEN)),
        (["--rules", "20x14x5-no-diagonals", "19,19"], Board.from_moves([19, 19], Rules(20, 14, 5, False))),
    ):
        assert analyzed(*argv, "--simulations", 5)["board"] == board.to_fen()
    (tmp_path / "start.txt").write_text("....\n....\n.xo.\n")
    board = Board.from_moves([1, 2], Rules(4, 3, 3))
    found = analyzed("--start", "start.txt", "--rules", "4x3x3", "--simulations", 5)
    assert found["board"] == board.to_fen()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_start_files_of_windows(analyzed, tmp_path, encoding):
    board = Board.from_pons("4453")
    data = str(board).replace("\n", "\r\n").encode(encoding)
    (tmp_path / "start.txt").write_bytes(data)
    assert analyzed("--start", "start.txt", "--simulations", 5)["board"] == board.to_fen()
    assert analyzed("--start", "-", "--simulations", 5, typed=data)["board"] == board.to_fen()
    assert analyzed("-", "--simulations", 5, typed="4453\r\n".encode(encoding))["board"] == board.to_fen()


def test_a_start_file_without_a_position(failed, tmp_path):
    (tmp_path / "none.txt").write_text("44x")
    assert "error: --start none.txt: character 3" in failed("analyze", "--start", "none.txt")


# --set


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1), ("1.0", 1), ("0.5", 0.5), ("1e6", 1_000_000), ("-inf", float("-inf")), ("true", True),
        ("False", False), ("none", None), ("visits", "visits"), ("1,0,-1", (1, 0, -1)), ("0.3,0.25", (0.3, 0.25)),
    ],
)  # fmt: skip
def test_values_of_set(text, value):
    assert setting(f"name={text}") == ("name", value)
    assert type(setting(f"name={text}")[1]) is type(value)


# --evaluator


@pytest.mark.parametrize("name", ["mine:middle", "mine:Box.inner", "mine:network"])
def test_an_evaluator_guides_the_search(analyzed, module, name):
    options = "44", "--simulations", 100, "--seed", 5, "--evaluator", name
    found = analyzed(*options)
    assert (found["preset"], found["params"]["algorithm"]) == ("alphazero", "puct")
    assert all(move["prior"] > 0 for move in found["moves"])
    assert analyzed(*options, "--preset", "gumbel")["params"]["algorithm"] == "gumbel"


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["--evaluator", "mine"], 2, "--evaluator mine: must be module:name, not 'mine'"),
        (["--evaluator", "nowhere:evaluator"], 2, "No module named 'nowhere'"),
        (["--evaluator", "faulty:evaluator"], 1, "--evaluator faulty:evaluator: ZeroDivisionError"),
        (["--evaluator", "mine:silent"], 1, "--evaluator mine:silent: AssertionError\n"),
        (["--evaluator", "mine:leaving"], 1, "--evaluator mine:leaving: SystemExit: 3\n"),
        (["--evaluator", "mine:broken"], 1, "--evaluator mine:broken: ZeroDivisionError: no luck"),
        (["--preset", "alphazero"], 2, "evaluator"),
        (["--evaluator", "mine:middle", "--preset", "uct"], 1, "evaluator"),
    ],
)
def test_wrong_evaluators(failed, module, words, status, message):
    for command in ("analyze", "selfplay"):
        assert message in failed(command, *words, status=status)


# lines of positions


def test_every_line_is_searched_as_if_it_were_the_only_one(printed, analyzed):
    out = printed("analyze", "--simulations", 300, "--seed", 7, "--json", "-", typed=f"4 4 5 3\n\n{FEN}\n")
    first, second = map(json.loads, out.splitlines())
    assert (first["index"], first["line"], first["position"]) == (0, 1, "4 4 5 3")
    assert (second["index"], second["line"], second["position"]) == (1, 3, FEN)
    alone = analyzed(FEN, "--simulations", 300, "--seed", 7)
    assert second["moves"] == alone["moves"]


def test_a_wrong_line_is_reported_and_the_others_are_searched(run):
    status, out, err = run("analyze", "--simulations", 9, "--json", "-", typed="45\n48\n1212121\n44\n")
    assert status == 2
    found = [json.loads(line) for line in out.splitlines()]
    assert ["error" in each for each in found] == [False, True, True, False]
    assert err.splitlines() == [f"c4mcts analyze: line {each['line']}: {each['error']}" for each in found[1:3]]
    text = run("analyze", "--simulations", 9, "-", typed="45\n44\n")[1]
    assert text.count("principal variation") == 2


def test_a_pipe_without_lines_is_the_empty_board():
    command = [sys.executable, "-m", "c4mcts", "analyze", "--simulations", "9", "--json"]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["board"] == Board().to_fen()
    assert subprocess.run([*command, "-"], input="", capture_output=True, text=True, check=True).stdout == ""
    assert json.loads(subprocess.run(command, input="44", capture_output=True, text=True).stdout)["position"] == "44"

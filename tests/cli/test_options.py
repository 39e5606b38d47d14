"""Options that several commands share: --set, --evaluator, the picture of the tree, completion; the page of all."""

import io
import json
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from schemas import SCHEMAS, require_valid

from c4mcts import Board, Engine, UctParams, selfplay
from c4mcts.cli import main
from c4mcts.cli.arguments import setting_value

ROOT = Path(__file__).parents[2]
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

def linear(weights, planes):
    sums = planes.reshape(len(planes), -1) @ weights["dense"]
    return sums[:, 1:], np.tanh(sums[:, 0])

network = NumpyEvaluator(linear, {"dense": np.ones((84, 8), np.float32) / 84})
number = 5
"""


@pytest.fixture
def run(capsys):
    """A function that runs a command line and returns exit code, stdout and stderr."""

    def run(*argv):
        status = main([str(word) for word in argv])
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def module(tmp_path, monkeypatch):
    """The current directory has a module `mine` with evaluators."""
    (tmp_path / "mine.py").write_text(EVALUATOR)
    (tmp_path / "faulty.py").write_text("1 / 0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    yield tmp_path
    for name in ("mine", "faulty"):
        sys.modules.pop(name, None)


def analyzed(run, *argv):
    status, out, err = run("analyze", "44", "--simulations", 100, "--seed", 5, *argv, "--json")
    assert (status, err) == (0, "")
    require_valid("analyze", json.loads(out))
    return json.loads(out)


# --set


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1), ("1.0", 1), ("0.5", 0.5), ("1e6", 1_000_000), ("-inf", float("-inf")), ("true", True),
        ("False", False), ("none", None), ("visits", "visits"), ("1,0,-1", (1, 0, -1)), ("0.3,0.25", (0.3, 0.25)),
    ],
)  # fmt: skip
def test_values_of_set(text, value):
    assert setting_value(text) == value
    assert type(setting_value(text)) is type(value)


def test_set_changes_any_parameter(run):
    words = ["exploration=0.3", "rewards=1,0,-1", "proofs=false", "probes=false", "first_play=inf", "max_nodes=1e5"]
    options = [part for word in words for part in ("--set", word)]
    found = analyzed(run, "--preset", "strong", *options)
    params = UctParams(exploration=0.3, rewards=(1, 0, -1), proofs=False, probes=False, max_nodes=100_000)
    assert found["params"] == params.to_dict()
    expected = Engine(params, seed=5).search(Board.from_pons("44"), simulations=100)
    assert [move["visits"] for move in found["moves"]] == [move.visits for move in expected.moves]


def test_set_works_for_experiments(run, tmp_path):
    argv = ["study", "convergence", "--runs", 1, "--simulations", 50, "--out", tmp_path, "--seed", 1]
    assert run(*argv, "--set", "exploration=0.1")[0] == 0
    assert run(*argv, "--set", "luck=0.1")[0] == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "luck=1"], "'luck'"),
        (["--set", "exploration"], "name=value, not 'exploration'"),
        (["--set", "=1"], "name=value"),
        (["--set", "exploration=much"], "exploration must be a number, not 'much'"),
        (["--set", "max_nodes=1.5"], "max_nodes must be an integer, not 1.5"),
        (["--set", "rewards=1,2"], "rewards"),
        (["--set", "exploration=1", "--set", "exploration=2"], "twice"),
        (["--set", "probes=true", "--preset", "uct"], "probes=True needs proofs"),
    ],
)
def test_wrong_settings(run, words, message):
    status, out, err = run("analyze", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


# --evaluator


@pytest.mark.parametrize("name", ["mine:middle", "mine:Box.inner", "mine:network"])
def test_an_evaluator_guides_the_search(run, module, name):
    found = analyzed(run, "--evaluator", name)
    assert (found["preset"], found["params"]["algorithm"]) == ("alphazero", "puct")
    assert all(move["prior"] > 0 for move in found["moves"])
    plain = analyzed(run, "--evaluator", name, "--preset", "gumbel")
    assert (plain["preset"], plain["params"]["algorithm"]) == ("gumbel", "gumbel")


def test_self_play_and_play_with_an_evaluator(run, module, monkeypatch):
    argv = [
        "selfplay",
        "--evaluator",
        "mine:middle",
        "--games",
        2,
        "--simulations",
        20,
        "--seed",
        1,
        "--executor",
        "threads:1",
    ]
    status, _, err = run(*argv, "--out", module / "games")
    assert (status, err) == (0, "")
    about = selfplay.load(module / "games").about
    assert about["evaluator"] == "mine.middle"
    assert about["params"]["root_noise"] == [1.4, 0.25]
    assert about["weights"] is None
    argv[argv.index("mine:middle")] = "mine:network"
    assert run(*argv, "--out", module / "network")[0] == 0
    about = selfplay.load(module / "network").about
    assert about["evaluator"] == "c4mcts.evaluators.numpy.NumpyEvaluator"
    assert about["weights"] == sys.modules["mine"].network.fingerprint
    monkeypatch.setattr("sys.stdin", io.StringIO("3\nhint\nquit\n"))
    status, out, _ = run("play", "--evaluator", "mine:middle", "--simulations", 10)
    assert status == 0
    assert "hint: column" in out


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["--evaluator", "mine"], 2, "module:name, not 'mine'"),
        (["--evaluator", "mine:"], 2, "module:name"),
        (["--evaluator", "nowhere:evaluator"], 2, "No module named 'nowhere'"),
        (["--evaluator", "mine:nothing"], 2, "mine has no nothing"),
        (["--evaluator", "mine:number"], 2, "must be callable, not int"),
        (["--evaluator", "faulty:evaluator"], 1, "ZeroDivisionError"),
        (["--evaluator", "mine:broken"], 1, "ZeroDivisionError: no luck"),
        (["--evaluator", "mine:middle", "--preset", "uct"], 2, "--preset uct does not take --evaluator"),
        (["--evaluator", "mine:middle", "--threads", "2"], 2, "--threads must be 1"),
        (["--preset", "alphazero"], 2, "--preset alphazero needs --evaluator module:name"),
        (["--preset", "puct-node"], 2, "--preset puct-node needs --evaluator module:name"),
    ],
)
def test_wrong_evaluators(run, module, words, status, message):
    for command in ("analyze", "selfplay"):
        if "--threads" in words and command == "selfplay":
            continue
        code, out, err = run(command, *words)
        assert (code, out, err.count("\n")) == (status, "", 1)
        assert message in err, err


def test_a_gumbel_search_needs_a_number_of_simulations(run, module):
    words = ("--evaluator", "mine:middle", "--preset", "gumbel")
    for command, more in (("analyze", ()), ("analyze", ("--seconds", 1)), ("play", ("--clock", "1+0"))):
        status, _, err = run(command, *words, *more)
        assert (status, err.count("\n")) == (2, 1)
        assert "it needs a limit in simulations" in err
    status, out, _ = run("analyze", *words, "--simulations", 50, "--seed", 1, "--json")
    moves = json.loads(out)["moves"]
    assert (status, sum(move["visits"] for move in moves)) == (0, 49)
    assert sum(move["weight"] for move in moves) == pytest.approx(1)


# the picture of the tree


def test_how_much_of_the_tree_is_drawn(run, tmp_path):
    file = tmp_path / "tree.dot"
    search = ("--preset", "uct", "--simulations", 2000, "--seed", 1)

    def edges(*options):
        assert run("analyze", "44", *search, "--dot", file, *options)[0] == 0
        return file.read_text().count(" -> ")

    assert edges("--depth", 1, "--children", 7, "--visits", 1) == 7
    assert edges("--depth", 2, "--children", 7, "--visits", 1) > 20
    assert edges("--depth", 1, "--children", 2) == 2
    assert edges("--depth", 9, "--visits", "1e3") < edges("--depth", 9)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--depth", "2"], "--depth needs --dot"),
        (["--visits", "2"], "--visits needs --dot"),
        (["--dot", "t.dot", "--depth", "0"], "--depth must be 1 to"),
        (["--dot", "t.dot", "--children", "-1"], "--children must be 1 to"),
        (["--dot", "t.dot", "--visits", "0"], "--visits must be 1 to"),
    ],
)
def test_wrong_options_of_the_picture(run, words, message):
    status, out, err = run("analyze", "44", *words)
    assert (status, out) == (2, "")
    assert message in err


# presets


def test_a_preset_in_place_of_parameters_says_what_to_write():
    for call in (lambda: Engine("uct"), lambda: selfplay.generate(1, "uct", simulations=5)):
        with pytest.raises(TypeError, match=r"SearchParams\.preset\('uct'\)"):
            call()
    with pytest.raises(TypeError, match="a SearchParams, not 'best'"):
        Engine("best")


# completion and the page


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_completion_in_bash(run, tmp_path):
    status, out, _ = run("--print-completion", "bash")
    assert status == 0
    script = tmp_path / "c4mcts.bash"
    typed = 'COMP_WORDS=(c4mcts analyze --pre); COMP_CWORD=2; _shtab_c4mcts; echo "${COMPREPLY[@]}"'
    script.write_text(f"{out}\n{typed}\n")
    done = subprocess.run(["bash", str(script)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["--preset"]


@pytest.mark.parametrize("shell", ["zsh", "tcsh"])
def test_completion_in_other_shells(run, shell):
    status, out, _ = run("--print-completion", shell)
    assert status == 0
    assert "selfplay" in out


def test_completion_without_shtab(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    status, out, err = run("--print-completion", "bash")
    assert (status, out) == (1, "")
    assert "c4mcts[completion]" in err


def test_the_page_of_all_commands_is_current():
    made = runpy.run_path(str(ROOT / "docs/cli.py"))
    page = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
    assert page == made["page"](), "run python docs/cli.py"
    for name in made["SCHEMAS"]:
        assert f"{name}.json" in SCHEMAS


def test_exit_codes_are_in_the_help(run):
    assert "143 stopped by SIGTERM" in " ".join(run("--help")[1].split())


def test_solutions_are_as_the_schema_says(run):
    status, out, _ = run("solve", "454616674431654", "--all", "--json")
    assert status == 0
    require_valid("solve", json.loads(out))

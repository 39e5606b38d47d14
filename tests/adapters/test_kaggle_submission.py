"""The exported files: what is in them, and that they play in interpreters without c4mcts."""

import json
import os
import subprocess
import sys
import tarfile
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from c4mcts import Board, SearchParams, __version__, solve
from c4mcts.adapters.kaggle import KaggleAgent, KagglePlayer
from c4mcts.adapters.kaggle_submission import export as exporting
from c4mcts.adapters.kaggle_submission.export import export
from c4mcts.cli import main
from c4mcts.play import RandomPlayer, play_game


def has_core():
    try:
        exporting.check_core(exporting.package_files())
    except RuntimeError as error:
        return str(error)
    return ""


UCT = SearchParams.preset("uct", exploration=1.25)
needs_core = pytest.mark.skipif(bool(has_core()), reason="only Linux x86-64 has the core that Kaggle runs")

# Runs a file as Kaggle does, in an interpreter that finds no other packages than those named, and plays three turns.
DRIVER = """
import json, os, sys
file, places, allowed = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3].split()
class Hide:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names and top not in allowed:
            raise ModuleNotFoundError(f"No module named {name!r}")
sys.meta_path.insert(0, Hide())
sys.path += places
names = {}
sys.path.append(os.path.dirname(file))
exec(compile(open(file).read(), file, "exec"), names)
sys.path.pop()
agent = [value for value in names.values() if callable(value)][-1]
board, played = [0] * 42, []
for turn in range(3):
    observation = {"board": board, "mark": 1, "remainingOverageTime": 60.0, "step": 2 * turn}
    configuration = {"columns": 7, "rows": 6, "inarow": 4, "actTimeout": 0.1}
    column = agent(observation, configuration)
    played.append(column)
    for column, mark in ((column, 1), ((column + 1) % 7, 2)):
        row = max(row for row in range(6) if board[7 * row + column] == 0)
        board[7 * row + column] = mark
print(json.dumps({"agent": agent.__name__, "types": [type(column).__name__ for column in played], "columns": played,
    "class": type(names["_agent"]).__name__, "path": list(sys.modules["c4mcts"].__path__),
    "network": any(name.startswith("c4mcts_network") for name in sys.modules),
    "native": "c4mcts._native.search" in sys.modules, "numpy": "numpy" in sys.modules}))
"""


def drive(file, tmp_path, allowed="numpy c4mcts"):
    """What DRIVER prints; checks that nothing is written, or left in the temporary folder."""
    import numpy

    (tmp_path / "temporary").mkdir()
    before = sorted(tmp_path.rglob("*"))
    places = json.dumps([str(Path(numpy.__file__).parents[1])] if "numpy" in allowed else [])
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", DRIVER, str(file), places, allowed],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "temporary"), "TEMP": str(tmp_path / "temporary")},
    )
    assert done.returncode == 0, done.stderr
    assert sorted(tmp_path.rglob("*")) == before
    found = json.loads(done.stdout)
    assert found["agent"] == "agent", "the last callable"
    assert found["types"] == ["int"] * 3
    assert str(tmp_path) in os.path.realpath(found["path"][0])
    return found, done.stderr


def unpacked(archive, folder):
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / "main.py"


@needs_core
@pytest.mark.native
def test_an_archive_plays_with_numpy_alone(tmp_path):
    size = export(tmp_path / "submission.tar.gz")
    assert size == (tmp_path / "submission.tar.gz").stat().st_size
    found, errors = drive(unpacked(tmp_path / "submission.tar.gz", tmp_path / "agent"), tmp_path)
    assert (found["class"], found["native"], errors) == ("KaggleAgent", True, "")


@needs_core
@pytest.mark.native
@pytest.mark.parametrize("params", [None, SearchParams.preset("network")], ids=["perfect", "network"])
def test_one_file_plays_with_numpy_alone_and_without(tmp_path, params):
    export(tmp_path / "submission.py", params, single_file=True)
    folders = [tmp_path / "with", tmp_path / "without"]
    for folder in folders:
        folder.mkdir()
        (folder / "submission.py").write_bytes((tmp_path / "submission.py").read_bytes())
    found, errors = drive(folders[0] / "submission.py", folders[0])
    assert (found["class"], found["native"], errors) == ("KaggleAgent", True, "")
    found, errors = drive(folders[1] / "submission.py", folders[1], "c4mcts")
    assert (found["class"], found["native"], found["numpy"]) == ("FallbackAgent", False, False)
    assert "the pure-Python one plays: ModuleNotFoundError" in errors


@pytest.mark.parametrize("damage", ["no core", "broken core"])
def test_without_a_core_that_loads_the_fallback_plays(tmp_path, damage):
    files = {name: data for name, data in exporting.package_files().items() if "/_native/" not in name}
    if damage == "broken core":
        files |= {"c4mcts/_native/__init__.py": b"", exporting.CORE: b"\x7fELF"}
    text = exporting.main_text(exporting.options(SearchParams.preset("strong")), exporting.payload(files))
    (tmp_path / "submission.py").write_bytes(text)
    found, errors = drive(tmp_path / "submission.py", tmp_path)
    assert found["class"] == "FallbackAgent"
    assert "ImportError" in errors or "ModuleNotFoundError" in errors


def test_one_version_in_one_process(tmp_path, monkeypatch):
    text = exporting.main_text(exporting.options(SearchParams.preset("strong")), exporting.payload({}))
    (tmp_path / "agent.py").write_bytes(text.replace(__version__.encode(), b"9.9.9"))
    with pytest.raises(ImportError, match=f"this agent is for c4mcts 9.9.9, the process has loaded {__version__}"):
        play_game(KagglePlayer(tmp_path / "agent.py"), RandomPlayer())
    (tmp_path / "main.py").write_bytes(exporting.main_text(exporting.options(SearchParams.preset("strong"))))
    monkeypatch.delitem(sys.modules, "c4mcts")
    with pytest.raises(FileNotFoundError, match="the folder c4mcts must be next to"):
        play_game(KagglePlayer(tmp_path / "main.py"), RandomPlayer())


# before the package is loaded


def quick_move(rows, mark, inarow=4):
    """The move of an agent that has no time to load the package. rows: digits, the top row first."""
    names = {"__name__": "agent"}
    exec(exporting.main_text("{}"), names)
    never = threading.Event()
    names["_load"] = never.wait
    observation = {"board": [int(cell) for row in rows for cell in row], "mark": mark, "remainingOverageTime": 0.0}
    configuration = {"columns": len(rows[0]), "rows": len(rows), "inarow": inarow, "actTimeout": 0.01}
    try:
        return names["agent"](observation, configuration)
    finally:
        never.set()


@pytest.mark.parametrize(
    ("rows", "mark", "column"),
    [
        (["00000", "00000"], 1, 2),  # the middle
        (["00200", "00100"], 1, 1),  # or near it
        (["0000000", "0000000", "2220111"], 1, 3),
        (["0000000", "0000000", "2220011"], 1, 3),  # stops the threat
        (["0000000", "0100000", "0100000", "2122000"], 1, 1),
        (["000000", "210000", "121000", "212100"], 1, 0),  # wins on a diagonal
        (["0000000", "2220000", "1120000"], 1, 2),  # above the middle the opponent would win
        (["1020", "2111", "2121"], 2, 1),  # unless there is no other move
    ],
)
def test_moves_without_the_package(rows, mark, column):
    assert quick_move(rows, mark) == column


@pytest.mark.parametrize("first", range(7))
def test_the_reply_to_the_first_disc_is_one_of_the_best(first):
    rows = ["0" * 7] * 5 + ["0" * first + "1" + "0" * (6 - first)]
    assert quick_move(rows, 2) in solve(Board.from_moves([first])).best


@needs_core
@pytest.mark.native
def test_a_game_without_overage_time(tmp_path, monkeypatch):
    monkeypatch.setattr("c4mcts.adapters.kaggle.perf_counter", time.process_time)  # other processes take time, too
    export(tmp_path / "submission.py", single_file=True)
    agent = KagglePlayer(tmp_path / "submission.py", act_timeout=2.0, overage=0.0)
    assert play_game(agent, RandomPlayer(), seed=1).winner == 0


# what is in the file


@needs_core
@pytest.mark.native
def test_the_same_package_makes_the_same_file(tmp_path):
    for name, single in (("a.tar.gz", False), ("b.tar.gz", False), ("a.py", True), ("b.py", True)):
        export(tmp_path / name, UCT, single_file=single)
    for suffix in ("tar.gz", "py"):
        assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()
    with tarfile.open(tmp_path / "a.tar.gz") as tar:
        names = tar.getnames()
        text = tar.extractfile("main.py").read().decode()
    assert names[0] == "main.py"
    assert exporting.CORE in names
    assert "c4mcts/search/engine.py" in names
    assert not [name for name in names if "/cli/" in name or name.endswith((".pyx", ".pxd", ".pyc"))]
    assert '"exploration": 1.25' in text
    assert not [name for name in names if "/web/" in name]


def test_data_of_the_package_is_in_the_file(tmp_path, monkeypatch):
    for name in ("book/eight.bin", "study/plot.py", "_native/search.pyx", "_native/__pycache__/x.pyc", "py.typed"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"data")
    monkeypatch.setattr(exporting, "PACKAGE", tmp_path)
    assert exporting.package_files() == {"c4mcts/book/eight.bin": b"data", "c4mcts/py.typed": b"data"}


X86_64 = b"\x7fELF\2\1\1" + bytes(11) + b"\x3e\0"


@pytest.mark.parametrize(
    ("core", "problem"),
    [
        (None, "has no native core"),
        (b"", "has a native core for another platform"),
        (b"\x7fELF\2", "has a native core for another platform"),
        (b"MZ" + bytes(100), "has a native core for another platform"),
        (X86_64[:18] + b"\xb7\0", "has a native core for another platform"),
        (X86_64 + b"libc.musl-x86_64.so.1", "has a native core for musl instead of glibc"),
    ],
    ids=["none", "empty", "short", "windows", "arm", "musl"],
)
@pytest.mark.parametrize("single", [False, True])
def test_a_core_that_kaggle_can_not_load(core, problem, single, tmp_path, monkeypatch):
    files = {} if core is None else {exporting.CORE: core}
    monkeypatch.setattr(exporting, "package_files", lambda: files)
    out = tmp_path / ("x.py" if single else "x.tar.gz")
    with pytest.raises(RuntimeError, match=f"Kaggle runs Linux x86-64, but the c4mcts in .* {problem}"):
        export(out, single_file=single)
    assert not out.exists()


def test_a_core_that_kaggle_can_load(tmp_path, monkeypatch):
    monkeypatch.setattr(exporting, "package_files", lambda: {exporting.CORE: X86_64})
    assert export(tmp_path / "x.tar.gz") > 0


def test_bad_arguments(tmp_path):
    for arguments, message in (
        ({"path": 7}, "path must be a path"),
        ({"path": "x.zip"}, r"path must end in \.tar\.gz, not 'x\.zip'"),
        ({"path": "x.py"}, r"path must end in \.tar\.gz"),
        ({"path": "x.tar.gz", "single_file": True}, r"path must end in \.py"),
        ({"path": "x.tar.gz", "single_file": 1}, "single_file must be True or False"),
        ({"path": "x.tar.gz", "params": "uct"}, "params must be a SearchParams, not 'uct'"),
        ({"path": "x.tar.gz", "params": SearchParams.preset("puct-node")}, "needs an evaluator"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            export(**arguments)


# the command


@needs_core
@pytest.mark.native
def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["export-kaggle", "--preset", "uct"]) == 0
    assert main(["export-kaggle", "--single-file"]) == 0
    assert capsys.readouterr().out.count("an agent for Kaggle ConnectX") == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["submission.py", "submission.tar.gz"]
    assert main(["export-kaggle", "--out", str(tmp_path / "no" / "x.tar.gz")]) == 1
    assert "c4mcts: error:" in capsys.readouterr().err


def test_the_command_called_wrongly(capsys, monkeypatch):
    assert main(["export-kaggle", "--out", "x.zip"]) == 2
    assert "path must end in .tar.gz, not 'x.zip'" in capsys.readouterr().err
    assert main(["export-kaggle", "--preset", "puct-node"]) == 2
    monkeypatch.setattr(exporting, "package_files", dict)
    assert main(["export-kaggle"]) == 1
    assert "Kaggle runs Linux x86-64" in capsys.readouterr().err


# with a network

NETWORK = """
from pathlib import Path

import numpy as np
from c4mcts.evaluators import NumpyEvaluator

weights = dict(np.load(Path(__file__).with_name("weights.npz")))

def apply(weights, planes):
    out = planes.reshape(len(planes), -1) @ weights["dense"]
    return out[:, 1:], np.tanh(out[:, 0])

evaluator = NumpyEvaluator(apply, weights)
"""

ONE_COLUMN = """
import numpy as np

def evaluator(planes, legal):
    priors = np.full(legal.shape, 0.01)
    priors[:, {}] = 1
    return priors, np.zeros(len(legal))
"""


@pytest.fixture
def network(tmp_path):
    """The files of a network that prefers the right edge."""
    dense = np.zeros((84, 8), np.float32)
    dense[41, 1:] = np.arange(7) * -10.0  # the opponent's discs do not reach this cell of ours
    (tmp_path / "net").mkdir()
    np.savez(tmp_path / "net/weights.npz", dense=dense)
    (tmp_path / "net/net.py").write_text(NETWORK)
    return [tmp_path / "net/net.py", tmp_path / "net/weights.npz"]


@needs_core
@pytest.mark.native
@pytest.mark.parametrize("single", [False, True])
def test_a_network_plays_with_its_own_files_alone(tmp_path, network, single):
    out = tmp_path / ("x.py" if single else "x.tar.gz")
    export(out, single_file=single, network=network)
    for path in network:
        path.unlink()
    place = tmp_path / "agent"
    place.mkdir()
    if single:
        (place / "x.py").write_bytes(out.read_bytes())
    found, errors = drive(place / "x.py" if single else unpacked(out, place), tmp_path)
    assert (found["class"], found["native"], found["network"], errors) == ("KaggleAgent", True, True, "")


def test_boards_of_other_sizes_are_searched_without_the_network():
    seen = []

    def evaluator(planes, legal):
        seen.append(planes.shape[2:])
        return legal / legal.sum(axis=1, keepdims=True), np.zeros(len(legal))

    agent = KaggleAgent(SearchParams.preset("alphazero"), seed=1, evaluator=evaluator)
    for rows, columns, inarow in ((6, 7, 4), (5, 6, 4), (6, 7, 5)):
        observation = {"board": [0] * rows * columns, "mark": 1}
        configuration = {"columns": columns, "rows": rows, "inarow": inarow, "actTimeout": 0.05}
        assert 0 <= agent(observation, configuration) < columns
    assert set(seen) == {(6, 7)}


@pytest.mark.native
def test_two_networks_in_one_process_do_not_mix(tmp_path):
    """Each file has its own, although both find the same package loaded."""
    configuration = {"columns": 7, "rows": 6, "inarow": 4, "actTimeout": 0.2}
    for folder, column in (("left", 0), ("right", 6)):
        (tmp_path / folder).mkdir()
        network = tmp_path / folder / "net.py"
        network.write_text(ONE_COLUMN.format(column))
        files = exporting.network_files([network])
        names = {"__name__": "agent"}
        exec(exporting.main_text(exporting.options(network=[network]), exporting.payload(files)), names)
        names["_load"]()  # a busy machine may need more than the time of a move
        observation = {"board": [0] * 42, "mark": 1}
        assert names["agent"](observation, configuration) == column


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1", "must define a function evaluator"),
        ("evaluator = lambda planes, legal: legal", "evaluator"),
        ("import numpy\nnumpy.load(__file__ + '.npz')", "No such file"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_network_that_does_not_work_makes_no_file(tmp_path, monkeypatch, capsys, text, words):
    monkeypatch.chdir(tmp_path)
    Path("net.py").write_text(text)
    assert main(["export-kaggle", "--network", "net.py"]) in (1, 2)
    out, err = capsys.readouterr()
    assert (out, words in err) == ("", True), err
    assert err.startswith("c4mcts export-kaggle: error: --network net.py: ")
    assert not Path("submission.tar.gz").exists()


@needs_core
@pytest.mark.native
@pytest.mark.parametrize(
    ("argv", "noise"),
    [([], "null"), (["--set", "root_noise=0.3,0.25"], "[0.3, 0.25]"), (["--preset", "alphazero"], "[1.4, 0.25]")],
)
def test_a_network_plays_without_noise_unless_it_is_asked_for(tmp_path, monkeypatch, network, argv, noise):
    monkeypatch.chdir(tmp_path)
    assert main(["export-kaggle", "--single-file", "--network", *map(str, network), *argv]) == 0
    text = " ".join(Path("submission.py").read_text(encoding="utf-8").split())
    assert f'"root_noise": {noise}'.replace("[", "[ ").replace("]", " ]") in text


def test_wrong_files_and_presets_of_a_network(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("net.py").write_text("x = 1")
    Path("folder").mkdir()
    Path("folder/net.py").write_text("")
    for argv, words in (
        (["--network", "weights.npz"], "network must begin with a Python module, not 'weights.npz'"),
        (["--network", "none.py"], "none.py"),
        (["--network", "net.py", "folder/net.py"], "files of different names"),
        (["--network", "net.py", "--preset", "uct"], "--preset uct does not take --network"),
        (["--preset", "alphazero"], "--preset alphazero needs --network"),
    ):
        assert main(["export-kaggle", *argv]) in (1, 2)
        assert words in capsys.readouterr().err

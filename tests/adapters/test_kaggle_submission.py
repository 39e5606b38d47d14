"""The exported files: what is in them, and that they play in interpreters without c4mcts."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import numpy as np
import pytest

from c4mcts import Board, PolicyValueNetwork, Rules, SearchParams, __version__
from c4mcts._archives import tar_gz
from c4mcts._layout import network_shapes
from c4mcts._weights import type_of
from c4mcts.adapters.kaggle import KagglePlayer
from c4mcts.adapters.kaggle_submission import archive as exporting
from c4mcts.adapters.kaggle_submission.archive import export, export_policy
from c4mcts.cli import main
from c4mcts.play import NetworkPlayer, RandomPlayer, play_game

STRONG = SearchParams.preset("strong")
OPTIONS = {"package": "c4mcts", "module": "adapters.kaggle", "version": __version__, "params": STRONG.to_dict()}
OPTIONS["network"] = None

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
board, columns = [0] * 42, []
for turn in range(3):
    observation = {"board": board, "mark": 1, "remainingOverageTime": 60.0, "step": 2 * turn}
    configuration = {"columns": 7, "rows": 6, "inarow": 4, "actTimeout": 0.1}
    column = agent(observation, configuration)
    assert type(column) is int
    columns.append(column)
    for column, mark in ((column, 1), ((column + 1) % 7, 2)):
        row = max(row for row in range(6) if board[7 * row + column] == 0)
        board[7 * row + column] = mark
made = names["_agent"]
engine = getattr(made, "_engine", None)
print(json.dumps({"agent": agent.__name__, "columns": columns, "backend": engine and engine.backend,
    "evaluator": engine and made._evaluator is not None, "path": list(sys.modules[allowed[-1]].__path__)}))
"""


def drive(file, tmp_path, allowed="numpy c4mcts"):
    """What DRIVER prints, and the errors; checks that nothing is written, or left in the temporary folder."""
    (tmp_path / "temporary").mkdir()
    before = sorted(tmp_path.rglob("*"))
    places = json.dumps([str(Path(np.__file__).parents[1])] if "numpy" in allowed else [])
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
    assert str(tmp_path) in os.path.realpath(found["path"][0])
    return found, done.stderr


def unpacked(archive, folder):
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / "main.py"


@pytest.mark.native
@pytest.mark.parametrize("name", ["submission.tar.gz", "submission.py"])
def test_a_submission_plays_with_numpy_alone(submissions, tmp_path, name):
    file = submissions / name
    file = unpacked(file, tmp_path / "agent") if name.endswith(".gz") else shutil.copy(file, tmp_path)
    found, errors = drive(file, tmp_path)
    assert (found["backend"], errors) == ("native", "")


def submission(tmp_path, files):
    (tmp_path / "submission.py").write_bytes(exporting.main_text(OPTIONS, tar_gz(files)))
    return tmp_path / "submission.py"


def test_without_numpy_the_moves_are_simple(tmp_path):
    found, errors = drive(submission(tmp_path, exporting.package_files()), tmp_path, "c4mcts")
    assert (found["backend"], found["columns"]) == (None, [3, 3, 3])
    assert errors.startswith("c4mcts does not work here, so a simple agent plays in its place: ModuleNotFoundError")


def test_after_an_error_in_the_first_turn_the_moves_are_simple(tmp_path, monkeypatch, capsys):
    """As with NumPy 1, which lacks functions that the package calls."""
    (tmp_path / "agent.py").write_bytes(exporting.main_text(OPTIONS))
    monkeypatch.setattr("c4mcts.adapters.kaggle.KaggleAgent.__call__", lambda *arguments: np.bitwise_kount)
    player = KagglePlayer(tmp_path / "agent.py")
    assert [player.choose(Board.from_pons(text)) for text in ("", "1122")] == [3, 3]
    assert capsys.readouterr().err.count("a simple agent plays in its place: AttributeError") == 1


def test_without_a_core_that_loads_the_pure_backend_plays(tmp_path):
    files = {name: data for name, data in exporting.package_files().items() if "/_native/" not in name}
    files |= {"c4mcts/_native/__init__.py": b"", "c4mcts/_native/bitboard.abi3.so": b"\x7fELF"}
    found, errors = drive(submission(tmp_path, files), tmp_path)
    assert found["backend"] == "pure"
    assert "could not be loaded" in errors


def test_one_version_in_one_process(tmp_path):
    (tmp_path / "agent.py").write_bytes(exporting.main_text({**OPTIONS, "version": "9.9.9"}))
    with pytest.raises(ImportError, match=rf"for c4mcts 9\.9\.9, the process has loaded {__version__}"):
        play_game(KagglePlayer(tmp_path / "agent.py"), RandomPlayer())


@pytest.mark.native
def test_what_is_in_an_archive(submissions):
    with tarfile.open(submissions / "submission.tar.gz") as tar:
        names = tar.getnames()
        text = tar.extractfile("main.py").read().decode()
    assert names[0] == "main.py"
    assert {"c4mcts/search/engine.py", "c4mcts/search/network.npz"} <= set(names)
    assert [name for name in names if name.startswith(exporting.CORE)]
    assert not [name for name in names if "/cli/" in name or "/web/" in name or name.endswith((".pyx", ".pxd", ".pyc"))]
    assert '"preset": "perfect"' in text or '"book": true' in text


X86_64 = b"\x7fELF\2\1\1" + bytes(11) + b"\x3e\0" + b"oldest CPython 0x030B0000\0"
CORES = [
    "c4mcts/_native/search.abi3.so",
    "c4mcts/_native/search.abi3-x86_64-linux-gnu.so",
]  # CPython 3.15 has the second


@pytest.fixture
def small_package(monkeypatch):
    """A package that has the core that Kaggle runs, and nothing else."""
    monkeypatch.setattr(exporting, "package_files", lambda: {CORES[0]: X86_64})


@pytest.mark.usefixtures("small_package")
def test_the_same_package_makes_the_same_file(tmp_path):
    params = SearchParams.preset("uct", exploration=1.25)
    for suffix in ("tar.gz", "py"):
        for name in "ab":
            export(tmp_path / f"{name}.{suffix}", params, single_file=suffix == "py")
        assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()
    assert b'"exploration": 1.25' in (tmp_path / "a.py").read_bytes()


@pytest.mark.parametrize(
    "core",
    [None, b"\x7fELF\2", b"MZ" + bytes(100), X86_64[:18] + b"\xb7\0", X86_64 + b"libc.musl-x86_64.so.1"],
    ids=["none", "short", "windows", "arm", "musl"],
)
def test_a_core_that_kaggle_can_not_load(core, tmp_path, monkeypatch):
    monkeypatch.setattr(exporting, "package_files", lambda: {} if core is None else {CORES[0]: core})
    with pytest.raises(RuntimeError, match=r"Kaggle runs Linux x86-64 with glibc, for which the c4mcts in .* has no"):
        export(tmp_path / "x.tar.gz", STRONG)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", CORES)
def test_a_core_for_which_the_python_of_kaggle_may_be_too_old(name, tmp_path, monkeypatch):
    monkeypatch.setattr(exporting, "package_files", lambda: {name: X86_64.replace(b"030B", b"030D")})
    with pytest.warns(RuntimeWarning, match=r"compiled for CPython 3\.13 and later: .* CPython 3\.11 and export there"):
        assert export(tmp_path / "x.tar.gz", STRONG)


@pytest.mark.native
def test_the_core_says_which_python_it_is_for(core):
    files = exporting.package_files()
    found = [re.search(exporting.OLDEST_PYTHON, files[name]) for name in files if name.startswith(exporting.CORE)]
    assert 11 <= int(found[0][1], 16) <= sys.version_info.minor


@pytest.mark.usefixtures("small_package")
def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["export-kaggle", "--preset", "uct"]) == 0
    assert main(["export-kaggle", "--single-file"]) == 0
    assert capsys.readouterr().out.count("an agent for Kaggle ConnectX") == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["submission.py", "submission.tar.gz"]


NETWORK = """
from pathlib import Path
import numpy as np
from c4mcts.evaluators import NumpyEvaluator

def apply(logits, planes):
    return np.tile(logits, (len(planes), 1)), np.zeros(len(planes))

evaluator = NumpyEvaluator(apply, np.load(Path(__file__).with_name("logits.npy")))
"""


def network_for(folder, column):
    """The files of a network that prefers one column."""
    folder.mkdir()
    np.save(folder / "logits.npy", np.where(np.arange(7) == column, 5.0, 0.0))
    (folder / "net.py").write_text(NETWORK)
    return [folder / "net.py", folder / "logits.npy"]


@pytest.mark.usefixtures("core")
@pytest.mark.native
def test_a_network_plays_with_its_own_files_alone(tmp_path):
    network = network_for(tmp_path / "net", 6)
    export(tmp_path / "x.py", SearchParams.preset("alphazero"), single_file=True, network=network)
    for path in network:
        path.unlink()
    found, errors = drive(tmp_path / "x.py", tmp_path)
    assert (found["backend"], found["evaluator"], errors) == ("native", True, "")


def policy_submission(path, network):
    """A file that plays the most probable column of the network, and the name of its package."""
    network.save(path.with_suffix(".npz"))
    assert export_policy(path, path.with_suffix(".npz")) == path.stat().st_size
    path.with_suffix(".npz").unlink()
    return path, f"c4mcts_policy_{network.fingerprint[:16]}"


def test_a_network_without_a_search_needs_numpy_alone(tmp_path):
    network = PolicyValueNetwork.load()
    file, package = policy_submission(tmp_path / "x.py", network)
    found, errors = drive(file, tmp_path, f"numpy {package}")
    assert errors == ""
    assert file.stat().st_size < 350_000
    assert found["columns"] == [NetworkPlayer(network).choose(Board.from_pons(text)) for text in ("", "45", "4523")]


def test_two_networks_without_a_search_play_in_one_process_on_any_board(tmp_path):
    weights = PolicyValueNetwork.load().weights
    for i, sign in enumerate((1, -1)):
        network = PolicyValueNetwork({**weights, "move": sign * weights["move"]})
        player = KagglePlayer(policy_submission(tmp_path / f"{i}.py", network)[0])
        for board in (Board.from_pons("4453"), Board.from_moves([8, 8, 0, 1], Rules(9, 7)), Board(Rules(4, 4))):
            assert player.choose(board) == NetworkPlayer(network).choose(board)
        assert player.choose(Board.from_moves([0, 0, 1, 1], Rules(5, 5, 3))) == 2, "not for the network: a simple move"


def test_a_network_by_places_plays_simple_moves_on_other_boards(tmp_path):
    weights = {name: np.zeros(shape, type_of(name)) for name, shape in network_shapes(by_place=True).items()}
    player = KagglePlayer(policy_submission(tmp_path / "x.py", PolicyValueNetwork(weights))[0])
    assert [player.choose(Board()), player.choose(Board(Rules(9, 7)))] == [0, 4], "equal columns: the leftmost"


@pytest.mark.native
def test_two_networks_in_one_process_do_not_mix(tmp_path):
    """Each file has its own, with modules of the same name, although both find the same package loaded."""
    configuration = {"columns": 7, "rows": 6, "inarow": 4, "actTimeout": 0.2}
    for folder, column in (("left", 0), ("right", 6)):
        network = [*network_for(tmp_path / folder, column), tmp_path / folder / "layers.py"]
        network[0].write_text(f"from layers import number\nassert number == {column}\n{NETWORK}")
        network[2].write_text(f"number = {column}\n")
        options = {**OPTIONS, "params": SearchParams.preset("alphazero").to_dict(), "network": "net.py"}
        names = {"__name__": "agent"}
        exec(exporting.main_text(options, tar_gz(exporting.network_files(network))), names)
        observation = {"board": [0] * 42, "mark": 1, "remainingOverageTime": 60.0}
        assert names["agent"](observation, configuration) == column


REFUSED = [  # what is in net.py, the words of the command, what is said
    ("", ["--out", "x.zip"], "path must be a name that ends in .tar.gz, not 'x.zip'"),
    ("", ["--network", "weights.npz"], "network must begin with a Python module, not 'weights.npz'"),
    ("", ["--network", "net.py", "folder/net.py"], "files of different names"),
    ("", ["--network", "net.py", "--preset", "uct"], "--preset uct does not take --network"),
    ("", ["--preset", "alphazero"], "--preset alphazero needs --network"),
    ("", ["--policy", "--preset", "uct"], "--policy takes no --network, --preset or --set"),
    ("", ["--policy", "net.py"], "--policy net.py is not a network"),
    ("", ["--policy", "none.npz"], "none.npz: No such file"),
    ("x = 1", ["--network", "net.py"], "--network net.py: net.py must define a function evaluator"),
    ("evaluator = lambda planes, legal: legal", ["--network", "net.py"], "evaluator"),
    ("1 / 0", ["--network", "net.py"], "--network net.py: ZeroDivisionError: division by zero"),
]


@pytest.mark.parametrize(("text", "argv", "words"), REFUSED)
def test_the_command_called_wrongly_makes_no_file(tmp_path, capsys, monkeypatch, text, argv, words):
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    for name in ("net.py", "folder/net.py"):
        Path(name).write_text(text)
    assert main(["export-kaggle", *argv]) in (1, 2)
    assert words in capsys.readouterr().err
    assert not list(tmp_path.glob("submission.*"))


@pytest.mark.usefixtures("small_package")
@pytest.mark.parametrize(
    ("argv", "noise"),
    [([], "null"), (["--set", "root_noise=0.3,0.25"], "[0.3, 0.25]"), (["--preset", "alphazero"], "[1.4, 0.25]")],
)
def test_a_network_plays_without_noise_unless_it_is_asked_for(tmp_path, monkeypatch, argv, noise):
    monkeypatch.chdir(tmp_path)
    network = network_for(tmp_path / "net", 6)
    assert main(["export-kaggle", "--single-file", "--network", *map(str, network), *argv]) == 0
    text = " ".join(Path("submission.py").read_text(encoding="utf-8").split())
    assert f'"root_noise": {noise}'.replace("[", "[ ").replace("]", " ]") in text


@pytest.mark.native
def test_a_submission_passes_the_check(submissions, capsys):
    assert main(["check", str(submissions / "submission.tar.gz"), "--games", "1"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("ok  size: ")
    assert out[-1].endswith("submission.tar.gz passes")

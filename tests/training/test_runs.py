"""Trainings of examples/alphazero from end to end: killed, interrupted and repeated, they end with the same data."""

import itertools
import sqlite3
import sys

import pytest
from alphazero import files, metrics, plot
from alphazero.__main__ import main
from alphazero.configuration import PRESETS
from alphazero.folder import Folder
from alphazero.training import Timed, evaluator_of, train

from c4mcts import PolicyValueNetwork, solve
from c4mcts.evaluators import OnnxEvaluator
from c4mcts.selfplay import load

SHORT = PRESETS["tiny"].changed(games=4, positions=20, match_games=2)
SETTINGS = ["--set", "games=4", "--set", "positions=20", "--set", "match_games=2"]


def silent(_):
    pass


def content(folder):
    """All that a training has made, but the times: bytes by name."""
    kept = [path for name in ("games", "labels", "networks", "evaluation") for path in (folder / name).rglob("*")]
    tables = [folder / "errors.csv", folder / "matches.csv"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in kept + tables if path.is_file()}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """A folder with a whole training."""
    path = tmp_path_factory.mktemp("runs") / "undisturbed"
    train(Folder(path, SHORT), silent)
    return path


def test_a_training_makes_networks_and_tables(undisturbed):
    names = content(undisturbed).keys()
    assert {f"networks/{number:04d}.state" for number in range(3)} <= names
    assert {f"labels/{number:04d}.npy" for number in (1, 2)} <= names
    errors = plot.lines(undisturbed / "errors.csv")
    assert {(line["generation"], line["player"]) for line in errors if plot.is_whole(line)} == {
        (str(number), player) for number in range(3) for player in ("policy", "search of 8")
    }
    assert [line["opponent"] for line in plot.lines(undisturbed / "matches.csv")] == ["uct@10"] * 3
    times = plot.lines(undisturbed / "training.csv")
    assert [line["games"] for line in times] == ["4", "4"]
    assert 0 < float(times[0]["network_share"]) < 1
    states = [(undisturbed / f"networks/{number:04d}.state").read_bytes() for number in range(3)]
    assert len(set(states)) == 3


def test_a_finished_training_does_nothing(undisturbed, capsys):
    before = content(undisturbed)
    assert main(["train", str(undisturbed)]) == 0
    assert capsys.readouterr().out == "2 of 2 generations were there already\n"
    assert content(undisturbed) == before


def test_a_training_can_be_made_longer_and_measured_later(undisturbed, tmp_path):
    path = tmp_path / "run"
    train(Folder(path, SHORT.changed(generations=1, evaluate=False)), silent)
    assert main(["train", str(path), "--set", "generations=2"]) == 0
    assert main(["evaluate", str(path)]) == 0
    assert content(path) == content(undisturbed)


class Cut(BaseException):
    """The end of a process."""


def cut():
    raise Cut


def train_until_cut(folder, monkeypatch, evaluations):
    """Train until the network has been asked that often."""
    call, calls = Timed.__call__, itertools.count()
    with monkeypatch.context() as patch:
        patch.setattr(Timed, "__call__", lambda *args: call(*args) if next(calls) < evaluations else cut())
        with pytest.raises(Cut):
            train(folder, silent)


@pytest.mark.parametrize("when", ["before", "after"])
def test_an_end_at_any_write_changes_nothing(undisturbed, tmp_path, monkeypatch, when):
    write, path = files.write, tmp_path / "run"
    left = 0

    def cut_short(target, data):
        nonlocal left
        left -= 1
        if left == 0 and when == "before":
            target.with_name(f"{target.name}.1.part").write_bytes(data[: len(data) // 2])
            raise Cut
        write(target, data)
        if left == 0:
            raise Cut

    monkeypatch.setattr(files, "write", cut_short)
    ends, done = 0, False
    while not done:
        left = 5  # each start gets further: three of these files are the tables
        try:
            train(Folder(path, SHORT), silent)
            done = True
        except Cut:
            ends += 1
    assert ends > 2
    found = {name: data for name, data in content(path).items() if not name.endswith(".part")}
    assert found == content(undisturbed)


@pytest.mark.parametrize("command", ["evaluate", "export"])
def test_a_folder_without_a_network_is_refused_in_one_line(tmp_path, capsys, command):
    path = tmp_path / "run"
    Folder(path, PRESETS["resnet"])
    out = [str(tmp_path / "network.onnx")] if command == "export" else []
    if out:
        pytest.importorskip("torch")
    assert main([command, str(path), *out]) == 1
    assert capsys.readouterr().err == f"alphazero: {path} has no network yet: train first\n"


@pytest.mark.native  # the pure solver takes too long
def test_the_ceiling_is_trained_on_exact_moves(undisturbed, tmp_path, capsys):
    from alphazero.ceiling import labelled

    path = tmp_path / "run"
    Folder(path, SHORT)
    options = ["--games", "20", "--per-ply", "12", "--per-slow-ply", "0"]
    assert main(["ceiling", str(path), *options]) == 0
    assert "ceiling: policy" in capsys.readouterr().out
    (line,) = [line for line in plot.lines(path / "ceiling/errors.csv") if plot.is_whole(line)][:1]
    assert line["player"] == "policy"
    data = labelled(path / "ceiling", 20, (12, 0), SHORT.seed, silent)
    rows = data.score != -128
    assert 100 < rows.sum() < 12 * 42
    best = data.scores[rows] == data.score[rows][:, None]
    assert ((data.policy[rows] > 0) == best).all()
    assert main(["ceiling", str(path), *options]) == 0, "what is there is used again"
    assert "labelling" not in capsys.readouterr().out


@pytest.mark.native  # the pure solver takes too long
def test_best_moves_in_the_positions_of_own_games(undisturbed, capsys):
    assert main(["own", str(undisturbed), "--count", "1000"]) == 0, "all positions there are"
    said = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in said] == ["the searches that played", "policy", "search of 8"]
    data = load(undisturbed / "games/0002")
    assert all(line.endswith(f"in {len(data):,} positions of generation 2") for line in said)
    best = 0
    for row in range(len(data)):
        solution = solve(data.board(row), columns=True, book=True)
        best += solution.columns[data.policy[row].argmax()] == solution.score
    assert said[0].startswith(f"the searches that played: {best / len(data):.1%} best moves (")


OWN = """
from alphazero.dense import Dense

class MyNet(Dense):
    pass

told = []
log = told.append
"""


def test_a_network_and_a_log_of_ones_own(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "mine_only.py").write_text(OWN)
    options = ["--preset", "tiny", *SETTINGS, "--set", "generations=1", "--set", "channels=8"]
    assert main(["train", "run", *options, "--network", "mine_only:MyNet", "--on-metrics", "mine_only:log"]) == 0
    assert "measuring the untrained network" in capsys.readouterr().out
    (told,) = (sys.modules["mine_only"].told,)
    assert [figures["generation"] for figures in told] == [0, 1]
    assert told[1] == {"generation": 1, **metrics.scalars(Folder(tmp_path / "run", None), 1)}
    assert "training/policy_loss" in told[1]
    assert not (tmp_path / "run" / "tensorboard").exists()
    for network, words in ("mine_only:Other", "has no attribute 'Other'"), ("missing:Net", "No module named 'missing'"):
        assert main(["train", "other", *options, "--network", network]) == 1
        assert words in capsys.readouterr().err
        assert not (tmp_path / "other").exists()


def test_the_curve_is_drawn(undisturbed, tmp_path):
    pytest.importorskip("matplotlib")
    assert main(["plot", str(undisturbed), str(tmp_path / "curve.svg")]) == 0
    text = (tmp_path / "curve.svg").read_text()
    assert "search of 8" in text
    assert "against uct@10" in text
    assert main(["plot", str(tmp_path)]) == 1, "no figures"


@pytest.mark.parametrize("runtime", ["torch", "onnx"])
def test_a_network_of_pytorch_is_trained_alike_after_pauses(tmp_path, monkeypatch, runtime):
    """One pause among the games of a generation, whose batches then hold other games, and one between generations."""
    torch = pytest.importorskip("torch")
    if runtime == "onnx":
        pytest.importorskip("onnxruntime")
    torch.set_num_threads(1)
    configuration = SHORT.changed(
        **{"network": "resnet", "channels": 4, "blocks": 1, "runtime": runtime},
        **{"learning_rate": 2e-3, "games": 12, "concurrent": 4, "exact_from": 30},
    )
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    train(Folder(whole, configuration), silent)
    train_until_cut(Folder(parts, configuration), monkeypatch, 250)
    with sqlite3.connect(parts / "games/0001/unfinished.sqlite") as database:
        (kept,) = database.execute("SELECT count(*) FROM jobs").fetchone()
    assert 2 < kept < 12, "some games were finished"
    train(Folder(parts, configuration.changed(generations=1)), silent)
    train(Folder(parts, configuration), silent)
    one, other = content(whole), content(parts)
    assert one.keys() == other.keys()
    assert all(one[name] == other[name] for name in one if not name.endswith(".state"))
    from alphazero.resnet import Resnet

    networks = []
    for path in (whole, parts):
        networks.append(Resnet(configuration))
        networks[-1].restore((path / "networks/0002.state").read_bytes())
    assert len({network.evaluator().fingerprint for network in networks}) == 1
    if runtime == "onnx":
        assert main(["export", str(whole), str(tmp_path / "network.onnx")]) == 0
        assert OnnxEvaluator(tmp_path / "network.onnx").fingerprint == networks[0].evaluator().fingerprint


def test_the_network_of_the_package_is_trained_alike_after_pauses_and_exported(tmp_path, monkeypatch):
    pytest.importorskip("scipy")
    configuration = SHORT.changed(network="lines", exact_from=30, generations=1)
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    train(Folder(whole, configuration), silent)
    train_until_cut(Folder(parts, configuration), monkeypatch, 150)
    train(Folder(parts, configuration), silent)
    assert content(whole) == content(parts)
    assert main(["export", str(whole), str(tmp_path / "network.npz")]) == 0
    fingerprint = evaluator_of(Folder(whole, None), 1).fingerprint
    network = PolicyValueNetwork.load(tmp_path / "network.npz")
    assert network.fingerprint == fingerprint


def test_without_pytorch_a_resnet_is_refused_in_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "alphazero.resnet", raising=False)
    assert main(["train", str(tmp_path / "run"), "--preset", "resnet"]) == 1
    assert "pip install torch" in capsys.readouterr().err

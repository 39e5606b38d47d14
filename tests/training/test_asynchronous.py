"""Training runs whose games are played elsewhere, and the gate that a network must pass before it plays."""

from concurrent.futures import Executor, Future

import pytest
from alphazero import asynchronous, plot, training
from alphazero.__main__ import main
from alphazero.configuration import PRESETS
from alphazero.dense import Dense
from alphazero.folder import Folder
from alphazero.matches import duel

from c4mcts.selfplay import load

SHORT = PRESETS["tiny"].changed(games=4, evaluate=False, generations=4, asynchronous=True)


def silent(_):
    pass


class Late(Executor):
    """Runs calls when there are `most` of them, the last one first: results come in another order than they went."""

    def __init__(self, most):
        self.most = most
        self.waiting = []
        self.calls = 0

    def submit(self, function, *arguments):
        future = Future()
        self.calls += 1
        self.waiting.append((future, function, arguments))
        if len(self.waiting) == self.most:
            self.run()
        return future

    def run(self):
        while self.waiting:
            future, function, arguments = self.waiting.pop()
            future.set_result(function(*arguments))


def test_sets_of_games_become_generations(tmp_path):
    folder = Folder(tmp_path / "run", SHORT)
    executor = Late(2)
    asynchronous.train(folder, executor, 1, silent)
    assert executor.calls == SHORT.generations
    assert folder.networks() == [0, 1, 2, 3, 4]
    lines = plot.lines(folder.path / "training.csv")
    assert [line["games"] for line in lines] == ["4"] * 4
    assert all(float(line["policy_loss"]) > 0 for line in lines)
    players = [int(line["player"]) for line in lines]
    assert players[:2] == [0, 0], "two sets were on their way before there was a network"
    assert max(players) > 0
    seeds = [load(folder.games(number)).seed for number in range(1, 5)]
    assert len(set(seeds)) == 4
    for number, player in enumerate(players, 1):
        weights = load(folder.games(number)).about["weights"]
        assert weights == training.evaluator_of(folder, player).fingerprint, "the network that is said to have played"
    before = (folder.path / "networks/0004.state").read_bytes()
    asynchronous.train(folder, executor, 1, silent)
    assert executor.calls == SHORT.generations, "nothing was left to do"
    assert (folder.path / "networks/0004.state").read_bytes() == before


@pytest.mark.parametrize("name", ["times", "networks"])
def test_what_a_kill_leaves_behind_is_used_or_replaced(tmp_path, monkeypatch, name):
    """The process ends before anything of this kind is written for the second generation."""

    class Cut(BaseException):
        pass

    path = tmp_path / "run"
    write = asynchronous.training.files.write

    def cut_write(target, data):
        if name in target.parts[-2:-1] and target.stem == "0002":
            raise Cut
        write(target, data)

    with monkeypatch.context() as patch:
        patch.setattr(asynchronous.training.files, "write", cut_write)
        with pytest.raises(Cut):
            asynchronous.train(Folder(path, SHORT), Late(1), 1, silent)
    folder = Folder(path, None)
    assert folder.networks() == ([0, 1] if name == "networks" else [0])
    asynchronous.train(folder, Late(1), 1, silent)
    assert folder.networks() == [0, 1, 2, 3, 4]
    for number in range(1, 5):
        assert len(training.data_of(folder, number).game) == folder.read("times")[number]["positions"]


def test_a_run_is_either_one_or_the_other(tmp_path, capsys):
    path = str(tmp_path / "run")
    Folder(tmp_path / "run", SHORT.changed(asynchronous=False))
    assert main(["train", path, "--executor", "processes:1"]) == 1
    assert "asynchronous = True instead of False" in capsys.readouterr().err


@pytest.mark.parametrize("executor", ["threads", "processes:1"])
def test_a_thread_or_a_process_plays(tmp_path, executor):
    command = ["train", str(tmp_path / "run"), "--preset", "tiny", "--set", "evaluate=false", "--set", "games=4"]
    assert main([*command, "--executor", executor]) == 0
    assert Folder(tmp_path / "run", None).networks() == [0, 1, 2]


def test_a_network_against_itself_scores_a_half():
    evaluator = Dense(PRESETS["tiny"]).evaluator()
    found = duel(evaluator, evaluator, PRESETS["tiny"].changed(gate_games=6))
    assert found["won"] + found["drawn"] + found["lost"] == 6
    assert found["share"] == 0.5


@pytest.mark.parametrize("is_asynchronous", [False, True])
@pytest.mark.parametrize(("gate", "players"), [(1.0, {0}), (0.01, {0, 1, 2, 3})])
def test_a_network_plays_once_it_has_passed(tmp_path, monkeypatch, is_asynchronous, gate, players):
    """The matches are decided here: a new network wins half of the games."""
    half = {"won": 1, "drawn": 0, "lost": 1, "share": 0.5, "low": 0.1, "high": 0.9}
    for module in (training, asynchronous):
        monkeypatch.setattr(module, "duel", lambda *_: half)
    folder = Folder(tmp_path / "run", SHORT.changed(games=2, gate=gate, gate_games=2, asynchronous=is_asynchronous))
    if is_asynchronous:
        asynchronous.train(folder, Late(1), 1, silent)
    else:
        training.train(folder, silent)
    assert set(folder.read("gates")) <= {1, 2, 3, 4}
    assert 4 in folder.read("gates")
    assert folder.player() == (0 if gate == 1.0 else 4)
    found = {int(line["player"]) for line in plot.lines(folder.path / "training.csv")}
    assert found <= players
    assert len(found) > 1 or gate == 1.0

"""PolicyValueNetwork: files, arguments, and use as an evaluator."""

import pickle

import numpy as np
import pytest

from c4mcts import Board, Engine, NetworkParams, PolicyValueNetwork, PuctParams, Rules, _archives
from c4mcts._layout import COLUMN_ROWS, NETWORK_TABLES
from c4mcts.board.positions import planes_of
from c4mcts.errors import SaveError
from c4mcts.selfplay import generate


def arrays():
    return dict(PolicyValueNetwork.load().weights)


def test_a_saved_network_is_the_same(tmp_path):
    network = PolicyValueNetwork.load()
    network.save(tmp_path / "copy")
    copy = PolicyValueNetwork.load(tmp_path / "copy")
    assert copy.fingerprint == network.fingerprint == pickle.loads(pickle.dumps(network)).fingerprint
    assert copy.evaluate("4453")[0] == network.evaluate("4453")[0]


@pytest.mark.parametrize(
    ("name", "change", "error", "words"),
    [
        ("lines", None, TypeError, r"lines must be an array of int8 of shape \(4608, 64\), not None"),
        ("lines", lambda array: array[:-1], TypeError, r"lines must be .* not int8 of shape \(4607, 64\)"),
        ("move", lambda array: array.astype(float), TypeError, "move must be an array of int8 .*, not float64"),
        ("bias", lambda array: array + (1 << 21), ValueError, "bias must lie between -1048576 and 1048576, not array"),
        ("value_bias", lambda array: array * 0 - (1 << 30), ValueError, r"value_bias must .*, not array\(\[-10737418"),
    ],
)
def test_wrong_weights(name, change, error, words):
    weights = arrays()
    weights[name] = None if change is None else change(weights[name])
    with pytest.raises(error, match=words):
        PolicyValueNetwork(weights)


def test_a_network_by_places_is_for_7x6_alone(tmp_path):
    weights = arrays()
    for name in NETWORK_TABLES:  # the rows of a parity for each place that has it
        directions = 1 if len(weights[name]) == COLUMN_ROWS else 3
        rows = weights[name].reshape(directions, -1, weights[name].shape[1])
        weights[name] = np.tile(rows, (1, 12, 1)).reshape(-1, rows.shape[2])
    PolicyValueNetwork(weights).save(tmp_path / "network")
    network = PolicyValueNetwork.load(tmp_path / "network")
    assert (network.is_by_place, PolicyValueNetwork.load().is_by_place) == (True, False)
    assert network.evaluate("4453")[0] == PolicyValueNetwork.load().evaluate("4453")[0]
    engine = Engine(NetworkParams(), evaluator=network)
    for call in (network.evaluate, lambda board: engine.search(board, simulations=1)):
        with pytest.raises(ValueError, match="the network is for 7x6x4, not for 8x7x4"):
            call(Board(Rules(8, 7)))
    with pytest.raises(TypeError, match=r"columns must be an array of int8 of shape \(24576, 64\), not int8 of shape"):
        PolicyValueNetwork(weights | {"columns": weights["columns"][1024:]})


@pytest.mark.parametrize("about", [{"kind": "network", "version": 1}, {"kind": "book", "version": 2}, {}])
def test_files_of_another_version_or_kind(about, tmp_path):
    (tmp_path / "file").write_bytes(_archives.pack(about, arrays()))
    with pytest.raises(SaveError, match=r"file is not a network, or is damaged: its (version|kind) is .*, this"):
        PolicyValueNetwork.load(tmp_path / "file")


def test_damaged_files(tmp_path):
    """tests/test_archives.py has other damage of such files."""
    path = tmp_path / "file"
    for data in (b"", _archives.pack({"kind": "network", "version": 2}, {**arrays(), "move": np.zeros(15, np.int8)})):
        path.write_bytes(data)
        with pytest.raises(SaveError, match="file is not a network, or is damaged"):
            PolicyValueNetwork.load(path)


def test_as_an_evaluator():
    network = PolicyValueNetwork.load()
    for rules in (Rules(), Rules(9, 7), Rules(20, 14)):
        boards = [Board(rules), Board.from_moves([3, 3, 2, 4, 4], rules)]
        priors, values = network(planes_of(boards), np.ones((2, rules.width), bool))
        for i, board in enumerate(boards):
            value, wanted = network.evaluate(board)
            assert values[i] == pytest.approx(2 * value - 1, abs=1e-6)
            assert priors[i] == pytest.approx(wanted, abs=1e-6)
    with pytest.raises(
        ValueError, match=r"a network needs planes of shape \(n, 2, height, width\), not \(1, 6, 7, 1\)"
    ):
        network(np.zeros((1, 6, 7, 1), np.float32), np.ones((1, 7), bool))


def test_another_network_for_a_search():
    weights = arrays()
    weights["move"] = np.zeros_like(weights["move"])
    engine = Engine(NetworkParams(probes=False), seed=1, evaluator=PolicyValueNetwork(weights))
    result = engine.search(Board(), simulations=5)
    assert [move.prior for move in result.moves] == pytest.approx([1 / 7] * 7)
    with pytest.raises(TypeError, match="evaluator must be a PolicyValueNetwork with NetworkParams, not "):
        Engine(preset="network", evaluator=lambda planes, legal: (planes, legal))
    with pytest.raises(ValueError, match="an evaluator needs PuctParams or GumbelParams, not UctParams"):
        Engine(preset="strong", evaluator=PolicyValueNetwork.load())


def test_parameters():
    for call in (
        lambda board: Engine(preset="network").search(board, simulations=1),
        lambda board: Engine(PuctParams(), evaluator=PolicyValueNetwork.load()).search(board, simulations=1),
        lambda board: generate(
            games=1, params=PuctParams(), start=board, evaluator=PolicyValueNetwork.load(), simulations=1
        ),
    ):
        with pytest.raises(ValueError, match="the network is for four in a row, diagonals included, not for 7x6x5"):
            call(Board(Rules(7, 6, 5)))
    settings = NetworkParams(exploration=2, first_play_reduction=0.5, rewards=(1, 0, -1)).settings
    assert (settings.win, settings.draw, settings.exploration, settings.reduction) == (100, 50, 100, 25)

"""examples/network/exact.py: positions of 7x6, the columns that keep their outcome, and a network that learns them."""

import os
import re
import shutil

import numpy as np
import pytest
from network import exact
from network.exact import RULES, labelled, learn, lesson, openings, own_games
from network.reach import Judge

from c4mcts import Board, PolicyValueNetwork, solve
from c4mcts.selfplay import exact_positions
from c4mcts.solver.bitboards import Positions

pytestmark = pytest.mark.timeout(600)  # it compiles a program
LATE = "55556567774153311316"


@pytest.fixture(scope="module")
def part(tmp_path_factory):
    """A small part of the positions."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "GAMES", 300)
        patch.setattr(exact, "RANDOM_GAMES", 100)
        patch.setattr(exact, "PLIES", ((0, 12, 400), (25, 41, 400)))
        yield labelled(tmp_path_factory.mktemp("part") / "1.npz", lambda: exact.part(1))


def arrays(path):
    loaded = np.load(path)
    return [loaded[name] for name in ("own", "other", "good")]


def test_the_games_are_those_of_their_seed():
    network = PolicyValueNetwork.load()
    positions, again = (own_games(network, 200, np.random.default_rng(5)) for _ in range(2))
    assert (positions.own == again.own).all()
    assert (positions.mask == again.mask).all()
    assert positions.are_sound().all()
    assert not positions.are_over().any()
    plies = np.bincount(positions.plies)
    assert plies[0] == 200
    assert (np.diff(plies) <= 0).all()  # each game ends once
    assert len(plies) > 35


@pytest.mark.parametrize("moves", [LATE, "44444133", "111417615543231457564443", "255235465151743522746644"])
def test_good_columns_keep_the_outcome(moves):
    board = Board.parse(moves)
    scores = {column: score for column, score in enumerate(solve(board).columns) if score is not None}
    best = np.sign(max(scores.values()))
    expected = [column for column, score in scores.items() if np.sign(score) == best]
    assert Judge().good_columns(board.own, board.mask) == expected


def test_a_part_has_none_of_the_test_positions_and_is_made_once(part):
    own, other, good = arrays(part)
    keys = Positions(RULES, own, own | other).canonical_keys()
    tests = exact_positions()
    assert len(own) > 500
    assert not np.isin(keys, Positions(RULES, tests.own, tests.mask).canonical_keys()).any()
    assert (good > 0).all()
    assert labelled(part, pytest.fail) == part


def test_openings_are_complete(monkeypatch):
    monkeypatch.setattr(exact, "EARLY", 4)
    seen, boards = set(), {Board()}
    for _ in range(4):
        seen |= {board for board in boards if not board.winning_columns()}
        boards = {board.after(column) for board in boards for column in board.legal_columns}
    everything = Positions.of(RULES, [board.own for board in seen], [board.mask for board in seen])
    tests = exact_positions()
    expected = set(everything.canonical_keys()) - set(Positions(RULES, tests.own, tests.mask).canonical_keys())
    assert set(openings().canonical_keys()) == expected
    assert len(expected) > 50


def test_a_lesson_leaves_out_mirror_images_and_positions_without_a_choice():
    boards = [Board.parse(moves) for moves in ("4455233", "4433655", "255235465151743522746644", "")]
    own, mask = (np.array(words, np.uint64) for words in zip(*((b.own, b.mask) for b in boards), strict=True))
    written = lesson(own, own ^ mask, np.array([1 << 2, 1 << 4, 1 << 1, 127], np.uint8))
    assert written[:8] == np.uint64(2).tobytes()
    assert {written[8 + 16 * i : 16 + 16 * i] for i in range(2)} <= {each.tobytes() for each in own}
    often = lesson(own, own ^ mask, np.array([1 << 2, 1 << 4, 1 << 1, 127], np.uint8), times=3)
    assert often[:8] == np.uint64(4).tobytes()  # the early one three times


def test_the_network_learns_what_it_is_told(part, monkeypatch, capfd):
    if shutil.which(os.environ.get("CXX", "c++")) is None:
        pytest.skip("there is no C++ compiler")
    monkeypatch.setattr(exact, "EPOCHS", 12)
    own, other, good = arrays(part)
    network = learn(part.parent, [part], PolicyValueNetwork.load())
    losses = [float(loss) for loss in re.findall(r"mean loss ([\d.]+)", capfd.readouterr().out)]

    def errors(network):
        priors, _ = network.evaluate_many(own.tolist(), (own | other).tolist(), RULES)
        return int((good >> priors.argmax(axis=1) & 1 == 0).sum())

    assert len(losses) == 12
    assert losses[-1] < losses[0] / 2
    assert errors(network) < errors(PolicyValueNetwork.load()) / 2

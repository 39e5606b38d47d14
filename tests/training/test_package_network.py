"""The training of the package's network, examples/network."""

from functools import partial

import numpy as np
import pytest

pytest.importorskip("scipy")

from alphazero.layers import SHAPES, UNIT, integers
from network import labels
from network.__main__ import kept
from network.labels import Labels, openings, own_games, searched
from network.training import gradients, joined, samples_of
from slopes import drawn_weights, require_slopes

from c4mcts import Board, PolicyValueNetwork, Rules, solve_many
from c4mcts.solver.bitboards import Positions

GAMES = {Rules(): ("4455", "44536217", "1212133"), Rules(9, 7): ("4", "554422", "11111112")}


def some_labels(rules, seed):
    """Labels of three positions: the first exact, with two good moves; the others from searches."""
    draw, boards = np.random.default_rng(seed), [Board.from_pons(game, rules) for game in GAMES[rules]]
    policy = draw.random((3, rules.width)) * [
        [c in board.legal_columns for c in range(rules.width)] for board in boards
    ]
    policy /= policy.sum(axis=1, keepdims=True)
    policy[0] = np.arange(rules.width) < 2
    return Labels(
        rules,
        [board.own for board in boards],
        [board.mask for board in boards],
        policy.astype(np.float32),
        np.array([True, False, False]),
        draw.random(3).astype(np.float32),
    )


def test_gradients_are_those_of_the_loss():
    some, weights = joined([samples_of(some_labels(rules, 1)) for rules in GAMES]), drawn_weights(2)
    slopes, _ = gradients(weights, some)
    require_slopes(slopes, lambda moved: gradients(moved, some)[1], weights)


def test_chosen_samples_are_those_of_their_positions():
    parts = [samples_of(some_labels(rules, 3)) for rules in GAMES]
    chosen = joined(parts).chosen(np.array([1, 5]))
    for number, part in enumerate(parts):
        row = number + 1
        one, expected = chosen.chosen(np.array([number])), part.chosen(np.array([row]))
        assert (one.inputs.position != expected.inputs.position).nnz == 0
        assert (one.inputs.moves != expected.inputs.moves).nnz == 0
        assert np.array_equal(one.policy, expected.policy)
        assert np.array_equal(one.value, part.value[[row]])


def test_labels_are_kept_and_do_not_depend_on_the_process(tmp_path):
    makers = {f"games-{seed}": partial(searched, "network", 7, 6, 1, seed) for seed in (1, 2)}
    found = kept(tmp_path, makers, of="these")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games-1-these.pickle", "games-2-these.pickle"]
    read = kept(tmp_path, dict.fromkeys(makers), of="these")  # nothing is made, so None is never called
    made = [samples_of(make()) for make in makers.values()]
    for one, same, other in zip(found, read, made, strict=True):
        assert len(one) > 7
        assert np.array_equal(one.policy, same.policy)
        assert np.array_equal(one.policy, other.policy)
        assert np.array_equal(one.value, same.value)
        assert np.array_equal(one.value, other.value)
    assert not np.array_equal(found[0].value, found[1].value)


@pytest.mark.parametrize("make", [partial(openings, 8, 12), partial(own_games, 1)], ids=["openings", "games"])
def test_positions_of_7x6_have_exact_labels(make, monkeypatch):
    monkeypatch.setattr(labels, "OPENINGS", 20)
    monkeypatch.setattr(labels, "OWN_GAMES", 4)
    found = make(set())
    discs = np.array(found.own, np.uint64), np.array(found.mask, np.uint64)
    positions = Positions(Rules(), *discs)
    assert set(positions.plies.tolist()) & {8, 9, 10, 11}
    assert not set(positions.plies.tolist()) & {12, 13, 14, 15, 16}
    assert not positions.can_win().any()
    scores = solve_many(discs, columns=True)
    assert np.array_equal(2 * found.value - 1, np.sign(scores.scores))
    of_good = np.where(found.policy > 0, scores.columns, scores.scores[:, None])
    assert np.array_equal(np.sign(of_good), np.repeat(np.sign(scores.scores)[:, None], 7, axis=1))
    held = {int(key) for key in positions.canonical_keys()[::2]}
    assert len(make(held).own) == len(found.own) - len(held)


@pytest.mark.parametrize("wrong", [2.0, np.nan])
def test_weights_that_integers_can_not_hold_are_refused(wrong):
    weights = {name: np.zeros(shape, np.float32) for name, (shape, _) in SHAPES.items()}
    PolicyValueNetwork(integers(weights))
    weights["value_second"][3, 2] = wrong  # 128 as an integer
    assert round(2.0 * UNIT) == 128
    with pytest.raises(OverflowError, match=f"second must fit into int8, not go from .* to {wrong * UNIT:g}"):
        integers(weights)

"""What a SelfPlay is made into: planes, targets, mirror images, joined and labelled data, Parquet."""

from functools import reduce
from operator import add

import numpy as np
import pytest
from datasets import ARRAYS, CALL, SMALL, UCT, same, same_rows

from c4mcts import Board, Rules, selfplay
from c4mcts.board.positions import planes_of
from c4mcts.selfplay import SelfPlay

DATA = CALL()
LARGE = selfplay.generate(2, UCT, start=Board(Rules(11, 9, 4)), simulations=20, seed=3)  # two words


@pytest.mark.parametrize("data", [DATA, LARGE, LARGE.mirror()], ids=["one word", "two words", "mirrored"])
def test_planes_are_those_of_the_boards(data):
    boards = [data.board(row) for row in range(len(data))]
    assert np.array_equal(data.planes, planes_of(boards))
    assert data.planes.dtype == np.uint8


def test_training_arrays_hold_every_position_and_its_mirror_image():
    planes, policy, outcome = DATA.training()
    rows = len(DATA)
    assert planes.dtype == policy.dtype == outcome.dtype == np.float32
    assert len(planes) == len(policy) == len(outcome) == 2 * rows
    for row in range(0, rows, 7):
        assert np.array_equal(planes[rows + row], planes_of([DATA.board(row).mirror()])[0])
        assert policy[rows + row].tolist() == policy[row].tolist()[::-1]
    assert np.array_equal(outcome[:rows], outcome[rows:])
    plain = DATA.training(mirror=False)
    assert np.array_equal(plain[0], DATA.planes)
    assert np.array_equal(plain[1], DATA.policy)
    assert np.array_equal(plain[2], DATA.outcome)


def test_training_on_some_rows_and_another_target():
    target = DATA.mixed_value(0.25)
    whole = DATA.training(mirror=False, value=target)
    rows = [5, 3, -1]
    for part, all_rows in zip(DATA.training(mirror=False, value=target, rows=rows), whole, strict=True):
        assert np.array_equal(part, all_rows[rows])
    assert len(DATA.training(rows=DATA.ply > 3)[0]) == 2 * np.count_nonzero(DATA.ply > 3)
    both = DATA + CALL(seed=8)
    rows = [len(both) - 1, 0, len(DATA), len(DATA) - 1]
    for part, all_rows in zip(both.training(mirror=False, rows=rows), both.training(mirror=False), strict=True):
        assert np.array_equal(part, all_rows[rows])
    assert np.array_equal(both.training(mirror=False, rows=-1)[0], both.planes[-1:])
    with pytest.raises(ValueError, match=rf"value must have the shape \({len(DATA)},\), not \(3,\)"):
        DATA.training(value=np.zeros(3))
    for value in ("abc", ["1"] * len(DATA), [[1], [1, 2]], DATA.value * 1j, np.full(len(DATA), np.nan)):
        with pytest.raises((TypeError, ValueError), match=r"^value"):
            DATA.training(value=value)
    with pytest.raises(TypeError, match=r"^seed: "):
        DATA.sample(1, "x")
    for rows in ([len(DATA)], 10**30, [0.5], "all", [[0], [0, 1]], np.zeros((2, 2), int), np.ones(3, bool)):
        with pytest.raises(IndexError, match=f"^rows must be an index of {len(DATA)} positions, not "):
            DATA.training(rows=rows)
        with pytest.raises(IndexError, match=r"^rows must be"):
            selfplay.label(DATA, rows)
    with pytest.raises(IndexError, match=f"^row must be an index of {len(DATA)} positions, not 1000000000$"):
        DATA.board(10**9)


def test_a_sample_is_drawn_by_the_weights_and_half_of_it_mirrored():
    rows = np.arange(len(DATA)) == 7
    weighted = SelfPlay(DATA.sources, {**DATA.arrays, "weight": rows.astype(np.float32)})
    expected = [part[0] for part in DATA.training(False, rows=rows)]
    plain, mirrored = (weighted.sample(64, 1, mirror=flag) for flag in (False, True))
    for found, one in zip(plain, expected, strict=True):
        assert np.array_equal(found, np.broadcast_to(one, found.shape))
    flipped = [not np.array_equal(each, expected[0]) for each in mirrored[0]]
    assert 16 < sum(flipped) < 48
    assert np.array_equal(mirrored[1][flipped], np.broadcast_to(expected[1][::-1], (sum(flipped), 5)))
    draw = np.random.default_rng(1)
    assert not np.array_equal(DATA.sample(8, draw)[0], DATA.sample(8, draw)[0])
    with pytest.raises(ValueError, match="no position has a weight above 0"):
        SelfPlay(DATA.sources, {**DATA.arrays, "weight": 0 * DATA.weight}).sample(3)


def test_a_mirror_image_has_its_own_moves():
    data = selfplay.generate(3, UCT, start=Board.from_moves([0, 0, 1]), simulations=20, seed=1)
    image = data.mirror()
    for row in range(len(data)):
        assert image.board(row) == data.board(row).mirror()
        for name in ("visits", "q", "policy", "prior", "scores"):
            np.testing.assert_array_equal(getattr(image, name)[row], getattr(data, name)[row][::-1])
    assert image.start == data.start.mirror()
    assert same(image.mirror(), data)


def test_mixed_values():
    assert np.array_equal(DATA.mixed_value(0), DATA.outcome)
    assert np.array_equal(DATA.mixed_value(1), DATA.value)
    for row, mixed in enumerate(DATA.mixed_value(0.25)):
        assert mixed == pytest.approx(0.75 * DATA.outcome[row] + 0.25 * DATA.value[row], abs=1e-6)
    for wrong in (-0.1, 1.5):
        with pytest.raises(ValueError, match=f"^share must be 0 to 1, not {wrong}"):
            DATA.mixed_value(wrong)


def test_joined_games_are_numbered_one_after_the_other():
    other = CALL(seed=8)
    both = DATA + other
    assert (both.games, len(both)) == (24, len(DATA) + len(other))
    assert both.sources == DATA.sources + other.sources
    assert sorted(set(both.game.tolist())) == list(range(24))
    for name in ARRAYS:
        parts = [getattr(DATA, name), getattr(other, name) + (12 if name == "game" else 0)]
        np.testing.assert_array_equal(getattr(both, name), np.concatenate(parts))
    for row in (0, len(DATA) - 1, len(DATA), len(both) - 1):
        part, index = (DATA, row) if row < len(DATA) else (other, row - len(DATA))
        assert both.board(row) == part.board(index)
    assert str(both).startswith(f"24 games, {len(both)} positions, of 2 calls; first player: ")
    assert same_rows(reduce(add, [DATA, other, DATA]), DATA + (other + DATA))


def test_joined_games_know_what_they_have_in_common():
    both = DATA + CALL(seed=8)
    assert both.start == SMALL
    assert both.about["limits"] == DATA.about["limits"]
    assert both.about["games"] == 24
    with pytest.raises(ValueError, match="these games were joined from 2 calls, and differ in 'seed'"):
        both.seed  # noqa: B018
    other = selfplay.generate(2, UCT, start=Board.from_pons("3", SMALL.rules), simulations=30, seed=7)
    assert (DATA + other).board(len(DATA)) == other.start
    with pytest.raises(ValueError, match="differ in 'board'"):
        (DATA + other).start  # noqa: B018


def test_games_of_other_rules_are_not_joined():
    with pytest.raises(ValueError, match="games with the rules 5x4x4 and 11x9x4 can't be joined"):
        DATA + LARGE
    with pytest.raises(TypeError):
        DATA + 3


def test_print_says_how_the_games_ended():
    ends = []
    for row in np.flatnonzero(np.append(np.diff(DATA.game) != 0, True)):
        board = DATA.board(row)
        board.push(DATA.column[row])
        ends.append(board.outcome().winner)
    words = f"first player: {ends.count(0)} won, {ends.count(None)} drawn, {ends.count(1)} lost"
    assert str(DATA) == f"12 games, {len(DATA)} positions, seed 7; {words}"
    assert repr(DATA) == f"<c4mcts.selfplay.SelfPlay {DATA}>"

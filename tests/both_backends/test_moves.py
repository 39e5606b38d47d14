"""The choice of a move: sure draws against moves that may still win, and the order of lost moves."""

from typing import NamedTuple

import pytest
from variants import variant

from c4mcts import SearchParams, UctParams
from c4mcts._backend import load

PARAMS = UctParams()
CELLS = 42


class Candidate(NamedTuple):
    """A move, with bounds of its score: a draw is 0, a win above."""

    bounds: tuple[int, int]
    visits: int = 10
    value: float | None = 0.5


@pytest.fixture
def chosen(backend):
    """The one of these moves that is played."""

    def choose(*candidates, params=PARAMS):
        moves = load(backend).moves.MoveList(CELLS, 0, range(len(candidates)), [], [], False)
        for i, (bounds, visits, value) in enumerate(candidates):
            moves.narrow(i, *bounds)
            moves.set_statistics(i, visits, -1.0 if value is None else value, visits, 0)
        return candidates[moves.choose(params.settings, 0)]

    return choose


DRAW = Candidate((0, 0), visits=5, value=0.5)


@pytest.mark.parametrize(
    ("other", "is_tried"),
    [
        (Candidate((-9, 9), value=0.6), True),
        (Candidate((-9, 9), value=0.5), True),
        (Candidate((-9, 9), value=0.4), False),
        (Candidate((-9, 9), visits=10, value=None), False),
        (Candidate((-9, 0), visits=90, value=0.6), False),
        (Candidate((0, 9), value=0.1), True),
        (Candidate((0, 9), value=None), True),
    ],
    ids=["good", "equal", "bad", "no value", "can not win", "can not lose", "neither value nor loss"],
)
def test_a_sure_draw_against_a_move_that_is_open(chosen, other, is_tried):
    """What can still win is tried if it can not lose, or is valued at least as high as the draw."""
    assert chosen(DRAW, other) is (other if is_tried else DRAW)
    assert chosen(other, DRAW) is (other if is_tried else DRAW)


def test_the_value_of_a_draw_is_that_of_the_rewards(chosen):
    other = Candidate((-9, 9), value=0.2)
    assert chosen(DRAW, other) is DRAW
    assert chosen(DRAW, other, params=PARAMS.changed(rewards=(1, 0.1, 0))) is other


def test_only_the_best_looking_move_that_can_win_is_weighed(chosen):
    """A bad move that can win does not count against a good one, nor the other way round."""
    good, bad = Candidate((-9, 9), visits=30, value=0.7), Candidate((-9, 9), visits=20, value=0.1)
    assert chosen(DRAW, bad, good) is good
    good, bad = Candidate((-9, 9), visits=20, value=0.7), Candidate((-9, 9), visits=30, value=0.1)
    assert chosen(DRAW, bad, good) is DRAW


def test_without_a_sure_draw_all_moves_are_compared(chosen):
    """One that can not win any more may be the best."""
    careful, bold = Candidate((-9, 0), visits=30, value=0.4), Candidate((-9, 9), visits=20, value=0.3)
    assert chosen(careful, bold) is careful
    assert chosen(bold, careful) is careful


def test_draws_count_by_visits_alone_without_prove_draws(chosen):
    other = Candidate((-9, 9), visits=4, value=0.9)
    assert chosen(DRAW, other) is other
    assert chosen(DRAW, other, params=variant(SearchParams.preset("alphazero"), prove_draws=False)) is DRAW


def test_of_lost_moves_the_one_known_to_last_longest_is_played(chosen):
    """By the distance that is proven, then by the score that the move has at least."""

    soon, late, latest = ((-21, -20), 90), ((-21, -18), 50), ((-19, -18), 10)
    soon, late, latest = (Candidate(bounds, visits, 0.0) for bounds, visits in (soon, late, latest))
    assert chosen(soon, late) is late
    assert chosen(soon, late, latest) is latest
    assert chosen(latest, late, soon) is latest

"""The choice of the move: both backends keep, choose and weigh the same moves."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from c4mcts import GumbelParams, PuctParams, UctParams
from c4mcts._backend import load

pytestmark = pytest.mark.native
NATIVE, PURE = load("native"), load("pure")
CELLS, MOST = 42, 21  # of the board; more than the score of any win
VALUES = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.floats(0, 1))


@st.composite
def candidates(draw):
    """Arguments of MoveList, and for each move bounds and statistics, with many equal ones."""
    columns = sorted(draw(st.sets(st.integers(0, 63), min_size=1, max_size=9)))
    wins, answers = (draw(st.one_of(st.just([]), st.lists(st.sampled_from(columns)))) for _ in range(2))
    ply, checks = draw(st.integers(0, CELLS - 1)), draw(st.booleans())
    scores = st.sampled_from([-MOST, -9, -2, -1, 0, 0, 1, 2, MOST])
    found = []
    for i in range(len(columns)):
        visits = draw(st.sampled_from([0, 1, 1, 7, 7, 1000, 2**32 - 1, 2**40]))
        share = draw(VALUES) if visits else -1.0
        weight = draw(st.sampled_from([0.0, float(visits), 0.125, 1e-300]))
        bounds = sorted((draw(scores), draw(scores)))
        found.append((i, bounds, (visits, share, weight, draw(st.sampled_from([0, 1, 3, 3, 9])))))
    return (CELLS, ply, columns, wins, answers, checks), found


shared = {
    "tie_break": st.sampled_from(["first", "random"]),
    "rewards": st.sampled_from([(1, 0.5, 0), (1, 0, 0), (1, 1, 0), (1, 0.07, 0)]),
}
more = {
    **shared,
    "temperature": st.sampled_from([0.0, 0.0, 0.0, 1e-300, 0.3, 1.0, 5.0, math.inf]),
    "exploration": st.sampled_from([0.0, 0.7, 1.4, -1.0, 1e9]),
}
params = st.one_of(
    st.builds(UctParams, choice=st.sampled_from(["visits", "visits_only", "value", "secure", "ucb_short_win"]), **more),
    st.builds(PuctParams, choice=st.sampled_from(["visits", "visits_only", "value", "secure"]), **more),
    st.builds(GumbelParams, **shared),
)


def made(backend, arguments, found):
    moves = backend.moves.MoveList(*arguments)
    for i, bounds, statistics in found:
        moves.narrow(i, *bounds)
        moves.set_statistics(i, *statistics)
    return moves


@settings(max_examples=300, deadline=None)
@given(candidates(), params, st.integers(0, 2**64 - 1), st.booleans())
def test_the_same_moves_are_kept_and_chosen(made_of, params, random_bits, prove_draws):
    native, pure = (made(backend, *made_of) for backend in (NATIVE, PURE))
    assert native.rows() == pure.rows()
    chosen = [moves.choose(params.settings._replace(prove_draws=prove_draws), random_bits) for moves in (native, pure)]
    assert chosen[0] == chosen[1]


@pytest.mark.parametrize("twin", [NATIVE, PURE], ids=lambda twin: twin.name)
def test_what_is_refused(twin):
    for columns in ([64], [-1], list(range(65))):
        with pytest.raises(ValueError, match="column"):
            twin.moves.MoveList(CELLS, 0, columns, [], [], True)
    moves = twin.moves.MoveList(CELLS, 0, [2, 3], [], [], True)
    for other in (None, 3, moves):
        with pytest.raises((TypeError, AttributeError)):
            moves.read_tree(other)
    for call in (
        lambda: moves.narrow(2, 0, 0),
        lambda: moves.set_statistics(2, 1, 0.5, 1.0, 0),
    ):
        with pytest.raises(ValueError, match="the number of a move must be 0 to 1, not"):
            call()

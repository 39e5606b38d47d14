"""search(clock=...): how a clock is divided, decided by a fake time, and that it is kept."""

import itertools

import pytest

from c4mcts import Board, Engine, SearchParams
from c4mcts._backend import load
from c4mcts.search.clock import CLOSE, LAST, RESERVE, Clock, Share
from c4mcts.search.root_moves import RootMoves

UCT = SearchParams.preset("uct")
MOVES = 21  # that a player makes on 7x6, at most
SHARE = Share(planned=1.0, maximum=3.0)


def seconds_spent(share, visits_at, speed=1000):
    """When a search ends that has visits_at(seconds), looked at every 10 ms."""
    for step in range(10_000):
        seconds = step / 100
        if seconds >= share.maximum or share.is_enough(seconds, int(speed * seconds), False, visits_at(seconds)):
            return seconds
    raise AssertionError("it never ends")


def test_a_clear_move_takes_less_time_than_a_close_one():
    clear = seconds_spent(SHARE, lambda seconds: (980 * seconds, 10 * seconds))
    usual = seconds_spent(SHARE, lambda seconds: (900 * seconds, 80 * seconds))
    close = seconds_spent(SHARE, lambda seconds: (500 * seconds, 480 * seconds))
    assert 0.5 < clear < usual <= 1.0
    assert close == SHARE.maximum
    settled = seconds_spent(SHARE, lambda seconds: (500 * seconds, (480 if seconds < 2 else 500 * CLOSE - 1) * seconds))
    assert settled == 2.0


def test_a_search_is_over_at_its_limits():
    """A close decision at the maximum; another one as soon as the second move could at best draw level."""
    close, clear = (100, 100 * CLOSE), (600, 50)
    assert not SHARE.is_enough(2.9, 1000, False, close)
    assert SHARE.is_enough(3.0, 1000, False, close)
    assert SHARE.is_enough(0.5, 550, False, clear)
    assert not SHARE.is_enough(0.5, 551, False, clear)


def test_one_possible_move_takes_no_time_and_a_proven_outcome_half_the_plan():
    assert SHARE.is_enough(0.0, 1, False, (1,))
    assert SHARE.is_enough(0.0, 0, False, ())
    assert not SHARE.is_enough(0.4, 10, True, (1,))
    assert SHARE.is_enough(0.5, 10, True, (500, 480))


@pytest.mark.parametrize("proofs", [True, False])
def test_a_game_of_close_moves_never_loses_on_time(proofs):
    for moves, left, increment in itertools.product((MOVES, 2048), (0.001, 0.06, 1.0, 60.0), (0.0, 0.1, 5.0)):
        for move in range(moves, 0, -1):
            share = Clock.of((left, increment)).share(move, proofs)
            assert 0 <= share.planned <= share.maximum <= max(left - RESERVE, 0)
            left += increment - share.maximum
            assert left > 0


def test_early_moves_get_more():
    left, spent = 10.0, []
    for move in range(MOVES, 0, -1):
        spent.append(Clock.of((left, 0)).share(move, True).planned)
        left -= spent[-1]
    assert spent[0] > 2 * 10 / MOVES
    assert sum(spent[:7]) > sum(spent[7:])
    assert 0 < left <= RESERVE + 1e-9, "the last move may take what is left"


@pytest.mark.parametrize("moves", [140, 2048])
def test_on_a_large_board_the_clock_is_planned_for_more_moves(moves):
    """For a share of the moves that are left, so that twice as many get half as much each."""
    planned, of_more = (Clock.of((60, 0)).share(count, True).planned for count in (moves, 2 * moves))
    assert of_more == pytest.approx(planned / 2)
    assert 60 / moves < planned < 60 / LAST


@pytest.mark.parametrize("proofs", [True, False])
def test_a_move_takes_at_most_half_of_the_clock_and_the_last_one_all(proofs):
    """However large the increment is, which comes only after the move."""
    for moves in (2, MOVES, 140):
        assert Clock.of((1, 60)).share(moves, proofs).maximum == pytest.approx((1 - RESERVE) / 2)
    assert Clock.of((1, 60)).share(1, proofs).maximum == pytest.approx(1 - RESERVE)


def test_a_search_that_proves_nothing_needs_time_for_all_its_moves_and_spends_the_increment():
    left = 10.0
    for move in range(MOVES, 0, -1):
        planned = Clock.of((left, 0)).share(move, False).planned
        assert planned == pytest.approx((10 - RESERVE) / MOVES)
        left -= planned
    assert Clock.of((60, 1)).share(MOVES, True).planned == pytest.approx(
        Clock.of((60, 0)).share(MOVES, True).planned + 1
    )


@pytest.mark.parametrize(
    ("words", "clocks"),
    [
        ("clock must be a pair", [5, "60", (1,), (1, 2, 3)]),
        ("clock: remaining", [(0, 1), (float("nan"), 0), (float("inf"), 0), ("1", 0)]),
        ("clock: increment", [(1, -1), (1, float("nan")), (1, float("inf")), (1, None)]),
    ],
)
def test_a_bad_clock_is_refused(words, clocks):
    for clock in clocks:
        with pytest.raises((TypeError, ValueError), match=words):
            Engine().search(Board(), clock=clock)


def test_moves_that_may_be_the_best():
    def contenders(board, bounds):
        moves = RootMoves(load("pure"), board)
        for column, pair in bounds.items():
            moves.narrow(column, pair)
        return [row.column for row in moves.contenders()]

    assert contenders(Board.from_moves([2, 2, 3, 3, 4]), {}) == [1, 5], "only those answer a threat"
    assert contenders(Board(), {}) == [0, 1, 2, 3, 4, 5, 6]
    assert contenders(Board(), {0: (-18, -1)}) == [1, 2, 3, 4, 5, 6], "a lost move is out"
    draw = {3: (0, 0), 1: (-18, 0)}
    assert contenders(Board(), draw) == [0, 2, 3, 4, 5, 6], "and one that is at most as good as a sure draw"
    assert contenders(Board(), {**draw, 2: (1, 18)}) == [2], "the outcome is proven"


@pytest.mark.parametrize("options", [{}, pytest.param({"threads": 2}, marks=pytest.mark.native), {"backend": "pure"}])
def test_a_search_ends_by_its_clock(options):
    result = Engine(UCT, seed=1, **options).search(Board(), clock=(0.5, 0))
    assert result.simulations >= 1
    assert result.seconds < 20


def test_other_limits_hold_too(backend):
    def search(**limits):
        return Engine(UCT, seed=1, backend=backend).search(Board(), clock=(3600, 0), **limits)

    assert search(simulations=30).simulations == 30
    assert search(seconds=0.05).seconds < 20
    assert search(nodes=100).nodes < 120


def test_a_clock_that_has_run_out_still_moves(backend):
    result = Engine(seed=1, backend=backend).search(Board(), clock=(0.001, 0))
    assert result.column in range(7)
    assert result.simulations >= 1


def test_a_forced_move_is_played_at_once():
    result = Engine(seed=1).search(Board.from_moves([3, 0, 3, 1, 3]), clock=(3600, 0))
    assert result.column == 3
    assert result.seconds < 60

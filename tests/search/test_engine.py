"""Engine: limits, choice, tree reuse, stopping, misuse; on both backends where it matters."""

import gc
import math
import os
import pickle
import signal
import threading

import numpy as np
import pytest
from signals import handled
from trees import check_tree, require_whole

from c4mcts import Board, Engine, GameOverError, IllegalMoveError, Rules, SearchParams, UctParams


def search(board, backend="auto", params=None, seed=1, **limits):
    return Engine(params, seed=seed, backend=backend).search(board, **limits)


@pytest.mark.parametrize("simulations", [1, 2, 5, 30])
def test_an_immediate_win_is_played_and_a_threat_answered(backend, simulations):
    result = search(Board.from_moves([3, 0, 3, 1, 3, 6]), backend, simulations=simulations)
    assert (result.column, result.proof, result.distance) == (3, "win", 1)
    for choice in ("visits", "value"):
        threatened = Board.from_moves([3, 0, 3, 1, 3])
        assert search(threatened, backend, UctParams(choice=choice), simulations=simulations).column == 3
    doubly = Board.from_moves([2, 2, 3, 3, 4])  # an open three on the ground
    assert search(doubly, backend, simulations=simulations).column in (1, 5)


def test_nodes_limit(backend):
    engine = Engine(seed=1, backend=backend)
    result = engine.search(Board(), nodes=500)
    assert 500 <= result.nodes < 507
    assert engine.search(Board(), nodes=500).simulations == 1, "at least one, even if the tree is large enough"


def test_nodes_limit_ends_where_the_tree_cannot_grow():
    assert search(Board(Rules(1, 4)), params=SearchParams.preset("uct"), nodes=300).simulations == 300
    assert search(Board(), params=UctParams(max_nodes=10), nodes=300).simulations == 300


def test_seconds_limit(backend):
    result = search(Board(), backend, seconds=0.2)
    assert result.seconds >= 0.2
    assert result.simulations > 10


def test_reports_do_not_change_the_search(backend):
    """Neither progress reports nor the slices in which a search runs may leave a trace in the tree."""
    params = UctParams(tie_break="random")
    plain, watched = (Engine(params, seed=4, backend=backend) for _ in range(2))
    step = 20 if backend == "pure" else 400  # a report comes after 10 ms
    plain.search(Board(), simulations=30 * step)
    reports = []
    watched.search(Board(), simulations=10 * step, on_progress=reports.append, interval=0.001)
    for _ in range(20):
        watched.search(Board(), simulations=step, on_progress=reports.append, interval=0.001)
    assert reports
    assert np.array_equal(plain.tree(), watched.tree())


def test_progress_reports_grow(backend):
    engine, reports = Engine(preset="uct", seed=3, backend=backend), []

    def report(result):
        reports.append(result.simulations)
        if len(reports) == 3:
            engine.stop()

    result = engine.search(Board(), seconds=60, on_progress=report, interval=0.02)
    assert len(reports) == 3
    assert [*reports, result.simulations] == sorted([*reports, result.simulations])
    rarely = []
    search(Board(), backend, seconds=0.15, on_progress=rarely.append, interval=10)
    assert rarely == []


@pytest.mark.parametrize("limits", [{"simulations": 50}, {"clock": (0.2, 0)}], ids=["simulations", "clock"])
def test_the_memory_of_an_engine_waits_for_no_garbage_collector(backend, limits):
    engine = Engine(seed=1, backend=backend)
    gc.collect()
    gc.disable()
    try:
        engine.search(Board(), on_progress=lambda result: None, interval=1e-6, **limits)
        del engine
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_stop_from_another_thread(backend):
    engine, begun = Engine(backend=backend), threading.Event()
    threading.Thread(target=lambda: begun.wait(20) and engine.stop()).start()
    result = engine.search(Board(), seconds=60, on_progress=lambda _: begun.set(), interval=0.01)
    assert result.seconds < 60
    assert result.simulations > 0


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot send SIGINT to a process in a separate group")
def test_ctrl_c_interrupts_and_leaves_the_engine_whole(backend):
    engine, begun = Engine(backend=backend), threading.Event()
    press = threading.Thread(target=lambda: begun.wait(20) and os.kill(os.getpid(), signal.SIGINT))
    with handled(signal.SIGINT, signal.default_int_handler):  # a shell's background job ignores it
        press.start()
        with pytest.raises(KeyboardInterrupt):
            engine.search(Board(), seconds=60, on_progress=lambda _: begun.set(), interval=0.01)
        press.join()
    check_tree(engine.tree())
    assert engine.search(Board(), simulations=5).simulations == 5


def test_an_engine_serves_one_thread_at_a_time(backend):
    engine = Engine(backend=backend)
    errors = []

    def intrude(_):
        for call in (
            engine.tree,
            engine.reset,
            lambda: engine.advance(3),
            lambda: engine.search(Board(), simulations=1),
        ):
            with pytest.raises(RuntimeError, match="at work") as caught:
                call()
            errors.append(caught.value)
        engine.stop()

    engine.search(Board(), seconds=60, on_progress=intrude)
    assert len(errors) >= 4
    assert engine.search(Board(), simulations=1).simulations == 1


def test_a_tree_that_has_counted_all_it_can_is_left(backend, monkeypatch):
    monkeypatch.setattr("c4mcts._layout.MAX_VALUE_SUM", 100)
    engine = Engine(seed=1, backend=backend)
    assert engine.search(Board(), simulations=1000).simulations == 50
    assert engine.search(Board(), simulations=20).simulations == 20
    assert engine.tree()["visits"][0] == 20


def test_sums_of_shared_children_stay_within_what_can_be_counted(monkeypatch, tmp_path):
    """They gather visits over many ways, so that some have more than the root of a later position."""
    monkeypatch.setattr("c4mcts._layout.MAX_VALUE_SUM", 100 * 1000)
    params = UctParams(rewards=(1, 0.99, 0), proofs=False, probes=False, rollout="random")
    engine = Engine(params, seed=1)
    board = Board.from_fen("6/1xoxox/1oxoxo x 6x3x9")  # nobody can win
    for column in (1, 2, 3, 4, 5, None):
        assert engine.search(board, simulations=2000).value == pytest.approx(0.99)
        assert engine.tree()["visits"].max() == 1000
        engine.save(tmp_path / "file")
        require_whole(Engine.load(tmp_path / "file"))
        if column is not None:
            engine.advance(column)
            board.push(column)
    assert engine.tree()["visits"][0] < 1000


def test_the_same_position_goes_on():
    whole, parts = (Engine(seed=5) for _ in range(2))
    whole.search(Board(), simulations=600)
    for simulations in (1, 99, 500):
        result = parts.search(Board(), simulations=simulations)
        assert result.simulations == simulations
    assert np.array_equal(whole.tree(), parts.tree())


@pytest.mark.parametrize(("preset", "by_hand"), [("uct", False), ("strong", True)])
def test_a_later_position_keeps_its_subtree(by_hand, preset):
    engine = Engine(SearchParams.preset(preset), seed=5)
    board = Board()
    before = engine.search(board, simulations=500)
    child = before.moves[before.column]
    board.push(before.column)
    if by_hand:
        engine.advance(before.column)
        assert engine.tree()["visits"][0] == child.visits
    engine.search(board, simulations=100)
    tree = engine.tree()
    assert tree["visits"][0] == child.visits + 100
    check_tree(tree, shared=preset == "strong")


def test_a_position_several_moves_on_is_found_by_any_order_of_moves():
    searched = Engine(seed=5)
    searched.search(Board(), simulations=800)
    played = Board.from_moves([3, 3, 2])
    visits = []
    for board in (played, Board.from_array(played.to_array())):
        engine = pickle.loads(pickle.dumps(searched))
        engine.search(board, simulations=1)
        visits.append(engine.tree()["visits"][0])
    assert visits[0] == visits[1] > 3


@pytest.mark.parametrize(("plies", "is_kept"), [(1, True), (5, True), (6, True), (7, False)])
def test_a_subtree_is_kept_for_six_plies(plies, is_kept):
    """Along the line of the most visits; a later position starts a new tree."""
    engine = Engine(SearchParams.preset("uct"), seed=5)
    board = Board(Rules(2, 6, 4))
    engine.search(board, simulations=1500)
    for _ in range(plies):
        child = max(engine.node(board.moves).children, key=lambda child: child.visits)
        board.push(child.column)
    assert child.visits > 10
    engine.search(board, simulations=1)
    assert engine.tree()["visits"][0] == (child.visits + 1 if is_kept else 1)


@pytest.mark.parametrize(
    "board",
    [Board.from_moves([0, 0]), Board(Rules(6, 5)), Board.from_moves([3, 3, 3, 3, 3, 3])],
    ids=["sideways", "rules", "far"],
)
def test_another_position_starts_a_new_tree(board):
    engine = Engine(seed=5)
    start = Board.from_moves([3])
    engine.search(start, simulations=300)
    engine.search(board, simulations=7)
    assert engine.tree()["visits"][0] == 7


def test_the_engine_keeps_its_own_board():
    engine = Engine(seed=5)
    board = Board()
    result = engine.search(board, simulations=100)
    board.push(0)
    assert result.board == Board()
    engine.search(Board(), simulations=1)
    assert engine.tree()["visits"][0] == 101


def test_advance_to_the_end_of_a_game_and_beyond():
    engine = Engine(seed=5)
    board = Board.from_moves([3, 0, 3, 1, 3, 6])
    engine.search(board, simulations=100)
    engine.advance(3)
    with pytest.raises(IllegalMoveError, match="over"):
        engine.advance(3)
    board.push(3)
    with pytest.raises(GameOverError):
        engine.search(board, simulations=10)
    assert engine.search(Board(), simulations=10).simulations == 10


def test_advance_needs_a_tree_and_a_legal_column():
    engine = Engine()
    with pytest.raises(ValueError, match="search a position first"):
        engine.advance(3)
    engine.search(Board.from_moves([0] * 6), simulations=10)
    visits = engine.tree()["visits"][0]
    for column, error in (
        (0, IllegalMoveError),
        (7, IllegalMoveError),
        (-1, IllegalMoveError),
        ("3", TypeError),
        (3.0, TypeError),
    ):
        with pytest.raises(error):
            engine.advance(column)
    assert engine.tree()["visits"][0] == visits
    engine.advance(np.int64(3))


def test_every_kind_of_seed():
    def visits(seed):
        return [move.visits for move in search(Board(), seed=seed, simulations=200).moves]

    assert visits(7) == visits(np.int32(7)) == visits(np.random.SeedSequence(7))
    assert visits(np.random.default_rng(7)) == visits(np.random.default_rng(7))
    assert visits(None) != visits(None)


def test_rewards_shape_the_value():
    """On a board where nobody can win, the value is what a draw is worth."""
    board = Board(Rules(3, 3, 4))
    for rewards, value in (((1, 0.5, 0), 0.5), ((1, 0, 0), 0.0), ((1, 1, 0), 1.0), ((1, -0.5, -1), 0.25)):
        result = search(board, params=UctParams(rewards=rewards), simulations=100)
        assert result.value == pytest.approx(value)


def test_results_are_for_reading():
    result = search(Board.from_moves([0] * 6), simulations=500)
    text = str(result)
    assert "500 simulations" in text
    assert len(text.splitlines()) == 3 + 6
    assert result.policy(math.inf) == pytest.approx([0] + [1 / 6] * 6)
    for temperature in (-1, math.nan):
        with pytest.raises(ValueError, match="temperature"):
            result.policy(temperature)

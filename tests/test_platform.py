"""Where there are no threads: searches in slices, jobs one after the other, and what says that it needs threads."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from evaluators import uniform

from c4mcts import (
    Board,
    CheckpointError,
    Engine,
    Rules,
    SearchParams,
    Solver,
    _platform,
    rollouts,
    selfplay,
    solve,
    solve_many,
)
from c4mcts.executors.checkpoint import LockedFile
from c4mcts.play.review import review, review_in_slices
from c4mcts.play.tournament import play_tournament
from c4mcts.protocol import Caps


@pytest.fixture(autouse=True)
def without_threads(monkeypatch):
    """As in WebAssembly."""
    monkeypatch.setattr(_platform, "HAS_THREADS", False)

    def refused(*_, **__):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", refused)
    monkeypatch.setattr("c4mcts.executors.background.start_new_thread", refused)


@pytest.mark.native
@pytest.mark.parametrize(
    "call",
    [
        lambda: Engine(threads=2),
        lambda: solve(Board(), threads=2),
        lambda: Solver(threads=2),
        lambda: rollouts(Board(), games=10, threads=2),
    ],
)
def test_more_threads_are_refused_in_one_sentence(call):
    with pytest.raises(ValueError, match=r"^threads must be 1 on this platform, which has no threads to start, not 2$"):
        call()


def test_pondering_is_refused():
    with pytest.raises(RuntimeError, match=r"^pondering needs threads, and this platform has none$"):
        Engine().ponder(Board())


def test_an_analysis_yields_reports_and_the_result_of_the_search():
    engine = Engine(seed=1)
    found = list(engine.analysis(Board(), simulations=3000, interval=1e-6))
    assert len(found) > 5
    assert [one.simulations for one in found] == sorted(one.simulations for one in found)
    assert [move.visits for move in found[-1].moves] == [
        move.visits for move in Engine(seed=1).search(Board(), simulations=3000).moves
    ]


def test_an_analysis_that_is_left_leaves_the_engine_usable():
    engine = Engine(seed=1)
    for info in engine.analysis(Board(), interval=1e-6):
        if info.simulations > 100:
            break
    assert engine.search(Board(), simulations=10).simulations == 10


def test_an_error_in_a_search_is_raised_by_the_loop():
    def broken(planes, legal):
        raise ZeroDivisionError

    engine = Engine(SearchParams.preset("alphazero"), evaluator=broken)
    with pytest.raises(ZeroDivisionError):
        list(engine.analysis(Board(), simulations=10))


@pytest.mark.parametrize("executor", [None, ThreadPoolExecutor(1)])
def test_jobs_run_one_after_the_other(executor):
    found = solve_many(["45461667", "4", "444444"], columns=False, executor=executor)
    assert found.scores.tolist() == [11, -1, 1]
    games = selfplay.generate(3, simulations=20, seed=1, executor=executor)
    assert games.games == 3


def test_self_play_with_an_evaluator(tmp_path):
    params = SearchParams.preset("alphazero")
    games = selfplay.generate(3, params, simulations=10, seed=1, evaluator=uniform, out=tmp_path / "games")
    assert games.games == 3


def test_players_are_called_in_the_same_thread():
    found = play_tournament(["random", "random"], games=2, openings=["1"], seed=1)
    assert [game.end for game in found.games] == ["line"] * 2


def test_a_solution_in_slices_is_the_same():
    """A slice lasts for 0.1 s, and this takes longer."""
    board, counts = Board.from_pons("4444"), []
    slices = Solver(book=False).solve_in_slices(board, columns=False, on_progress=counts.append)
    paused = 0
    while True:
        try:
            next(slices)
        except StopIteration as end:
            found = end.value
            break
        paused += 1
    assert paused >= 1
    assert counts == sorted(counts)
    assert found.nodes >= counts[-1]
    assert found.score == solve(board, columns=False).score


def test_a_limit_in_nodes_holds_for_all_slices_together():
    slices = Solver(Rules(8, 7)).solve_in_slices(Board(Rules(8, 7)), max_nodes=10**6, on_progress=lambda _: None)
    found = _platform.to_the_end(lambda: slices)
    assert found.score is None
    assert 10**6 <= found.nodes < 2 * 10**6


def test_a_review_in_slices_is_the_same():
    game = "44444226"
    assert _platform.to_the_end(review_in_slices, game) == review(game)


def test_a_score_is_refined_in_slices(monkeypatch):
    """They end by their nodes: what a search in one thread finds does not depend on the clock."""
    monkeypatch.setattr(_platform, "PAUSE_NODES", 1 << 10)
    monkeypatch.setattr(_platform, "PAUSE_SECONDS", 0)
    found = Engine(seed=1).search(Board.from_pons("45461667"), simulations=50_000)
    assert (found.proof, found.distance) == ("win", 13)


def test_a_file_is_open_once(monkeypatch, tmp_path):
    """Without locks of the system."""
    monkeypatch.setattr(_platform, "IS_WASM", True)
    with LockedFile(tmp_path / "a") as file, LockedFile(tmp_path / "b"):
        with pytest.raises(CheckpointError, match="in use"):
            LockedFile(tmp_path / "a")
        assert not file.closed
    LockedFile(tmp_path / "a").close()


def test_clients_may_not_ask_for_threads():
    assert Caps().threads in (1, 256)  # decided when the module is loaded


def test_ctrl_c_between_two_slices_leaves_nothing_locked():
    """Even while the traceback is kept."""
    closed = []

    def work():
        try:
            yield
            raise KeyboardInterrupt
        finally:
            closed.append(True)

    def interrupted():
        yield from work()

    with pytest.raises(KeyboardInterrupt) as kept:
        _platform.to_the_end(interrupted)
    assert closed
    assert kept.traceback

"""Where there are no threads: searches in steps, jobs one after the other, and what says that it needs threads."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from evaluators import uniform

from c4mcts import Board, Engine, SearchParams, Solver, _platform, rollouts, selfplay, solve, solve_many
from c4mcts.play.tournament import play_tournament


@pytest.fixture(autouse=True)
def without_threads(monkeypatch):
    """As in WebAssembly."""
    monkeypatch.setattr(_platform, "HAS_THREADS", False)

    def refused(*_, **__):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", refused)


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


@pytest.mark.parametrize("executor", [None, ThreadPoolExecutor(1)])
def test_jobs_run_one_after_the_other(executor):
    found = solve_many(["45461667", "4", "444444"], columns=False, executor=executor)
    assert found.scores.tolist() == [11, -1, 1]
    games = selfplay.generate(3, simulations=20, seed=1, executor=executor)
    assert games.games == 3


def test_self_play_with_an_evaluator(tmp_path):
    params = SearchParams.preset("alphazero")
    games = selfplay.generate(3, params, simulations=10, seed=1, evaluator=uniform)
    games.save(tmp_path / "games")  # `out` would need SQLite, which a browser loads separately
    assert selfplay.load(tmp_path / "games").games == 3


def test_players_are_called_in_the_same_thread():
    found = play_tournament(["random", "random"], games=2, openings=["1"], seed=1)
    assert [game.end for game in found.games] == ["line"] * 2

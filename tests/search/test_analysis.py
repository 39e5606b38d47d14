"""engine.analysis: one growing search, watched from a loop."""

import gc

import pytest
from signals import searches_end

from c4mcts import Board, Engine, GameOverError, SearchParams
from c4mcts.search.tree import EngineTree

UCT = SearchParams.preset("uct")


def test_the_search_grows_until_its_limit(backend):
    engine = Engine(UCT, seed=1, backend=backend)
    simulations = {"native": 500_000, "pure": 2_500}[backend]  # take many intervals
    counts = [info.simulations for info in engine.analysis(Board(), simulations=simulations, interval=0.02)]
    assert counts == sorted(counts)
    assert len(counts) >= 4
    assert counts[-1] == engine.tree()["visits"][0] == simulations
    assert searches_end()


def test_the_last_result_is_that_of_a_search(backend):
    *_, last = Engine(seed=3, backend=backend).analysis(Board.from_pons("4444"), simulations=300, interval=0.001)
    expected = Engine(seed=3, backend=backend).search(Board.from_pons("4444"), simulations=300)
    assert last.moves == expected.moves
    assert last.simulations == 300


def test_leaving_the_loop_stops_the_search_and_the_tree_is_kept(backend):
    engine = Engine(UCT, seed=1, backend=backend)
    for info in engine.analysis(Board(), interval=0.01):
        if info.simulations > 50:
            break
    gc.collect()  # where there are no reference counts, the loop is left only now
    assert searches_end()
    visits = int(engine.tree()["visits"][0])
    assert visits >= info.simulations
    assert engine.search(Board(), simulations=5).simulations == 5
    assert engine.tree()["visits"][0] == visits + 5


def test_nothing_is_searched_while_the_loop_does_something_else():
    engine = Engine(UCT, seed=1)
    watched = engine.analysis(Board(), interval=0.005)
    first = next(watched).simulations
    assert engine._tree.visits() == first
    assert next(watched).simulations > first
    watched.close()
    assert engine.search(Board(), simulations=5).simulations == 5


def test_what_goes_wrong_in_the_search_is_raised_in_the_loop(backend, monkeypatch):
    engine = Engine(seed=1, backend=backend)

    def fail(*_, **__):
        raise LookupError("in the search")

    monkeypatch.setattr(EngineTree, "result", fail)
    with pytest.raises(LookupError, match="in the search"):
        list(engine.analysis(Board(), simulations=10))
    assert searches_end()


def test_stop_and_proof_end_it(backend):
    engine = Engine(seed=1, backend=backend)
    assert list(engine.analysis(Board.from_pons("414243")))[-1].proof
    for info in engine.analysis(Board(), interval=0.01):
        assert info.simulations > 0
        assert engine.nbytes > 0
        engine.stop()
    assert searches_end()


def test_bad_arguments_are_refused_at_once():
    engine = Engine()
    with pytest.raises(GameOverError):
        engine.analysis(Board.from_pons("4142434"))
    for interval in (0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="interval"):
            engine.analysis(Board(), interval=interval)
    with pytest.raises(ValueError, match="simulations"):
        engine.analysis(Board(), simulations=0)

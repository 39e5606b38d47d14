"""A callback may raise anything: that very object is raised, and what called it still works."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from datasets import UCT
from evaluators import uniform
from signals import wait_for_searches
from trees import require_whole

from c4mcts import (
    Board,
    Engine,
    PuctParams,
    Rules,
    Solver,
    build_book,
    search_ensemble,
    selfplay,
    solve,
    solve_many,
    study,
)
from c4mcts.play import EnginePlayer, RandomPlayer, play_match, play_tournament, review

SMALL = Board(Rules(5, 4))
ENGINE = Engine(seed=1)
SOLVER = Solver(book=False)


ERRORS = [ZeroDivisionError, StopIteration, KeyboardInterrupt]
CALLS = {
    "search": lambda f: ENGINE.search(Board(), simulations=10**9, on_progress=f, interval=0.001),
    "solve": lambda f: solve(Board(), book=False, on_progress=f),
    "best_column": lambda f: SOLVER.best_column(Board(), on_progress=f),
    "line": lambda f: SOLVER.line(Board(), on_progress=f),
    "review": lambda f: review("4455", simulations=10, seed=1, on_progress=f),
    "solve_many": lambda f: solve_many([SMALL], progress=f),
    "build_book": lambda f: build_book(SMALL.rules, 2, progress=f),
    "study": lambda f: study.action_frequency(SMALL, simulations=5, runs=2, seed=1, progress=f),
    "selfplay": lambda f: selfplay.generate(2, UCT, start=SMALL, simulations=5, seed=1, progress=f),
    "match": lambda f: play_match(RandomPlayer(), RandomPlayer(), games=2, seed=1, on_game=f),
    "tournament": lambda f: play_tournament(["random", "random"], games=2, seed=1, on_game=f),
    "progress of a tournament": lambda f: play_tournament(["random", "random"], games=2, seed=1, progress=f),
}


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("name", CALLS)
def test_what_a_callback_raises_is_raised(name, error):
    raised = error()

    def callback(*_):
        raise raised

    with pytest.raises(error) as caught:
        CALLS[name](callback)
    assert caught.value is raised
    require_whole(ENGINE)
    assert ENGINE.search(Board(), simulations=20).simulations == 20
    assert SOLVER.solve(Board.from_pons("445566")).score == 18


class Refusing:
    """An evaluator whose third call raises."""

    def __init__(self):
        self.calls = 0

    def __call__(self, *batch):
        self.calls += 1
        if self.calls == 3:
            raise LookupError
        return uniform(*batch)


def fail(result):
    raise LookupError


def ponder(engine):
    engine.ponder(Board(), simulations=1000)
    wait_for_searches()
    return engine


def ensemble(evaluator, backend, executor=None):
    limits = {"trees": 2, "simulations": 99}
    search_ensemble(Board(), PUCT, evaluator=evaluator, backend=backend, executor=executor, **limits)


def ensemble_in_threads(evaluator, backend):
    with ThreadPoolExecutor(1) as executor:
        ensemble(evaluator, backend, executor)


def match(evaluator, backend):
    player = EnginePlayer(PUCT, evaluator=evaluator, simulations=50, backend=backend)
    play_match(player, RandomPlayer(), games=2, seed=1)


PUCT = PuctParams()
OF_AN_ENGINE = {
    "search": lambda engine: engine.search(Board(), simulations=999),
    "on_progress": lambda engine: engine.search(Board(), simulations=999, on_progress=fail, interval=1e-6),
    "analysis": lambda engine: list(engine.analysis(Board(), simulations=999)),
    "analysis that is left": lambda engine: next(engine.analysis(Board(), simulations=999, interval=1e-6)),
    "pondering": ponder,
    "pondering and a reset": lambda engine: ponder(engine).reset(),
    "pondering and a search": lambda engine: ponder(engine).search(Board(), simulations=1),
}
EVALUATED = {
    name: lambda evaluator, backend, call=call: call(Engine(PUCT, evaluator=evaluator, backend=backend))
    for name, call in OF_AN_ENGINE.items()
} | {
    "ensemble": ensemble,
    "ensemble in threads": ensemble_in_threads,
    "match": match,
    "selfplay": lambda evaluator, _: selfplay.generate(2, PUCT, evaluator=evaluator, simulations=50),
}


@pytest.mark.parametrize("name", EVALUATED)
def test_after_an_exception_no_tree_waits_for_the_garbage_collector(name, backend):
    if name == "selfplay" and backend == "pure":
        pytest.skip("pools are native")
    evaluator = Refusing()
    left = weakref.ref(evaluator)
    gc.collect()
    gc.disable()
    try:
        with suppress(LookupError):
            EVALUATED[name](evaluator, backend)
        del evaluator
        assert left() is None
    finally:
        gc.enable()

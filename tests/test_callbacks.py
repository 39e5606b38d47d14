"""A callback may raise anything: that very object is raised, and what called it still works."""

import pytest
from datasets import UCT

from c4mcts import Board, Engine, Rules, Solver, build_book, selfplay, solve, solve_many, study
from c4mcts.play import RandomPlayer, play_match, play_tournament, review

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
    ENGINE._check()
    assert ENGINE.search(Board(), simulations=20).simulations == 20
    assert SOLVER.solve(Board.from_pons("445566")).score == 18

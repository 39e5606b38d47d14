"""The memory of a table, up to 256 MB, is free when its call ends: Python's collector takes it for one small object."""

import gc
import inspect
import weakref
from contextlib import suppress

import pytest

from c4mcts import Board, Rules, Solver, solve
from c4mcts.play.review import review

LATE = Board.from_pons("2252576253462244111563365343")
LARGE = Rules(8, 7)  # its table takes 256 MB


def fail(*_):
    raise LookupError


CALLS = {
    "to the end": lambda backend: solve(LATE, on_progress=bool, backend=backend),
    "ended": lambda backend: solve(Board(LARGE), on_progress=lambda nodes: True, backend=backend),
    "failing": lambda backend: solve(Board(LARGE), on_progress=fail, backend=backend),
    "a Solver": lambda backend: Solver(backend=backend).solve(LATE, on_progress=bool),
    "best_column": lambda backend: Solver(backend=backend).best_column(LATE, on_progress=bool),
    "line": lambda backend: Solver(backend=backend).line(LATE, on_progress=bool),
    "a review": lambda backend: review(Board.from_moves([0, 1, 0, 1], Rules(4, 4)), backend=backend),
}


@pytest.fixture
def solvers(monkeypatch):
    """References to all solvers that are made during the test, in which nothing is collected."""
    made = []

    class Watched(Solver):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            made.append(weakref.ref(self))

    for function in (solve, review):  # their modules
        monkeypatch.setitem(inspect.unwrap(function).__globals__, "Solver", Watched)
    monkeypatch.setitem(globals(), "Solver", Watched)
    gc.disable()
    yield made
    gc.enable()


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_solver_is_freed_by_the_end_of_the_call(backend, solvers, call):
    with suppress(LookupError):
        call(backend)
    assert [solver() for solver in solvers] == [None]

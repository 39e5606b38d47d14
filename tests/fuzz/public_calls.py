"""The public calls that reach the native backend, with valid arguments; those left out have their defaults."""

import itertools
from collections.abc import Callable
from functools import cache, wraps
from typing import Any

import numpy as np

from c4mcts import (
    Board,
    Book,
    Engine,
    Rules,
    SearchParams,
    Solver,
    build_book,
    perft,
    rollouts,
    search_ensemble,
    selfplay,
    solve,
    solve_many,
)
from c4mcts.adapters import kaggle
from c4mcts.board.positions import planes_of
from c4mcts.evaluators import NumpyEvaluator
from c4mcts.play import RandomPlayer, play_game
from c4mcts.search.limits import Limits


def begun(**arguments: Any) -> Any:
    with Engine(UCT, seed=1).begin(**arguments) as run:
        run.finish()
        return run.result()


Call = tuple[Callable[..., Any], dict[str, Any]]

SMALL = Rules(5, 4)
UCT = SearchParams.preset("uct", max_nodes=5000)


def board() -> Board:
    return Board.from_moves([2, 2, 1], SMALL)


def searched() -> Engine:
    engine = Engine(UCT, seed=1)
    engine.search(board(), simulations=30)
    return engine


@cache
def book() -> Book:
    return build_book(SMALL, 2)


def saved(thing: Any) -> str:
    """The path of a thing that is saved."""
    path = f"saved {type(thing).__name__}"
    thing.save(path)
    return path


def stopped(engine: Engine) -> Callable[..., None]:
    """`ponder`, which ends."""

    @wraps(engine.ponder)
    def call(*args: Any, **arguments: Any) -> None:
        engine.ponder(*args, **arguments)
        engine.stop()

    return call


TWO = selfplay.BatchParams(concurrent=2)


@wraps(selfplay.Pool)
def played(*args: Any, **arguments: Any) -> list[Any]:
    """The games of a pool."""
    pool = selfplay.Pool(*args, **arguments)
    for batch in itertools.islice(iter(pool.gather, None), 200):
        pool.complete(np.ones(batch.legal.shape, np.float32), np.zeros(len(batch.legal), np.float32))
    return pool.finished()


def waiting() -> selfplay.Pool:
    pool = selfplay.Pool(games=2, simulations=3, start=board(), batches=TWO, seed=1)
    pool.gather()
    return pool


def ones(weights: Any, planes: Any) -> tuple[Any, Any]:
    """A network."""
    return weights, np.zeros(len(planes))


ANSWER = {"priors": np.ones((2, 5), np.float32), "values": np.zeros(2, np.float32)}
LEAVES = {"planes": np.zeros((2, 2, 4, 5), np.float32), "legal": np.ones((2, 5), bool)}

CALLS: dict[str, Callable[[], Call]] = {
    "Rules": lambda: (Rules, {"width": 5, "height": 4, "connect": 3}),
    "Board": lambda: (Board, {"rules": SMALL}),
    "Board.from_moves": lambda: (Board.from_moves, {"moves": [1, 2], "rules": SMALL}),
    "Board.from_fen": lambda: (Board.from_fen, {"fen": "5/5/5/2x2 o 5x4x4", "rules": SMALL}),
    "Board.parse": lambda: (Board.parse, {"text": "5x4x4:1,2", "rules": SMALL}),
    "Board.from_array": lambda: (Board.from_array, {"array": [[0] * 5] * 4, "rules": SMALL}),
    "kaggle.board_of": lambda: (kaggle.board_of, {"observation": {"board": [0] * 20, "mark": 1}, "rules": SMALL}),
    "Board.push": lambda: (board().push, {"column": 1}),
    "Engine": lambda: (Engine, {"params": UCT, "seed": 1, "backend": "native"}),
    "Engine.search": lambda: (Engine(UCT, seed=1).search, {"board": board(), "simulations": 20}),
    "Engine.analysis": lambda: (Engine(UCT, seed=1).analysis, {"board": board(), "simulations": 20}),
    "Engine.begin": lambda: (begun, {"board": board(), "limits": Limits(simulations=20)}),
    "Engine.ponder": lambda: (stopped(Engine(UCT, seed=1)), {"board": board(), "simulations": 20}),
    "Engine.advance": lambda: (searched().advance, {"column": 1}),
    "Engine.node": lambda: (searched().node, {"path": [1]}),
    "Engine.save": lambda: (searched().save, {"path": "engine.npz"}),
    "Engine.load": lambda: (Engine.load, {"path": saved(searched())}),
    "solve": lambda: (solve, {"board": board(), "max_nodes": 1000}),
    "solve_many": lambda: (solve_many, {"boards": [board()]}),
    "Solver": lambda: (Solver, {"rules": SMALL}),
    "Solver.solve": lambda: (Solver(SMALL).solve, {"board": board(), "max_nodes": 1000}),
    "Solver.best_column": lambda: (Solver(SMALL).best_column, {"board": board()}),
    "Solver.line": lambda: (Solver(SMALL).line, {"board": board(), "plies": 3}),
    "build_book": lambda: (build_book, {"rules": SMALL, "plies": 1}),
    "Book.load": lambda: (Book.load, {"path": saved(book())}),
    "Book.save": lambda: (book().save, {"path": "book.npz"}),
    "Book.score": lambda: (book().score, {"board": board()}),
    "Book.scores": lambda: (book().scores, {"positions": book().lines.positions}),
    "Book.children": lambda: (book().children, {"board": board()}),
    "Book.with_lines": lambda: (book().with_lines, {"lines": book().lines}),
    "Book.line": lambda: (book().line, {"board": board()}),
    "Book.twin": lambda: (book().twin, {"backend": "pure"}),
    "perft": lambda: (perft, {"board": board(), "depth": 3}),
    "rollouts": lambda: (rollouts, {"board": board(), "games": 10, "seed": 1}),
    "search_ensemble": lambda: (
        search_ensemble,
        {"board": board(), "params": UCT, "trees": 2, "seed": 1, "simulations": 10},
    ),
    "generate": lambda: (
        selfplay.generate,
        {"games": 1, "params": UCT, "start": board(), "seed": 1, "simulations": 3},
    ),
    "search_many": lambda: (
        selfplay.search_many,
        {"boards": [board()], "evaluator": NumpyEvaluator(ones, np.ones((2, 5))), "simulations": 3, "concurrent": 2},
    ),
    "Pool": lambda: (played, {"games": 2, "simulations": 3, "start": board(), "batches": TWO, "seed": 1}),
    "Pool.complete": lambda: (waiting().complete, ANSWER),
    "NumpyEvaluator": lambda: (
        lambda apply, weights: NumpyEvaluator(apply, weights)(**LEAVES),
        {"apply": ones, "weights": np.ones((2, 5))},
    ),
    "play_game": lambda: (play_game, {"first": RandomPlayer(), "second": RandomPlayer(), "start": board(), "seed": 1}),
    "planes_of": lambda: (planes_of, {"boards": [board()], "planes": "binary"}),
}

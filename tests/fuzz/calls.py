"""Public calls with hostile arguments: TypeError or ValueError in one line, or a result."""

import contextlib
import resource
import signal
from collections.abc import Iterator
from random import Random
from typing import Any

from c4mcts import (
    Board,
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
    study,
)
from c4mcts.board.planes import planes_of
from c4mcts.play.arena import play_game, play_match
from c4mcts.play.players import RandomPlayer
from c4mcts.play.review import review
from c4mcts.play.tournament import play_tournament
from c4mcts.view.dot import tree_dot
from c4mcts.view.growth import growth
from c4mcts.view.svg import board_svg

from .files import one_line
from .target import SANITIZED, Target
from .values import VALUES

SMALL = Rules(5, 4)
UCT = SearchParams.preset("uct", max_nodes=5000)
LIMIT = 0.3  # seconds until a call that is no error is interrupted
MEMORY = 3 << 30  # bytes that a call may take
CALLBACKS = ("on_progress", "on_game", "progress", "evaluator")  # what they raise is raised


def board() -> Board:
    return Board.from_moves([2, 2, 1], SMALL)


def searched() -> Engine:
    engine = Engine(UCT, seed=1)
    engine.search(board(), simulations=30)
    return engine


CALLS: dict[str, tuple[Any, dict[str, Any]]] = {  # function, valid arguments
    "Rules": (Rules, {"width": 5, "height": 4, "connect": 3, "diagonals": True}),
    "Board": (Board, {"rules": SMALL}),
    "from_moves": (Board.from_moves, {"moves": [1, 2], "rules": SMALL}),
    "from_text": (Board.from_text, {"text": "1 2", "rules": SMALL}),
    "from_pons": (Board.from_pons, {"text": "12", "rules": SMALL}),
    "from_fen": (Board.from_fen, {"fen": "5/5/5/2x2 o 5x4x4", "rules": SMALL}),
    "from_array": (Board.from_array, {"array": [[0] * 5] * 4, "rules": SMALL}),
    "from_kaggle": (Board.from_kaggle, {"observation": {"board": [0] * 20, "mark": 1}, "rules": SMALL}),
    "from_openspiel": (Board.from_openspiel, {"state": "1 2", "rules": SMALL}),
    "push": (lambda **a: board().push(**a), {"column": 1}),
    "is_legal": (lambda **a: board().is_legal(**a), {"column": 1}),
    "cell": (lambda column, row: board()[column, row], {"column": 1, "row": 0}),
    "preset": (SearchParams.preset, {"name": "uct"}),
    "params": (SearchParams, {name: getattr(UCT, name) for name in UCT.__dataclass_fields__}),
    "Engine": (Engine, {"params": UCT, "seed": 1, "backend": "native", "threads": 1, "evaluator": None, "book": None}),
    "search": (
        lambda **a: Engine(UCT, seed=1).search(**a),
        {"board": board(), "simulations": 20, "seconds": None, "nodes": None, "clock": None, "on_progress": None},
    ),
    "analysis": (
        lambda **a: list(Engine(UCT, seed=1).analysis(**a)),
        {"board": board(), "simulations": 20, "seconds": None, "nodes": None, "interval": 0.1},
    ),
    "ponder": (lambda **a: _pondered(**a), {"board": board(), "simulations": 20, "seconds": None, "nodes": None}),
    "advance": (lambda **a: searched().advance(**a), {"column": 1}),
    "node": (lambda **a: searched().node(**a), {"path": [1]}),
    "policy": (lambda **a: searched().search(board(), simulations=5).policy(**a), {"temperature": 1.0}),
    "save": (lambda **a: searched().save(**a), {"path": "engine.npz"}),
    "load": (Engine.load, {"path": "none.npz", "backend": "auto", "threads": 1, "evaluator": None, "book": None}),
    "solve": (
        solve,
        {
            "board": board(),
            "columns": True,
            "book": True,
            "max_nodes": 1000,
            "seconds": 1,
            "on_progress": None,
            "threads": 1,
        },
    ),
    "solve_many": (solve_many, {"boards": [board()], "columns": False, "book": True, "rules": None, "progress": False}),
    "Solver": (Solver, {"rules": SMALL, "book": True, "threads": 1, "backend": "auto"}),
    "build_book": (build_book, {"rules": SMALL, "plies": 1, "lines": None, "executor": None, "progress": False}),
    "perft": (perft, {"board": board(), "depth": 3, "backend": "auto"}),
    "rollouts": (rollouts, {"board": board(), "games": 10, "seed": 1, "policy": "random", "backend": "auto"}),
    "search_ensemble": (
        search_ensemble,
        {"board": board(), "params": UCT, "trees": 2, "seed": 1, "executor": None, "simulations": 10},
    ),
    "generate": (
        selfplay.generate,
        {
            "games": 1,
            "params": UCT,
            "start": board(),
            "temperature": 1.0,
            "temperature_plies": 2,
            "evaluator": None,
            "seed": 1,
            "progress": False,
            "simulations": 3,
        },
    ),
    "action_frequency": (
        study.action_frequency,
        {"board": board(), "params": UCT, "simulations": 5, "runs": 2, "seed": 1, "progress": False},
    ),
    "win_rate": (
        study.win_rate,
        {"boards": board(), "modes": UCT, "opponent": "random", "budgets": (5,), "games": 2, "seed": 1},
    ),
    "convergence": (study.convergence, {"board": board(), "params": UCT, "simulations": 20, "runs": 2, "seed": 1}),
    "play_game": (play_game, {"first": RandomPlayer(), "second": RandomPlayer(), "start": board(), "seed": 1}),
    "play_match": (
        play_match,
        {"player": RandomPlayer(), "opponent": RandomPlayer(), "games": 2, "start": board(), "alternate": True},
    ),
    "play_tournament": (
        play_tournament,
        {"players": ["random", "random"], "games": 2, "rules": SMALL, "openings": ["1"], "adjudicate": None, "seed": 1},
    ),
    "review": (review, {"game": "4455", "rules": None, "book": True, "simulations": 20, "seed": 1}),
    "planes_of": (planes_of, {"boards": [board()], "planes": "binary"}),
    "board_svg": (board_svg, {"board": board(), "size": 100}),
    "growth": (growth, {"board": board(), "params": UCT, "simulations": (1, 3), "seed": 1}),
    "tree_dot": (
        lambda **a: tree_dot(_ENGINE, _ENGINE.search(board(), simulations=5), **a),
        {"depth": 2, "children": 3, "visits": None},
    ),
}
_ENGINE = searched()


def _pondered(**arguments: Any) -> None:
    engine = Engine(UCT, seed=1)
    engine.ponder(**arguments)
    engine.stop()


def make(chance: Random) -> list[Any]:
    """[function, {argument: name of a hostile value}]."""
    name = chance.choice(list(CALLS))
    arguments = list(CALLS[name][1])
    chosen = chance.sample(arguments, min(len(arguments), chance.choice([1, 1, 1, 2])))
    return [name, {argument: chance.choice(list(VALUES)) for argument in chosen}]


def check(case: list[Any]) -> None:
    name, changes = case
    call, arguments = CALLS[name]
    changed = {**arguments, **{argument: VALUES[value]() for argument, value in changes.items()}}
    try:
        with limited():
            call(**changed)
    except (TypeError, ValueError, LookupError, OSError) as error:
        if not isinstance(error, OSError):
            one_line(error)
    except (KeyboardInterrupt, MemoryError):
        pass
    except ZeroDivisionError as error:  # of a broken callback
        if str(error) != "broken" or "broken" not in [changes.get(argument) for argument in CALLBACKS]:
            raise


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """Ctrl-C after LIMIT seconds, and not more than MEMORY bytes."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    old = signal.signal(signal.SIGALRM, signal.default_int_handler)
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, before[1]))
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
        resource.setrlimit(resource.RLIMIT_AS, before)


TARGETS = {"call": Target(make, check, 400)}

"""Ctrl-C and other exceptions at any line of long calls: the engine stays usable, and its tree whole."""

import linecache
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import numpy as np

import c4mcts
from c4mcts import Board, Engine, Rules, SaveError, SearchParams, UctParams, study

from .target import Target

SMALL = Rules(5, 4)
FOLDER = str(Path(c4mcts.__file__).parent)
PARAMS = [UctParams(), SearchParams.preset("uct", max_nodes=500), UctParams(transpositions=False, probes=False)]
ERRORS: list[type[BaseException]] = [KeyboardInterrupt, MemoryError]


def stopped_analysis(engine: Engine) -> None:
    for _ in engine.analysis(Board(SMALL), simulations=60, interval=0.0001):
        break


def pondered(engine: Engine) -> None:
    engine.ponder(Board(SMALL), simulations=200)
    engine.stop()


CALLS: dict[str, Callable[[Engine], object]] = {
    "search": lambda engine: engine.search(Board(SMALL), simulations=60),
    "another": lambda engine: engine.search(Board.from_moves([2, 2], SMALL), simulations=60),
    "report": lambda engine: engine.search(Board(SMALL), simulations=300, on_progress=str, interval=0.0001),
    "clock": lambda engine: engine.search(Board(SMALL), simulations=60, clock=(9, 1)),
    "advance": lambda engine: engine.advance(2),
    "save": lambda engine: engine.save("engine.npz"),
    "load": lambda engine: Engine.load("whole.npz"),
    "analysis": lambda engine: list(engine.analysis(Board(SMALL), simulations=60, interval=0.0001)),
    "stopped analysis": stopped_analysis,
    "ponder": pondered,
    "reset": lambda engine: engine.reset(),
    "forget": lambda engine: engine.forget(),
    "tree": lambda engine: engine.tree(),
    "node": lambda engine: str(engine.node([2])),
    "study": lambda engine: study.action_frequency(
        Board(SMALL), PARAMS[1], runs=2, simulations=3, seed=1, checkpoint="study.jsonl"
    ),
}


def make(chance: Random) -> list[Any]:
    """[call, index of the parameters, threads, line, index of the error]."""
    return [
        chance.choice(list(CALLS)),
        chance.randrange(len(PARAMS)),
        chance.choice([1, 1, 2]),
        chance.choice([chance.randint(1, 60), chance.randint(1, 600)]),
        chance.randrange(len(ERRORS)),
    ]


def raising_at(line: int, error: type[BaseException]) -> Callable[[FrameType, str, Any], Any]:
    """A trace function that raises before this many lines of the package have run.

    Not on the line of a `with`: that is traced again between the block and its __exit__, where no signal arrives.
    """
    left = line

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.startswith(FOLDER):
            return None
        if event == "line" and left > 0:
            left -= 1
            if left == 0 and linecache.getline(frame.f_code.co_filename, frame.f_lineno).lstrip().startswith("with "):
                left = 1
            elif left == 0:
                raise error("injected")
        return trace

    return trace


def check(case: list[Any]) -> None:
    name, params, threads, line, error = case
    engine = Engine(PARAMS[params], seed=1, threads=threads)
    engine.search(Board(SMALL), simulations=50)
    engine.save("engine.npz")
    engine.save("whole.npz")
    before = sys.gettrace()
    sys.settrace(raising_at(line, ERRORS[error]))
    try:
        CALLS[name](engine)
    except ERRORS[error]:
        pass
    except (TypeError, SaveError):
        assert ERRORS[error] is MemoryError, "only an ordinary exception may be taken for a wrong value"
    finally:
        sys.settrace(before)
    engine._check()
    saved = Engine.load("engine.npz")
    saved._check()
    result = engine.search(Board(SMALL), simulations=20)
    assert result.simulations >= 1 or result.proof is not None
    engine._check()
    engine.advance(result.column)
    engine.reset()
    fresh = Engine(PARAMS[params], seed=1, threads=threads)
    if threads == 1:
        trees = []
        for each in (engine, fresh):
            each.search(Board(SMALL), simulations=30)
            trees.append(each.tree())
        assert np.array_equal(*trees)
    done = study.action_frequency(Board(SMALL), PARAMS[1], runs=2, simulations=3, seed=1, checkpoint="study.jsonl")
    assert len(done.columns) == 2


TARGETS = {"interruption": Target(make, check, 40)}

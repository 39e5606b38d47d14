"""Random calls on engines and solvers that live long: both backends the same, and what they hold is sound."""

import pickle
from collections.abc import Callable
from random import Random
from typing import Any

from trees import assert_same, check_tree

from c4mcts import Board, Engine, GameOverError, Rules, SearchParams, Solver, UctParams, solve

from .files import one_line
from .target import Target

RULES = [Rules(5, 4), Rules(4, 4, 3), Rules(6, 5, diagonals=False), Rules(10, 9, 4), Rules(1, 5, 2)]
PARAMS = [
    UctParams(),
    UctParams(rollout="random", proofs=False, probes=False, max_nodes=60),
    UctParams(tie_break="random", choice="ucb_short_win", probes=False, keep_tree=False),
    SearchParams.preset("uct", transpositions=True, max_nodes=500),
    SearchParams.preset("notebook-uct"),
]
CALLS = {  # each with one random number
    "search": lambda engine, board, n: without_time(engine.search(board, simulations=n % 40 + 1)),
    "search to nodes": lambda engine, board, n: without_time(engine.search(board, simulations=90, nodes=n + 1)),
    "advance": lambda engine, board, n: engine.advance(n % 12 - 1),
    "analysis": lambda engine, board, n: [
        without_time(info) for info in [*engine.analysis(board, simulations=n % 40 + 1, interval=1000)][-1:]
    ],
    "node": lambda engine, board, n: str(engine.node([n % 5, n % 3])),
    "reset": lambda engine, board, n: engine.reset(),
    "forget": lambda engine, board, n: engine.forget(),
    "stop": lambda engine, board, n: engine.stop(),
    "save": lambda engine, board, n: engine.save("engine.npz"),
}
ON_THE_BOARD = ("play", "play", "take back", "begin again")


def without_time(result: Any) -> dict[str, Any]:
    return {**result.to_dict(), "seconds": 0}


def make_lives(chance: Random) -> list[Any]:
    """[indices of parameters and rules, seed, [[call, number], ...]]."""
    names = [*CALLS, *ON_THE_BOARD, "copy", "swap", "search"]
    calls = [[chance.choice(names), chance.randrange(1000)] for _ in range(chance.randint(2, 25))]
    return [chance.randrange(len(PARAMS)), chance.randrange(len(RULES)), chance.randrange(2**64), calls]


def check_lives(case: list[Any]) -> None:
    params, rules, seed, calls = case
    engines = [Engine(PARAMS[params], seed=seed, backend=name) for name in ("native", "pure")]
    board = Board(RULES[rules])
    for name, number in calls:
        if name in ON_THE_BOARD:
            board = changed(board, name, number)
        elif name == "copy":
            engines = [pickle.loads(pickle.dumps(engine)) for engine in engines]
        elif name == "swap":
            packed = [engine._packed() for engine in engines]
            engines = [Engine._unpacked(packed[1], "native"), Engine._unpacked(packed[0], "pure")]
        else:
            one, other = (outcome(CALLS[name], engine, board, number) for engine in engines)
            assert one == other, (name, one, other)
        for engine in engines:
            engine._check()
        assert_same(*engines)
        check_tree(engines[0].tree(), shared=PARAMS[params].transpositions)


def outcome(call: Callable[..., Any], *arguments: Any) -> Any:
    """What a call returns, or its error."""
    try:
        return call(*arguments)
    except (ValueError, LookupError) as error:
        one_line(error)
        return type(error), str(error)


def changed(board: Board, name: str, number: int) -> Board:
    """The board after a move forwards or backwards, if there is one."""
    board = board.copy()
    if name == "play" and not board.is_over():
        board.push(board.legal_columns[number % len(board.legal_columns)])
    elif name == "take back" and board.moves:
        board.pop()
    return Board(board.rules) if name == "begin again" else board


def make_solver(chance: Random) -> list[Any]:
    """[index of the rules, [[columns played, call, limit], ...]]: one solver for several positions."""
    rules = chance.choice([0, 1, 4])
    games = [[chance.randrange(RULES[rules].width) for _ in range(chance.randint(8, 18))] for _ in range(5)]
    calls = ["solve", "solve", "best_column", "line"]
    return [rules, [[game, chance.choice(calls), chance.choice([0, 0, 1, 50, 5000])] for game in games]]


def check_solver(case: list[Any]) -> None:
    """No matter what it did before, a solver gives the scores of a fresh one, and moves that keep them."""
    rules = RULES[case[0]]
    solvers = [Solver(rules, book=False, backend=name) for name in ("native", "pure")]
    for game, name, limit in case[1]:
        board = Board(rules)
        for column in game:
            if board.is_legal(column) and not board.is_over():
                board.push(column)
        found = [outcome(solved, solver, name, board, limit) for solver in solvers]
        assert found[0] == found[1], found
        if board.is_over():
            assert found[0][0] is GameOverError
            continue
        exact = solve(board, book=False)
        if name == "solve":
            score, columns = found[0]
            assert score in (exact.score, None if limit else exact.score)
            assert all(one in (None, other) for one, other in zip(columns, exact.columns or (), strict=True))
        elif name == "best_column":
            assert found[0] in exact.best
        else:
            assert found[0][0] in exact.best


def solved(solver: Solver, name: str, board: Board, limit: int) -> Any:
    if name != "solve":
        return getattr(solver, name)(board)
    solution = solver.solve(board, max_nodes=limit or None)
    return solution.score, solution.columns


TARGETS = {"engine": Target(make_lives, check_lives, 30), "solver": Target(make_solver, check_solver, 30)}

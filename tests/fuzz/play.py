"""Exact scores and proofs on odd boards, against a naive search of all games."""

from random import Random
from typing import Any

import numpy as np
from oracles.board import Game

from c4mcts import Board, Engine, Rules, SearchParams, Solver, UctParams, solve

from .target import Target

ODD = [(3, 3, 3), (4, 3, 3), (4, 4, 3), (5, 3, 3), (4, 4, 4), (3, 5, 3), (2, 6, 3), (6, 2, 2), (1, 6, 3), (5, 4, 4)]
EMPTY = 10  # cells at most, so that all games can be tried
PARAMS = [
    UctParams(),
    UctParams(probes=False),
    UctParams(transpositions=False, probes=False),
    UctParams(rollout="decisive", probes=False, max_nodes=300),
    SearchParams.preset("uct", max_nodes=100),
    UctParams(tie_break="random", choice="ucb_short_win", probes=False),
]


def moves_of(chance: Random, rules: Rules, empty: int) -> list[int]:
    """Random columns of an unfinished game, with at most that number of empty cells."""
    while True:
        board = Board(rules)
        for _ in range(max(0, rules.cells - chance.randint(1, empty))):
            board.push(chance.choice(board.legal_columns))
            if board.is_over():
                break
        else:
            return board.to_moves()


def naive(case: list[Any]) -> tuple[Board, Game]:
    """The position in both renderings."""
    width, height, connect, diagonals = case[0]
    board, game = Board(Rules(width, height, connect, diagonals)), Game(width, height, connect, diagonals)
    for column in case[1]:
        board.push(column)
        game.drop(column)
    return board, game


def value(game: Game, known: dict[Any, tuple[int, int]]) -> tuple[int, int]:
    """Result for the player to move (1, 0, -1) and plies to the end, by trying all games."""
    key = tuple(map(tuple, game.cells))
    if key not in known:
        if game.over():
            known[key] = (-1 if game.winner() is not None else 0), 0
        else:
            found = []
            for column in game.legal_columns():
                game.drop(column)
                result, plies = value(game, known)
                game.undo()
                found.append((-result, plies + 1))
            known[key] = max(found, key=lambda each: (each[0], -each[0] * each[1]))
    return known[key]


def make_position(chance: Random) -> list[Any]:
    """[rules, columns, index of the parameters, simulations, seed]."""
    rules = [*chance.choice(ODD), chance.random() < 0.7]
    moves = moves_of(chance, Rules(*rules), EMPTY)
    return [rules, moves, chance.randrange(len(PARAMS)), chance.choice([1, 20, 200]), chance.randrange(99)]


def check_position(case: list[Any]) -> None:
    board, game = naive(case)
    result, plies = value(game, {})
    for backend in ("native", "pure"):
        solution = solve(board, book=False, backend=backend)
        assert np.sign(solution.score) == result, (solution, result)
        assert result == 0 or solution.distance == plies, (solution, plies)
        assert Solver(board.rules, book=False, backend=backend).solve(board).score == solution.score
    assert solve(board, book=False, threads=2).score == solution.score
    trees = []
    for backend in ("native", "pure"):
        engine = Engine(PARAMS[case[2]], seed=case[4], backend=backend)
        found = engine.search(board, simulations=case[3])
        engine._check()
        proven = {"win": 1, "loss": -1, "draw": 0}.get(str(found.proof))
        assert proven is None or proven == result, (found, result)
        trees.append(engine.tree())
    assert np.array_equal(*trees)


TARGETS = {"proof": Target(make_position, check_position, 25)}

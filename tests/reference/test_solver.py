"""The solver, compared with exhaustive search and with exact scores of other programs."""

import random
from functools import partial

import pytest
from data import records
from oracles.board import Game

import c4mcts
from c4mcts import Board, Rules

solve = partial(c4mcts.solve, book=False)  # the search alone


def minimax(game):
    """Score of a naive game for the player to move, on Pons' scale, by exhaustive search."""
    best = None
    for column in game.legal_columns():
        game.drop(column)
        if game.winner() is not None:
            score = (game.width * game.height + 2 - len(game.history)) // 2
        elif game.full():
            score = 0
        else:
            score = -minimax(game)
        game.undo()
        best = score if best is None else max(best, score)
    return best


@pytest.mark.parametrize(
    "rules",
    [
        Rules(4, 4, 3),
        Rules(4, 4),
        Rules(5, 4),
        Rules(3, 5, 3),
        Rules(5, 3, 3, diagonals=False),
        Rules(4, 4, 2),
        Rules(7, 6),
        Rules(10, 7, 6),  # of more than 64 bits
    ],
    ids=str,
)
def test_every_score_is_that_of_exhaustive_search(backend, rules):
    chance = random.Random(rules.cells)
    for _ in range(10):
        game, board = Game(rules.width, rules.height, rules.connect, rules.diagonals), Board(rules)
        while not board.is_over() and board.ply < rules.cells - 6:
            column = chance.choice(board.legal_columns)
            game.drop(column)
            board.push(column)
        if board.is_over():
            continue
        solution = solve(board, backend=backend)
        assert solution.score == minimax(game) == solve(board, columns=False, backend=backend).score
        for column in range(rules.width):
            if column not in board.legal_columns:
                assert solution.columns[column] is None
                continue
            game.drop(column)
            over = game.over()
            won = (rules.cells + 2 - len(game.history)) // 2 if game.winner() is not None else 0
            assert solution.columns[column] == (won if over else -minimax(game))
            game.undo()
        assert solution.best == tuple(c for c, s in enumerate(solution.columns) if s == solution.score)


VALUES = {"win": 1, "draw": 0, "loss": -1}


def test_first_moves_of_small_boards():
    """Brute-force solutions of small boards and variants: the outcome of each first move, and its last ply."""
    solved = 0
    for row in records("first_moves"):
        rules = Rules(int(row["width"]), int(row["height"]), int(row["connect"]), row["diagonals"] == "1")
        board = Board(rules)
        board.push(int(row["column"]))
        if board.is_over():
            assert (row["value"], int(row["end_ply"])) == ("draw", 1)
            continue
        solution = solve(board, columns=False)
        assert (solution.score < 0) - (solution.score > 0) == VALUES[row["value"]], row
        assert 1 + solution.distance == int(row["end_ply"]), row
        solved += 1
    assert solved > 200


@pytest.mark.native  # the pure solver takes too long
def test_positions_after_eight_plies():
    """A sample of the exact scores that BitBully gives for all unfinished positions after eight plies."""
    for row in records("book8")[:30]:
        assert solve(Board.from_pons(row["moves"]), columns=False).score == int(row["score"]), row


def test_only_move_traps():
    """All column scores of positions in which a single move keeps the value."""
    for row in records("traps"):
        if int(row["ply"]) < 13:
            continue
        solution = solve(Board.from_pons(row["moves"]))
        expected = tuple(int(row[f"col{c}"]) if row[f"col{c}"] else None for c in range(1, 8))
        assert solution.columns == expected, row
        value = {"win": solution.score > 0, "draw": solution.score == 0}
        assert value[row["value"]]

"""What modules of the page do as Python does: the rules of the game, distances. Their other tests are in js/."""

import random

import pytest

from c4mcts import Board, Rules
from c4mcts.solver.scores import plies_of

pytestmark = pytest.mark.native

RULES = [
    Rules(),
    Rules(5, 4, 3),
    Rules(4, 9, 4),
    Rules(9, 7, 4),
    Rules(6, 6, 3, diagonals=False),
    Rules(20, 14, 5),
    Rules(1, 5, 2),
]


def random_game(rules, generator):
    board = Board(rules)
    while not board.is_over() and generator.random() > 0.01:
        board.push(generator.choice(board.legal_columns))
    return board


def as_json(rules):
    return {"width": rules.width, "height": rules.height, "connect": rules.connect, "diagonals": rules.diagonals}


def test_the_rules_are_those_of_board(page):
    generator = random.Random(7)
    boards = [random_game(rules, generator) for rules in RULES for _ in range(20)]
    games = [{"rules": as_json(board.rules), "moves": list(board.moves)} for board in boards]
    body = """return a[0].map(({rules, moves}) => {
        const game = new m.Game(rules, moves);
        return {turn: game.turn, legal: game.legalColumns, outcome: game.outcome, last: game.last};
    });"""
    page.open()
    for board, found in zip(boards, page.run("game", body, games), strict=True):
        outcome = board.outcome()
        cells = None if outcome is None else sorted(map(list, outcome.cells))
        if found["outcome"] is not None:
            found["outcome"]["cells"].sort()
        expected = None if outcome is None else {"winner": outcome.winner, "cells": cells}
        assert found == {
            "turn": board.turn,
            "legal": board.legal_columns,
            "outcome": expected,
            "last": None if board.last_cell is None else list(board.last_cell),
        }


def test_plies_of_scores_are_those_of_the_solver(page):
    pairs = [(score, empty) for empty in range(2, 43) for score in range(-(empty // 2), empty // 2 + 1)]
    found = page.open().run("format", "return a[0].map(([score, empty]) => m.pliesOf(score, empty));", pairs)
    assert found == [plies_of(score, empty) for score, empty in pairs]

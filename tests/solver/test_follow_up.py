"""The rule that ends the branches of a proof, compared with the solver."""

import random

import pytest

from c4mcts import Board, Rules, Solver
from c4mcts._pure.cells import geometry_of
from c4mcts._pure.follow_up import follow_up_holds

RULES = [
    Rules(),
    Rules(6, 6),
    Rules(6, 5),
    Rules(5, 5),
    Rules(4, 4, 3),
    Rules(5, 4, 3),
    Rules(6, 4, diagonals=False),
    Rules(8, 2, 3, diagonals=False),
]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_what_the_rule_says_is_true(rules):
    """In positions in which one player has mostly answered in the same column; the rule says something in some."""
    chance, geometry, solver = random.Random(rules.cells), geometry_of(rules), Solver(rules, book=False)
    said = {True: 0, False: 0}
    for number in range(600):
        board, last = Board(rules), 0
        for _ in range(chance.randrange(rules.cells // 2, rules.cells)):
            answers = board.is_legal(last) and board.ply % 2 == number % 2 and chance.random() < 0.8
            last = last if answers else chance.choice(board.legal_columns)
            board.push(last)
            if board.is_over():
                board.pop()
                break
        if board.winning_columns():
            continue
        follower, leader = board.own ^ board.mask, board.own
        holds = {must_win: follow_up_holds(follower, leader, geometry, must_win) for must_win in (True, False)}
        assert holds[False] or not holds[True]
        if holds[False]:
            score = solver.solve(board, columns=False).score
            assert score <= (-1 if holds[True] else 0), board.to_fen()
            said[holds[True]] += 1
    assert sum(said.values()) >= 3

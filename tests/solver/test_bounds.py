"""What the solver knows without searching, compared with exhaustive search; and what it learns while it searches."""

import random

import pytest
from oracles.evaluation import as_game
from random_boards import random_board

from c4mcts import Board, Rules, Solver
from c4mcts._pure.bounds import NO_WINDOW, Situation, play_out
from c4mcts._pure.cells import geometry_of, has_line, line_starts, winning_cells
from c4mcts._pure.follow_up import follow_up_holds


def situation_of(board, geometry):
    """The position of a board, as the solver looks at it."""
    situation = Situation()
    situation.own, situation.other = board.own, board.own ^ board.mask
    situation.own_wins = winning_cells(situation.own, geometry) & ~board.mask
    situation.other_wins = winning_cells(situation.other, geometry) & ~board.mask
    situation.ply = board.ply
    return situation


def exact(game, known):
    """Score of a naive game for the player to move, on Pons' scale, by exhaustive search."""
    key = tuple(map(tuple, game.cells))
    if key not in known:
        cells = game.width * game.height
        if game.winner() is not None:
            known[key] = -((cells + 2 - len(game.history)) // 2)
        elif game.full():
            known[key] = 0
        else:
            best = -cells
            for column in game.legal_columns():
                game.drop(column)
                best = max(best, -exact(game, known))
                game.undo()
            known[key] = best
    return known[key]


RULES = [
    Rules(4, 4, 3),
    Rules(3, 5, 3),
    Rules(5, 3, 3, diagonals=False),
    Rules(4, 5, 3, diagonals=False),
    Rules(5, 4),
    Rules(4, 5),
    Rules(7, 3, 3),
    Rules(6, 4, 5),
]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_score_lies_within_the_bounds(rules):
    """Also within those that an odd height, few columns or a short line make possible; many of them say something."""
    chance = random.Random(rules.cells + rules.connect)
    geometry, known, said = geometry_of(rules), {}, 0
    for _ in range(60):
        board = random_board(rules, rules.cells - chance.randrange(2, 8), chance)
        if rules.cells - board.ply > 7:
            continue
        score = exact(as_game(rules, board.moves), known)
        situation = situation_of(board, geometry)
        play_out(situation, geometry, NO_WINDOW)
        lower, upper = situation.lower, situation.upper
        assert lower <= score <= upper, (board, lower, score, upper)
        said += lower == upper or upper <= 0
        for alpha in range(-3, 3):
            situation = situation_of(board, geometry)
            play_out(situation, geometry, alpha)
            assert situation.lower <= score <= situation.upper
    assert said > 5


def test_two_contested_cells_of_different_pairs():
    """The leader can get both, and with them a line: following up is no defence, as exhaustive search shows."""
    rules, moves = Rules(5, 5), (1, 1, 2, 3, 2, 2, 0, 0, 4, 3, 0, 3, 4, 2, 3)
    geometry = geometry_of(rules)
    situation = situation_of(Board.from_moves(moves, rules), geometry)
    play_out(situation, geometry, NO_WINDOW)
    assert exact(as_game(rules, moves), {}) == situation.upper == 4


@pytest.mark.parametrize("rules", [Rules(), Rules(5, 6, 3), Rules(6, 4, 5, diagonals=False), Rules(3, 3, 9)], ids=str)
def test_starts_of_lines(rules):
    """Of each line the lowest cell; the leftmost one if they are all in one row."""
    chance, geometry, stride = random.Random(5), geometry_of(rules), rules.height + 1
    directions = [(0, 1), (1, 0)] + ([(1, 1), (1, -1)] if rules.diagonals else [])
    for _ in range(100):
        cells = chance.getrandbits(64) & chance.choice((-1, chance.getrandbits(64))) & geometry.board
        expected = 0
        for column in range(rules.width):
            for row in range(rules.height):
                for right, up in directions:
                    line = [(column + i * right, row + i * up) for i in range(rules.connect)]
                    inside = all(0 <= c < rules.width and 0 <= r < rules.height for c, r in line)
                    if inside and all(cells >> c * stride + r & 1 for c, r in line):
                        expected |= 1 << min(c * stride + r for c, r in line)
        assert line_starts(cells, geometry) == expected
        assert has_line(cells, geometry) == bool(expected)


FOLLOWED = [
    Rules(),
    Rules(6, 6),
    Rules(6, 5),
    Rules(5, 5),
    Rules(4, 4, 3),
    Rules(5, 4, 3),
    Rules(6, 4, diagonals=False),
    Rules(8, 2, 3, diagonals=False),
]


@pytest.mark.parametrize("rules", FOLLOWED, ids=str)
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
        holds = {goal: follow_up_holds(follower, leader, geometry, goal) for goal in range(4)}
        assert all(holds[goal] or not holds[goal + 1] for goal in range(3))
        if holds[0]:
            score = solver.solve(board, columns=False).score
            best = max(goal for goal in holds if holds[goal])
            assert score <= -best, board.to_fen()
            said[best > 0] += 1
    assert sum(said.values()) >= 3

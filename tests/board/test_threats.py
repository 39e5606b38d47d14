"""Threats, and what follows from them, compared with a naive board that looks at every cell."""

import random

import pytest
from oracles.board import Game
from random_boards import random_board

from c4mcts import Board, Rules
from c4mcts.board.threats import Threat, columns_below_threats, is_zugzwang, threats, zugzwang_after
from c4mcts.solver.solver import Solver


def line_through(game, player, column, row):
    """Whether a disc of the player in this cell would complete a line."""

    def count(right, up):
        length = 0
        while game.at(column + (length + 1) * right, row + (length + 1) * up) == player:
            length += 1
        return length

    return any(1 + count(*way) + count(-way[0], -way[1]) >= game.connect for way in game.directions)


def positions(rules, count):
    """Positions of random games, as pairs of a board and a naive game."""
    generator = random.Random(1)
    for _ in range(count):
        board, game = Board(rules), Game(rules.width, rules.height, rules.connect, rules.diagonals)
        while not board.is_over():
            yield board, game
            column = generator.choice(board.legal_columns)
            board.push(column)
            game.drop(column)


@pytest.mark.parametrize("rules", [Rules(), Rules(5, 4, 3), Rules(6, 5, diagonals=False), Rules(12, 9, 5)])
def test_threats_are_the_cells_in_which_a_disc_completes_a_line(rules):
    for board, game in positions(rules, 5):
        expected = [
            Threat(player, column, row)
            for player in (0, 1)
            for column in range(rules.width)
            for row in range(len(game.cells[column]), rules.height)
            if line_through(game, player, column, row)
        ]
        assert list(threats(board)) == expected
        assert all(threat.is_odd == ((threat.row + 1) % 2 == 1) for threat in expected)


def test_a_disc_below_a_threat_lets_the_opponent_win():
    found = 0
    for board, _ in positions(Rules(), 20):
        for column in {*board.legal_columns} - {*board.threatened_columns()}:
            after = board.after(column)
            if not after.is_over():
                lets_win = column in after.winning_columns()
                assert (column in columns_below_threats(board)) == lets_win
                found += lets_win
    assert found


ZUGZWANG = "156317324342346511561442236773462277761"  # red has only column 5 left, below a winning cell of yellow


def test_zugzwang():
    board = Board.from_pons(ZUGZWANG)
    assert is_zugzwang(board)
    assert (board.winning_columns(), board.threatened_columns()) == ([], [])
    assert zugzwang_after(board, [4, 4]) == Threat(player=0, column=4, row=4)
    assert Threat(player=0, column=4, row=4).is_odd  # the fifth row
    assert zugzwang_after(board, [4]) is None
    before = Board.from_pons(ZUGZWANG[:-1])
    assert not is_zugzwang(before)
    assert zugzwang_after(before, [0, 4, 4]) == Threat(player=0, column=4, row=4)


@pytest.mark.native
def test_zugzwang_is_told_of_lines_of_best_play_in_which_the_loser_has_no_other_move():
    solver, chance, told = Solver(), random.Random(1), 0
    for _ in range(200):
        board = random_board(Rules(), 22, chance)
        line = solver.line(board)
        if found := zugzwang_after(board, line):
            told += 1
            *before, _, _ = line
            forced, end = board.after(*before), board.after(*line)
            assert forced.turn != found.player
            assert all(forced.after(each).winning_columns() for each in forced.legal_columns)
            assert (end.outcome().winner, end.last_cell) == (found.player, (found.column, found.row))
    assert told > 10


def test_no_zugzwang():
    assert not is_zugzwang(Board())
    assert not is_zugzwang(Board.from_pons("1212121"))  # over
    assert not is_zugzwang(Board.from_pons("112233"))  # a win at once
    assert not is_zugzwang(Board.from_pons("11223"))  # a threat
    assert zugzwang_after(Board.from_pons("121212"), [0]) is None
    assert threats(Board.from_pons("1212121")) == ()

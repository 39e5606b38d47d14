"""A Connect-4 bot: `c4mcts grade` calls `choose` for each of its moves. Hand in this file."""

import random


def choose(board):
    """The column to play, from 0 on the left.

    board: a c4mcts.Board, a copy that you may change. What you need of it: `board.legal_columns`,
    `board.winning_columns()`, `board.threatened_columns()`, `board.push(column)`, `board.copy()`, `board.is_over()`,
    `board.turn` (0 or 1), and `board.outcome().winner` (0, 1, or None for a draw).
    """
    return random.choice(board.legal_columns)

"""Random positions and games, for tests. chance: draws each move by its `choice`, as a random.Random does."""

from math import inf

from c4mcts import Board


def random_game(rules, chance, plies=inf):
    """A board after random moves, at the end of the game or with this many discs."""
    board = Board(rules)
    while not board.is_over() and board.ply < plies:
        board.push(chance.choice(board.legal_columns))
    return board


def random_board(rules, plies, chance):
    """An unfinished board with this many discs, or fewer if every move would end the game."""
    board = Board(rules)
    while board.ply < plies:
        columns = [column for column in board.legal_columns if not board.after(column).is_over()]
        if not columns:
            break
        board.push(chance.choice(columns))
    return board

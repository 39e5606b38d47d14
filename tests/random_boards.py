"""Random positions, for tests."""

from c4mcts import Board


def random_board(rules, plies, chance):
    """An unfinished board with this many discs, or fewer if every move would end the game. chance: a random.Random."""
    board = Board(rules)
    while board.ply < plies:
        columns = [column for column in board.legal_columns if not board.after(column).is_over()]
        if not columns:
            break
        board.push(chance.choice(columns))
    return board

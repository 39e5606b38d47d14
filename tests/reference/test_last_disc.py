"""The last disc of a full board wins if it completes a line, even a longer one than needed; else it is a draw."""

import pytest

from c4mcts import Board, Engine, SearchParams, _layout, perft, rollouts

# All cells but one are taken and nobody has won; the last disc, in this column, completes a line of so many cells.
POSITIONS = {
    "row of 7 from 3 + 3": ("ooo1ooo/oxxxoxx/xxxoxxo/xoxooox/xxooxxx/oooxxxo o 7x6x4", 3, 7),
    "rising": ("xxo1xox/xoooxxo/ooxooxo/oxoxxxo/xxoxoox/oxooxxx o 7x6x4", 3, 4),
    "row and both diagonals": ("ooo1xox/xxoooxx/xoxxxoo/oxxoxxo/xoooxxx/xxoooxo o 7x6x4", 3, 10),
    "column": ("ooxoxo1/oxxxooo/xxoxoxo/oxoxoxo/xoxoxox/xoxoxxx o 7x6x4", 6, 4),
    "no diagonals": ("ooo1oo/ooxxox/xooxxo/xxoxxx/xxooxx o 6x5x4 no-diagonals", 3, 6),
    "64 bits": ("ooo1ooox/xoxxxooo/xxxoooxx/xooxxxox/oxoooxxo/oxxxooox/xxxooxxx o 8x7x4", 3, 7),
    "falling, 90 bits": (
        "1oooxoxoo/xxoxxoxxx/oxxoooxoo/xooxxxoxo/xxoooxoxx/oxoxxooxo/ooxxxoxox/xoooxoxxo/oxoxoxxxo x 9x9x4", 0, 4
    ),
    "connect 5, 156 bits": (
        "oooo1ooooxxo/xxxxoxxoxoxx/xooooxooxxxo/ooxxoxxoxoox/oxooxoxxxoxo/oxxxxooxoxxo/"
        "xooooxoxoxxx/oxxxxooooxox/oxoooxxoxoxo/xxxxooooxooo/xxxoxxxxoxoo/xooxxxoxxoxo o 12x12x5", 4, 9
    ),
    "draw": ("oox1xoo/xxooxxx/ooxxxoo/xxxooox/ooxxxoo/xoooxxx o 7x6x4", 3, 0),
    "draw, 90 bits": (
        "1oxxoxxxo/oxoxxooox/xooxooxox/oxoooxxoo/oxxxooxxx/xoooxxooo/oxxxooxxo/xoooxxxoo/xoxoxxoxx x 9x9x4", 0, 0
    ),
}  # fmt: skip


def proof_of_the_last_node(engine):
    """The proof stored in the only child of the root; the game ends there, so its distance is 0."""
    root, node = engine.tree()
    assert (root["children"], root["size"]) == (1, 1)
    return int(node["proof"])


@pytest.mark.parametrize(("fen", "column", "length"), POSITIONS.values(), ids=POSITIONS)
def test_the_last_disc(backend, fen, column, length):
    board = Board.from_fen(fen)
    mover, proof = board.turn, "win" if length else "draw"
    stats = rollouts(board, 10, seed=1, backend=backend)
    results = (stats.first, stats.second, stats.draws)
    assert (results[mover if length else 2], stats.plies) == (10, 10)

    engine = Engine(SearchParams.preset("uct"), seed=1, backend=backend)
    move = engine.search(board, simulations=10).moves[0]
    assert (move.column, move.value, move.proof, move.distance) == (column, 1.0 if length else 0.5, proof, 1)
    assert proof_of_the_last_node(engine) == (_layout.WON if length else _layout.DRAWN)

    assert perft(board, 1, backend=backend) == 1
    assert board.winning_columns() == ([column] if length else [])
    board.push(column)
    assert board.outcome().winner == (mover if length else None)
    assert len(board.outcome().cells) == length

"""The last disc of a full board wins if it completes a line, even a longer one than needed; else it is a draw."""

import pytest

from c4mcts import Board, Engine, SearchParams, _layout, perft, rollouts

# All cells but one are taken and nobody has won; the last disc, in the given column, completes a line.
WON = {
    "row of 7 from 3 + 3": ("ooo1ooo/oxxxoxx/xxxoxxo/xoxooox/xxooxxx/oooxxxo o 7x6x4", 3, 7),
    "row of 5 from 2 + 2": ("xoo1oox/oxxooxo/oxoxoxo/xxoxxxo/xoxoxox/xxxooox o 7x6x4", 3, 5),
    "rising": ("xxo1xox/xoooxxo/ooxooxo/oxoxxxo/xxoxoox/oxooxxx o 7x6x4", 3, 4),
    "row and both diagonals": ("ooo1xox/xxoooxx/xoxxxoo/oxxoxxo/xoooxxx/xxoooxo o 7x6x4", 3, 10),
    "column": ("ooxoxo1/oxxxooo/xxoxoxo/oxoxoxo/xoxoxox/xoxoxxx o 7x6x4", 6, 4),
    "no diagonals": ("ooo1oo/ooxxox/xooxxo/xxoxxx/xxooxx o 6x5x4 no-diagonals", 3, 6),
    "connect 5": ("oooo1oo/xxoxxox/xxxoxxo/xoxxooo/xoxooxx/oooxxxx o 7x6x5", 4, 7),
    "8x7": ("ooo1ooox/xoxxxooo/xxxoooxx/xooxxxox/oxoooxxo/oxxxooox/xxxooxxx o 8x7x4", 3, 7),
    "9x9 row": (
        "oxxx1xxxo/xxoooxoox/xooxoooxo/xxoxxxooo/ooxxoxxxo/xxoooxoxx/oxxoooxoo/oooxxoxoo/xxoxoxxxo x 9x9x4", 4, 7
    ),
    "9x9 rising": (
        "oxxxooox1/xxoxxxoxo/oooxoxxxo/ooxoxxoox/xoxoooxox/oxxoxxxoo/xooxoxoxo/oxoxoxxxo/oxoxxooox x 9x9x4", 8, 4
    ),
    "9x9 falling": (
        "1oooxoxoo/xxoxxoxxx/oxxoooxoo/xooxxxoxo/xxoooxoxx/oxoxxooxo/ooxxxoxox/xoooxoxxo/oxoxoxxxo x 9x9x4", 0, 4
    ),
    "9x9 column": (
        "oxxoxoox1/oxxooxoox/xooxxxoox/xoxooxxox/xxooxoxxo/ooxxxoxoo/xoooxooxo/oxoxoxoxx/xooxxxoox x 9x9x4", 8, 4
    ),
    "12x12 connect 5": (
        "oooo1ooooxxo/xxxxoxxoxoxx/xooooxooxxxo/ooxxoxxoxoox/oxooxoxxxoxo/oxxxxooxoxxo/"
        "xooooxoxoxxx/oxxxxooooxox/oxoooxxoxoxo/xxxxooooxooo/xxxoxxxxoxoo/xooxxxoxxoxo o 12x12x5", 4, 9
    ),
}  # fmt: skip
# The same, but the last disc completes nothing.
DRAWN = {
    "7x6": ("oox1xoo/xxooxxx/ooxxxoo/xxxooox/ooxxxoo/xoooxxx o 7x6x4", 3),
    "8x7": ("xxx1xoxx/xxxoxxox/oooxxooo/ooxooxxo/xoxxxoox/oxooxxox/oooxooox o 8x7x4", 3),
    "9x9": ("1oxxoxxxo/oxoxxooox/xooxooxox/oxoooxxoo/oxxxooxxx/xoooxxooo/oxxxooxxo/xoooxxxoo/xoxoxxoxx x 9x9x4", 0),
}
# A game given with werner-duvaud/muzero-general#37, where its last move, the second player's win, was scored as a draw.
GAME = "211131416572345677654327654322345677654321"


def proof_of_the_last_node(engine):
    """The proof stored in the only child of the root; the game ends there, so its distance is 0."""
    root, node = engine.tree()
    assert (root["children"], root["size"]) == (1, 1)
    return int(node["proof"])


@pytest.mark.parametrize(("fen", "column", "length"), WON.values(), ids=WON)
def test_line_with_the_last_disc(backend, fen, column, length):
    board = Board.from_fen(fen)
    stats = rollouts(board, 10, seed=1, backend=backend)
    wins = (10, 0) if board.turn == 0 else (0, 10)
    assert (stats.first, stats.second, stats.draws, stats.plies) == (*wins, 0, 10)

    engine = Engine(SearchParams.preset("uct"), seed=1, backend=backend)
    result = engine.search(board, simulations=10)
    assert (result.column, result.value, result.proof, result.distance) == (column, 1.0, "win", 1)
    assert proof_of_the_last_node(engine) == _layout.WON

    assert perft(board, 1, backend=backend) == 1
    assert board.winning_columns() == [column]
    mover = board.turn
    board.push(column)
    assert board.outcome().winner == mover
    assert len(board.outcome().cells) == length


@pytest.mark.parametrize(("fen", "column"), DRAWN.values(), ids=DRAWN)
def test_draw_with_the_last_disc(backend, fen, column):
    board = Board.from_fen(fen)
    stats = rollouts(board, 10, seed=1, backend=backend)
    assert (stats.first, stats.second, stats.draws, stats.plies) == (0, 0, 10, 10)

    engine = Engine(SearchParams.preset("uct"), seed=1, backend=backend)
    result = engine.search(board, simulations=10)
    assert (result.column, result.value) == (column, 0.5)
    assert (result.moves[0].proof, result.moves[0].distance) == ("draw", 1)
    assert proof_of_the_last_node(engine) == _layout.DRAWN

    assert board.winning_columns() == []
    board.push(column)
    assert board.outcome().winner is None
    assert board.outcome().cells == ()


def test_published_game_one_ply_earlier(backend):
    """The first player sees that the last cell will win for the opponent."""
    board = Board.from_pons(GAME[:-2])
    result = Engine(seed=1, backend=backend).search(board, simulations=100)
    assert result.moves[board.legal_columns.index(int(GAME[-2]) - 1)].value == 0.0

"""Moves in tic-tac-toe, compared with exhaustive search."""

from functools import cache

from c4mcts.games import GameSearch, TicTacToe

ROWS = ["012", "345", "678", "036", "147", "258", "048", "246"]


def cells_of(moves):
    """The board as a string of nine characters."""
    cells = ["."] * 9
    for i, move in enumerate(moves):
        cells[move] = "xo"[i % 2]
    return "".join(cells)


@cache
def value(cells):
    """1, 0 or -1 for the player to move under perfect play."""
    player, other = "xo" if cells.count(".") % 2 else "ox"
    if any(all(cells[int(cell)] == other for cell in row) for row in ROWS):
        return -1
    after = [-value(cells[:i] + player + cells[i + 1 :]) for i in range(9) if cells[i] == "."]
    return max(after, default=0)


def turned(cells):
    """The smallest of the eight rotations and reflections of a board."""
    views = []
    for _ in range(4):
        cells = "".join(cells[i] for i in (6, 3, 0, 7, 4, 1, 8, 5, 2))
        views += [cells, "".join(cells[i] for i in (2, 1, 0, 5, 4, 3, 8, 7, 6))]
    return min(views)


def unfinished():
    """All unfinished positions up to symmetry, as lists of moves."""
    found, stack = {}, [[]]
    while stack:
        moves = stack.pop()
        game, view = TicTacToe(moves), turned(cells_of(moves))
        if not game.is_over() and view not in found:
            found[view] = moves
            stack += [[*moves, move] for move in game.legal_moves]
    return list(found.values())


POSITIONS = unfinished()


def test_the_exhaustive_search_is_right():
    assert len(POSITIONS) == 627  # of 765 positions that differ, without 138 finished ones
    assert value("." * 9) == 0
    assert value("x...o...x") == 0
    assert value("x...o....") == 0
    assert value("xo.......") == 1


def test_every_position_is_played_perfectly():
    """2,000 simulations keep the value of a position; of every tenth one here."""
    for moves in POSITIONS[::10]:
        move = GameSearch(TicTacToe(moves), seed=2).search(simulations=2000).move
        assert -value(cells_of([*moves, move])) == value(cells_of(moves)), moves

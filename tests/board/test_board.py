"""Board: moves and undo, the end of the game, equality, pictures."""

import pickle
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from c4mcts import Board, IllegalMoveError, Outcome, Rules

# won by the second player on the last cell: the example of muzero-general#37, and games played at random
LAST_CELL = [
    "211131416572345677654327654322345677654321",
    "371674536743224664352465711623117147355522",
    "741416261451137544612437737525327223636655",
]
FULL_DRAWS = ["413343241175423173751556345146577766662222", "243141552541161143544563256267237672373677"]


def test_a_board_is_a_game():
    """See games."""
    board = Board.from_pons("112233")
    assert board.legal_moves == board.legal_columns
    assert (board.result(0), board.result(1)) == (0, 0)
    board.push(3)
    assert (board.legal_moves, board.result(0), board.result(1)) == ([], 1, -1)
    drawn = Board.from_pons(FULL_DRAWS[0])
    assert (drawn.is_over(), drawn.result(0), drawn.result(1)) == (True, 0, 0)
    with pytest.raises(ValueError, match="player must be 0 to 1, not 2"):
        board.result(2)


def test_push_peek_pop():
    board = Board()
    board.push(3)
    board.push(np.int64(3))
    board.push(np.uint8(0))
    assert board.moves == (3, 3, 0)
    assert all(type(column) is int for column in (*board.moves, *board.legal_columns, board.peek(), board.turn))
    assert (board[3, 0], board[3, 1], board[0, 0], board[3, 2]) == (0, 1, 0, None)
    assert board.last_cell == (0, 0)
    assert (board.peek(), board.pop()) == (0, 0)
    assert board.last_cell == (3, 1)
    assert (board.pop(), board.pop()) == (3, 3)
    assert board == Board()
    assert board.last_cell is None
    for call in (board.pop, board.peek):
        with pytest.raises(IndexError, match="no move was played"):
            call()


@pytest.mark.parametrize(
    ("pons", "cells"),
    [
        ("1212121", ((0, 0), (0, 1), (0, 2), (0, 3))),
        ("1122334", ((0, 0), (1, 0), (2, 0), (3, 0))),
        ("12233434464", ((0, 0), (1, 1), (2, 2), (3, 3))),
        ("76655454424", ((3, 3), (4, 2), (5, 1), (6, 0))),
        ("112244553", tuple((column, 0) for column in range(5))),  # 2 + 2 joined: five in a row
        ("1122335566774", tuple((column, 0) for column in range(7))),  # 3 + 3 joined
    ],
)
def test_winning_lines(pons, cells):
    board = Board.from_pons(pons)
    assert board.outcome() == Outcome(0, cells)
    assert Board.from_array(board.to_array()).outcome() == Outcome(0, cells)
    board.pop()
    assert int(pons[-1]) - 1 in board.winning_columns()


@pytest.mark.parametrize("pons", LAST_CELL)
def test_a_win_on_the_last_cell_is_a_win(pons):
    board = Board.from_pons(pons)
    assert board.ply == 42
    assert board.outcome().winner == 1
    for again in (Board.from_array(board.to_array()), Board.from_fen(board.to_fen()), board.mirror(), board.copy()):
        assert again.is_over()
        assert again.outcome().winner == 1
    last = board.pop()
    assert board.outcome() is None
    assert board.legal_columns == board.winning_columns() == [last]


@pytest.mark.parametrize("pons", FULL_DRAWS)
def test_a_full_board_without_a_line_is_a_draw(pons):
    board = Board.from_pons(pons)
    assert board.outcome() == Outcome(None, ())
    assert board.legal_columns == []
    assert Board.from_array(board.to_array()).outcome() == Outcome(None)


def test_winning_and_threatened_columns():
    board = Board.from_pons("414141")  # three of x in column 3, three of o in column 0
    assert (board.winning_columns(), board.threatened_columns()) == ([3], [0])
    board.push(6)
    assert (board.winning_columns(), board.threatened_columns()) == ([0], [3])
    assert Board.from_pons("112233").winning_columns() == [3]
    assert Board.from_pons("332244").winning_columns() == [0, 4]
    over = Board.from_pons("1212121")
    assert over.winning_columns() == over.threatened_columns() == []


def test_equality_and_hash():
    one, other = Board.from_pons("1234"), Board.from_pons("3412")
    assert one == other
    assert hash(one) == hash(other)
    assert one != Board.from_pons("4321")
    assert one != Board.from_pons("1234", Rules(connect=5))
    assert one != Board.from_pons("123")
    assert one != "1234"
    assert len({one, other, Board()}) == 2
    assert Board.from_array(one.to_array()) == one


class OwnBoard(Board):
    """A subclass that adds nothing."""


def test_subclasses_stay_what_they_are():
    board = OwnBoard.from_pons("44")
    made = [board.copy(), board.mirror(), pickle.loads(pickle.dumps(board)), OwnBoard.from_fen(board.to_fen())]
    assert [type(other) for other in made] == [OwnBoard] * 4


def test_cells():
    board = Board.from_pons("4453")
    assert [board[column, 0] for column in range(7)] == [None, None, 1, 0, 0, None, None]
    assert board[np.int8(3), 1] == 1
    for cell in [(7, 0), (0, 6), (-1, 0), (0, -1)]:
        with pytest.raises(IndexError, match=f"column {cell[0]}, row {cell[1]} is not on a board of 7x6x4"):
            board[cell]
    for cell in [3, (3,), (1, 2, 3), "12"]:
        with pytest.raises(TypeError, match="a cell is board"):
            board[cell]
    with pytest.raises(TypeError, match=r"row must be an integer, not 1\.0"):
        board[0, 1.0]


@pytest.mark.parametrize(
    ("board", "text"),
    [
        (Board(), "Board()"),
        (Board(Rules(5, 4, 3)), "Board(Rules(width=5, height=4, connect=3, diagonals=True))"),
        (Board.from_pons("4453"), "Board.from_moves([3, 3, 4, 2])"),
        (
            Board.from_moves([1, 0], Rules(2, 2, 2, False)),
            "Board.from_moves([1, 0], Rules(width=2, height=2, connect=2, diagonals=False))",
        ),
        (Board.from_fen("3/3/xo1 x 3x3x3"), "Board.from_fen('3/3/xo1 x 3x3x3')"),
    ],
)
def test_repr(board, text):
    assert repr(board) == text
    assert eval(text, {"Board": Board, "Rules": Rules}) == board


def test_text_picture():
    assert str(Board.from_moves([1, 0, 1], Rules(3, 2))) == ". x .\no x .\n0 1 2"
    wide = str(Board.from_moves([10, 0], Rules(11, 1)))
    assert wide.splitlines() == [" o  .  .  .  .  .  .  .  .  .  x", " 0  1  2  3  4  5  6  7  8  9 10"]
    widest = str(Board(Rules(64, 2))).splitlines()
    assert {len(line) for line in widest} == {64 * 3 - 1}


def circles(board, **size):
    """Number of circles by colour: that of the fill, or of the stroke if there is no fill."""
    counts = {}
    for circle in ElementTree.fromstring(board.svg(**size)).iter("{http://www.w3.org/2000/svg}circle"):
        colour = circle.get("fill") if circle.get("fill") != "none" else circle.get("stroke")
        counts[colour] = counts.get(colour, 0) + 1
    return counts


def test_svg_picture():
    counts = circles(Board.from_pons("1212121"))
    assert counts == {"#12305c": 35, "#ffd23f": 4, "#c8102e": 3, "#ffc2c9": 3, "#ffffff": 4, "#111111": 1}
    assert circles(Board()) == {"#12305c": 42}
    assert "#111111" not in circles(Board.from_fen("3/3/xo1 x 3x3x3"))  # the last move is not known
    assert Board.from_pons("44")._repr_svg_() == Board.from_pons("44").svg()
    assert ElementTree.fromstring(Board(Rules(64, 64)).svg(size=300)).get("width") == "300"


@pytest.mark.parametrize(
    ("pons", "title"),
    [
        ("", "Board 7x6x4, 0 discs: yellow (x) to move"),
        ("4", "Board 7x6x4, 1 disc, last in column 4: red with a ring (o) to move"),
        ("1212121", "Board 7x6x4, 7 discs, last in column 1: yellow (x) has won"),
        (FULL_DRAWS[0], "Board 7x6x4, 42 discs, last in column 2: a draw"),
    ],
)
def test_svg_title(pons, title):
    assert f"<title>{title}</title>" in Board.from_pons(pons).svg()


def test_the_start_is_a_new_board_without_moves():
    set_up = Board.from_fen("7/7/7/7/7/2xo3 x 7x6x4")
    for board in (Board(), set_up, Board.from_pons("4453")):
        start = board.copy()
        while start.moves:
            start.pop()
        board.push(0)
        assert (board.start, board.start.moves) == (start, ())
        board.start.push(1)
        assert board.moves[-1] == 0


def test_after_several_moves():
    board = Board.from_pons("44")
    assert board.after() == board
    assert board.after(4, 2) == Board.from_pons("4453")
    assert board.moves == (3, 3)
    with pytest.raises(IllegalMoveError, match=r"^moves\[1\]: column must be 0 to 6, not 7"):
        board.after(0, 7, 0)

"""Boards from strings and arrays and back, and invalid input."""

import random
from functools import partial

import numpy as np
import pytest
from oracles.board import Game

from c4mcts import Board, IllegalMoveError, NotationError, Rules, prefilled_board

SMALL = Rules(4, 3, 3)


def rows(picture):
    """A text such as "..../.x../xo.." as lists of 0, 1, 2."""
    return [[".xo".index(cell) for cell in row] for row in picture.split("/")]


def small(picture):
    """The board of such a text of 4 x 3 cells, three in a row."""
    return Board.from_array(rows(picture), SMALL)


def test_every_form_of_one_position():
    board = Board.from_pons("4453")
    assert board.to_moves() == [3, 3, 4, 2]
    assert board.to_text() == "3,3,4,2"
    assert board.to_pons() == "4453"
    assert board.to_fen() == "7/7/7/7/3o3/2oxx2 x 7x6x4"
    assert board.to_array().tolist() == [[0] * 7] * 4 + [[0, 0, 0, 2, 0, 0, 0], [0, 0, 2, 1, 1, 0, 0]]
    assert (board.to_array().dtype, board.to_array().shape) == (np.int8, (6, 7))
    for form in ("moves", "text", "pons", "fen", "array"):
        written = getattr(board, f"to_{form}")()
        assert getattr(Board, f"from_{form}")(written) == board
        assert getattr(Board, f"from_{form}")(written, rules=Rules()) == board


def test_results_are_plain_ints():
    board = Board.from_array(np.array(rows("..../..../x..."), dtype=np.int64), SMALL)
    board.push(np.int16(1))
    assert {type(cell) for cell in [*board.moves, board.own, board.mask]} == {int}


# lists of moves


def test_moves_from_anything_iterable():
    wanted = Board.from_pons("4453")
    for moves in ((3, 3, 4, 2), np.array([3, 3, 4, 2], dtype=np.uint8), iter([3, 3, 4, 2])):
        assert Board.from_moves(moves) == wanted
    assert Board.from_text(" 3, 3 ,4,2\n") == wanted
    assert Board.from_text("") == Board.from_text("  ") == Board.from_pons("") == Board.from_moves([]) == Board()
    assert Board.from_text("19,0,19", Rules(20, 14)).moves == (19, 0, 19)
    assert Board.from_text("3") == Board.from_text("3,") == Board.from_pons(" 4\n") == Board.from_moves([3])
    assert Board.from_pons("", Rules(10, 6)) == Board(Rules(10, 6))
    assert Board.from_pons("99", Rules(9, 9)).moves == (8, 8)


@pytest.mark.parametrize(
    ("moves", "error", "message"),
    [
        ([3, 7], IllegalMoveError, r"moves\[1\]: column must be 0 to 6, not 7"),
        ([-1], IllegalMoveError, r"moves\[0\]: column must be 0 to 6, not -1"),
        ([3] * 7, IllegalMoveError, r"moves\[6\]: column 3 is full"),
        ([0, 1, 0, 1, 0, 1, 0, 5], IllegalMoveError, r"moves\[7\]: column 5 can't be played: the game is over"),
        ([3, 3.0], TypeError, r"moves\[1\]: column must be an integer, not 3\.0"),
        ("44", TypeError, "moves must be columns, not '44'"),
        (5, TypeError, "moves must be columns, not 5"),
    ],
)
def test_bad_moves(moves, error, message):
    with pytest.raises(error, match=message):
        Board.from_moves(moves)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("3,a", NotationError, "entry 2 is 'a', not the number of a column"),
        (",", NotationError, "entry 1 is '', not"),
        ("1.0", NotationError, r"entry 1 is '1\.0', not"),
        ("3,7", IllegalMoveError, "entry 2: column must be 0 to 6, not 7"),
        ("0,1,0,1,0,1,0,5", IllegalMoveError, "entry 8: column 5 can't be played: the game is over"),
        (334, TypeError, "the moves must be a string, not 334"),
    ],
)
def test_bad_text(text, error, message):
    with pytest.raises(error, match=message):
        Board.from_text(text)


def test_pons_needs_narrow_boards():
    with pytest.raises(NotationError, match="are for up to 9 columns, the board has 10"):
        Board.from_pons("1", Rules(10, 6))
    with pytest.raises(NotationError, match="are for up to 9 columns, the board has 10"):
        Board(Rules(10, 6)).to_pons()


def test_a_board_set_up_with_discs_has_no_move_list():
    board = Board.from_array(Board.from_pons("4453").to_array())
    assert board.moves == ()
    board.push(0)
    assert board.moves == (0,)
    for write in (board.to_moves, board.to_text, board.to_pons):
        with pytest.raises(NotationError, match="set up with discs on it"):
            write()
    empty = Board.from_fen(Board().to_fen())
    empty.push(3)
    assert empty.to_pons() == "4"


# arrays


@pytest.mark.parametrize(
    "give",
    [
        list,
        lambda given: np.array(given, dtype=np.uint8),
        lambda given: np.array(given, dtype=object),
        lambda given: [np.array(row) for row in given],
    ],
)
def test_arrays_of_any_kind(give):
    assert Board.from_array(give(rows("..../.x../ox..")), SMALL) == Board.from_moves([1, 0, 1], SMALL)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((5, 7), int), r"the board must have 6 rows of 7 cells, not array\(\[\[0, 0"),
        (np.zeros((6, 8), int), "the board must have 6 rows of 7 cells, not "),
        ([[0] * 7] * 5 + [[0] * 6], r"the board must have 6 rows of 7 cells, not \[\[0"),
        ([range(10**12)] * 6, r"the board must have 6 rows of 7 cells, not "),
        (["0000000"] * 6, r"the board must have 6 rows of 7 cells, not \['0000000'"),
        (np.zeros((6, 7, 2), int), "the board must have 6 rows of 7 cells, not "),
        ([[0] * 7] * 5 + [[0, 0, 3, 0, 0, 0, 0]], r"row 5 \(0 = top\), column 2 is 3, not one of 0, 1, 2"),
        ([[0] * 7] * 5 + [[0.5] * 7], r"column 0 is 0\.5"),
        (np.full((6, 7), np.nan), r"row 0 \(0 = top\), column 0 is nan"),
        ([["?"] * 7] * 6, r"row 0 \(0 = top\), column 0 is '[?]'"),
        ("4453", "the board must have 6 rows of 7 cells, not '4453'"),
        (7, "the board must have 6 rows of 7 cells, not 7"),
    ],
)
def test_arrays_that_are_no_boards(array, message):
    with pytest.raises(NotationError, match=message):
        Board.from_array(array)


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        ("..../.x../....", r"the disc in row 1 \(0 = top\), column 1 floats: a cell under it is empty"),
        ("x.../.o../.x..", r"the disc in row 0 \(0 = top\), column 0 floats"),
        ("..../..../xx..", "2 discs of the first player and 0 of the second: the first must have as many, or one more"),
        ("..../..../o...", "0 discs of the first player and 1 of the second, who would have begun"),
        ("xo../xo../xo..", r"both players have won: .* \(0, 0\), \(0, 1\), \(0, 2\), \(1, 0\), \(1, 1\), \(1, 2\)$"),
        ("x.../x.o./x.oo", r"the first player has won but did not move last: .* \(0, 0\), \(0, 1\), \(0, 2\)$"),
        ("..o./.xox/.xox", r"the second player has won but did not move last: .* \(2, 0\), \(2, 1\), \(2, 2\)$"),
        ("..../oxo./xxxo", r"no last move of the first player can have made .* \(0, 0\), \(1, 0\), \(2, 0\)$"),
        (".o../.oo./xxxx", r"no last move of the first player can have made .* \(3, 0\)$"),
    ],
)
def test_positions_that_cannot_be(picture, message):
    with pytest.raises(NotationError, match=message):
        small(picture)


def test_two_lines_apart_cannot_be():
    picture = "......./......./x.x..../x.x..../xoxoo../xoxooo."
    with pytest.raises(NotationError, match="no last move of the first player can have made"):
        Board.from_array(rows(picture))
    assert Board.from_array(rows(picture), Rules(connect=5)).outcome() is None


def could_have_ended(game):
    """Whether there is no line, or taking back one disc of the last player leaves none."""
    if game.winner() is None:
        return True
    last = (sum(map(len, game.cells)) + 1) % 2
    for column in game.cells:
        if column and column[-1] == last:
            column.pop()
            before = game.winner()
            column.append(last)
            if before is None:
                return True
    return False


def test_random_piles_of_discs_are_judged_as_the_naive_game_does():
    choose = random.Random(37)
    judged = {True: 0, False: 0}
    for _ in range(400):
        discs = [0, 1] * choose.randrange(7)
        discs += [0] * choose.randrange(2) if len(discs) < 12 else []
        choose.shuffle(discs)
        game = Game(4, 3, 3)
        for disc in discs:
            choose.choice([column for column in game.cells if len(column) < 3]).append(disc)
        judged[could_have_ended(game)] += 1
        if could_have_ended(game):
            board = Board.from_array(game.rows(), SMALL)
            assert board.is_over() == game.over()
            assert board.outcome() is None or board.outcome().cells == tuple(sorted(game.line_cells()))
        else:
            with pytest.raises(NotationError, match=r"won|no last move"):
                Board.from_array(game.rows(), SMALL)
    assert min(judged.values()) > 50


# one-line forms


@pytest.mark.parametrize(
    "fen",
    [
        "7/7/7/7/7/7 x 7x6x4",
        "4/4/2x1 o 4x3x3",
        "4/4/2x1 o 4x3x3 no-diagonals",
        "64/xo62 x 64x2x4",
        "1/o/x x 1x3x2",
        "7/7/7/7/7/7 x 7x6x4096",
    ],
)
def test_fen(fen):
    board = Board.from_fen(fen)
    assert board.to_fen() == fen
    assert Board.from_fen(f"  {fen}\n", board.rules) == board
    assert fen.endswith(str(board.rules))


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "a FEN has the fields .* but '' has 0"),
        ("4/4/4 x", "a FEN has the fields .* has 2"),
        ("4/4/4 x 4x3x3 no-diagonals more", "has 5"),
        ("4/4/4 x 4x3x3 diagonals", "unknown flag 'diagonals' at character 15"),
        ("4/4/4 x 4x3", "the rules at character 9 must look like 7x6x4, not '4x3'"),
        ("4/4/4 x 65x3x3", "the rules '65x3x3' at character 9: width must be 1 to 64, not 65"),
        ("4/4/4 x 4x3x1", "the rules '4x3x1' at character 9: connect must be 2 to 4096, not 1"),
        ("4/4/4 w 4x3x3", "the side to move at character 7 must be x or o, not 'w'"),
        ("4/4/1X2 o 4x3x3", "character 6, 'X', is "),
        ("4/4/0x3 o 4x3x3", "the gap '0' at character 5 must be 1 to 4"),
        ("4/4/" + "9" * 5000 + " x 4x3x3", "the gap '999.*' at character 5 must be 1 to 4"),
        ("4/5/4 x 4x3x3", r"row 1 \(0 = top\) must have 4 cells, not 5"),
        ("4/4 x 4x3x3", "the board must have 3 rows, not 2"),
        ("4/4/x3 x 4x3x3", "1 discs of the first player and 0 of the second: it can't be the turn of the first player"),
        ("4/4/4 o 4x3x3", "0 discs of the first player and 0 of the second: it can't be the turn of the second player"),
        ("4/x3/4 o 4x3x3", r"row 1 \(0 = top\), column 0 floats"),
    ],
)
def test_bad_fen(fen, message):
    with pytest.raises(NotationError, match=message):
        Board.from_fen(fen)


def test_fen_of_other_rules():
    with pytest.raises(NotationError, match="the FEN has the rules 4x3x3, not 7x6x4"):
        Board.from_fen("4/4/4 x 4x3x3", Rules())
    with pytest.raises(TypeError, match="rules must be Rules, not '4x3x3'"):
        Board.from_fen("4/4/4 x 4x3x3", "4x3x3")
    with pytest.raises(TypeError, match="a FEN must be a string, not 3"):
        Board.from_fen(3)


# texts of any form


def test_rules_of_moves_alone():
    wide = Rules(20, 14, 5)
    assert Board.parse("9,19", wide).moves == (9, 19)
    assert Board.parse("9,", wide).moves == (9,)
    with pytest.raises(NotationError, match="are for up to 9 columns, the board has 20: write the moves with commas"):
        Board.parse("12", wide)
    assert Board.parse("20x14x5:9,19", wide) == Board.parse("9,19", wide)
    for text in ("7x6x4:44", "#44"):
        with pytest.raises(NotationError, match="the text has the rules 7x6x4, not 20x14x5"):
            Board.parse(text, wide)
    with pytest.raises(NotationError, match="the FEN has the rules 7x6x4, not 20x14x5"):
        Board.parse("7/7/7/7/7/2xo3 x 7x6x4:45", wide)
    with pytest.raises(TypeError, match="rules must be Rules, not '7x6x4'"):
        Board.parse("44", "7x6x4")
    with pytest.raises(TypeError, match="a position must be a string, not 4453"):
        Board.parse(4453)


def boards_of_all_kinds():
    set_up = Board.from_fen("7/7/7/7/7/2xo3 x 7x6x4")
    set_up.push(3)
    wide = Board.from_moves([9, 10], Rules(20, 14, 5))
    one = Board.from_moves([3], Rules(12, 5, 3, diagonals=False))
    return [Board(), Board.from_pons("4453"), Board.from_moves([3]), wide, one, set_up, prefilled_board()]


@pytest.mark.parametrize("board", boards_of_all_kinds(), ids=repr)
@pytest.mark.parametrize("form", ["pons", "text", "fen", "address", "uci", "drawing"])
def test_what_is_written_is_read(board, form):
    is_kind = form in ("address", "uci", "drawing")
    write = partial(board.format, form) if is_kind else getattr(board, f"to_{form}")
    if form in ("pons", "text") and len(board.moves) != board.ply:
        with pytest.raises(NotationError, match="set up with discs on it"):
            write()
        return
    if form == "pons" and board.rules.width > 9:
        with pytest.raises(NotationError, match="are for up to 9 columns"):
            write()
        return
    readings = [Board.parse(write(), board.rules, form if is_kind else None)]
    if not is_kind:
        readings.append(getattr(Board, f"from_{form}")(write(), board.rules))
    if form == "address":
        readings.append(Board.parse(f"http://127.0.0.1:8000/#{write()}"))
    for again in readings:
        assert again == board
        assert again.moves == board.moves or form in ("fen", "uci", "drawing")


def test_each_kind():
    board = Board.from_pons("4453")
    assert (board.to_text(), board.to_pons()) == ("3,3,4,2", "4453")
    assert board.to_fen() == "7/7/7/7/3o3/2oxx2 x 7x6x4"
    assert board.format("address") == "4453"
    assert board.format("uci") == ",".join("b" * 12 + "obbbbb" + "xobbbb" + "xbbbbb" + "b" * 12)
    assert board.format("drawing") == str(board)
    assert Board.from_moves([3]).to_text() == "3,"
    assert Board.from_moves([9], Rules(20, 14, 5)).format("address") == "20x14x5:9,"
    assert prefilled_board().format("address") == f"{prefilled_board().to_fen().replace(' ', '_')}:"
    for call in (lambda: board.format("fen"), lambda: Board.parse("4453", kind="pgn")):
        with pytest.raises(ValueError, match="kind must be one of 'address', 'uci', 'drawing'"):
            call()


def test_uci():
    # the first line of the data set
    line = "b,b,b,b,b,b,b,b,b,b,b,b,x,o,b,b,b,b,x,o,x,o,x,o,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b"
    board = Board.parse(line + ",win\n", kind="uci")
    assert board == Board.parse(line, kind="uci") == Board.from_pons("33444444")
    assert board.format("uci") == line
    assert Board.parse("x, o,b,b", Rules(2, 2), "uci") == Board.from_moves([0, 0], Rules(2, 2))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("b,b", "a UCI line must have 42 symbols .* not 2"),
        (",".join(["b"] * 42 + ["won"]), "a UCI line must have 42 symbols .* not 43"),
        (",".join(["b"] * 41 + ["win"]), "symbol 41 is 'win', not one of x, o, b"),
        (",".join(["b"] * 6 + ["X"] + ["b"] * 35), "symbol 6 is 'X', not one of x, o, b"),
        (",".join(["b", "x"] + ["b"] * 40), r"row 4 \(0 = top\), column 0 floats"),
    ],
)
def test_bad_uci(line, message):
    with pytest.raises(NotationError, match=message):
        Board.parse(line, kind="uci")
    with pytest.raises(TypeError, match="a UCI line must be a string, not "):
        Board.parse([line], kind="uci")


def test_drawings():
    for text in ("....\n.x..\nxo..", "....\n.X..\nXO..\n1 2 3 4", "0,0,0,0\n0,1,0,0\n1,2,0,0\n"):
        assert Board.parse(text, SMALL, "drawing") == small("..../.x../xo..")
    assert Board.parse("...\n.xo", kind="drawing").rules == Rules(3, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a drawing must have at least one row"),
        ("...\n.x?", r"row 1 \(0 = top\), column 2 is '[?]', not one of [.] x o"),
        ("...\n.x", r"row 1 \(0 = top\) has 2 cells, and another one 3: write [.] for an empty cell"),
        (".x.\n...", "floats"),
    ],
)
def test_bad_drawings(text, message):
    with pytest.raises(NotationError, match=message):
        Board.parse(text, kind="drawing")

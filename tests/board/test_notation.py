"""Boards from strings and arrays and back, and invalid input. test_reader has what Board.parse understands."""

import random

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
    assert board.to_pons() == board.format("address") == "4453"
    assert board.to_fen() == "7/7/7/7/3o3/2oxx2 x 7x6x4"
    assert board.to_array().tolist() == [[0] * 7] * 4 + [[0, 0, 0, 2, 0, 0, 0], [0, 0, 2, 1, 1, 0, 0]]
    assert (board.to_array().dtype, board.to_array().shape) == (np.int8, (6, 7))
    assert board.format("uci") == ",".join("b" * 12 + "obbbbb" + "xobbbb" + "xbbbbb" + "b" * 12)
    assert board.format("drawing") == str(board)
    for form in ("moves", "text", "pons", "fen", "array"):
        written = getattr(board, f"to_{form}")()
        assert getattr(Board, f"from_{form}")(written) == board
        assert getattr(Board, f"from_{form}")(written, rules=Rules()) == board
    assert Board.from_moves([9], Rules(20, 14, 5)).format("address") == "20x14x5:9,"
    assert prefilled_board().format("address") == f"{prefilled_board().to_fen().replace(' ', '_')}:"
    with pytest.raises(ValueError, match="kind must be one of 'address', 'uci', 'drawing'"):
        board.format("fen")


def test_moves_from_anything_iterable():
    wanted = Board.from_pons("4453")
    for moves in ((3, 3, 4, 2), np.array([3, 3, 4, 2], dtype=np.uint8), iter([3, 3, 4, 2])):
        assert Board.from_moves(moves) == wanted
    assert Board.from_text(" 3, 3 ,4,2\n") == wanted
    assert Board.from_text("") == Board.from_text("  ") == Board.from_pons("") == Board.from_moves([]) == Board()
    assert Board.from_text("19,0,19", Rules(20, 14)).moves == (19, 0, 19)
    assert Board.from_text("3,") == Board.from_pons("4\n") == Board.from_moves([3])
    assert Board.from_pons("", Rules(10, 6)) == Board(Rules(10, 6))
    assert Board.from_pons("99", Rules(9, 9)).moves == (8, 8)


WRONG = [
    (Board.from_moves, [3, 7], r"moves\[1\]: column must be 0 to 6, not 7"),
    (Board.from_moves, [3] * 7, r"moves\[6\]: column 3 is full"),
    (Board.from_moves, [0, 1, 0, 1, 0, 1, 0, 5], r"moves\[7\]: column 5 can't be played: the game is over"),
    (Board.from_moves, [3, 3.0], r"moves\[1\]: column must be an integer, not 3\.0"),
    (Board.from_moves, "44", "moves must be columns, not '44'"),
    (Board.from_text, "3,a", "entry 2 is 'a', not the number of a column"),
    (Board.from_text, "3", "moves from 0 have commas, a single one as in '3,', not '3'"),
    (Board.from_text, ",", "entry 1 is '', not"),
    (Board.from_text, "3,7", "entry 2: column must be 0 to 6, not 7"),
    (Board.from_text, 334, "the moves must be a string, not 334"),
    (Board.from_pons, "44x", "character 3, 'x', is not a column: columns are the digits 1 to 9"),
    (Board.from_pons, "448", "character 3: column must be 1 to 7, not 8"),
    (Board.from_pons, "4453 12", "character 5, ' ', is not a column: columns are the digits 1 to 9"),
    (Board.from_fen, 3, "a FEN must be a string, not 3"),
    (Board.from_fen, "4/4/4 x", "a FEN has rows, the side to move and rules, .*, not only '4/4/4 x'"),
    (Board.from_fen, "4/4/4 x 4x3x3 diagonals", "rules must look like 7x6, .*, not '4x3x3 diagonals'"),
    (Board.from_fen, "4/4/4 x 65x3x3", "the rules '65x3x3': width must be 1 to 64, not 65"),
    (Board.from_fen, "4/4/4 w 4x3x3", "the side to move must be x or o, not 'w'"),
    (Board.from_fen, "4/4/1X2 o 4x3x3", "character 6, 'X', is "),
    (Board.from_fen, "4/4/" + "9" * 5000 + " x 4x3x3", "the gap '999.*' at character 5 must be 1 to 4"),
    (Board.from_fen, "4/5/4 x 4x3x3", r"row 1 \(0 = top\) must have 4 cells, not 5"),
    (Board.from_fen, "4/4 x 4x3x3", "the board must have 3 rows, not 2"),
    (Board.from_fen, "4/4/x3 x 4x3x3", "1 disc of .* 0 of the second: it can't be the turn of the first player"),
    (Board.from_fen, "4/4/4 o 4x3x3", "0 discs of .* 0 of the second: it can't be the turn of the second player"),
    (Board.from_array, np.zeros((5, 7), int), r"the board must have 6 rows of 7 cells, not array\(\[\[0, 0"),
    (Board.from_array, [[0] * 7] * 5 + [[0] * 6], r"the board must have 6 rows of 7 cells, not \[\[0"),
    (Board.from_array, [range(10**12)] * 6, r"the board must have 6 rows of 7 cells, not "),
    (Board.from_array, np.zeros((6, 7, 2), int), "the board must have 6 rows of 7 cells, not "),
    (
        Board.from_array,
        [[0] * 7] * 5 + [[0, 0, 3, 0, 0, 0, 0]],
        r"row 5 \(0 = top\), column 2 is 3, not one of 0, 1, 2",
    ),
    (Board.from_array, [[0] * 7] * 5 + [[0.5] * 7], r"column 0 is 0\.5"),
    (Board.from_array, [["?"] * 7] * 6, r"row 0 \(0 = top\), column 0 is '[?]'"),
    (Board.from_array, 7, "the board must have 6 rows of 7 cells, not 7"),
    (small, "..../.x../....", r"the disc in row 1 \(0 = top\), column 1 floats: a cell under it is empty"),
    (
        small,
        "..../..../xx..",
        "2 discs of the first player and 0 of the second: the first must have as many, or one more",
    ),
    (small, "..../..../o...", "0 discs of the first player and 1 of the second, who would have begun"),
    (small, "xo../xo../xo..", r"both players have won: .* \(0, 0\), \(0, 1\), \(0, 2\), \(1, 0\), \(1, 1\), \(1, 2\)$"),
    (small, "x.../x.o./x.oo", r"the first player has won but did not move last: .* \(0, 0\), \(0, 1\), \(0, 2\)$"),
    (small, "..o./.xox/.xox", r"the second player has won but did not move last: .* \(2, 0\), \(2, 1\), \(2, 2\)$"),
    (small, ".o../.oo./xxxx", r"no last move of the first player can have made .* \(3, 0\)$"),
]


@pytest.mark.parametrize(("read", "value", "message"), WRONG)
def test_what_is_wrong_is_said_with_its_place(read, value, message):
    with pytest.raises((NotationError, IllegalMoveError, TypeError), match=message):
        read(value)


def test_pons_needs_narrow_boards():
    for call in (lambda: Board.from_pons("1", Rules(10, 6)), Board(Rules(10, 6)).to_pons):
        with pytest.raises(NotationError, match="are for up to 9 columns, the board has 10"):
            call()


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


def test_rules_of_texts():
    wide = Rules(20, 14, 5)
    assert Board.parse("9,19", wide).moves == (9, 19)
    assert Board.parse("20x14x5:9,19", wide) == Board.parse("9,19", wide)
    for call, error, message in (
        (lambda: Board.parse("12", wide), NotationError, "are for up to 9 columns, the board has 20: write the moves"),
        (lambda: Board.parse("7x6x4:44", wide), NotationError, "the text has the rules 7x6x4, not 20x14x5"),
        (lambda: Board.parse("#44", wide), NotationError, "the text has the rules 7x6x4, not 20x14x5"),
        (lambda: Board.parse("7/7/7/7/7/2xo3 x 7x6x4:45", wide), NotationError, "the FEN has the rules 7x6x4, not 20x"),
        (lambda: Board.from_fen("4/4/4 x 4x3x3", Rules()), NotationError, "the FEN has the rules 4x3x3, not 7x6x4"),
        (lambda: Board.parse("44", "7x6x4"), TypeError, "rules must be Rules, not '7x6x4': write Rules"),
        (lambda: Board.from_fen("4/4/4 x 4x3x3", "4x3x3"), TypeError, "rules must be Rules, not '4x3x3'"),
        (lambda: Board.parse(4453), TypeError, "a position must be a string, not 4453"),
    ):
        with pytest.raises(error, match=message):
            call()


def test_uci_has_a_symbol_for_each_cell():
    assert Board.parse("x, o,b,b", Rules(2, 2)) == Board.from_moves([0, 0], Rules(2, 2))
    with pytest.raises(NotationError, match=r"a UCI line must have 42 symbols .* not 2"):
        Board.parse("b,b")

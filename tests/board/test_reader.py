"""The reader of positions: the table of texts, what the package itself prints, changed texts, and arrays."""

import io
import json
import random
from typing import get_args

import numpy as np
import pytest
from position_texts import BOARDS, ERRORS, READ

from c4mcts import Board, Engine, IllegalMoveError, NotationError, Rules, prefilled_board
from c4mcts.board.notation import Kind
from c4mcts.cli.display import Terminal, board_text, result_display

RULES = [Rules(), Rules(5, 4, 3), Rules(9, 7, 5), Rules(12, 5, diagonals=False), Rules(20, 14, 5), Rules(8, 1)]


@pytest.mark.parametrize(("text", "rules", "start", "moves"), READ)
def test_games(text, rules, start, moves):
    board = Board.parse(text)
    assert (str(board.rules), list(board.moves)) == (rules, moves)
    assert board.start == (Board.from_fen(start) if start else Board(board.rules))


@pytest.mark.parametrize(("text", "fen"), BOARDS)
def test_boards(text, fen):
    board = Board.parse(text)
    assert (board.to_fen(), board.moves) == (fen, ())


@pytest.mark.parametrize(("text", "message"), ERRORS)
def test_errors_say_what_is_wrong(text, message):
    with pytest.raises((NotationError, IllegalMoveError)) as caught:
        Board.parse(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_deep_json_is_refused():
    for text in ("[" * 100_000 + ",", '{"a":' * 100_000):
        with pytest.raises(NotationError, match="JSON"):
            Board.parse(text)


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "unit", ["\n", " ", "-", "- ", "-\n", "|", "4 ", "4-", "d1 ", "x,", "[", "1.\n", "+-", ".\n", "0 ", "/?", ", "]
)
def test_long_texts_take_time_in_proportion(unit):
    for text in (unit * 20_000, f"x{unit * 20_000}x", f"4{unit * 20_000}4", f"{unit * 20_000}?"):
        assert isinstance(parsed_or_refused(text), str | Board)


def printed(board, encoding, width):
    """What the terminal shows of a board, alone and with the result of a search."""
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    terminal = Terminal(file=file, width=width)
    shown = [board_text(terminal, board)]
    if not board.is_over():
        shown.append(result_display(terminal, Engine(seed=1).search(board, simulations=20), None, "note"))
    for each in shown:
        file.buffer.truncate(0)
        file.buffer.seek(0)
        terminal.print(each)
        file.flush()
        yield file.buffer.getvalue().decode(encoding)


def forms(board):
    """All texts that the package writes of a board."""
    yield from (str(board), repr(board.to_array()), str(board.to_array()), str(board.to_array().tolist()))
    yield json.dumps({"board": board.to_array().ravel().tolist(), "mark": board.turn + 1})
    yield board.to_fen()
    if len(board.moves) == board.ply:
        yield board.to_text()
        if board.rules.width <= 9:
            yield board.to_pons()
    for kind in get_args(Kind):
        yield board.format(kind)
    for encoding in ("utf-8", "ascii"):
        for width in (80, 62):
            yield from printed(board, encoding, width)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_all_that_is_written_is_read(rules):
    chance = random.Random(str(rules))
    for _ in range(6):
        board = Board(rules)
        for _ in range(chance.randrange(rules.cells + 1)):
            if board.legal_columns:
                board.push(chance.choice(board.legal_columns))
        for text in forms(board):
            assert Board.parse(text, rules) == board, text
            if rules == Rules():
                assert Board.parse(f"\ufeff{text}\r\n") == board, text


def parsed_or_refused(text):
    """The board, or the message."""
    try:
        return Board.parse(text)
    except (NotationError, IllegalMoveError) as error:
        return str(error)


def test_changed_texts_are_read_or_refused_in_one_line():
    chance = random.Random(51)
    kept = [*forms(Board.from_pons("4453")), *forms(prefilled_board())]
    kept += [text for text, *_ in READ + BOARDS]
    read = 0
    for _ in range(3000):
        text = [*chance.choice(kept)]
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(text) + 1)
            text[at : at + chance.randrange(3)] = chance.choice(
                ["", "x", "o", ".", "1", "0", "|", "[", ",", "\n", "-", "e"]
            )
        board = parsed_or_refused("".join(text))
        if isinstance(board, str):
            assert "\n" not in board
        else:
            read += 1
            assert Board.from_fen(board.to_fen()) == board
    assert 250 < read < 2750


def test_lists_that_can_be_moves_or_cells():
    small = Rules(2, 2, 2)
    with pytest.raises(NotationError, match="can be moves or cells"):
        Board.parse("[0, 1, 0, 1]", small)
    assert Board.parse("0,1,0", small).moves == (0, 1, 0)
    assert Board.parse('{"board": [0, 0, 1, 2]}', small) == Board.parse("[[0, 0], [1, 2]]", small)


# arrays


LETTERS = [("X", "O", None), ("X", "O", ""), ("O", "X", " "), ("x", "o", None), ("R", "Y", "."), ("b", "r", None)]


@pytest.mark.parametrize(
    ("first", "second", "empty"),
    [(1, 2, 0), (1, -1, 0), (1.0, -1.0, 0.0), (0, 1, None), ("0", "1", "."), ("x", "o", "."), *LETTERS],
)
def test_arrays_that_are_recognised(first, second, empty):
    values = {0: empty, 1: first, 2: second}
    for board in (Board.parse("4453"), Board.parse("44535")):
        rows = [[values[cell] for cell in row] for row in board.to_array().tolist()]
        for array in (rows, np.array(rows), np.array(rows, dtype=object)):
            assert Board.from_array(array, first=first) == board
            assert Board.from_array(array, first=first, second=second, empty=empty) == board
            if (first, second, empty) in LETTERS and board.ply == 4:
                with pytest.raises(NotationError, match="it is not known who began"):
                    Board.from_array(array)
            else:
                assert Board.from_array(array) == board


@pytest.mark.parametrize("text", ["", "4453", "44535", "1111112"])
def test_arrays_of_columns_and_of_rows_from_the_bottom(text):
    board = Board.from_pons(text)
    rows = board.to_array()
    assert Board.from_array(rows[::-1], row_0="bottom") == board
    for columns in (rows.T, rows.T.tolist()):
        assert Board.from_array(columns, by="columns", row_0="top") == board
        assert Board.from_array([[*column[::-1]] for column in columns], by="columns", row_0="bottom") == board
        with pytest.raises(NotationError, match=r"6 rows of 7 cells, not .*; by='columns' reads lists of columns"):
            Board.from_array(columns)
        with pytest.raises(TypeError, match="by='columns' needs row_0, 'bottom' or 'top'"):
            Board.from_array(columns, by="columns")
    if text:
        with pytest.raises(NotationError, match=r"floats.*row_0='bottom'\) reads a board upside down"):
            Board.from_array(rows[::-1])


def test_arrays_whose_values_are_given():
    rows = [["e"] * 7] * 5 + [["a", "b", "a", "e", "e", "e", "e"]]
    assert Board.from_array(rows, empty="e", first="a", second="b").to_fen() == "7/7/7/7/7/xox4 o 7x6x4"
    with pytest.raises(NotationError, match=r"row 0 \(0 = top\), column 0 is 'e', not"):
        Board.from_array(rows, first="a", second="b")
    with pytest.raises(TypeError, match="give both first and second"):
        Board.from_array(rows, first="a")


def test_the_second_player_began():
    rows = [[0] * 7] * 5 + [[0, 0, 2, 1, 2, 0, 0]]
    with pytest.raises(
        NotationError, match=r"1 discs of the first player and 2 of the second, who would have begun: say who began"
    ):
        Board.from_array(rows)
    assert Board.from_array(rows, first=2, second=1) == Board.from_array((3 - np.array(rows)) % 3)
    colours = [[None] * 7] * 5 + [[None, None, "Y", "R", "Y", None, None]]
    assert Board.from_array(colours) == Board.from_array(rows, first=2, second=1)
    colours[5][1] = "R"
    with pytest.raises(NotationError, match="it is not known who began"):
        Board.from_array(colours)

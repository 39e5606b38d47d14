"""The reader of positions: the table of texts, every form for every reader, changed texts, and arrays."""

import argparse
import io
import json
import random
import shutil
import subprocess
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import get_args
from unittest import mock

import numpy as np
import pytest
from position_texts import BOARDS, ERRORS, READ

from c4mcts import Board, Engine, IllegalMoveError, NotationError, Rules, prefilled_board
from c4mcts.board.notation import Kind
from c4mcts.cli.boards import add_position, parsed
from c4mcts.cli.display import Terminal, board_text, result_display
from c4mcts.cli.failures import CommandError
from c4mcts.cli.lines import lines_of_file
from c4mcts.play import GameTree, SavedGame, read_game
from c4mcts.protocol import messages

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
    for text in ("[1, " * 100_000, '{"a":' * 100_000):
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
    """All texts that the package writes of a board, which Board.parse reads."""
    yield from (str(board), repr(board.to_array()), str(board.to_array()), str(board.to_array().tolist()))
    yield json.dumps({"board": board.to_array().ravel().tolist(), "mark": board.turn + 1})
    yield from (board.to_fen(), f"http://127.0.0.1/#{board.format('address')}")
    if len(board.moves) == board.ply:
        yield board.to_text()
        if board.rules.width <= 9:
            yield board.to_pons()
    for kind in get_args(Kind):
        yield board.format(kind)
    for encoding in ("utf-8", "ascii"):
        for width in (80, 62):
            yield from printed(board, encoding, width)


def other_forms(board):
    """What others write of a board, and the package beside its positions: arrays, and texts that may be refused."""
    rows, drawing = board.to_array(), str(board)
    columns, xo = rows.T[:, ::-1], drawing.rpartition("\n")[0]
    yield from (rows, rows.tolist(), np.where(rows == 2, -1, rows), columns, columns.tolist())
    yield from (str(columns.tolist()), str(columns), ",".join(map(str, rows.ravel())))
    if board.rules.height > 1:  # else -1, 0, 1 may be empty, first, second or second, empty, first
        yield from (rows - 1, columns - 1, str(rows - 1))
    for symbols in (".XO", ".OX", "-RY", "012", "_BW", " xo", "·●○", ".01"):
        yield xo.translate(str.maketrans(".xo", symbols))
        yield xo.translate(str.maketrans(".xo", symbols)).replace(" ", "")
    yield f"first: X\n{xo.upper()}"
    tree = GameTree(board)
    yield from (
        SavedGame(tree, {}).line(),
        f'{tree.to_text()} {{"rules": "{board.rules}", "start": "{tree.start.to_fen()}"}}',
    )
    if len(board.moves) == board.ply:
        yield from (f'{tree.to_text()}"end"', f'{board.rules}:{tree.to_text()}"end"')
        letters = [f"{chr(97 + column)}{number}" for number, column in enumerate(board.moves, 1)]
        yield from (board.to_moves(), str(board.to_moves()), " ".join(letters))
    if len(board.moves) == board.ply > 1:  # a number alone could count from 0 on a wide board
        numbers = [str(column + 1) for column in board.moves]
        yield from (str(numbers), " ".join(numbers), f"moves: {' '.join(numbers)}")
        yield from ("-".join(numbers), f"{''.join(numbers)} -1")


def shell(text, rules):
    parser = argparse.ArgumentParser()
    add_position(parser)
    args = parser.parse_args(["--rules", str(rules)])
    return parsed(args, text, "")[0]


def file_at_shell(text, rules):
    """The position of a file with one line. ValueError for others."""
    with mock.patch("sys.stdin", io.StringIO(text)):
        (line,) = lines_of_file("-")
    return shell(line.text, rules)


READERS = {
    "parse": Board.parse,
    "pons": Board.from_pons,
    "text": Board.from_text,
    "fen": Board.from_fen,
    "moves": Board.from_moves,
    "array": Board.from_array,
    "game": lambda text, rules: read_game(text, rules).board,
    "tree": lambda text, rules: [tree := GameTree.from_text(text, Board(rules)), *tree.main_line()][-1].board,
    "shell": shell,
    "file": file_at_shell,
    "protocol": lambda text, rules: messages.read_game(messages.Keys({"position": text, "rules": asdict(rules)})),
}


def by_the_page(cases):
    """What the page makes of texts, in Node: the rules and the moves, or null. It asks the server for a FEN."""
    folder = Path(__file__).parents[2]
    code = f"""import {{ readGame }} from "{folder}/src/c4mcts/page/static/js/game-text.js";
        const noServer = () => Promise.reject(new Error());
        const read = ([text, rules]) => readGame(text, rules, noServer).then(({{game}}) => game.moves, () => null);
        const data = []; for await (const chunk of process.stdin) data.push(chunk);
        console.log(JSON.stringify(await Promise.all(JSON.parse(data.join("")).map(read))));"""
    command = [shutil.which("node"), "--no-warnings", f"--import={folder}/tests/page/read-files.js"]
    texts = json.dumps([[text, asdict(rules)] for text, rules in cases])
    done = subprocess.run(
        [*command, "--input-type=module", "-e", code], input=texts, capture_output=True, check=True, text=True
    )
    return json.loads(done.stdout)


def random_position(rules, chance):
    """A board with its moves, or set up with discs and perhaps some moves."""
    board = Board(rules)
    for _ in range(chance.randrange(min(rules.cells, 60) + 1)):
        if board.legal_columns:
            board.push(chance.choice(board.legal_columns))
        if chance.random() < 0.02:
            board = Board.from_fen(board.to_fen())
    return board


def test_what_one_form_prints_every_reader_reads_as_that_position_or_refuses():
    chance, texts, read = random.Random("pairs"), [], Counter()
    for board in [random_position(rules, chance) for rules in RULES for _ in range(3)]:
        address = board.format("address")
        assert Board.parse(address).format("address") == address, "it has the rules, the start and the moves"
        for text in forms(board):
            assert Board.parse(text, board.rules) == board, text
            if board.rules == Rules():
                assert Board.parse(f"\ufeff{text}\r\n") == board, text
        for value in [*forms(board), *other_forms(board)]:
            texts += [(value, board)] if isinstance(value, str) else []
            for name, reader in READERS.items():
                try:
                    found = reader(value, board.rules)
                except (ValueError, TypeError, CommandError):
                    continue
                assert found == board, (name, value)
                read[name] += 1
    assert min(read[name] for name in READERS) > 5, read
    if shutil.which("node"):
        found = by_the_page([(text, board.rules) for text, board in texts])
        pairs = [(text, board, moves) for (text, board), moves in zip(texts, found, strict=True) if moves is not None]
        assert [text for text, board, moves in pairs if Board.from_moves(moves, board.rules) != board] == []
        assert len(pairs) > 50


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
        NotationError, match=r"1 disc of the first player and 2 of the second, who would have begun: say who began"
    ):
        Board.from_array(rows)
    assert Board.from_array(rows, first=2, second=1) == Board.from_array((3 - np.array(rows)) % 3)
    colours = [[None] * 7] * 5 + [[None, None, "Y", "R", "Y", None, None]]
    assert Board.from_array(colours) == Board.from_array(rows, first=2, second=1)
    colours[5][1] = "R"
    with pytest.raises(NotationError, match="it is not known who began"):
        Board.from_array(colours)

"""What a terminal shows of a search."""

import io
import re

import pytest

import c4mcts
from c4mcts.cli.display import BoardDisplay, Terminal, result_display, short


def screen(board, width, height, encoding="utf-8", **limits):
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    terminal = Terminal(file=file, force_terminal=True, width=width, height=height, color_system=None)
    result = c4mcts.Engine(seed=1).search(board, **(limits or {"simulations": 2000}))
    terminal.print(result_display(terminal, result, "note"))
    file.flush()
    return [line.rstrip() for line in file.buffer.getvalue().decode(encoding).splitlines()]


@pytest.mark.parametrize(("width", "height"), [(80, 24), (80, 40), (120, 30), (40, 24), (200, 50)])
@pytest.mark.parametrize(
    "rules",
    [c4mcts.Rules(), c4mcts.Rules(20, 14, 5), c4mcts.Rules(7, 40), c4mcts.Rules(40, 7), c4mcts.Rules(64, 64)],
    ids=str,
)
def test_the_display_fits_the_terminal(rules, width, height):
    lines = screen(c4mcts.Board.from_moves([3, 3, 4], rules), width, height)
    assert max(map(len, lines)) <= width
    tallest = height if rules.height < 20 or height > 24 else height + 1
    assert len(lines) < tallest
    assert "column" in lines[0]
    assert any("note" in line for line in lines[-2:])


def test_the_arrow_points_at_the_best_column_and_every_column_has_a_row():
    lines = screen(c4mcts.Board.from_pons("44444"), 80, 24)
    text = "\n".join(lines)
    result = c4mcts.Engine(seed=1).search(c4mcts.Board.from_pons("44444"), simulations=2000)
    top = next(line for line in lines if "▼" in line)
    labels = next(line for line in lines if line.split() == list("1234567"))
    assert labels[top.index("▼")] == str(result.column + 1)
    assert f"column {result.column + 1}," in lines[0]
    for move in result.moves:
        assert re.search(rf"\b{move.column + 1} +{move.visits:,} ", text)
    assert "[●]" in text


def test_proofs_have_a_column_where_there_are_any():
    assert "win in 1" in "\n".join(screen(c4mcts.Board.from_pons("112233"), 80, 40))
    assert not any("proof" in line for line in screen(c4mcts.Board(), 80, 40))


@pytest.mark.parametrize("width", [80, 40, 30, 10, 1])
def test_a_terminal_without_unicode_gets_letters(width):
    text = "\n".join(screen(c4mcts.Board.from_pons("44"), width, 40, encoding="ascii"))
    assert "[o]" in text or width < 40
    assert "o" in text
    assert max(map(len, text.splitlines())) <= width
    assert ("~" in text) == (width in (30, 10)), "what is cut off has a mark"


def test_tall_boards_leave_out_empty_rows_but_no_disc():
    board = c4mcts.Board.from_moves([0] * 30, c4mcts.Rules(7, 40))
    terminal = Terminal(file=io.StringIO(), force_terminal=True, width=80, height=24)
    assert BoardDisplay(terminal, board).rows == 31
    assert BoardDisplay(terminal, c4mcts.Board(board.rules)).rows < 20


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (999, "999"), (1000, "1.00 k"), (123_456, "123 k"), (1_790_000, "1.79 M"), (2e9, "2.00 G")],
)
def test_short_numbers(number, text):
    assert short(number) == text

"""What a terminal shows of a search."""

import io

import pytest

import c4mcts
from c4mcts.cli.display import Terminal, result_display, short
from c4mcts.search.results import result_text


def screen(result, width, encoding="utf-8"):
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    terminal = Terminal(file=file, force_terminal=True, width=width, color_system=None)
    terminal.print(result_display(terminal, result, None, "note"))
    file.flush()
    return [line.rstrip() for line in file.buffer.getvalue().decode(encoding).splitlines()]


def searched(board, simulations=500):
    return c4mcts.Engine(seed=1).search(board, simulations=simulations)


@pytest.mark.parametrize("rules", [c4mcts.Rules(), c4mcts.Rules(20, 14, 5), c4mcts.Rules(40, 7)], ids=str)
def test_the_display_fits_the_terminal(rules):
    result = searched(c4mcts.Board.from_moves([3, 3, 4], rules))
    for width in (40, 80, 200):
        lines = screen(result, width)
        assert max(map(len, lines)) <= width
        assert sum(line.startswith("> ") for line in lines) == 1
        assert any("note" in line for line in lines[-2:])


def test_the_arrow_points_at_the_best_column_and_every_column_has_a_row():
    result = searched(c4mcts.Board.from_pons("44444"))
    lines = screen(result, 80)
    top = next(line for line in lines if "▼" in line)
    labels = next(line for line in lines if line.split() == list("1234567"))
    assert labels[top.index("▼")] == str(result.column + 1)
    assert any("[●]" in line for line in lines)
    table = [line[:80].rstrip() for line in result_text(result, first=1).splitlines()]
    assert lines[-2 - len(table) : -2] == table


@pytest.mark.parametrize("width", [80, 40, 10, 1])
def test_a_terminal_without_unicode_gets_letters(width):
    text = "\n".join(screen(searched(c4mcts.Board.from_pons("44")), width, encoding="ascii"))
    assert "[o]" in text or width < 40
    assert "o" in text
    assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (999, "999"), (1000, "1.00 k"), (123_456, "123 k"), (1_790_000, "1.79 M"), (2e9, "2.00 G")],
)
def test_short_numbers(number, text):
    assert short(number) == text

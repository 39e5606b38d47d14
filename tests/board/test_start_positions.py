"""The pre-filled board: reachable, equal to its file, and with the properties that its docstring claims."""

from pathlib import Path

from c4mcts import prefilled_board, solve

FILE = Path(__file__).parents[2] / "examples" / "prefilled.txt"


def test_one_column_wins_late_and_the_other_loses():
    board = prefilled_board()
    assert not board.winning_columns()
    assert not board.threatened_columns()
    solution = solve(board)
    assert solution.columns == (None, None, -2, None, None, 1, None)
    assert solution.distance == 11
    board.push(2)
    assert solve(board).distance == 9


def test_every_call_gives_a_board_of_its_own():
    board = prefilled_board()
    board.push(2)
    assert board != prefilled_board()


def test_the_file_holds_the_same():
    assert FILE.read_text(encoding="utf-8") == f"{prefilled_board()}\n"

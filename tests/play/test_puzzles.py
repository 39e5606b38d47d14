"""Puzzles: those of the package, which the solver checks again; making new ones; files."""

from collections import Counter
from itertools import accumulate

import numpy as np
import pytest
from make_puzzles import COUNT, depth_of, line, make_puzzles, only_move, themes_of

from c4mcts import Board
from c4mcts.play import LEVELS, LevelPlayer, puzzles
from c4mcts.play.puzzles import SHIPPED, THEMES
from c4mcts.solver.solver import Solver, solve

pytestmark = pytest.mark.native  # the pure backend takes a hundred times as long


@pytest.fixture(scope="module")
def few():
    return make_puzzles(5, games=8, seed=3)


def check(puzzle):
    """Everything that a puzzle says, by the solver and the rules alone."""
    board = puzzle.board
    assert len(board.legal_columns) > 1
    assert board.winning_columns() == board.threatened_columns() == []
    solution = solve(board)
    scores = {column: score for column, score in enumerate(solution.columns) if score is not None}
    right = scores.pop(puzzle.column)
    assert right >= 0
    assert all(score < min(right, 1) for score in scores.values()), "another move is right, too"
    assert ("win" if right > 0 else "draw") == puzzle.themes[0]
    assert puzzle.depth == depth_of(solution)
    assert puzzle.themes == themes_of(board, puzzle.line)
    check_line(board, puzzle.line, Solver())


def check_line(board, line, solver):
    """No move of a line lowers the score; from its end, as the solver keeps what it has seen."""
    positions = [*accumulate(line, Board.after, initial=board)]
    scores = [0 if each.outcome() else solver.solve(each, columns=False).score for each in reversed(positions)]
    if positions[-1].is_over():
        assert len(line) == solver.solve(board, columns=False).distance
        scores = scores[1:]
    assert {abs(score) for score in scores} == {abs(scores[-1])}


def test_every_puzzle_of_the_package_has_one_right_move():
    for puzzle in puzzles():
        check(puzzle)


def test_the_puzzles_of_the_package():
    found = puzzles()
    assert len(found) == COUNT == 500
    assert found is puzzles()
    mirrored = {puzzle.board.mirror() for puzzle in found}
    assert len({puzzle.board for puzzle in found} | mirrored) == 1000, "all differ, mirror images included"
    levels, themes = Counter(puzzle.level for puzzle in found), Counter(name for each in found for name in each.themes)
    assert set(levels) == set(range(1, 11))
    assert min(levels.values()) >= 30
    assert set(themes) == set(THEMES)
    assert min(themes.values()) >= 50
    assert [puzzle.level for puzzle in found] == sorted(puzzle.level for puzzle in found)
    assert all(puzzle.rating == LEVELS[puzzle.level - 1].rating for puzzle in found)


def test_replies_in_the_lines_stop_what_is_threatened():
    for puzzle in puzzles():
        board = puzzle.board.copy()
        for column in puzzle.line:
            assert column in (board.winning_columns() or board.threatened_columns() or [column]), puzzle
            board.push(column)


def test_levels_above_that_of_a_puzzle_find_it():
    easy = [puzzle for puzzle in puzzles() if puzzle.level <= 3][::20]
    hard = [puzzle for puzzle in puzzles() if puzzle.level == 10][::10]
    strong = LevelPlayer(9)
    strong.begin(np.random.SeedSequence(1))
    assert sum(strong.choose(puzzle.board) == puzzle.column for puzzle in easy) >= len(easy) - 1
    assert sum(strong.choose(puzzle.board) == puzzle.column for puzzle in hard) < len(hard)


def test_the_same_seed_makes_the_same_puzzles(few):
    assert few == make_puzzles(5, games=8, seed=3)
    assert 0 < len(few) <= 5
    for puzzle in few:
        check(puzzle)


@pytest.mark.parametrize(
    ("position", "line", "themes"),
    [
        ("1122345432475336631122554", "445", ("win", "double threat")),
        ("1726551577211622", "443", ("win", "stacked threats")),
        ("74644236344173223255", "77645", ("win", "stacked threats", "forced replies")),
        ("15631732434234651156144223677346227776", "155", ("win", "zugzwang", "odd threat", "quiet move")),
    ],
)
def test_themes(position, line, themes):
    assert themes_of(Board.from_pons(position), [int(digit) - 1 for digit in line]) == themes


def test_the_only_move():
    assert only_move(solve("4")) is None  # all lose
    assert only_move(solve("")) == 3
    assert only_move(solve("44")) == 3
    assert only_move(solve("44444")) is None


def test_the_file_has_a_line_for_each_puzzle():
    assert SHIPPED.read_text(encoding="utf-8") == "".join(map(line, puzzles()))

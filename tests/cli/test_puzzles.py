"""`c4mcts puzzles`."""

import pytest

from c4mcts.play import puzzles

pytestmark = pytest.mark.native


def test_a_list(printed):
    lines = printed("puzzles", "--count", 2).splitlines()
    assert lines[0].split() == ["position", "level", "depth", "themes"]
    for line, puzzle in zip(lines[1:], puzzles(), strict=False):
        position, level, depth, themes = line.split(maxsplit=3)
        assert position == puzzle.board.to_pons()
        assert (int(level), int(depth), themes) == (puzzle.level, puzzle.depth, ", ".join(puzzle.themes))


def test_levels_themes_and_solutions(printed):
    wanted = [puzzle for puzzle in puzzles() if puzzle.level == 5 and "zugzwang" in puzzle.themes]
    lines = printed("puzzles", "--level", 5, "--theme", "zugzwang", "--solutions").splitlines()[1:]
    assert [line.rpartition(": ")[2] for line in lines] == [
        "".join(str(column + 1) for column in puzzle.line) for puzzle in wanted
    ]


def test_json(record):
    whole = record("puzzles", "--count", 1)
    assert whole["seed"] is None
    (found,) = whole["puzzles"]
    puzzle = puzzles()[0]
    assert (found["moves"], found["line"], found["rating"]) == (list(puzzle.moves), list(puzzle.line), puzzle.rating)

"""`c4mcts puzzles`."""

import json

import pytest
from schemas import require_valid

from c4mcts.cli import main
from c4mcts.play import puzzles

pytestmark = pytest.mark.native


def test_a_list(capsys):
    assert main(["puzzles", "--count", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["position", "level", "depth", "themes"]
    for line, puzzle in zip(lines[1:], puzzles(), strict=False):
        position, level, depth, themes = line.split(maxsplit=3)
        assert position == puzzle.board.to_pons()
        assert (int(level), int(depth), themes) == (puzzle.level, puzzle.depth, ", ".join(puzzle.themes))


def test_levels_themes_and_solutions(capsys):
    assert main(["puzzles", "--level", "5", "--theme", "zugzwang", "--solutions"]) == 0
    wanted = [puzzle for puzzle in puzzles() if puzzle.level == 5 and "zugzwang" in puzzle.themes]
    lines = capsys.readouterr().out.splitlines()[1:]
    assert [line.rpartition(": ")[2] for line in lines] == [
        "".join(str(column + 1) for column in puzzle.line) for puzzle in wanted
    ]


def test_json(capsys):
    assert main(["puzzles", "--json", "--count", "1"]) == 0
    printed = json.loads(capsys.readouterr().out)
    require_valid("puzzles", printed)
    assert printed["seed"] is None
    (found,) = printed["puzzles"]
    puzzle = puzzles()[0]
    assert (found["moves"], found["line"], found["rating"]) == (list(puzzle.moves), list(puzzle.line), puzzle.rating)

"""Pictures of reviews."""

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from c4mcts import Rules
from c4mcts.play import review
from c4mcts.play.review_result import BOTTOM, TINTS, TOP, score_height

HEIGHTS = json.loads((Path(__file__).parents[1] / "data" / "graph_heights.json").read_text())
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def result():
    return review("5132121241253545434", rules=Rules(5, 4))


def texts(picture):
    return [element.text for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_the_picture_says_what_the_review_says(result):
    picture = result.svg()
    assert picture == result._repr_svg_()
    words = texts(picture)
    for player in (0, 1):
        assert f"{result.accuracy(player):.0f} %" in words
    for mark, kinds in (("?", ("mistake", "missed win")), ("??", ("blunder",)), ("?!", ("inaccuracy",))):
        assert words.count(mark) == sum(move.kind in kinds for move in result.moves)
    root = ElementTree.fromstring(picture)
    (line,) = root.iter(f"{SVG}polyline")
    assert len(line.get("points").split()) == len(result.moves) + 1
    titles = [element.text for element in root.iter(f"{SVG}title")][1:]
    assert titles == [f"{('yellow', 'red')[m.player]} {m.column + 1}: {m.kind}" for m in result.moves]
    assert "estimated" not in picture


def test_the_line_lies_in_the_band_of_the_winner(result):
    (line,) = ElementTree.fromstring(result.svg()).iter(f"{SVG}polyline")
    heights = [float(point.split(",")[1]) for point in line.get("points").split()]
    for move, height in zip(result.moves, heights[1:], strict=True):
        first = move.score_after if move.player == 0 else -move.score_after
        assert (height < 170) == (first > 0)
        assert (height > 170) == (first < 0)


@pytest.mark.parametrize(("score", "highest", "height"), HEIGHTS)
def test_heights_are_those_of_the_page(score, highest, height):
    assert score_height(score, highest) == pytest.approx(height)


def test_the_bands_are_those_of_the_page(result):
    """tests/web/js/graph.test.js has the same thirds."""
    bands = list(ElementTree.fromstring(result.svg()).iter(f"{SVG}rect"))
    tops = [float(each.get("y")) for each in bands if each.get("fill") in TINTS]
    assert tops == pytest.approx([TOP, TOP + (BOTTOM - TOP) / 3, TOP + 2 * (BOTTOM - TOP) / 3], abs=0.1)


def test_estimates_are_said_to_be(result):
    picture = review([3, 3, 4], rules=Rules(20, 14), simulations=50).svg()
    assert any(text.startswith("estimated by search") for text in texts(picture))
    assert "Unfinished after 3 moves" in texts(picture)


def test_the_picture_says_where_the_exact_scores_begin(monkeypatch):
    monkeypatch.setattr(sys.modules[review.__module__], "SOLVER_NODES", {"native": 200, "pure": 200})
    result = review("5132121241253545434", rules=Rules(5, 4), simulations=20)
    assert 0 < result.exact_from < 19
    assert f"estimated by search before move {result.exact_from + 1}" in texts(result.svg())

"""A search result as an SVG picture."""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from c4mcts import Board, Engine, Rules, prefilled_board
from c4mcts.board.svg import CELL, EDGE, GUTTER
from c4mcts.search.results import PROVEN, SHARE, VALUE

IMAGES = Path(__file__).parents[2] / "docs" / "img"
SVG = "{http://www.w3.org/2000/svg}"


def searched(board, simulations):
    return Engine(seed=7).search(board, simulations=simulations)


def column_groups(result):
    """The group of every legal column, by column."""
    root = ElementTree.fromstring(result.svg())
    groups = [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    return dict(zip([move.column for move in result.moves], groups, strict=True))


def bars(group):
    """Heights of the filled bars by colour; the tracks behind them under their own."""
    found = {}
    for rect in group.iter(f"{SVG}rect"):
        found.setdefault(rect.get("fill"), []).append(float(rect.get("height")))
    return found


def texts(group):
    return [text.text for text in group.iter(f"{SVG}text")]


def test_notebooks_find_it():
    result = searched(Board.from_pons("4453"), 500)
    assert result._repr_svg_() == result.svg()


def test_every_column_has_its_numbers_and_bars():
    result = searched(Board.from_pons("4453"), 500)
    most = max(move.visits for move in result.moves)
    for move, group in zip(result.moves, column_groups(result).values(), strict=True):
        assert texts(group) == [f"{move.value:.2f}", f"{100 * move.visits / 500:.0f}%"]
        heights = bars(group)
        track, low_track = heights["#e5e7eb"]
        assert heights[VALUE] == [pytest.approx(track * move.value, abs=0.06)]
        assert heights[SHARE] == [pytest.approx(low_track * move.visits / most, abs=0.06)]
        x = float(group.find(f"{SVG}text").get("x"))
        assert x == GUTTER + EDGE + CELL * (move.column + 0.5)


def test_one_column_is_marked():
    result = searched(Board.from_pons("4453"), 500)
    for column, group in column_groups(result).items():
        assert (group.get("font-weight") == "bold") == (column == result.column)
        assert (group.find(f"{SVG}path") is not None) == (column == result.column)


def test_proofs_are_written():
    result = searched(prefilled_board(), 1000)
    groups = column_groups(result)
    assert texts(groups[5]) == ["1.00", f"{100 * result.moves[1].visits / result.simulations:.0f}%", "win", "in 11"]
    assert texts(groups[2])[2:] == ["loss", f"in {result.moves[0].distance}"]
    assert PROVEN in bars(groups[5])
    assert PROVEN in bars(groups[2])
    assert VALUE not in bars(groups[5])
    draw = searched(Board(Rules(2, 1)), 5)
    assert texts(column_groups(draw)[0])[2:] == ["draw"]


def test_the_board_is_in_it():
    board = Board.from_pons("112233")
    picture = searched(board, 100).svg()
    inner = ElementTree.fromstring(board.svg())
    circles = [circle.attrib for circle in ElementTree.fromstring(picture).iter(f"{SVG}circle")]
    assert circles == [circle.attrib for circle in inner.iter(f"{SVG}circle")]


def test_title_and_description_say_it_all():
    result = searched(prefilled_board(), 1000)
    root = ElementTree.fromstring(result.svg())
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == "Board 7x6x4, 30 discs: yellow (x) to move; best is column 6, win in 11"
    assert root[1].tag == f"{SVG}desc"
    visits = [f"{100 * move.visits / result.simulations:.0f}%" for move in result.moves]
    assert root[1].text == (
        f"{result.simulations} simulations. For the player to move: "
        f"column 6: win in 11, {visits[1]} of the visits. "
        f"column 3: loss in {result.moves[0].distance}, {visits[0]} of the visits."
    )
    assert sorted(group.find(f"{SVG}title").text + "." for group in column_groups(result).values()) == sorted(
        f"column{part}" for part in root[1].text.split(" column")[1:]
    )


def test_what_was_never_tried_has_a_dash():
    result = searched(Board(), 3)
    untried = [move.column for move in result.moves if move.value is None]
    assert untried
    for column in untried:
        assert texts(column_groups(result)[column]) == ["-", "0%"]
    moves = tuple(move._replace(visits=0, value=None) for move in result.moves)
    assert "value unknown" in replace(result, moves=moves, value=None, proof=None).svg()


@pytest.mark.parametrize(
    "rules", [Rules(1, 1), Rules(7, 6), Rules(20, 14, 5), Rules(7, 40), Rules(64, 64, 5, False)], ids=str
)
def test_everything_is_inside_the_picture(rules):
    root = ElementTree.fromstring(searched(Board(rules), 50).svg())
    _, _, width, height = map(float, root.get("viewBox").split())
    assert float(root.get("width")) == min(width, 960)
    assert float(root.get("height")) == round(float(root.get("width")) * height / width)
    for text in root.iter(f"{SVG}text"):
        left, size = float(text.get("x")), float(text.get("font-size", 13))
        extent = 0.62 * size * len(text.text)  # of a wide font
        start = {"start": 0, "end": -extent}.get(text.get("text-anchor"), -extent / 2)
        assert left + start >= 0
        assert left + start + extent <= width
        assert 0 < float(text.get("y")) < height


def test_size():
    result = searched(Board(), 50)
    assert ElementTree.fromstring(result.svg(size=210)).get("width") == "210"
    with pytest.raises(ValueError, match="size must be at least 1, not 0"):
        result.svg(size=0)
    with pytest.raises(TypeError, match=r"size must be an integer, not 1\.5"):
        result.svg(size=1.5)


def test_the_pictures_of_the_docs_are_what_is_drawn_today():
    board = Board.from_pons("4142434")
    assert (IMAGES / "board.svg").read_text(encoding="utf-8") == board.svg() + "\n"
    result = searched(Board.from_pons("23754416442765"), 20_000)
    assert (IMAGES / "result.svg").read_text(encoding="utf-8") == result.svg() + "\n"

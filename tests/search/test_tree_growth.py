"""Pictures of a growing tree."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from c4mcts import Board, Engine, GameOverError, Rules, SearchParams, UctParams
from c4mcts.board.svg import FILLS
from c4mcts.search.tree_growth import growth

SVG = "{http://www.w3.org/2000/svg}"


def discs(picture):
    """Centre, colour and rim of the discs."""
    circles = [one for one in ElementTree.fromstring(picture.svg).iter(f"{SVG}circle") if one.get("fill") in FILLS]
    return [((one.get("cx"), one.get("cy")), FILLS.index(one.get("fill")), one.get("stroke-width")) for one in circles]


def test_each_node_is_a_disc_of_its_player(backend):
    grown = growth(Board.from_pons("4"), simulations=[1, 7, 40], seed=3, backend=backend)
    assert [picture.simulations for picture in grown.pictures] == [1, 7, 40]
    engine = Engine(SearchParams.preset("uct"), seed=3, backend=backend)
    for count, picture in zip((1, 7, 40), grown.pictures, strict=True):
        engine.reset()
        engine.search(Board.from_pons("4"), simulations=count)
        visited = engine.tree()["visits"] > 0
        assert len(discs(picture)) == visited.sum() - 1
    players = [player for _, player, _ in discs(grown.pictures[1])]
    assert players == [1] * 7, "red moves second"


def test_nodes_keep_their_place_and_new_ones_have_a_rim():
    first, second = growth(Board(), simulations=(7, 30)).pictures
    old, new = ({place: rim for place, _, rim in discs(picture)} for picture in (first, second))
    assert old.keys() < new.keys()
    assert {new[place] for place in old} == {"1"}
    assert {new[place] for place in new.keys() - old.keys()} == {"2.5"}


def test_columns_are_numbered_from_one():
    root = ElementTree.fromstring(growth(Board(), simulations=[7]).pictures[0].svg)
    numbers = [text.text for text in root.iter(f"{SVG}text") if text.text.isdecimal()]
    assert numbers == ["1", "2", "3", "4", "5", "6", "7"]
    assert root.find(f"{SVG}title").text == "A search tree after 7 simulations: 7 moves tried"


def test_nothing_overlaps_or_leaves_the_picture():
    (picture,) = growth(Board(), simulations=[150], seed=2).pictures
    width = float(ElementTree.fromstring(picture.svg).get("viewBox").split()[2])
    places = [place for place, _, _ in discs(picture)]
    assert len(set(places)) == len(places)
    assert all(0 <= float(x) <= width for x, _ in places)


def test_searches_that_are_over_soon():
    proven = Board.from_pons("415263")
    assert len(growth(proven, UctParams(), simulations=(1, 100)).pictures) == 2
    single = growth(Board(Rules(1, 8, 4)), simulations=[3]).pictures[0]
    assert len(discs(single)) == 3
    assert (
        growth(Board(), SearchParams.preset("uct-timed"), simulations=[1]).pictures[0].svg.count("no move tried") == 2
    )


def test_notebooks_show_them():
    grown = growth(Board(), simulations=[1, 2])
    assert grown.pictures[0]._repr_svg_() == grown.pictures[0].svg
    assert grown._repr_html_().count("<svg") == 2


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"simulations": []}, ValueError, "simulations must be increasing, and at least one"),
        ({"simulations": [5, 5]}, ValueError, "simulations must be increasing"),
        ({"simulations": [0]}, ValueError, r"simulations\[0\] must be 1 to 500, not 0"),
        ({"simulations": [1, 501]}, ValueError, r"simulations\[1\] must be 1 to 500, not 501"),
        ({"simulations": 7}, TypeError, "simulations must be a list of counts"),
        ({"params": "uct"}, TypeError, "params must be a SearchParams"),
        ({"params": SearchParams.preset("alphazero")}, ValueError, "evaluator"),
        ({"board": Board.from_pons("1212121")}, GameOverError, "the game is over"),
        ({"board": 44}, TypeError, "board must be a Board"),
    ],
    ids=str,
)
def test_bad_arguments(arguments, error, message):
    with pytest.raises(error, match=message):
        growth(**{"board": Board()} | arguments)


def test_the_picture_of_the_guide_is_the_present_one():
    guide = Path(__file__).parents[2] / "docs" / "img" / "growth.svg"
    assert guide.read_text(encoding="utf-8") == growth(Board(), simulations=(1, 7, 20, 100), seed=1).pictures[3].svg

"""Words and order: exact results first, distances exact or marked, the same on every surface."""

import io
import re

import pytest

from c4mcts import Board, Engine, SearchParams, UctParams, Verdict, solve
from c4mcts.cli.display import Terminal, result_display
from c4mcts.protocol import replies
from c4mcts.search.dot import tree_dot
from c4mcts.search.results import result_text, with_solution
from c4mcts.search.root_moves import best_first

LOST = "4453"  # the search proves that all columns lose, within 36 plies or more; exact are 30 to 36
EXACT = [30, 30, 36, 34, 32, 36, 36]
ENOUGH = 1_000_000  # simulations; the proof takes some 30,000


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (Verdict(9, 9, 20), "win in 3"),
        (Verdict(-9, -1, 37), "loss in <= 36"),
        (Verdict(0, 0, 20), "draw"),
        (Verdict(-3, 0, 20), ""),
        (Verdict(0, 4, 20), ""),
    ],
)
def test_a_bound_is_not_written_as_a_distance(verdict, words):
    assert str(verdict) == words
    assert verdict.text("≤") == words.replace("<=", "≤")


@pytest.fixture(scope="module")
def engine():
    """An engine that has searched the lost position."""
    engine = Engine(seed=1)
    engine.search(Board.from_pons(LOST), simulations=ENOUGH)
    return engine


@pytest.fixture(scope="module")
def refined(engine):
    return engine.search(Board.from_pons(LOST), simulations=1)


@pytest.fixture(scope="module")
def bounded():
    """What the search alone has proven, without a refinement of the columns."""
    return Engine(seed=1).search(Board.from_pons(LOST), simulations=ENOUGH, columns=False)


def test_a_search_with_time_left_is_exact_in_all_columns(refined):
    assert [str(move.verdict) for move in refined.moves] == [f"loss in {plies}" for plies in EXACT]
    assert refined.verdict == solve(refined.board).verdict
    assert [move.distance for move in best_first(refined.moves, refined.column)] == sorted(EXACT, reverse=True)
    assert best_first(refined.moves, refined.column)[0].column == refined.column


def test_a_search_alone_marks_what_it_has_not_made_exact(bounded):
    for move, exact in zip(bounded.moves, EXACT, strict=True):
        assert move.distance >= exact
        assert move.bound == "at most" or move.distance == exact
    assert any(move.bound == "at most" for move in bounded.moves)
    assert bounded.verdict == solve(bounded.board).verdict


def claims(text):
    """What a text says of columns, from 1: {column: words}."""
    found = re.findall(r"^[ >]*(\d+) +((?:win|loss) in (?:[<=≤]+ )?\d+|draw)", text, re.MULTILINE)
    return {int(column) - 1: words for column, words in found}


def drawn(result):
    terminal = Terminal(file=io.StringIO(), width=100, height=40, force_terminal=False)
    with terminal.capture() as capture:
        terminal.print(result_display(terminal, result, None, ""))
    return capture.get().replace("<=", "≤")


def svg_claims(result):
    found = re.findall(r"<title>column (\d+): ([^<,]*),", result.svg())
    return {int(column) - 1: words for column, words in found}


def json_claims(rows, column):
    """What a list of JSON objects says of columns; column: the key."""
    return {row[column]: (row["proof"], row["distance"], row["bound"]) for row in rows}


@pytest.mark.parametrize("which", ["refined", "bounded"])
def test_no_surface_shows_a_bound_as_a_distance_and_all_have_one_order(which, request):
    result = request.getfixturevalue(which)
    infos = replies.analysis({}, result, 1, 0)["moveInfos"]
    said = {move.column: move.verdict.text("≤") for move in result.moves}
    proven = {move.column: (move.proof, move.distance, move.bound) for move in result.moves}
    assert claims(result_text(result, first=1).replace("<=", "≤")) == said
    assert claims(drawn(result)) == said
    assert svg_claims(result) == said
    assert json_claims(infos, "move") == json_claims(result.to_dict()["moves"], "column") == proven
    order = [move.column for move in best_first(result.moves, result.column)]
    for of_people in (claims(result_text(result, first=1)), claims(drawn(result)), json_claims(infos, "move")):
        assert list(of_people) == order


def test_a_line_that_does_not_reach_the_end_says_so(refined, bounded):
    assert "..." not in result_text(refined)
    (line,) = (line for line in result_text(bounded).splitlines() if line.startswith(">"))
    assert line.endswith("...")


def test_the_tree_says_what_the_result_says(engine, refined):
    node = engine.node()
    assert node.verdict == refined.verdict
    assert [child.verdict for child in node.children] == [move.verdict for move in refined.moves]
    assert "x to move\\no wins in 36\\n" in tree_dot(engine, refined)


def distances_below(engine, path=(), depth=3):
    """(board after the path, what the tree says of it) for the nodes near the root."""
    node = engine.node(path)
    yield node
    if depth:
        for child in node.children:
            if child.visits:
                yield from distances_below(engine, (*path, child.column), depth - 1)


@pytest.mark.parametrize("params", [UctParams(probes=False), SearchParams.preset("strong")])
@pytest.mark.parametrize("pons", ["23754416442765", "2375441644276547"])
def test_what_a_tree_says_is_true(params, pons):
    engine = Engine(params, seed=1)
    engine.search(Board.from_pons(pons), simulations=3000, columns=False)
    seen = set()
    for node in distances_below(engine):
        if node.proof is None or node.board.is_over():
            continue
        score = solve(node.board, columns=False).score
        assert node.verdict.lower <= score <= node.verdict.upper
        seen.add(node.bound)
    assert seen == {"exact", "at most"}


@pytest.mark.parametrize("pons", ["4453", "4", "445335", "23754416442765"])
def test_the_solver_decides_and_the_search_keeps_its_opinion(pons):
    searched = Engine(SearchParams.preset("uct"), seed=1).search(Board.from_pons(pons), simulations=300)
    solution = solve(searched.board)
    known = with_solution(searched, solution)
    assert known.column in solution.best
    assert known.verdict == solution.verdict
    assert all(move.bound == "exact" for move in known.moves)
    shown = [solution.columns[move.column] for move in best_first(known.moves, known.column)]
    assert shown == sorted(shown, reverse=True)
    assert [(move.visits, move.value, move.pv) for move in known.moves] == [
        (move.visits, move.value, move.pv) for move in searched.moves
    ]

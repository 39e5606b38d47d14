"""Pictures of results and trees: files of tests/golden/pictures, which this module writes when it is run.

What a picture claims of a position is checked against the solver.
"""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from dot_text import fields, parsed
from refusals import refused

from c4mcts import Board, Engine, GameOverError, Rules, SearchParams, UctParams, prefilled_board, search_ensemble, solve
from c4mcts.cli import main
from c4mcts.search.dot import tree_dot
from c4mcts.search.tree_svg import growth

ROOT = Path(__file__).parents[2]
UCT, MINIMAX = SearchParams.preset("uct"), SearchParams.preset("report-minimax")
PROOFS = UctParams(probes=False)
LATE = Board.from_moves([4, 0, 5, 3, 1, 6, 0, 2, 6, 6, 0, 0, 6, 0, 5, 3, 6, 5, 2, 4, 2, 6, 0, 1])
LOST = prefilled_board().after(5)
ROW = Board.from_moves([0, 1, 2], Rules(5, 1, 4))  # nobody can win


def searched(board, simulations, params=None, backend="auto"):
    engine = Engine(params, seed=7, backend=backend)
    return engine, engine.search(board, simulations=simulations)


def tree(board, simulations, params=None, backend="auto", **options):
    return tree_dot(*searched(board, simulations, params, backend), **options)


def result(board, simulations):
    return searched(board, simulations)[1].svg() + "\n"


def growing(index, *simulations, board="4", **options):
    return growth(board, simulations=simulations, seed=3, **options)[simulations[index]]


EVERYTHING = {"depth": 12, "children": 7, "visits": 1}
PICTURES = {
    "tree.dot": lambda: tree(Board.from_pons("4453"), 3000, UCT),
    "tree-mean-rewards.dot": lambda: tree(Board.from_pons("4453"), 500, MINIMAX, depth=2, q=True),
    "tree-shared.dot": lambda: tree(Board.from_pons("4444"), 2000, PROOFS, depth=4, visits=20),
    "tree-proven.dot": lambda: tree(Board.from_pons("23754416442765"), 20_000, depth=1),
    "tree-lost.dot": lambda: tree(LOST, 60, PROOFS, depth=3),
    "tree-draws.dot": lambda: tree(LATE, 60, PROOFS, **EVERYTHING),
    "tree-rare-wins.dot": lambda: tree(Board.from_pons("445"), 3000, PROOFS, depth=2, children=7, visits=3),
    "tree-draw-worth-nothing.dot": lambda: tree(ROW, 50, UctParams(rewards=(1, 0, 0)), depth=2),
    "tree-root.dot": lambda: tree(Board(), 5, UctParams(max_nodes=1)),
    "tree-large.dot": lambda: tree(Board.from_moves([19, 19], Rules(20, 14, 5)), 500, depth=1, children=20, visits=1),
    "result.svg": lambda: result(Board.from_pons("4453"), 500),
    "result-proven.svg": lambda: result(prefilled_board(), 1000),
    "result-drawn.svg": lambda: result(Board(Rules(2, 1)), 5),
    "result-untried.svg": lambda: result(Board(), 3),
    "growth.svg": lambda: growing(1, 7, 40),
    "growth-root.svg": lambda: growing(0, 1, params=SearchParams.preset("uct-timed")),
}
OF_THE_DOCS = {
    "board.svg": lambda: Board.from_pons("4142434").svg() + "\n",
    "result.svg": lambda: result(Board.from_pons("23754416442765"), 20_000),
    "growth.svg": lambda: growth(Board(), simulations=(1, 7, 20, 100), seed=1)[100],
}
FILES = {ROOT / "tests" / "golden" / "pictures" / name: draw for name, draw in PICTURES.items()}
FILES |= {ROOT / "docs" / "img" / name: draw for name, draw in OF_THE_DOCS.items()}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_picture_is_the_one_that_was_looked_at(path):
    assert FILES[path]() == path.read_text(encoding="utf-8")


def test_notebooks_show_pictures(backend):
    grown = growth("4", simulations=[1, 7, 40], seed=3, backend=backend)
    assert list(grown) == [1, 7, 40]
    assert grown._repr_html_().count("<svg") == 3
    assert len(growth("415263", PROOFS, simulations=(1, 100))) == 2, "also after a proof"
    found = searched(LATE, 60, PROOFS, backend)
    assert found[1]._repr_svg_() == found[1].svg()
    assert tree_dot(*found, **EVERYTHING) == PICTURES["tree-draws.dot"]()


def claim_of(label, board):
    """Compare what a node of a tree says with the rules and the solver; returns the kind of claim."""
    player, outcome = "xo"[board.turn], board.outcome()
    if outcome is not None:
        assert label == ("draw" if outcome.winner is None else f"{'xo'[outcome.winner]} has won")
        return "the end"
    if label == player:
        return "nothing"
    solution = solve(board)
    score = solution.score if label[0] == player else -solution.score
    if label == "draw":
        assert solution.score == 0
        return label
    if label.endswith("at least a draw"):
        assert score >= 0
        return "at least a draw"
    words, plies = label[1:].rsplit(maxsplit=1)
    assert score > 0
    assert int(plies) >= solution.distance
    assert words == " wins in <=" or int(plies) == solution.distance
    return words


def test_what_a_tree_says_of_its_positions_is_true():
    kinds = set()
    for board, params in (prefilled_board(), PROOFS), (prefilled_board(), UCT), (LATE, PROOFS):
        nodes, edges = parsed(tree(board, 60, params, **EVERYTHING))
        boards = {next(iter(nodes)): board}
        for edge in edges:
            player, column, _, _ = fields(edge)
            before = boards[edge[0]]
            assert player == "xo"[before.turn]
            after = before.after(column)
            assert boards.setdefault(edge[1], after) == after, "all ways to a position agree"
            kinds.add(claim_of(nodes[edge[1]]["label"], after))
    assert kinds == {"nothing", "the end", " wins in", " wins in <=", "draw", "at least a draw"}


@pytest.mark.parametrize(
    "rules", [Rules(1, 1), Rules(7, 6), Rules(20, 14, 5), Rules(7, 40), Rules(64, 64, 5, False)], ids=str
)
def test_every_text_is_inside_the_picture(rules):
    root = ElementTree.fromstring(searched(Board(rules), 50)[1].svg())
    _, _, width, height = map(float, root.get("viewBox").split())
    assert float(root.get("width")) == min(width, 960)
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        left, extent = float(text.get("x")), 0.62 * float(text.get("font-size", 13)) * len(text.text)  # of a wide font
        start = left + {"start": 0, "end": -extent}.get(text.get("text-anchor"), -extent / 2)
        assert 0 <= start <= start + extent <= width
        assert 0 < float(text.get("y")) < height


ENGINE, RESULT = searched(Board(), 100)
MOVED, _ = searched(Board(), 100)
MOVED.advance(3)


test_wrong_arguments = refused(
    (lambda: tree_dot(3, RESULT), TypeError, "engine must be an Engine"),
    (lambda: tree_dot(ENGINE, 3), TypeError, "result must be a SearchResult"),
    (lambda: tree_dot(Engine(), RESULT), ValueError, "None"),
    (lambda: tree_dot(MOVED, RESULT), ValueError, r"result is of Board\(\), but .* Board.from_moves\(\[3\]\)"),
    (lambda: growth("44", simulations=[]), ValueError, "simulations must be increasing, and at least one"),
    (lambda: growth("44", simulations=[5, 5]), ValueError, "simulations must be increasing"),
    (lambda: growth("44", simulations=[1, 501]), ValueError, r"simulations\[1\] must be 1 to 500, not 501"),
    (lambda: growth("44", SearchParams.preset("alphazero")), ValueError, "evaluator"),
    (lambda: growth("1212121"), GameOverError, "the game is over"),
)


def test_the_result_of_an_ensemble_goes_with_an_engine_of_the_same_root():
    together = search_ensemble(Board(), trees=2, simulations=100, seed=1)
    _, edges = parsed(tree_dot(ENGINE, together, depth=1))
    assert [fields(edge)[1] for edge in edges if "penwidth" in edge[2]] == [together.column]


def analyze(file, *options):
    return main(["analyze", "44", "--simulations", "500", "--seed", "7", "--dot", str(file), *options])


@pytest.mark.parametrize(
    ("name", "status", "words"),
    [
        ("tree.png", 2, ["--dot", "tree.png", ".dot, .gv, .svg"]),
        ("nowhere/tree.dot", 2, ["no folder", "nowhere"]),
    ],
)
def test_the_command_looks_before_it_searches(capsys, monkeypatch, tmp_path, name, status, words):
    monkeypatch.setattr(Engine, "search", None)
    monkeypatch.chdir(tmp_path)
    assert analyze(name) == status
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert all(word in err for word in words), err


def test_the_command_draws_the_tree(capsys, tmp_path):
    """With the value for its player and the visits below each move that has space for them."""
    assert analyze(tmp_path / "tree.svg", "--json", "--preset", "uct") == 0
    found = json.loads(capsys.readouterr().out)
    root = ElementTree.parse(tmp_path / "tree.svg")
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    for move in found["moves"]:
        assert texts[texts.index(f"{move['value']:.2f}") + 1] or move["visits"] < 20
        assert f"{move['visits']:,}" in texts


if __name__ == "__main__":
    for path, draw in FILES.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(draw(), encoding="utf-8")

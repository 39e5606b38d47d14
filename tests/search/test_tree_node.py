"""Engine.node: a node of the tree with its children, and the scores that the next selection compares."""

import math

import pytest
from evaluators import fingerprint, uniform

from c4mcts import Board, Engine, PuctParams, SearchParams, UctParams
from c4mcts.search.dot import tree_dot

UCT = SearchParams.preset("uct")


def test_the_root_and_its_children():
    engine = Engine(UCT, seed=1)
    result = engine.search(Board.from_pons("4453"), simulations=500)
    root = engine.node()
    assert root.board == result.board
    assert [(child.column, child.visits, child.value) for child in root.children] == [
        (move.column, move.visits, move.value) for move in result.moves
    ]
    assert root.visits == 500
    assert root.value == pytest.approx(sum(move.value * move.visits for move in result.moves) / 500)


def test_a_path_leads_down():
    engine = Engine(UCT, seed=1)
    engine.search(Board(), simulations=2000)
    node = engine.node([3, 3])
    assert node.board == Board.from_moves([3, 3])
    assert node.visits == next(child.visits for child in engine.node([3]).children if child.column == 3)
    assert sum(child.visits for child in node.children) == node.visits - 1
    deeper = engine.node(iter((3, 3, 3)))
    assert deeper.board.turn == 1


def test_the_formula():
    engine = Engine(UCT.changed(rewards=(1, 0, -1)), seed=1)
    engine.search(Board(), simulations=300)
    node = engine.node([2])
    assert node.exploration == pytest.approx(math.sqrt(2) / 2)
    for child in node.children:
        bonus = node.exploration * math.sqrt(math.log(node.visits) / child.visits)
        assert child.ucb == pytest.approx(child.value + bonus)


def test_what_is_proven():
    engine = Engine(UctParams(probes=False), seed=1)
    engine.search(Board.from_pons("112233"), simulations=50)
    root = engine.node()
    assert (root.proof, root.distance) == ("win", 1)
    won = root.children[3]
    assert (won.column, won.proof, won.distance, won.ucb) == (3, "win", 1, None)
    lost = engine.node([0])
    assert lost.board.turn == 1
    assert lost.children == ()
    engine.search(Board.from_pons("11223"), simulations=50)
    losing = engine.node().children[0]
    assert (losing.proof, losing.distance, losing.ucb) == ("loss", 2, -math.inf)


def test_nothing_selects_by_scores_for_a_random_opponent():
    engine = Engine(SearchParams.preset("report-random"), seed=1)
    engine.search(Board(), simulations=200)
    assert all(child.ucb is not None for child in engine.node().children)
    assert all(child.ucb is None for child in engine.node([3]).children)


NOISY = {"root_noise": (0.5, 0.7), "root_policy_temperature": 1.3, "forced_visits": 2.0}


@pytest.mark.parametrize("changes", [{}, NOISY, {"proofs": False, "first_play": 0.4}])
@pytest.mark.parametrize("selection", ["puct-node", "uct", "network"])
def test_the_next_simulation_goes_to_the_highest_score(selection, changes):
    if selection == "uct":
        changes = {"exploration": 0.4, "proofs": changes.get("proofs", True)}
    if selection == "network":
        changes = {"probes": False}
    params = SearchParams.preset(selection, tie_break="first", **changes)
    evaluator = fingerprint if params.needs_evaluator else None
    engine = Engine(params, seed=2, evaluator=evaluator)
    board = Board.from_pons("4453")
    for simulation in range(60):
        if simulation % 15 == 0:  # also at a root that moves, in a tree that is kept
            board.push(2)
            engine.search(board, simulations=30)
        before = engine.node().children
        engine.search(board, simulations=1)
        after = engine.node().children
        grown = [new.column for old, new in zip(before, after, strict=True) if new.visits > old.visits]
        assert grown == [max(before, key=lambda child: child.ucb).column]


@pytest.mark.parametrize("changes", [{"root_noise": (0.5, 0.8)}, {"root_noise": (1.0, 0.25), "forced_visits": 2.0}])
def test_the_noise_is_in_the_scores_of_the_root_alone(changes, backend):
    engine = Engine(PuctParams(exploration=1.5, **changes), seed=1, evaluator=uniform, backend=backend)
    engine.search(Board(), simulations=60, root_moves=[3])
    assert [child.column for child in engine.node().children] == [3]
    node = engine.node([3])
    assert len(node.children) == 7
    for child in node.children:
        value = child.value if child.visits else 0.5
        bonus = node.exploration * child.prior * math.sqrt(node.visits) / (1 + child.visits)
        assert child.ucb == pytest.approx(value + bonus)
    assert engine.tree_svg().count("<circle") > 30
    assert "-> p" in tree_dot(engine, engine.search(Board(), simulations=1, root_moves=[3]))


def test_from_inside_a_search_and_not_beside_it(backend):
    """on_progress may look at the tree; another thread can't, and neither can another method."""
    engine = Engine(UCT, seed=1, backend=backend)
    seen = []

    def look(result):
        seen.append(engine.node([3]).visits)
        with pytest.raises(RuntimeError, match="at work"):
            engine.tree()
        if len(seen) == 3:
            engine.stop()

    engine.search(Board(), seconds=30, on_progress=look, interval=0.02)
    assert seen == sorted(seen)
    assert len(seen) == 3


def test_a_root_at_the_end_of_the_game(backend):
    engine = Engine(UctParams(), seed=1, backend=backend)
    engine.search(Board.from_pons("414141"), simulations=50)
    engine.advance(3)
    assert (engine.node().children, engine.node().board.is_over()) == ((), True)


def test_wrong_paths():
    engine = Engine(UCT, seed=1)
    with pytest.raises(ValueError, match="no tree"):
        engine.node()
    engine.search(Board(), simulations=20)
    for path, words in (([7], r"path\[0\].*not 7"), ([0, 0, 0, 0], r"path\[\d\].*no moves")):
        with pytest.raises(ValueError, match=words):
            engine.node(path)
    for path in (3, "3", ["3"], [True], b"\x03"):
        with pytest.raises(TypeError, match="path"):
            engine.node(path)

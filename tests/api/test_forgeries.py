"""Saved engines with a right hash and another content: refused with a reason, or searched like any other."""

import pickle
import random
from types import SimpleNamespace

import numpy as np
import pytest
from evaluators import fingerprint

from c4mcts import Board, Engine, Rules, SaveError, SearchParams, saving
from c4mcts._layout import DRAWN, LOST, MAX_VALUE_SUM, NOT_LOST, WON
from c4mcts.tree import JUDGED_NODE, NODE

FREE = SearchParams(proofs=False, probes=False, rollout="random")  # nothing but counts, with shared children


def rewritten(engine, change):
    """An engine as it is saved, after a change of its facts, nodes and table."""
    saved = saving.unpack(engine._packed())
    kind = NODE if engine.params.selection != "puct" else JUDGED_NODE
    parts = SimpleNamespace(
        facts=dict(saved.facts),
        nodes=np.frombuffer(saved.nodes, dtype=kind).copy(),
        table=np.frombuffer(saved.table, dtype="<u8").copy(),
    )
    change(parts)
    return saving.pack(saving.Saved(parts.facts, parts.nodes.tobytes(), parts.table.tobytes()))


def forged(params, board, change, backend, simulations=1):
    """An engine loaded from what became of a saved one."""
    engine = Engine(params, seed=1)
    engine.search(board, simulations=simulations)
    return Engine._unpacked(rewritten(engine, change), backend)


def block(nodes, node, first):
    """Give a node seven children, from an index on."""
    nodes["children"][node], nodes["size"][node] = first, 7
    nodes["column"][first : first + 7] = range(7)


@pytest.mark.parametrize("blocks", [[(1, 1)], [(1, 8), (2, 8)], [(1, 8), (8, 1)], [(1, 8), (2, 7)]], ids=str)
@pytest.mark.parametrize("transpositions", [True, False], ids=["shared", "tree"])
def test_a_block_of_children_has_one_owner(backend, transpositions, blocks):
    """What is below a block is looked at for one position; under another it would lead out of the board."""

    def change(parts):
        parts.nodes = np.resize(parts.nodes, 8 if blocks == [(1, 1)] else 15)
        parts.nodes[8:] = 0
        for node, first in reversed(blocks):
            block(parts.nodes, node, first)
        parts.nodes["visits"] = [10_000, *[1000] * 7, *[1] * 7][: len(parts.nodes)]
        parts.nodes["value_sum"] = 0

    with pytest.raises(SaveError, match="shares children with another|overlap others|fewer visits|not the open"):
        forged(SearchParams.preset("uct", transpositions=transpositions), Board(), change, backend)


END = Board.from_pons("121212")  # column 0 wins at once
LAST = Board.from_moves([0, 0, 1, 1, 0, 1, 1], Rules(2, 4, 5))  # one cell is left: a draw


@pytest.mark.parametrize("params", [SearchParams(), SearchParams.preset("uct")], ids=["proofs", "counts"])
@pytest.mark.parametrize(
    ("board", "proof"), [(END, 0), (LAST, 0), (LAST, NOT_LOST), (END, NOT_LOST)], ids=lambda x: str(x)[:1]
)
def test_the_end_of_a_game_must_be_known_as_such(backend, params, board, proof):
    def change(parts):
        nodes = parts.nodes
        assert nodes["proof"][1] in (WON, DRAWN)
        nodes["proof"][1] = proof
        nodes["proof"][0] = 0

    with pytest.raises(SaveError, match=r"node 1: (the game is over there, but|it has a proof that)"):
        forged(params, board, change, backend, simulations=30)


@pytest.mark.parametrize("proof", [WON + 2, LOST + 1, DRAWN, NOT_LOST])
def test_the_proof_of_a_root_comes_from_its_children(backend, proof):
    def change(parts):
        parts.nodes["proof"][0] = proof

    for params in (SearchParams(), SearchParams(expansion="all")):  # of the second only the root is there
        with pytest.raises(SaveError, match="node 0: its children don't bear out its proof"):
            forged(params, Board(), change, backend)


@pytest.mark.parametrize("visits", [MAX_VALUE_SUM // 2 - 7, MAX_VALUE_SUM // 2])
def test_room_is_counted_from_the_node_with_the_most_visits(backend, visits):
    """A shared child may have more than the root, so that its sum would be the first to overflow."""

    def change(parts):
        nodes = parts.nodes
        nodes["visits"][3], nodes["value_sum"][3] = visits, 2 * visits

    engine = forged(FREE, Board(), change, backend)
    result = engine.search(Board(), simulations=100)
    assert result.simulations == (7 if visits < MAX_VALUE_SUM // 2 else 100)
    assert engine.search(Board(), simulations=100).simulations == 100  # a new tree
    assert engine.tree()["visits"].max() <= 200


def test_sums_of_visits_are_as_wide_as_they_need_be():
    """The children's visits add up to 2**32, which is none in 32 bits: then nothing would be explored."""
    many, few = MAX_VALUE_SUM // 2 - 1999, 800

    def change(parts):
        nodes = parts.nodes
        nodes["visits"][1:] = [many, many, few, few, few, few, 2**32 - 2 * many - 4 * few]
        nodes["value_sum"][1:] = [int(1.2 * n) for n in (many, many)] + [800] * 5

    trees = []
    for backend in ("native", "pure"):
        engine = forged(FREE, Board(), change, backend)
        engine.search(Board(), simulations=50)
        trees.append(engine.tree())
    assert np.array_equal(*trees)
    assert (trees[1]["visits"][1:3] == many).all()


ANSWER = Board.from_pons("1122336")  # column 3 must be played


def bounds(column, lower, upper):
    return lambda parts: parts.facts.update(bounds=[[column, [lower, upper]]])


def test_bounds_that_contradict_the_tree_are_refused(backend):
    with pytest.raises(SaveError, match="column 0 can't score at least 1 and at most -17"):
        forged(SearchParams(), ANSWER, bounds(0, 1, 5), backend)


@pytest.mark.parametrize(("lower", "upper"), [(1, 3), (0, 0), (-3, -1)])
def test_bounds_that_turn_out_wrong_harm_nothing(backend, lower, upper, tmp_path):
    """Nothing speaks against them when they are loaded; what the search finds takes their place."""
    board = Board.from_moves([2, 2, 1], Rules(6, 5))
    params = SearchParams(probes=False)
    right = Engine(params, seed=1, backend=backend).search(board, simulations=301).moves
    assert {move.column for move in right if (move.proof, move.distance) == ("loss", 4)} == {1, 2, 5}
    for column in board.legal_columns:
        engine = forged(params, board, bounds(column, lower, upper), backend)
        moves = engine.search(board, simulations=300).moves
        assert [move.visits for move in moves] == [move.visits for move in right]
        assert column not in (1, 2, 5) or moves[column].proof == "loss"
        engine.save(tmp_path / "file")
        assert Engine.load(tmp_path / "file", backend=backend).search(board, simulations=1).moves[column].visits


SOLVED = Engine(seed=1)
SOLVED.search(Board(Rules(5, 4)), simulations=400)


def scores(lower, upper):
    """Give these to all entries of the solver's table."""

    def change(parts):
        fields = np.uint64((upper + 64) << 7 | (lower + 64))
        filled = parts.table > 0
        assert filled.any()
        parts.table[filled] = parts.table[filled] & ~np.uint64((1 << 14) - 1) | fields

    return change


@pytest.mark.parametrize(("lower", "upper"), [(-64, 0), (0, -64), (63, 63), (-63, -63)])
def test_scores_that_no_game_has_are_refused(backend, lower, upper):
    with pytest.raises(SaveError, match="the solver's table has another size, or scores that no game has"):
        Engine._unpacked(rewritten(SOLVED, scores(lower, upper)), backend)


@pytest.mark.parametrize(("lower", "upper"), [(62, 62), (-63, 63), (-62, -62), (9, -9), (0, 0), (1, 1)])
def test_wrong_scores_in_the_table_harm_nothing(lower, upper):
    trees = []
    for backend in ("native", "pure"):
        engine = Engine._unpacked(rewritten(SOLVED, scores(lower, upper)), backend)
        engine.search(SOLVED.board, simulations=300)
        engine.check()
        pickle.loads(pickle.dumps(engine)).check()
        trees.append(engine.tree())
    assert np.array_equal(*trees)


ORIGINALS = [  # parameters, boards and simulations of what is forged: all kinds of trees, with deep ones and full ones
    (SearchParams(), Board(Rules(5, 4)), 300),
    (SearchParams(choice="ucb_short_win", probes=False), Board.from_moves([2, 2, 1], Rules(6, 5)), 200),
    (SearchParams.preset("uct", transpositions=True, max_nodes=150), Board(Rules(3, 3, 3)), 400),
    (SearchParams.preset("uct"), Board.from_moves([3] * 6 + [2, 2, 4]), 150),
    (SearchParams.preset("report-random"), Board(Rules(9, 9)), 100),
    (SearchParams(selection="ucb1_tuned", probes=False, rewards=(1, 0.99, 0)), Board(Rules(4, 3, 3)), 200),
    (SearchParams.preset("puct-node", batch_size=3, root_noise=(1.0, 0.25)), Board(Rules(4, 4)), 100),
]
KNOWN = [kind << 13 | distance for kind in range(8) for distance in (0, 1, 2, 3, 4, 5, 20)]


def some_node(chance, nodes):
    """An index; often of one near the root."""
    return min(chance.randrange(len(nodes)), chance.choice([7, len(nodes)]))


def mutate(chance, parts):
    """Change some of what there is, here and there to something that might be."""
    nodes, facts = parts.nodes, parts.facts
    for _ in range(chance.randint(1, 4)):
        i, j = some_node(chance, nodes), some_node(chance, nodes)
        match chance.randrange(8):
            case 0:  # a field
                field = chance.choice(NODE.names)
                most = int(np.iinfo(NODE[field]).max)
                value = chance.choice([0, 1, 7, j, most, most // 2, int(nodes[field][i]) + 1, int(nodes[field][j])])
                nodes[field][i] = min(value, most)
            case 1:  # another's children
                nodes["children"][i], nodes["size"][i] = nodes["children"][j], nodes["size"][j]
            case 2:  # cut off
                nodes["children"][i] = nodes["size"][i] = 0
            case 3:
                nodes[i], nodes[j] = nodes[j].copy(), nodes[i].copy()
            case 4:
                nodes["proof"][i] = chance.choice(KNOWN)
            case 5:  # near the most that can be counted, or some visits more
                nodes["visits"][i] += chance.choice([1, 100])
                nodes["visits"][j] = chance.choice([1, 63, 1000, MAX_VALUE_SUM // 2 - chance.randrange(99)])
                nodes["value_sum"][j] = min(int(nodes["value_sum"][j]), int(nodes["visits"][j]))
            case 6:
                lower = chance.randint(-12, 12)
                facts["bounds"] = [[chance.randrange(4), [lower, lower + chance.choice([0, 1, 9])]]]
                facts["wins"] = [chance.choice([0, 3, 8191]) for _ in facts["wins"]]
            case 7 if len(parts.table):
                for place in np.flatnonzero(parts.table)[:: chance.randint(1, 9)]:
                    parts.table[place] ^= np.uint64(1 << chance.randrange(24))


def life(engine, board):
    """Search, read, save, load, and play every column; returns all that there is to see."""
    trees = []
    result = engine.search(board, simulations=40)
    trees.append(engine.tree())
    str(result), result.policy(), result.pv
    engine.check()
    data = pickle.dumps(engine)
    pickle.loads(data).check()
    for column in board.legal_columns:
        copy = pickle.loads(data)
        copy.advance(column)
        copy.check()
        if not copy.board.is_over():
            trees += [copy.search(copy.board, simulations=5).pv, copy.tree()]
            copy.check()
            pickle.loads(pickle.dumps(copy))
    return trees


def attack(seed, original):
    """One forgery, in both engines; whether it has been taken for a saved engine."""
    params, board, simulations = original
    chance = random.Random(seed)
    evaluator = fingerprint if params.selection == "puct" else None
    engine = Engine(params, seed=seed % 10, evaluator=evaluator)
    engine.search(board, simulations=chance.choice([3, simulations]))
    data = rewritten(engine, lambda parts: mutate(chance, parts))
    seen = []
    for backend in ("native", "pure"):
        try:
            engine = Engine._unpacked(data, backend, 1, evaluator)
        except SaveError as error:
            seen.append(str(error))
            continue
        engine.check()
        seen.append(life(engine, board))
    assert str(seen[0]) == str(seen[1])
    assert all(np.array_equal(a, b) for a, b in zip(*seen, strict=True))
    return not isinstance(seen[0], str)


@pytest.mark.parametrize("original", ORIGINALS, ids=range(len(ORIGINALS)))
def test_forged_trees_are_refused_or_searched_like_any_other(original):
    taken = [attack(seed, original) for seed in range(25)]
    assert 0 < sum(taken) < 25

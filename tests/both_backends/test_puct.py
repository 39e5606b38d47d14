"""The search with an evaluator: against the description of its source, and what an evaluator may see and do."""

import math
from functools import partial

import numpy as np
import pytest
from evaluators import fingerprint, uniform
from forging import packed, repacked, unpacked
from oracles.evaluation import as_game, policy
from oracles.prior_systems import Chance, SourceNode
from trees import children_of, require_whole
from variants import variant

from c4mcts import Board, Engine, GumbelParams, PuctParams, Rules, SaveError, SearchParams
from c4mcts._backend import load
from c4mcts.seeds import generator_state

PUCT = SearchParams.preset("puct-node")
# what is usual since AlphaZero
USUAL = variant(PUCT, mean_backup=False, equal_start=False, prove_draws=True)


@pytest.mark.parametrize(
    ("rules", "moves", "simulations"),
    [
        (Rules(), [], 250),
        (Rules(), [3, 3, 3, 3, 3], 200),
        (Rules(), [3, 0, 3, 1, 2, 6], 200),
        (Rules(5, 4, 3), [2], 300),
        (Rules(9, 9), [4, 4], 150),
        (Rules(7, 6, 4, diagonals=False), [3, 3, 2], 200),
    ],
    ids=str,
)
@pytest.mark.parametrize("evaluator", [fingerprint, uniform])
def test_trees_are_those_of_the_source(rules, moves, simulations, evaluator):
    """Node by node, the values of proven nodes too, the move that is played, and the value of the root."""
    engine = Engine(PUCT, seed=11, evaluator=evaluator)  # of one backend: tests/parity compares the trees of both
    random_bits, _ = load().numbers.stream(generator_state(11), 100_000)
    result = engine.search(Board.from_moves(moves, rules), simulations=simulations)
    game, root, chance = as_game(rules, moves), SourceNode(), Chance(random_bits, rules.width)
    for _ in range(result.simulations):
        root.explore(game, partial(policy, evaluator=evaluator), chance)
    tree = engine.tree()

    def compare(index, node):
        assert tree["visits"][index] == node.N
        if node.N:
            assert tree["value"][index] == pytest.approx(node.V, abs=1e-12)
        found = children_of(tree, index)
        assert found.keys() == node.children.keys()
        for column, child in found.items():
            compare(child, node.children[column])

    compare(0, root)
    require_whole(engine)
    if result.proof is None:
        assert 2 * result.root_value - 1 == pytest.approx(-root.V, abs=1e-12)
        assert result.column == root.next(chance)
    else:
        assert result.proof == ("win" if root.U < 0 else "loss")


@pytest.mark.parametrize("batch_size", [1, 3, 64])
def test_every_simulation_is_counted_and_evaluated_once(backend, batch_size):
    asked = []

    def count(planes, legal):
        asked.append(len(planes))
        return uniform(planes, legal)

    params = SearchParams.preset("puct-node", batch_size=batch_size)
    engine = Engine(params, seed=1, backend=backend, evaluator=count)
    result = engine.search(Board(), simulations=200)
    tree = engine.tree()
    assert result.simulations == 200 == tree["visits"][0]
    assert (tree["visits"] == tree["value_sum"]).all()
    assert sum(asked) == (tree["size"] > 0).sum()
    assert max(asked) == min(batch_size, max(asked))
    assert batch_size == 1 or max(asked) > 1
    assert np.allclose(tree["prior"][1:8], 1 / 7)


def test_draws_are_worth_what_the_rewards_say(backend):
    board = Board(Rules(2, 2, 3))
    for rewards, worth in (((1, 0, -1), 0.5), ((1, 0.75, 0), 0.75)):
        params = USUAL.changed(rewards=rewards)
        result = Engine(params, seed=1, backend=backend, evaluator=uniform).search(board, simulations=100)
        assert result.proof == "draw"
        assert result.value == worth


@pytest.mark.parametrize("changes", [{}, {"forced_visits": 2.0}, {"choice": "value"}, {"choice": "secure"}], ids=str)
def test_one_simulation_plays_by_the_priors(changes):
    """It evaluates the root alone: no move has a visit."""
    params = SearchParams.preset("alphazero", root_noise=None, **changes)
    priors = np.array([1, 2, 3, 4, 9, 5, 6]) / 30

    def evaluator(planes, legal):
        return np.tile(priors, (len(legal), 1)), np.zeros(len(legal))

    for temperature in (0.0, 0.01):
        given = variant(params, temperature=temperature)
        for seed in range(2):
            result = Engine(given, seed=seed, evaluator=evaluator).search(Board(), simulations=1)
            assert result.column == 4
            assert result.policy() == pytest.approx(priors)
    won = Engine(params, seed=1, evaluator=evaluator).search("112233", simulations=1)
    assert won.column == 3, "an immediate win comes before the priors"


def reshapes(planes, legal):
    legal.resize((legal.size, 1), refcheck=False)
    return np.ones(legal.shape), np.zeros(len(legal))


def clears(planes, legal):
    priors, values = uniform(planes, legal)
    legal[:] = False
    planes[:] = 9
    priors[:, 0] = np.inf
    return priors, values


def raises(error):
    def answer(planes, legal):
        raise error

    return answer


def priors_of(value):
    return lambda planes, legal: ([[value] * 7] * len(planes), np.zeros(len(planes)))


RAISED = ZeroDivisionError, KeyboardInterrupt, SystemExit
FAULTS = {
    "one array": lambda p, legal: np.zeros(len(p)),
    "none": lambda p, legal: None,
    "shape of priors": lambda p, legal: (np.ones((len(p), 3)), np.zeros(len(p))),
    "shape of values": lambda p, legal: (np.ones(legal.shape), np.zeros((len(p), 2))),
    "too few": lambda p, legal: (np.ones((0, 7)), np.zeros(0)),
    **{f"priors of {value}": priors_of(value) for value in (math.nan, -0.1, math.inf, 1e301, 1j, "0.1")},
    "huge priors": priors_of(10**400),
    "dates": priors_of(np.datetime64("2020")),
    "nan value": lambda p, legal: (np.ones(legal.shape), np.full(len(p), np.nan)),
    "value too high": lambda p, legal: (np.ones(legal.shape), np.full(len(p), 1.5)),
    "text": lambda p, legal: ("ab", "cd"),
    "another shape of its arguments": reshapes,
    "another content of its arguments": clears,
    **{
        error.__name__: raises(error("of the evaluator"))
        for error in (ZeroDivisionError, KeyboardInterrupt, SystemExit)
    },
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_the_evaluator_ends_the_search_and_leaves_the_tree_whole(backend, fault):
    calls = []

    def fails(planes, legal):
        calls.append(1)
        return FAULTS[fault](planes, legal) if len(calls) in (1, 9) else uniform(planes, legal)

    engine = Engine(SearchParams.preset("puct-node", batch_size=8), seed=1, backend=backend, evaluator=fails)
    for simulations in (1, 500):
        with pytest.raises((ValueError, *RAISED), match="evaluator") as error:
            engine.search(Board(), simulations=simulations)
        assert error.type.__name__ == fault or error.type is ValueError
        require_whole(engine)
        tree = engine.tree()
        assert (tree["visits"] == tree["value_sum"]).all()
        assert (tree["visits"][0] == 0) == (simulations == 1)
    before = int(tree["visits"][0])
    assert engine.search(Board(), simulations=100).simulations == 100
    assert engine.tree()["visits"][0] == before + 100


@pytest.mark.native
@pytest.mark.parametrize("kind", ["puct-node", "network"])
def test_a_saved_tree_goes_on_as_it_would_have(backend, tmp_path, kind):
    changes = {"batch_size": 5, "root_noise": (1.0, 0.25)} if kind == "puct-node" else {}
    params, evaluator = SearchParams.preset(kind, **changes), fingerprint if kind == "puct-node" else None
    engine = Engine(params, seed=1, backend=backend, evaluator=evaluator)
    engine.search(Board(), simulations=200)
    engine.advance(3)
    engine.search(Board.from_moves([3]), simulations=100)
    engine.save(tmp_path / "engine")
    tree, result = engine.tree(), engine.search(Board.from_moves([3]), simulations=100)
    for other in ("native", "pure"):
        loaded = Engine.load(tmp_path / "engine", backend=other, evaluator=evaluator)
        assert loaded.params == params
        assert np.array_equal(loaded.tree(), tree)
        assert loaded.search(Board.from_moves([3]), simulations=100).moves == result.moves
    if evaluator is not None:
        with pytest.raises(ValueError, match="needs an evaluator"):
            Engine.load(tmp_path / "engine")


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("value", 1.5, "a value lies outside its bounds"),
        ("value", math.nan, "a value lies outside its bounds"),
        ("prior", -0.1, "a prior lies outside its bounds"),
        ("prior", math.inf, "a prior lies outside its bounds"),
        ("value_sum", 11, "a node has more rewards than visits"),
    ],
)
def test_a_forged_evaluation_is_not_taken_over(field, value, words):
    engine = Engine(PUCT, seed=1, evaluator=fingerprint)
    engine.search(Board(), simulations=10)
    data = repacked(packed(engine), lambda parts: parts.nodes[field].__setitem__(0, value))
    with pytest.raises(SaveError, match=words):
        unpacked(data, evaluator=fingerprint)


def test_temperature_draws_in_proportion_to_visits():
    counts = {temperature: np.zeros(7) for temperature in (0.0, 1.0, math.inf)}
    for temperature, count in counts.items():
        params = SearchParams.preset("uct", temperature=temperature)
        for seed in range(150):
            result = Engine(params, seed=seed).search(Board(), simulations=40)
            count[result.column] += 1
    assert (counts[math.inf] > 8).all()
    assert (counts[0.0] > 0).sum() < 7 or counts[0.0].max() > counts[1.0].max()
    won = Board.from_moves([3, 0, 3, 1, 3, 6])
    for seed in range(5):
        params = SearchParams.preset("uct", temperature=5.0)
        assert Engine(params, seed=seed).search(won, simulations=50).column == 3


def test_large_priors_are_shares_too(backend):
    engine = Engine(PUCT, seed=1, backend=backend, evaluator=lambda p, legal: (1e300 * legal, np.zeros(len(p))))
    assert [move.prior for move in engine.search(Board(), simulations=20).moves] == [pytest.approx(1 / 7)] * 7


def test_a_policy_ends_where_a_proof_begins():
    """A proven win gets all; what is proven lost gets nothing."""
    result = Engine(PUCT, seed=1, evaluator=uniform).search(
        Board.from_moves([5, 0, 1, 5, 5, 6, 2, 0, 5, 2, 5, 5, 4, 3, 4, 6, 1, 2, 2, 4, 3, 4]), simulations=100
    )
    assert (result.column, result.proof) == (3, "win")
    for temperature in (0.0, 1.0, math.inf):
        assert result.policy(temperature).tolist() == [0, 0, 0, 1, 0, 0, 0]
    result = Engine(seed=1).search(Board.from_pons("45461667"), simulations=200)
    shares = result.policy()
    assert shares.sum() == pytest.approx(1)
    assert all(shares[move.column] == 0 for move in result.moves if move.proof == "loss")


# the preset for networks of one's own


@pytest.mark.parametrize("params", [PuctParams(), GumbelParams(gumbel_scale=0)], ids=["puct", "gumbel"])
def test_by_default_a_small_search_is_sequential_and_batches_grow_with_the_tree(backend, params):
    """From any root: batches belong to the visits that there are."""
    asked = []

    def evaluator(planes, legal):
        asked.append(len(legal))
        return uniform(planes, legal)

    def engine(**changes):
        return Engine(params.changed(**changes), seed=1, backend=backend, evaluator=evaluator)

    small = [engine(batch_size=size).search(Board(), simulations=33).moves for size in (1, None)]
    assert small[0] == small[1]
    asked.clear()
    search = engine()
    search.search(Board(), simulations=2500)
    before = np.cumsum([0, *asked[:-1]])  # visits; the ends of games, which are not evaluated, come on top
    assert (np.array(asked) <= 1 + (before + 60) // 32).all()
    assert max(asked) == 64
    if params.keep_tree:
        asked.clear()
        search.search(Board(), simulations=64)
        assert len(asked) < 5, "the tree is large already"


def test_alphazero_evaluates_binary_planes_in_batches_with_noise():
    shapes = []

    def evaluator(planes, legal):
        assert (planes.dtype, legal.dtype) == (np.float32, bool)
        shapes.append(planes.shape)
        return uniform(planes, legal)

    found = Engine(SearchParams.preset("alphazero"), seed=1, evaluator=evaluator)
    result = found.search(Board(), simulations=400)
    assert {shape[1:] for shape in shapes} == {(2, 6, 7)}
    assert max(shape[0] for shape in shapes) > 1
    silent = Engine(SearchParams.preset("alphazero", root_noise=None), seed=1, evaluator=uniform)
    assert result.moves != silent.search(Board(), simulations=400).moves
    assert found.search(Board.from_pons("112233"), simulations=30).proof == "win"

"""native == pure: the same trees node for node, the same games, the same generator afterwards."""

import random

import numpy as np
import pytest
from evaluators import fingerprint
from hypothesis import example, given, settings
from hypothesis import strategies as st
from random_boards import random_board
from strategies import RULES, boards, gumbel_params, params, puct_params
from trees import assert_same, require_whole

from c4mcts import Board, Engine, NetworkParams, PolicyValueNetwork, Rules, SearchParams, UctParams, rollouts
from c4mcts._backend import load
from c4mcts._layout import DECISIVE, RANDOM, SAFE

NATIVE, PURE = load("native"), load("pure")
PLAIN = SearchParams.preset("uct", tie_break="first", checks=False)
states = st.tuples(st.integers(0, 2**64 - 1), st.integers(1, 2**64 - 1))


def budget(board, most, params):
    """Simulations that the pure backend runs in little time."""
    most = min(most, 80) if params.probes else most
    return max(1, min(most, 30_000 // (board.rules.cells - board.ply + 20)))


def fields(result):
    """What a result says, without the clock."""
    return {**result.to_dict(), "seconds": None}


@settings(max_examples=250, deadline=None)
@given(boards(), params(), st.integers(0, 2**32), st.integers(1, 400))
def test_searches_are_equal(board, params, seed, simulations):
    native, pure = (Engine(params, seed=seed, backend=name) for name in ("native", "pure"))
    simulations = budget(board, simulations, params)
    results = [engine.search(board, simulations=simulations) for engine in (native, pure)]
    assert_same(native, pure)
    assert fields(results[0]) == fields(results[1])
    assert results[0].simulations == simulations or results[0].proof is not None


@pytest.mark.parametrize("seed", range(8))
def test_discounted_rewards_of_what_is_proven_meanwhile_are_equal(seed):
    """In a backup a node may be proven with another distance than the simulation had: its reward follows the proof.

    That is rare if each child is visited once before any is visited twice.
    """
    params = UctParams(probes=False, first_play=0.0, discount=0.5, rollout="random", transpositions=seed % 2 == 0)
    native, pure = (Engine(params, seed=seed, backend=name) for name in ("native", "pure"))
    for engine in (native, pure):
        engine.search(Board(Rules(5, 5, 3)), simulations=300)
    assert_same(native, pure)


@settings(max_examples=60, deadline=None)
@given(boards(), params(), st.integers(0, 2**32), st.integers(1, 3000))
@example(Board.from_moves([0, 8, 0, 5, 0, 0], Rules(9, 6)), PLAIN, 0, 200)  # met by the last simulation of a part
def test_node_limits_are_equal(board, params, seed, nodes):
    engines = [Engine(params, seed=seed, backend=name) for name in ("native", "pure")]
    nodes = budget(board, nodes, params)
    results = [engine.search(board, nodes=nodes) for engine in engines]
    assert fields(results[0]) == fields(results[1])
    assert_same(*engines)


@settings(max_examples=200, deadline=None)
@given(boards(), states, st.integers(1, 60), st.sampled_from([RANDOM, DECISIVE, SAFE]))
def test_rollouts_are_equal(board, state, games, policy):
    games = max(1, min(games, 4000 // (board.rules.cells - board.ply + 1)))
    arguments = (board.rules, board.own, board.mask, state, games, policy, bool)
    assert NATIVE.rollout.rollouts(*arguments) == PURE.rollout.rollouts(*arguments)


@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        (Rules(7, 40), []),  # some games grow above the rows of a low board
        (Rules(7, 40), [3, 3, 3, 3, 3, 3, 3]),  # a column that is full there
        (Rules(7, 40), [3, 3, 3, 3, 3, 3, 3, 3]),  # too high from the start
        (Rules(7, 40, 4, diagonals=False), []),
        (Rules(20, 7), [0, 19]),
        (Rules(64, 3), []),  # no line fits in a column
        (Rules(3, 64), [1]),
    ],
    ids=str,
)
def test_random_games_on_large_boards_are_equal(rules, moves):
    board = Board.from_moves(moves, rules)
    games = 20_000 // (rules.width + rules.height)
    assert rollouts(board, games, seed=8) == rollouts(board, games, seed=8, backend="pure")


@settings(max_examples=150, deadline=None)
@given(boards(), st.one_of(puct_params(), gumbel_params()), st.integers(0, 2**32), st.integers(1, 120), st.data())
def test_searches_with_an_evaluator_are_equal(board, params, seed, simulations, data):
    engines = [Engine(params, seed=seed, backend=name, evaluator=fingerprint) for name in ("native", "pure")]
    simulations = budget(board, simulations, params)
    for _ in range(3):
        results = [engine.search(board, simulations=simulations) for engine in engines]
        assert fields(results[0]) == fields(results[1])
        assert_same(*engines)
        for engine in engines:
            require_whole(engine)
        board.push(data.draw(st.sampled_from(board.legal_columns)))
        if board.is_over():
            break


def test_every_rule_set_is_searched_deeply():
    """One longer search for each, where the pool must grow and the trees are deep."""
    for rules in RULES:
        board = Board(rules)
        for preset, work in (("uct", 25_000), ("strong", 6_000)):
            engines = [Engine(SearchParams.preset(preset), seed=5, backend=name) for name in ("native", "pure")]
            for engine in engines:
                engine.search(board, simulations=max(20, work // (rules.cells + 30)))
            assert_same(*engines)


def test_probes_and_the_second_phase_are_equal():
    """Searches in which many nodes are probed, alone and in a game: trees, results, and the solver's nodes."""
    chance = random.Random(7)
    probed = 0
    for rules, plies in (
        (Rules(), 2),
        (Rules(), 12),
        (Rules(7, 6, 4, diagonals=False), 8),
        (Rules(6, 5, 4), 4),
        (Rules(8, 7, 5), 20),
    ):
        board = random_board(rules, plies, chance)
        engines = [Engine(UctParams(), seed=plies, backend=name) for name in ("native", "pure")]
        for _ in range(2):
            results = [engine.search(board, simulations=300) for engine in engines]
            assert fields(results[0]) == fields(results[1])
            assert_same(*engines)
            nodes = [engine._tree._solver.nodes() for engine in engines]
            assert nodes[0] == nodes[1]
            board.push(results[0].column)
            if board.is_over():
                break
        probed += nodes[0] > 1000
    assert probed >= 4


def test_logarithms_of_many_visits_are_equal():
    """Past 2**12 visits the logarithm comes from the leading bits, past 2**16 quotients and roots are computed."""
    board = Board(Rules(3, 3, 3))  # of few nodes, many of which have that many visits
    engines = [Engine(SearchParams.preset("uct", exploration=0.4), seed=5, backend=name) for name in ("native", "pure")]
    for engine in engines:
        engine.search(board, simulations=66_000)
    assert_same(*engines)


network_params = st.builds(
    NetworkParams,
    exploration=st.sampled_from([1.25, 0.0, -1.0, 30.0]),
    first_play_reduction=st.sampled_from([0.2, 0.0, 3.0]),
    rewards=st.sampled_from([(1, 0.5, 0), (1, 0, -1), (1, 0, 0), (1, 0.07, 0)]),
    tie_break=st.sampled_from(["first", "random"]),
    choice=st.sampled_from(["visits", "visits_only", "value", "secure"]),
    checks=st.booleans(),
    transpositions=st.booleans(),
    probes=st.just(False),
    proofs=st.booleans(),
    max_nodes=st.sampled_from([1, 2, 8, 50, 333, 1 << 20]),
) | st.builds(NetworkParams, book=st.booleans(), temperature=st.sampled_from([0.0, 1.0]))


@settings(max_examples=60, deadline=None)
@given(boards(), network_params, st.integers(0, 2**32), st.integers(1, 300))
def test_searches_with_a_network_are_equal(board, params, seed, simulations):
    if board.rules.connect != 4 or not board.rules.diagonals:
        return
    engines = [Engine(params, seed=seed, backend=name) for name in ("native", "pure")]
    simulations = min(simulations, 8_000 // board.rules.cells)
    results = [engine.search(board, simulations=simulations) for engine in engines]
    assert_same(*engines)
    assert fields(results[0]) == fields(results[1])
    for engine in engines:
        require_whole(engine)


@settings(max_examples=60, deadline=None)
@given(boards(), st.integers(0, 2**32))
def test_networks_are_equal(board, seed):
    if board.rules.connect != 4 or not board.rules.diagonals:
        return
    native, pure = (PolicyValueNetwork.load().twin(name, board.rules) for name in ("native", "pure"))
    assert native.evaluate(board.own, board.mask) == pure.evaluate(board.own, board.mask)
    assert native.features(board.own, board.mask) == pure.features(board.own, board.mask)
    found = []
    for network in (native, pure):
        priors, values = np.zeros((2, board.rules.width), np.float32), np.zeros(2, np.float32)
        network.evaluate_many([board.own, board.own], [board.mask, board.mask], priors, values)
        found.append((priors.tobytes(), values.tobytes()))
        with pytest.raises(ValueError, match="the arrays do not fit the positions"):
            network.evaluate_many([board.own], [board.mask], priors, values)
    assert found[0] == found[1]

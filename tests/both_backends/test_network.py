"""The network in the backends: its numbers against a naive one, and searches with it."""

import random

import numpy as np
import pytest
from oracles.network import NaiveNetwork
from random_boards import random_board
from trees import require_whole

from c4mcts import Board, Engine, NetworkParams, PolicyValueNetwork, Rules, SearchParams
from c4mcts._layout import network_shapes

SIZES = [
    Rules(),
    Rules(8, 7),
    Rules(5, 5),
    Rules(4, 4),
    Rules(9, 7),
    Rules(10, 10),
    Rules(20, 14),
    Rules(7, 40),
    Rules(3, 5),
]
NETWORK = SearchParams.preset("network")


def random_network(seed, by_place=False):
    """A network with random weights, in which every number matters."""
    draw = np.random.default_rng(seed)
    return PolicyValueNetwork(
        {
            name: draw.integers(-3000, 3000, shape).astype(np.int32)
            if "bias" in name
            else draw.integers(-128, 128, shape).astype(np.int8)
            for name, shape in network_shapes(by_place).items()
        }
    )


@pytest.mark.parametrize("rules", SIZES, ids=str)
def test_the_numbers_are_those_of_the_description(rules, backend):
    chance = random.Random(str(rules))
    for network in (PolicyValueNetwork.load(), random_network(1), random_network(2, by_place=True)):
        if network.is_by_place and rules != Rules():
            continue
        naive = NaiveNetwork(network.weights)
        for _ in range(3):
            board = random_board(rules, chance.randrange(rules.cells), chance)
            value, priors = network.twin(backend, rules).evaluate(board.own, board.mask)
            wanted, shares = naive.evaluate(board)
            assert value == pytest.approx(wanted, abs=1e-12)
            assert priors == pytest.approx(shares, abs=1e-12)


def test_a_search_of_one_simulation_plays_the_move_with_the_highest_prior():
    for moves in ("", "4", "44", "4435", "4453"):
        board = Board.from_pons(moves)
        priors = PolicyValueNetwork.load().evaluate(board)[1]
        result = Engine(NETWORK.changed(probes=False), seed=1).search(board, simulations=1)
        assert result.column == priors.argmax()
        assert [move.prior for move in result.moves] == priors.tolist()


def test_each_node_has_the_prior_of_its_move_and_the_mean_of_its_values():
    params = NetworkParams(probes=False, proofs=False, transpositions=False, checks=False)
    engine, network = Engine(params, seed=1), PolicyValueNetwork.load()
    board = Board.from_pons("4453")
    visited_once = expanded = 0
    for _ in range(3 * board.rules.width):  # with any weights, a child is visited a first and a second time
        engine.search(board, simulations=1)
        for child in engine.node().children:
            after = board.copy()
            after.push(child.column)
            if child.visits == 1:  # its only value is its own
                assert child.value == pytest.approx(1 - network.evaluate(after)[0], abs=0.005)
                visited_once += 1
            priors = [each.prior for each in engine.node([child.column]).children]
            if priors:
                assert priors == network.evaluate(after)[1].tolist()
                expanded += 1
    assert engine.tree().dtype.names == ("visits", "value_sum", "children", "proof", "column", "size", "prior")
    assert visited_once
    assert expanded
    require_whole(engine)


def test_proofs_and_probes_end_a_search():
    won = Engine(NETWORK, seed=1).search("445566", simulations=2)  # either end completes the row
    assert (won.proof, won.distance) == ("win", 1)
    late = Board.from_pons("444444333333222222")
    result = Engine(NETWORK, seed=1).search(late, simulations=3000)
    assert result.proof is not None

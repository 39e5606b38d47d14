"""What other rules change: counted on the tree and on random games."""

import numpy as np

from c4mcts import Board, Engine, Rules, SearchParams, rollouts, study
from c4mcts.study.rules_change import GAMES

UCT = SearchParams.preset("uct")
RULES = [Rules(), Rules(7, 40), Rules(11, 6)]


def depth_of(engine, path=()):
    """By the engine's own view of its nodes."""
    below = [depth_of(engine, (*path, child.column)) for child in engine.node(path).children if child.visits]
    return 1 + max(below) if below else 0


def test_what_is_measured():
    found = study.rules_change(RULES, UCT, simulations=300, runs=2, seed=3)
    assert found.rules == tuple(RULES)
    assert found.branching.shape == found.depth.shape == found.plies.shape == found.seconds.shape == (3, 2)
    seeds = np.random.SeedSequence(3).spawn(6)
    for i, rules in enumerate(RULES):
        for run in range(2):
            search, play = seeds[2 * i + run].spawn(2)
            engine = Engine(UCT, seed=search)
            engine.search(Board(rules), simulations=300)
            sizes = engine.tree()["size"]
            assert found.branching[i, run] == sizes[sizes > 0].mean()
            assert found.depth[i, run] == depth_of(engine)
            assert found.plies[i, run] == rollouts(Board(rules), GAMES, seed=play).mean_plies
    assert (found.seconds > 0).all()
    assert "µs" in str(found)


def test_a_wider_board_has_more_branches_and_longer_rollouts_a_higher_one_hardly():
    found = study.rules_change(RULES, UCT, simulations=2000, runs=3, seed=1)
    branching, plies = found.branching.mean(axis=1), found.plies.mean(axis=1)
    assert branching[2] > 10 > branching[0] > 6
    assert plies[2] > plies[0] + 3
    assert abs(plies[1] - plies[0]) < 1.5
    assert found.depth[2].mean() < found.depth[0].mean()


def test_shared_blocks_are_counted_once():
    params = SearchParams.preset("uct", transpositions=True)
    found = study.rules_change([Rules(4, 4, 3)], params, simulations=500, runs=1, seed=2)
    search, _ = np.random.SeedSequence(2).spawn(1)[0].spawn(2)
    engine = Engine(params, seed=search)
    engine.search(Board(Rules(4, 4, 3)), simulations=500)
    assert found.depth.item() == depth_of(engine)

"""Regret: sums of exact losses over the columns that searches tried."""

import numpy as np

from c4mcts import Board, Engine, Rules, SearchParams, solve, study

UCT = SearchParams.preset("uct")
SMALL = Board(Rules(5, 4, 4))  # columns 1 to 3 hold the draw, 0 and 4 lose


def test_regret_is_the_loss_of_each_column_times_its_visits():
    found = study.regret(SMALL, UCT, simulations=[20, 200, 900], runs=3, seed=5)
    assert found.scores == solve(SMALL).columns
    loss = np.array([0.5, 0, 0, 0, 0.5])  # a draw counts half
    for run, seed in enumerate(np.random.SeedSequence(5).spawn(4)[1:]):
        engine, done = Engine(UCT, seed=seed), 0
        for point, simulations in enumerate((20, 200, 900)):
            result = engine.search(SMALL, simulations=simulations - done)
            done = simulations
            assert found.cumulative[run, point] == loss @ [move.visits for move in result.moves]
            assert found.simple[run, point] == loss[result.column]


def test_it_is_on_the_scale_of_the_rewards():
    signed = SearchParams.preset("uct", rewards=(1, 0, -1), exploration=2 * UCT.exploration)  # the same search
    plain, twice = (study.regret(SMALL, params, simulations=100, runs=2, seed=1) for params in (UCT, signed))
    np.testing.assert_allclose(twice.cumulative, 2 * plain.cumulative)
    np.testing.assert_allclose(twice.simple, 2 * plain.simple)


def test_ucb_loses_less_than_trying_all_columns_equally():
    found = study.regret(Board(), UCT, simulations=3000, runs=4, seed=1)
    assert found.simulations[0] == 10
    losses = 1 - np.sign(np.add(found.scores, 0)) / 2 - 0.5  # with a win as the best
    assert (np.diff(found.cumulative, axis=1) >= 0).all()
    assert found.cumulative[:, -1].mean() < 0.7 * 3000 * losses.mean()
    assert found.simple[:, -1].mean() <= found.simple[:, 0].mean()


def test_full_columns_have_no_part():
    found = study.regret(Board.from_pons("4444442", Rules(7, 6)), UCT, simulations=50, runs=1, seed=1)
    assert np.isfinite(found.cumulative).all()
    assert found.scores[3] is None

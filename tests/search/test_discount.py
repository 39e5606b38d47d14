"""Rewards that shrink with the plies to the end of the game."""

import pytest

from c4mcts import Board, Engine, SearchParams
from c4mcts._layout import discounted_rewards
from c4mcts.games import GameSearch, TicTacToe


def test_the_table_of_rewards():
    wins, losses = discounted_rewards(100, 50, 0.9, 4)
    assert wins.tolist() == [100, 95, 91, 86, 83]  # 50 + 50, 45, 40.5, 36.45, 32.8
    assert losses.tolist() == [0, 5, 9, 14, 17]
    wins, losses = discounted_rewards(2, 1, 1.0, 3)
    assert (wins.tolist(), losses.tolist()) == ([2] * 4, [0] * 4)


@pytest.mark.parametrize("rewards", [(1, 0.5, 0), (1, 0, -1), (1, 0.07, 0)])
def test_a_result_that_is_far_away_is_worth_as_much_as_a_draw(rewards):
    params = SearchParams.preset("uct", rewards=rewards, discount=0.01)
    settings = params.settings
    result = Engine(params, seed=1).search(Board(), simulations=300)
    for move in result.moves:
        assert move.value == pytest.approx(settings.draw / settings.win, abs=0.02)


@pytest.mark.parametrize("proofs", [False, True])
def test_a_won_game_counts_at_its_distance(proofs):
    """Column 3 wins with the next disc: that child gets whole rewards, the root those of a loss in one ply."""
    params = SearchParams.preset("uct", discount=0.9, proofs=proofs)
    engine = Engine(params, seed=1)
    engine.search(Board.from_moves([3, 0, 3, 1, 3, 6]), simulations=4)
    root, *nodes = engine.tree()
    assert nodes[3]["value_sum"] == 100 * nodes[3]["visits"]
    if proofs:
        assert (root["visits"], root["value_sum"]) == (1, round(50 - 50 * 0.9))
    else:
        others = sum(int(node["value_sum"]) for node in nodes[:3])
        assert 0 < others < 300
        assert others % 100, "far results are not whole"


def test_where_there_is_no_discount():
    with pytest.raises(TypeError, match="discount is a parameter of UctParams, not of PuctNodeParams"):
        SearchParams.preset("puct-node", discount=0.9)
    with pytest.raises(ValueError, match=r"discount=0\.9 is for an Engine only"):
        GameSearch(TicTacToe(), SearchParams.preset("uct", discount=0.9))

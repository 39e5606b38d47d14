"""Games between sets of parameters at equal budgets."""

import numpy as np

from c4mcts import Board, Rules, SearchParams, UctParams, study
from c4mcts.play import EnginePlayer, play_game

UCT = SearchParams.preset("uct")
SETS = {"uct": UCT, "greedy": SearchParams.preset("uct", exploration=0.0), "strong": UctParams()}
CORNERS = Board(Rules(2, 2, 2))  # who has two discs has won: the first player


def test_every_pair_plays_and_the_first_counts():
    found = study.head_to_head(Board(Rules(5, 4)), SETS, budgets=[60, 10], games=10, seed=2)
    assert found.pairs == (("uct", "greedy"), ("uct", "strong"), ("greedy", "strong"))
    assert found.budgets.tolist() == [10, 60]
    assert (found.wins + found.draws + found.losses == 10).all()
    assert found.score.tolist() == ((found.wins + 0.5 * found.draws) / 10).tolist()
    assert found.score[2, 1] < 0.5, "strong beats greedy"
    low, high = found.interval
    assert ((low <= found.score) & (found.score <= high)).all()


def test_first_moves_alternate_and_both_have_the_budget(monkeypatch):
    found = study.head_to_head(CORNERS, {"a": UCT, "b": UCT}, budgets=[3], games=6, seed=1)
    assert (found.wins.item(), found.losses.item()) == (3, 3), "the first player always wins here"
    seen = []
    original = EnginePlayer.choose

    def choose(player, board):
        column = original(player, board)
        seen.append((board.turn, player.last.simulations))
        return column

    monkeypatch.setattr(EnginePlayer, "choose", choose)
    study.head_to_head(Board(), {"a": UCT, "b": UCT}, budgets=[7], games=1, seed=1)
    assert {turn for turn, _ in seen} == {0, 1}
    assert {simulations for _, simulations in seen} == {7}


def test_a_game_is_that_of_two_players():
    found = study.head_to_head(Board(), {"a": UCT, "b": SETS["greedy"]}, budgets=[20], games=2, seed=9)
    ends = []
    for game, child in enumerate(np.random.SeedSequence(9).spawn(2)):
        players = EnginePlayer(UCT, simulations=20), EnginePlayer(SETS["greedy"], simulations=20)
        pair = players if game == 0 else players[::-1]
        ends.append(play_game(*pair, seed=child).game.result(game))
    assert found.wins.item() == ends.count(1)
    assert found.losses.item() == ends.count(-1)

"""Players: how they choose, what they keep during a game, what they refuse."""

import threading

import numpy as np
import pytest
from refusals import refused
from signals import wait_for_searches

from c4mcts import Board, IllegalMoveError, Rules, SearchParams
from c4mcts.games import GameSearch, TicTacToe
from c4mcts.play import EnginePlayer, GameSearchPlayer, PerfectPlayer, RandomPlayer, play_game, play_tournament

SMALL = Board(Rules(5, 4, 4))
UCT = SearchParams.preset("uct")


def test_a_player_ponders_while_the_opponent_thinks():
    class Slow(RandomPlayer):
        def choose(self, board):
            nonlocal pondered
            pondered += any(thread.name == "c4mcts" for thread in threading.enumerate())
            return super().choose(board)

    pondered = 0
    player = EnginePlayer(SearchParams.preset("uct"), simulations=20, ponder=True)
    for opponent in (Slow(), RandomPlayer()):
        assert play_game(player, opponent, start=SMALL, seed=2).game.is_over()
        wait_for_searches()  # the game is over
    assert pondered
    assert repr(player) == "EnginePlayer(params='uct', simulations=20, ponder=True)"


def test_players_with_other_parameters_have_other_names():
    one, other = (EnginePlayer(SearchParams.preset("uct", exploration=c), simulations=5) for c in (0.5, 0.6))
    assert repr(one) == f"EnginePlayer(params={SearchParams.preset('uct', exploration=0.5)!r}, simulations=5)"
    assert repr(one) != repr(other)


def test_a_player_is_copied_for_games_that_are_played_at_the_same_time():
    found = play_tournament([EnginePlayer("uct", simulations=50), "random"], games=40, rules=SMALL.rules, seed=1)
    assert [game.reason for game in found.games if game.end == "forfeit"] == []


def test_a_seed_stays_as_it_is():
    seed = np.random.SeedSequence(3)
    first, second = (play_game("random", "random", start=SMALL, seed=seed).moves for _ in range(2))
    assert first == second


def test_pondering_ends_with_a_game_that_fails():
    player = EnginePlayer(SearchParams.preset("uct"), simulations=20, ponder=True)
    with pytest.raises(IllegalMoveError):
        play_game(player, lambda board: 9)
    wait_for_searches()


def test_a_player_keeps_its_clock_and_gets_a_new_one_for_each_game():
    player = EnginePlayer(SearchParams.preset("uct"), clock=(0.5, 0.01))
    assert repr(player) == "EnginePlayer(params='uct', clock=(0.5, 0.01))"
    for seed in range(2):
        moves = (len(play_game(player, RandomPlayer(), start=SMALL, seed=seed).moves) + 1) // 2
        assert player.remaining < 0.5 + 0.01 * moves
    player.begin(np.random.SeedSequence(1))
    assert player.remaining == 0.5
    player.remaining = -1.0
    assert player.choose(Board()) in range(7), "a player without time still moves"


def test_a_clock_may_be_combined_with_limits():
    player = EnginePlayer(clock=(60, 1), simulations=10)
    player.begin(np.random.SeedSequence(1))
    player.choose(Board())
    assert player.last.simulations == 10
    assert EnginePlayer(simulations=10).remaining is None


test_bad_arguments = refused(
    (lambda: EnginePlayer(clock=(0, 1)), ValueError, "clock: remaining"),
    (lambda: EnginePlayer(clock=(60, 1), simulations=0), ValueError, "simulations"),
    (lambda: EnginePlayer(simulations=1, ponder=1), TypeError, "ponder"),
    (lambda: EnginePlayer("report-random", simulations=1, ponder=True), ValueError, "opponent"),
    (lambda: PerfectPlayer(on_progress=3), TypeError, "on_progress"),
)


@pytest.mark.filterwarnings("error")
def test_the_perfect_player_does_not_warn_of_what_is_quick():
    for text, rules in (("", Rules()), ("4368218544887343771822141458878755", Rules(8, 8))):
        PerfectPlayer().choose(Board.from_pons(text, rules))


def test_a_long_perfect_move_can_be_ended():
    def stop():
        raise KeyError("enough")

    with (
        pytest.warns(RuntimeWarning, match="can take hours on 9x7x4 with 63 empty cells"),
        pytest.raises(KeyError, match="enough"),
    ):
        PerfectPlayer(on_progress=stop).choose(Board(Rules(9, 7)))


def test_results_are_those_of_one_game_also_without_a_beginning():
    player = EnginePlayer(simulations=5)
    for pons in ("", "44", "4444", "44", "1212"):
        player.choose(Board.from_pons(pons))
    assert [result.board.ply for result in player.results] == [0, 2, 4]
    assert player.last.board == Board.from_pons("1212")
    player.begin(np.random.SeedSequence(1))
    assert player.results == []


def test_a_search_keeps_its_tree_during_a_game():
    player = GameSearchPlayer(UCT, simulations=100)
    player.begin(np.random.SeedSequence(4))
    search = GameSearch(TicTacToe(), UCT, seed=np.random.SeedSequence(4))
    game = TicTacToe()
    for _ in range(2):
        expected = search.search(simulations=100)
        assert player.choose(game) == expected.move
        assert player.last.moves == expected.moves
        for move in (expected.move, next(move for move in game.legal_moves if move != expected.move)):
            game.push(move)
            player.played(move)
            search.advance(move)
    assert sum(move.visits for move in player.last.moves) > 100


def test_a_search_that_is_not_told_the_moves_searches_the_game_that_it_is_shown():
    player = GameSearchPlayer(UCT, simulations=200)
    player.begin(np.random.SeedSequence(4))
    player.choose(TicTacToe())
    assert player.choose(TicTacToe([0, 3, 1, 4])) == 2, "not the root of the tree that it has"

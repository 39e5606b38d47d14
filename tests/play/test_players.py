"""Players and matches."""

import threading
import time

import numpy as np
import pytest
from signals import searches_end

from c4mcts import Board, GameOverError, IllegalMoveError, Rules, SearchParams, solve
from c4mcts.play import (
    EnginePlayer,
    HumanPlayer,
    MatchResult,
    PerfectPlayer,
    Player,
    RandomPlayer,
    play_game,
    play_match,
)

SMALL = Board(Rules(5, 4, 4))


class Script:
    """Plays given columns, legal or not."""

    def __init__(self, *columns):
        self.columns = columns

    def begin(self, seed):
        self.left = list(self.columns)

    def choose(self, board):
        return self.left.pop(0)

    def __repr__(self):
        return "Script()"


@pytest.mark.parametrize(
    "player", [RandomPlayer(), EnginePlayer(simulations=20), PerfectPlayer(), HumanPlayer(input), Script()], ids=repr
)
def test_all_are_players(player):
    assert isinstance(player, Player)


def test_a_game_ends_and_can_be_had_again():
    players = RandomPlayer(), EnginePlayer(simulations=30)
    end = play_game(*players, seed=3)
    assert end.game.is_over()
    assert end.game.moves == end.moves
    assert play_game(*players, seed=3) == end
    assert {play_game(*players, seed=seed).moves for seed in range(5)} != {end.moves}


def test_a_game_goes_on_from_where_it_starts():
    start = Board.from_pons("4444")
    end = play_game(RandomPlayer(), RandomPlayer(), start=start, seed=1)
    assert end.game.moves == (3, 3, 3, 3, *end.moves)
    assert start.ply == 4, "the caller's board stays"
    with pytest.raises(GameOverError, match="start"):
        play_game(RandomPlayer(), RandomPlayer(), start=end.game)


def test_sides_alternate_and_count():
    quick, slow = Script(0, 0, 0, 0), Script(1, 1, 1, 1)
    match = play_match(quick, slow, games=3)
    assert (match.wins, match.draws, match.losses) == (2, 0, 1), "who moves first wins"
    assert match.score == pytest.approx(2 / 3)
    assert str(match) == "2 won, 0 drawn, 1 lost"
    assert [end.moves[0] for end in match.games] == [0, 1, 0]
    assert play_match(quick, slow, games=3, alternate=False).wins == 3


def test_matches_report_and_can_be_had_again():
    seen = []
    match = play_match(
        RandomPlayer(), EnginePlayer(SearchParams.preset("uct"), simulations=50), games=4, seed=9, on_game=seen.append
    )
    assert [len(each.games) for each in seen] == [1, 2, 3, 4]
    assert seen[-1] == match
    again = play_match(RandomPlayer(), EnginePlayer(SearchParams.preset("uct"), simulations=50), games=4, seed=9)
    assert again.games == match.games
    assert isinstance(again, MatchResult)


@pytest.mark.parametrize("games", [0, -1, 1.5, "2", None, True])
def test_bad_numbers_of_games(games):
    with pytest.raises((TypeError, ValueError), match="games"):
        play_match(RandomPlayer(), RandomPlayer(), games=games)


@pytest.mark.parametrize("column", [7, -1, None, "3", 2.5])
def test_an_illegal_choice_names_the_player(column):
    with pytest.raises(IllegalMoveError, match=r"Script\(\) chose"):
        play_game(Script(column), RandomPlayer())


def test_a_player_cannot_change_the_board():
    class Cheat(RandomPlayer):
        def choose(self, board):
            column = board.legal_columns[0]
            board.push(column)
            return column

    assert play_game(Cheat(), RandomPlayer(), seed=1).game.is_over()


def test_engine_player_checks_its_limits_at_once():
    with pytest.raises(ValueError, match="limit"):
        EnginePlayer()
    with pytest.raises(ValueError, match="simulations"):
        EnginePlayer(simulations=0)
    player = EnginePlayer(simulations=10)
    player.begin(np.random.SeedSequence(1))
    assert player.last is None
    assert player.choose(Board()) == player.last.column


def test_a_player_ponders_while_the_opponent_thinks():
    class Slow(RandomPlayer):
        def choose(self, board):
            nonlocal pondered
            time.sleep(0.02)
            pondered += any(thread.name == "c4mcts" for thread in threading.enumerate())
            return super().choose(board)

    pondered = 0
    player = EnginePlayer(SearchParams.preset("uct"), simulations=20, ponder=True)
    for opponent in (Slow(), RandomPlayer()):
        assert play_game(player, opponent, start=SMALL, seed=2).game.is_over()
        assert searches_end(), "the game is over"
    assert pondered > 2
    assert repr(player) == "EnginePlayer(simulations=20, ponder=True)"


def test_pondering_ends_with_a_game_that_fails():
    player = EnginePlayer(SearchParams.preset("uct"), simulations=20, ponder=True)
    with pytest.raises(IllegalMoveError):
        play_game(player, Script(9))
    assert searches_end()


def test_a_player_keeps_its_clock_and_gets_a_new_one_for_each_game():
    player = EnginePlayer(SearchParams.preset("uct"), clock=(0.5, 0.01))
    assert repr(player) == "EnginePlayer(clock=(0.5, 0.01))"
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
    with pytest.raises(ValueError, match="clock: remaining"):
        EnginePlayer(clock=(0, 1))
    with pytest.raises(ValueError, match="simulations"):
        EnginePlayer(clock=(60, 1), simulations=0)


def test_who_cannot_ponder_is_refused_at_once():
    with pytest.raises(TypeError, match="ponder"):
        EnginePlayer(simulations=1, ponder=1)
    with pytest.raises(ValueError, match="opponent"):
        EnginePlayer(SearchParams.preset("report-random"), simulations=1, ponder=True)


def test_the_perfect_player_keeps_the_score():
    board = SMALL.copy()
    player = PerfectPlayer()
    player.begin(np.random.SeedSequence(2))
    score = solve(board).score
    while not board.is_over():
        assert solve(board).score == score
        board.push(player.choose(board))
        score = -score


def test_a_long_perfect_move_can_be_ended():
    def stop():
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        PerfectPlayer(on_progress=stop).choose(Board(Rules(9, 7)))
    with pytest.raises(TypeError, match="on_progress"):
        PerfectPlayer(on_progress=3)


def test_the_perfect_player_never_loses_a_drawn_board():
    match = play_match(PerfectPlayer(), RandomPlayer(), games=10, start=SMALL, seed=1)
    assert match.losses == 0
    assert match.wins > 5


def test_a_person_is_asked_until_the_answer_is_a_column():
    answers, told = iter(["x", "9", "", None, "0", " 2 "]), []
    player = HumanPlayer(lambda board: next(answers), told.append)
    assert player.choose(Board.from_moves([0] * 6)) == 2
    assert len(told) == 5
    assert "'x' is not a column" in told[0]


def test_results_are_those_of_one_game_also_without_a_beginning():
    player = EnginePlayer(simulations=5)
    for pons in ("", "44", "4444", "44", "1212"):
        player.choose(Board.from_pons(pons))
    assert [result.board.ply for result in player.results] == [0, 2, 4]
    assert player.last.board == Board.from_pons("1212")
    player.begin(np.random.SeedSequence(1))
    assert player.results == []

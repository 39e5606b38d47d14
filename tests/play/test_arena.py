"""Games and matches from a Board or another Game: who plays which side, what players are told, what is refused."""

import pytest
from refusals import refused

from c4mcts import Board, GameOverError, IllegalMoveError, NotationError, Rules, SearchParams
from c4mcts.games import TicTacToe
from c4mcts.play import EnginePlayer, GameSearchPlayer, MatchResult, RandomPlayer, play_game, play_match


def first_cell(game):
    return game.legal_moves[0]


def choose_9(game):
    return 9


class Recorder(RandomPlayer):
    """Notes what it is asked and told."""

    def __init__(self):
        super().__init__()
        self.asked, self.told = [], []

    def choose(self, game):
        self.asked.append(str(game))
        game.push(game.legal_moves[0])  # on its copy
        return super().choose(TicTacToe(self.told))

    def played(self, move):
        self.told.append(move)


def test_the_players_have_the_sides_of_the_game():
    """The first player is player 0, also if player 1 is to move at the start."""
    end = play_game(first_cell, lambda game: game.legal_moves[-1], start=TicTacToe([8]))
    assert end.moves[:2] == (7, 0)


def test_a_player_is_told_all_moves_and_gets_copies():
    recorder = Recorder()
    start = TicTacToe([4])
    recorder.told = [4]
    end = play_game(first_cell, recorder, start=start, seed=3)
    assert recorder.told == [4, *end.moves]
    assert recorder.asked[0] == str(start)
    assert str(start) == str(TicTacToe([4]))
    recorder.told = []
    assert list(play_game(recorder, recorder, start=TicTacToe(), seed=3).moves) == recorder.told, "once"


def test_a_match_counts_for_its_first_player():
    match = play_match(first_cell, lambda game: game.legal_moves[-1], start=TicTacToe(), games=4)
    assert (match.wins, match.draws, match.losses) == (2, 0, 2), "who moves first gets the first three in a row"
    assert [end.moves[0] for end in match.games] == [0, 8, 0, 8]
    assert [end.game.result(i % 2) for i, end in enumerate(match.games)] == [1, -1, 1, -1]
    assert match.score == 0.5
    assert str(match) == "2 won, 0 drawn, 2 lost"
    always = play_match(first_cell, lambda game: game.legal_moves[-1], start=TicTacToe(), games=2, alternate=False)
    assert always.wins == 2


def test_the_player_moves_first_at_the_start_whoever_is_to_move():
    for start in (Board(Rules(4, 4, 3)), Board.from_moves([0], Rules(4, 4, 3))):
        match = play_match(first_cell, lambda game: game.legal_moves[-1], start=start, games=2)
        assert [end.moves[0] for end in match.games] == [0, 3]


def test_a_game_goes_on_from_where_it_starts():
    start = Board.from_pons("4444")
    end = play_game(RandomPlayer(), RandomPlayer(), start=start, seed=1)
    assert end.game.moves == (3, 3, 3, 3, *end.moves)
    assert start.ply == 4, "the caller's board stays"
    with pytest.raises(GameOverError, match="start"):
        play_game(RandomPlayer(), RandomPlayer(), start=end.game)


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


test_bad_input_is_named = refused(
    (lambda: play_game(first_cell, first_cell, start="4x"), NotationError, "start: character 2, 'x', is not"),
    (
        lambda: play_game(choose_9, first_cell, start=TicTacToe()),
        IllegalMoveError,
        "<function choose_9 .* chose 9: cell 9",
    ),
    (lambda: play_game(lambda game: 2.0, first_cell), IllegalMoveError, "chose 2.0: column must be an integer"),
    (lambda: GameSearchPlayer(), ValueError, "limit"),
    (lambda: GameSearchPlayer(selection=3, simulations=5), TypeError, "selection must be callable, not 3"),
)

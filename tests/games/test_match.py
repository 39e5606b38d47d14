"""Games and matches of any Game: who plays which side, what players are told, what is refused."""

import numpy as np
import pytest
from connect_game import ConnectGame

from c4mcts import Board, GameOverError, IllegalMoveError, Rules, SearchParams, UctParams
from c4mcts.games.game_search import GameSearch
from c4mcts.games.match import GameSearchPlayer, RandomGamePlayer, play_game, play_match
from c4mcts.games.tictactoe import TicTacToe

UCT = SearchParams.preset("uct")


def first_cell(game):
    return game.legal_moves()[0]


class Recorder(RandomGamePlayer):
    """Notes what it is asked and told."""

    def __init__(self):
        super().__init__()
        self.asked, self.told = [], []

    def choose(self, game):
        self.asked.append(str(game))
        game.play(game.legal_moves()[0])  # on its copy
        return super().choose(TicTacToe(self.told))

    def played(self, move):
        self.told.append(move)


def test_functions_play():
    end = play_game(TicTacToe(), first_cell, first_cell)
    assert end.moves == (0, 1, 2, 3, 4, 5, 6)
    assert end.game.result(0) == 1
    assert str(end.game) == str(TicTacToe(end.moves))


def test_the_players_have_the_sides_of_the_game():
    """The first player is player 0, also if player 1 is to move at the start."""
    end = play_game(TicTacToe([8]), first_cell, lambda game: game.legal_moves()[-1])
    assert end.moves[:2] == (7, 0)


def test_a_player_is_told_all_moves_and_gets_copies():
    recorder = Recorder()
    start = TicTacToe([4])
    recorder.told = [4]
    end = play_game(start, first_cell, recorder, seed=3)
    assert recorder.told == [4, *end.moves]
    assert recorder.asked[0] == str(start)
    assert str(start) == str(TicTacToe([4]))


def test_a_match_counts_for_its_first_player():
    match = play_match(TicTacToe(), first_cell, lambda game: game.legal_moves()[-1], games=4)
    assert (match.wins, match.draws, match.losses) == (2, 0, 2), "who moves first gets the first three in a row"
    assert [end.moves[0] for end in match.games] == [0, 8, 0, 8]
    assert [end.game.result(i % 2) for i, end in enumerate(match.games)] == [1, -1, 1, -1]
    assert match.score == 0.5
    assert str(match) == "2 won, 0 drawn, 2 lost"
    always = play_match(TicTacToe(), first_cell, lambda game: game.legal_moves()[-1], games=2, alternate=False)
    assert always.wins == 2


def test_a_search_beats_chance_and_draws_against_itself():
    strong = GameSearchPlayer(simulations=400)
    match = play_match(TicTacToe(), strong, RandomGamePlayer(), games=6, seed=1)
    assert match.losses == 0
    assert match.wins >= 4
    even = play_match(TicTacToe(), strong, GameSearchPlayer(simulations=800), games=2, seed=1)
    assert even.draws == 2


def test_the_seed_decides():
    players = GameSearchPlayer(UCT, simulations=20), RandomGamePlayer()
    one, two, other = (play_match(TicTacToe(), *players, games=3, seed=seed).games for seed in (5, 5, 6))
    assert [end.moves for end in one] == [end.moves for end in two] != [end.moves for end in other]


def test_a_search_keeps_its_tree_during_a_game():
    player = GameSearchPlayer(UCT, simulations=100)
    player.begin(np.random.SeedSequence(4))
    search = GameSearch(TicTacToe(), UCT, seed=np.random.SeedSequence(4))
    game = TicTacToe()
    for _ in range(2):
        expected = search.search(simulations=100)
        assert player.choose(game) == expected.move
        assert player.last.moves == expected.moves
        for move in (expected.move, next(move for move in game.legal_moves() if move != expected.move)):
            game.play(move)
            player.played(move)
            search.advance(move)
    assert sum(move.visits for move in player.last.moves) > 100


def test_a_selection_of_ones_own_holds_for_the_whole_game():
    asked = []

    def selection(visits, children):
        asked.append(visits)
        return [-n for n, _ in children]

    player = GameSearchPlayer(UCT, selection=selection, simulations=9)
    player.begin(np.random.SeedSequence(1))
    player.choose(TicTacToe())
    player.played(4)
    player.played(0)
    asked.clear()
    player.choose(TicTacToe([4, 0]))
    assert asked
    assert {move.visits for move in player.last.moves} <= {1, 2, 3}, "evenly, as the selection says"


def test_connect_4_as_a_game():
    match = play_match(
        ConnectGame(Board(Rules(4, 4, 3))), GameSearchPlayer(simulations=300), RandomGamePlayer(), games=4, seed=1
    )
    assert match.wins >= 3


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: play_game(TicTacToe([0, 3, 1, 4, 2]), first_cell, first_cell),
            GameOverError,
            "start: the game is over",
        ),
        (lambda: play_game(Board(), first_cell, first_cell), TypeError, "game must be a Game, but Board has no"),
        (
            lambda: play_game(TicTacToe(), "me", first_cell),
            TypeError,
            "first must be a GamePlayer or a function, not 'me'",
        ),
        (lambda: play_game(TicTacToe(), first_cell, RandomGamePlayer), TypeError, "second must be a GamePlayer or a"),
        (lambda: play_game(TicTacToe(), lambda game: 9, first_cell), IllegalMoveError, "chose 9, which is not a legal"),
        (lambda: play_game(TicTacToe(), lambda game: [0], first_cell), IllegalMoveError, r"chose \[0\], which is not"),
        (lambda: play_match(TicTacToe(), first_cell, first_cell, games=0), ValueError, "games must be at least 1"),
        (lambda: play_match(TicTacToe(), first_cell, first_cell, games=1, alternate=1), TypeError, "alternate must be"),
        (lambda: GameSearchPlayer(), ValueError, "limit"),
        (lambda: GameSearchPlayer(UctParams(), simulations=5), ValueError, "rollout='safe' is for a Board only"),
        (lambda: GameSearchPlayer(selection=3, simulations=5), TypeError, "selection must be callable, not 3"),
    ],
)
def test_bad_input_is_named(call, error, words):
    with pytest.raises(error, match=words):
        call()

"""Boards, players and bots in OpenSpiel, checked by OpenSpiel itself."""

from functools import partial
from random import Random

import numpy as np
import pytest
from foreign import foreign
from random_boards import random_game
from refusals import refused

from c4mcts import Board, GameOverError, IllegalMoveError, NotationError, Rules
from c4mcts.play import EnginePlayer, RandomPlayer, play_game, play_match

pyspiel = foreign("pyspiel")
openspiel = foreign("pyspiel", "c4mcts.adapters.openspiel")
evaluate_bots = foreign("pyspiel", "open_spiel.python.algorithms.evaluate_bots").evaluate_bots

GAME = pyspiel.load_game("connect_four")


@pytest.mark.parametrize("rules", [Rules(), Rules(5, 4, 3), Rules(20, 14, 5)], ids=str)
def test_boards_and_states_agree(rules):
    for seed in range(3):
        for plies in (0, 5, 10**4):
            board = random_game(rules, Random(seed), plies)
            state = openspiel.state_of(board)
            assert state.legal_actions() == board.legal_columns
            assert state.is_terminal() == board.is_over()
            outcome = board.outcome()
            if outcome is not None and outcome.winner is not None:
                assert state.returns()[outcome.winner] == 1
            again = openspiel.board_of(state)
            assert (again, again.moves) == (board, board.moves)
            assert Board.parse(str(state), rules) == board


def test_boards_without_moves():
    for seed in range(5):
        for plies in (4, 11, 42):
            board = Board.from_array(random_game(Rules(), Random(seed), plies).to_array())
            state = openspiel.state_of(board)
            assert openspiel.board_of(state) == board
            assert state.is_terminal() == board.is_over()
            if not board.is_over():
                state.apply_action(board.legal_columns[0])
                board.push(board.legal_columns[0])
                assert openspiel.board_of(state) == board


def test_a_text_is_a_board():
    assert str(openspiel.state_of("44")) == str(openspiel.state_of(Board.from_pons("44")))


OVER, TIC_TAC_TOE = openspiel.state_of("1212121"), pyspiel.load_game("tic_tac_toe").new_initial_state()
boards_of = partial(openspiel.boards_of, egocentric=False)
test_what_is_refused = refused(
    (lambda: openspiel.board_of("x......"), NotationError, "state must be a state of OpenSpiel's connect_four"),
    (lambda: openspiel.board_of(TIC_TAC_TOE), NotationError, "'tic_tac_toe'"),
    (lambda: openspiel.board_of(OVER, Rules(5, 4, 3)), NotationError, "the state has the rules 7x6x4, not 5x4x3"),
    (lambda: openspiel.state_of(Board(Rules(diagonals=False))), NotationError, "diagonals"),
    (lambda: boards_of([np.zeros((2, 6, 7))]), NotationError, r"the tensor must be .* of the shape \(3, 6, 7\)"),
    (lambda: boards_of([["x"] * 126]), NotationError, "the tensor must be an array of 0 and 1"),
    (lambda: boards_of([np.ones(126)]), NotationError, "1 in one of its three planes"),
    (lambda: boards_of([np.repeat([0, 1, 0], 42)]), NotationError, "discs"),  # of one player
    (lambda: openspiel.PlayerBot(RandomPlayer()).step(OVER), GameOverError, "state"),
    (lambda: openspiel.PlayerBot(None), TypeError, "player"),
    (lambda: openspiel.named_bot("mcts", Rules()).choose("1212121"), GameOverError, "board: the game is over"),
)


@pytest.mark.parametrize("rules", [Rules(), Rules(5, 4, 3)], ids=str)
@pytest.mark.parametrize("egocentric", [False, True])
def test_tensors_of_both_layouts_are_read(rules, egocentric):
    """From OpenSpiel 1.6.11 on: its default until then is egocentric_obs_tensor=true."""
    sizes = {"columns": rules.width, "rows": rules.height, "x_in_row": rules.connect}
    game = pyspiel.load_game("connect_four", {**sizes, "egocentric_obs_tensor": egocentric})
    for seed in range(3):
        for plies in (0, 1, 6, 11, 10**4):
            board, state = random_game(rules, Random(seed), plies), game.new_initial_state()
            for column in board.moves:
                state.apply_action(column)
            tensor = state.observation_tensor(board.turn)
            shaped = np.reshape(tensor, state.get_game().observation_tensor_shape())
            assert openspiel.boards_of([tensor, shaped], rules, egocentric=egocentric) == [board] * 2


def test_the_layout_before_1_6_11():
    """Made with OpenSpiel 1.6.9: the moves 0, 0, 3 and 0, 0, 3, 6 as the player to move sees them."""
    three, four = np.zeros((2, 3, 6, 7))
    for tensor, discs in ((three, ([(0, 0), (0, 3)], [(1, 0)])), (four, ([(1, 0), (0, 6)], [(0, 0), (0, 3)]))):
        for plane, cells in zip(tensor, discs, strict=False):
            plane[tuple(np.transpose(cells))] = 1
        tensor[2] = 1 - tensor[:2].sum(axis=0)
    boards = openspiel.boards_of([three, four.ravel()], egocentric=True)
    assert boards == [Board.from_moves(moves) for moves in ([0, 0, 3], [0, 0, 3, 6])]


def test_a_player_in_the_arena_of_openspiel():
    engine = openspiel.PlayerBot(EnginePlayer(simulations=100), seed=1)
    for seed in range(2):
        other = pyspiel.make_uniform_random_bot(1, seed)
        assert evaluate_bots(GAME.new_initial_state(), [engine, other], np.random.default_rng(1)) == [1, -1]
        other = pyspiel.make_uniform_random_bot(0, seed)
        assert evaluate_bots(GAME.new_initial_state(), [other, engine], np.random.default_rng(1)) == [-1, 1]
    small = pyspiel.load_game("connect_four(rows=4,columns=5,x_in_row=3)")
    assert evaluate_bots(small.new_initial_state(), [engine, engine], np.random.default_rng(1)) == [1, -1]


def test_a_seed_repeats_moves():
    state = openspiel.state_of(Board.from_pons("1212"))
    first, again = (openspiel.PlayerBot(RandomPlayer(), seed=5) for _ in range(2))
    assert [first.step(state) for _ in range(5)] == [again.step(state) for _ in range(5)]


class Recorder(pyspiel.Bot):
    """Plays the first legal column, and notes what it is told."""

    def __init__(self):
        pyspiel.Bot.__init__(self)
        self.told = []

    def restart(self):
        self.told.append("restart")

    def restart_at(self, state):
        self.told.append(f"restart_at {state.to_string().count('x')}")

    def inform_action(self, state, player, action):
        assert state.current_player() == player
        self.told.append((player, action))

    def step(self, state):
        self.told.append("step")
        return state.legal_actions()[0]


class Script(RandomPlayer):
    def choose(self, board):
        return 6 - board.ply // 2


def test_a_bot_is_told_of_all_moves():
    bot = Recorder()
    end = play_game(Script(), openspiel.BotPlayer(bot))
    assert end.moves == (6, 0, 5, 0, 4, 0, 3)
    assert bot.told == ["restart", (0, 6), "step", (0, 5), "step", (0, 4), "step"]
    bot.told.clear()
    play_game(openspiel.BotPlayer(bot), RandomPlayer(), start=Board.from_pons("4433"))
    assert bot.told[:6] == ["restart", (0, 3), (1, 3), (0, 2), (1, 2), "step"]


def test_a_bot_on_a_board_that_was_set_up():
    bot, player = Recorder(), RandomPlayer()
    end = play_game(openspiel.BotPlayer(bot), player, start=Board.from_array(Board.from_pons("4433").to_array()))
    assert bot.told[:3] == ["restart", "restart_at 2", "step"]
    assert end.game.is_over()


def test_bots_made_for_each_game():
    def mcts(player, seed):
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        return pyspiel.MCTSBot(GAME, evaluator, 2.0, 100, 100, True, seed, False)

    player = openspiel.BotPlayer(mcts)
    match = play_match(player, RandomPlayer(), games=6, seed=1)
    assert match.wins >= 5
    again = play_match(player, RandomPlayer(), games=6, seed=1)
    assert again.games == match.games
    assert player.__getstate__()["_bot"] is None, "it can be pickled after a game, if the function can be"


@pytest.mark.parametrize("column", [-1, 6, None])
def test_an_illegal_step_is_an_error_of_the_arena(column):
    class Broken(Recorder):
        def step(self, state):
            return column

    start = Board.from_moves([6] * 6)
    with pytest.raises(IllegalMoveError, match="BotPlayer"):
        play_game(openspiel.BotPlayer(Broken()), RandomPlayer(), start=start)

"""The Gymnasium environment, checked by Gymnasium itself."""

import threading

import numpy as np
import pytest
from foreign import foreign

from c4mcts import Board, GameOverError, Rules
from c4mcts.adapters.kaggle import KagglePlayer
from c4mcts.board.positions import planes_of
from c4mcts.play import EnginePlayer, GameSearchPlayer, RandomPlayer

gymnasium = foreign("gymnasium")
ConnectFourEnv = foreign("gymnasium", "c4mcts.adapters.gymnasium").ConnectFourEnv
check_env = foreign("gymnasium", "gymnasium.utils.env_checker").check_env


@pytest.mark.parametrize(("rules", "seat"), [(None, None), (Rules(5, 4, 3), 0), (Rules(20, 14, 5), 1)], ids=str)
def test_gymnasium_accepts_it(rules, seat):
    for opponent in (None, EnginePlayer(simulations=10)):
        made = gymnasium.make("c4mcts/ConnectFour-v0", opponent=opponent, rules=rules, seat=seat)
        assert isinstance(made.unwrapped, ConnectFourEnv)
        check_env(made.unwrapped)


def play(env, generator, seed=None):
    """Observations, and the reward of a game of random legal moves."""
    observation, info = env.reset(seed=seed)
    seen, over = [observation], False
    while not over:
        column = generator.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, over, truncated, info = env.step(column)
        seen.append(observation)
        assert observation in env.observation_space
        assert env.action_masks().tolist() == info["action_mask"].astype(bool).tolist()
        assert not truncated
        assert reward == 0 or over
    return seen, reward


def test_rewards_are_those_of_the_agent():
    env, generator = ConnectFourEnv(), np.random.default_rng(1)
    rewards = set()
    for seed in range(40):
        seen, reward = play(env, generator, seed)
        outcome = env.board.outcome()
        agent = int(seen[0].any())  # the opponent has moved first
        assert reward == (0 if outcome.winner is None else 1 if outcome.winner == agent else -1)
        rewards.add((agent, reward))
    assert rewards >= {(0, 1), (0, -1), (1, 1), (1, -1)}


def test_observations_are_the_planes_of_evaluators():
    env = ConnectFourEnv(seat=1)
    observation, info = env.reset(seed=3)
    assert np.array_equal(observation, planes_of([env.board])[0])
    assert observation.dtype == np.int8
    assert observation[1, 5].sum() == 1, "the opponent's first disc lies in row 5, the bottom"
    env.step(0)
    assert env.board.to_array()[5, 0] == 2 or env.board.to_array()[4, 0] == 2
    assert info["action_mask"].tolist() == [1] * 7


def test_a_seed_repeats_a_game():
    env = ConnectFourEnv(RandomPlayer())
    games = [play(env, np.random.default_rng(1), seed=seed)[0] for seed in (7, 7, 8)]
    assert all(map(np.array_equal, games[0], games[1]))
    assert len(games[0]) != len(games[2]) or not all(map(np.array_equal, games[0], games[2]))


OPPONENTS = {
    "engine": lambda agent: EnginePlayer(simulations=20),
    "search of any game": lambda agent: GameSearchPlayer(simulations=20),
    "random": lambda agent: RandomPlayer(),
    "agent of Kaggle": KagglePlayer,
    "function": lambda agent: lambda board: board.legal_columns[-1],
    "function that makes a player": lambda agent: RandomPlayer,
    "text": lambda agent: "uct@20",
}


def steps_alone(opponent, seed, number):
    """Observations and rewards of steps of one environment, which begins the next game by itself, as in a vector."""
    env, generator, over = gymnasium.make("c4mcts/ConnectFour-v0", opponent=opponent), np.random.default_rng(seed), True
    for step in range(number):
        if over:
            (observation, _), reward, over = env.reset(seed=None if step else seed), 0, False
        else:
            observation, reward, over, _, _ = env.step(generator.choice(np.flatnonzero(observation[:, 0].sum(0) == 0)))
        yield observation.tolist(), reward


@pytest.mark.parametrize(
    ("kind", "mode"),
    [*((kind, "sync") for kind in OPPONENTS), *((kind, "async") for kind in ("engine", "agent of Kaggle", "function"))],
)
def test_a_game_in_a_vector_is_that_of_an_environment_alone(kind, mode, counting_agent):
    opponent = OPPONENTS[kind](counting_agent)
    alone = [list(steps_alone(opponent, seed, 25)) for seed in (7, 8, 9)]
    many = gymnasium.make_vec("c4mcts/ConnectFour-v0", 3, vectorization_mode=mode, opponent=opponent)
    generators, over = [np.random.default_rng(seed) for seed in (7, 8, 9)], [False] * 3
    observations, rewards = many.reset(seed=7)[0], [0] * 3
    for step in range(25):
        assert list(zip(observations.tolist(), rewards, strict=True)) == [steps[step] for steps in alone]
        actions = [
            0 if ended else generator.choice(np.flatnonzero(observation[:, 0].sum(0) == 0))
            for generator, observation, ended in zip(generators, observations, over, strict=True)
        ]
        observations, rewards, over, _, _ = many.step(actions)
    many.close()


def test_a_player_that_can_not_be_copied_is_made_by_a_function():
    class Locked(RandomPlayer):
        def __init__(self):
            super().__init__()
            self.lock = threading.Lock()

    with pytest.raises(TypeError, match=r"^opponent must be a function that makes the player, .*copied.*: .*lock"):
        ConnectFourEnv(Locked())
    ConnectFourEnv(Locked).reset(seed=1)


def test_a_full_column_loses():
    class Follower(RandomPlayer):
        """Answers in the same column."""

        def choose(self, board):
            return board.moves[-1]

    env = ConnectFourEnv(Follower(), rules=Rules(2, 2, 4), seat=0)
    env.reset(seed=1)
    env.step(0)
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["illegal_move"]) == (-1, True, True)
    with pytest.raises(GameOverError, match="reset"):
        env.step(1)


def test_bad_calls():
    env = ConnectFourEnv()
    with pytest.raises(GameOverError, match="reset"):
        env.step(0)
    env.reset(seed=1)
    for action, error in ((7, ValueError), (-1, ValueError), (1.5, TypeError)):
        with pytest.raises(error, match="action must be"):
            env.step(action)
    for arguments in ({"opponent": 1}, {"rules": 1}, {"seat": 2}, {"render_mode": "human"}):
        with pytest.raises((TypeError, ValueError), match=next(iter(arguments))):
            ConnectFourEnv(**arguments)


def test_an_opponent_that_fails_does_not_leave_its_move_to_the_agent():
    class Failing(RandomPlayer):
        fails = False

        def choose(self, board):
            if self.fails:
                raise LookupError
            return super().choose(board)

    env = ConnectFourEnv(Failing(), seat=1)
    env.reset(seed=1)
    before = env.board
    Failing.fails = True
    with pytest.raises(LookupError):
        env.step(0)
    assert env.board == before
    with pytest.raises(LookupError):
        env.reset(seed=1)
    with pytest.raises(GameOverError, match="reset"):
        env.step(0)


def test_render():
    env = ConnectFourEnv(render_mode="ansi", seat=0)
    env.reset(seed=1)
    assert env.render() == str(Board())
    assert ConnectFourEnv().render() is None
    shown = ConnectFourEnv(render_mode="rgb_array", seat=0)
    shown.reset(seed=1)
    before = shown.render()
    shown.step(3)
    assert (before.shape, before.dtype, (before != shown.render()).any()) == ((308, 356, 3), np.uint8, True)

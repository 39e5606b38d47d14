"""The PettingZoo environment and policies, checked by PettingZoo itself."""

from itertools import zip_longest

import numpy as np
import pytest
from foreign import foreign

from c4mcts import GameOverError, IllegalMoveError, NotationError, Rules
from c4mcts.play import EnginePlayer, RandomPlayer

pettingzoo = foreign("pettingzoo")
adapter = foreign("pettingzoo", "c4mcts.adapters.pettingzoo")
api_test = foreign("pettingzoo", "pettingzoo.test").api_test
seed_test = foreign("pettingzoo", "pettingzoo.test").seed_test


def connect_four_v3():
    foreign("pygame")
    return pettingzoo.make("aec", "classic/connect_four-v3")


@pytest.mark.filterwarnings("ignore:Observation")  # a dict, and all zeros: api_test excuses connect_four_v3 by its name
@pytest.mark.parametrize("rules", [None, Rules(20, 14, 5)], ids=str)
def test_pettingzoo_accepts_it(rules, capsys):
    api_test(adapter.ConnectFourAECEnv(rules), num_cycles=60)
    seed_test(lambda: adapter.ConnectFourAECEnv(rules), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out


def test_it_is_like_the_one_of_pettingzoo():
    theirs, ours = connect_four_v3(), adapter.ConnectFourAECEnv()
    assert ours.metadata["render_fps"] == theirs.metadata["render_fps"], "for videos"
    for agent in ours.possible_agents:
        assert ours.observation_space(agent) == theirs.observation_space(agent)
        assert ours.action_space(agent) == theirs.action_space(agent)
    for seed in range(4):
        generator = np.random.default_rng(seed)
        theirs.reset(seed=seed)
        ours.reset(seed=seed)
        for agent in theirs.agent_iter():
            assert ours.agent_selection == agent
            (seen, *rest), (seen_by_ours, *rest_of_ours) = theirs.last(), ours.last()
            assert rest == rest_of_ours, "reward, termination, truncation, info"
            assert np.array_equal(seen["observation"], seen_by_ours["observation"])
            assert {array.dtype for array in seen_by_ours.values()} == {np.dtype(np.int8)}
            mask = seen_by_ours["action_mask"]
            assert np.array_equal(mask, seen["action_mask"] if not rest[1] else np.zeros(7))
            action = None if rest[1] else int(generator.choice(np.flatnonzero(mask)))
            theirs.step(action)
            ours.step(action)
        assert ours.agents == []


def play(env, policies, seed=None):
    """The rewards of a game."""
    env.reset(seed=seed)
    rewards = {}
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        rewards[agent] = rewards.get(agent, 0) + reward
        env.step(None if termination or truncation else policies[agent](observation))
    return rewards


@pytest.mark.parametrize("rules", [None, Rules(5, 4, 3)], ids=str)
def test_policies_play(rules):
    env = connect_four_v3() if rules is None else adapter.ConnectFourAECEnv(rules)
    engine = adapter.Policy(EnginePlayer(simulations=100), rules, seed=1)
    random = adapter.Policy(RandomPlayer(), rules, seed=2)
    for _ in range(2):
        assert play(env, {"player_0": engine, "player_1": random}) == {"player_0": 1, "player_1": -1}
        assert play(env, {"player_0": random, "player_1": engine}) == {"player_0": -1, "player_1": 1}


def test_a_new_game_begins_with_a_seed_of_its_own():
    seeds = []

    class Noting(RandomPlayer):
        def begin(self, seed):
            seeds.append(seed.spawn_key)

    policy = adapter.Policy(Noting(), seed=1)
    for _ in range(3):
        play(adapter.ConnectFourAECEnv(), {"player_0": policy, "player_1": adapter.Policy(RandomPlayer())})
    assert seeds == [(0,), (1,), (2,)]


@pytest.mark.parametrize("player", [EnginePlayer(simulations=20), RandomPlayer()], ids=str)
def test_games_at_the_same_time_are_those_of_policies_alone(player):
    def columns(seed):
        env, policy = adapter.ConnectFourAECEnv(), adapter.Policy(player, seed=seed)
        while env.agents and not env.terminations[env.agent_selection]:
            column = policy(env.last()[0])
            yield column
            env.step(column)

    one_by_one = [list(columns(seed)) for seed in range(3)]
    assert list(zip_longest(*map(columns, range(3)))) == list(zip_longest(*one_by_one))


def test_bad_observations():
    policy, env = adapter.Policy(RandomPlayer()), adapter.ConnectFourAECEnv()
    env.reset()
    seen = env.observe("player_0")
    with pytest.raises(NotationError, match=r"shape \(6, 7, 2\)"):
        policy({**seen, "observation": np.zeros((5, 4, 2))})
    with pytest.raises(ValueError, match="all zero"):
        policy(env.observe("player_1"))
    with pytest.raises(TypeError, match="player"):
        adapter.Policy(None)
    for method in env.observe, env.observation_space, env.action_space:
        with pytest.raises(ValueError, match="agent must be one of 'player_0', 'player_1', not 'nobody'"):
            method("nobody")


def test_bad_actions_change_nothing():
    env = adapter.ConnectFourAECEnv(Rules(2, 2, 4))
    env.reset()
    env.step(0)
    env.step(0)
    for action, error in ((0, IllegalMoveError), (2, IllegalMoveError), (None, TypeError), (0.5, TypeError)):
        with pytest.raises(error, match=r"column must be|column 0 is full"):
            env.step(action)
    assert env.board.moves == (0, 0)
    env.step(1)
    env.step(1)
    for _ in env.possible_agents:
        env.step(None)
    for action in (None, 0):
        with pytest.raises(GameOverError, match="reset"):
            env.step(action)
    shown = adapter.ConnectFourAECEnv(render_mode="rgb_array")
    before = shown.render()
    shown.step(3)
    assert (before.shape, (shown.render() != before).any()) == ((308, 356, 3), True)
    with pytest.raises(ValueError, match="render_mode"):
        adapter.ConnectFourAECEnv(render_mode="human")

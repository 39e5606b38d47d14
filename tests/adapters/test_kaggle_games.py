"""Games on kaggle-environments."""

from foreign import run_apart

ONE_PROCESS = """
import kaggle_environments
from c4mcts import Board, Rules
from c4mcts.adapters.kaggle import KaggleAgent, KagglePlayer
from c4mcts.play import contestant, play_match

# Agents get what Kaggle passes.
seen = {}

def noting(name):
    def agent(observation, configuration):
        seen.setdefault(name, (observation, configuration))
        return 3
    return agent

kaggle_environments.make("connectx").run([noting("kaggle"), lambda observation: 2])
play_match(KagglePlayer(noting("ours")), KagglePlayer(lambda observation: 2), games=1)
for theirs, ours in zip(seen["kaggle"], seen["ours"], strict=True):
    assert {name: theirs[name] for name in ours} == ours, (theirs, ours)

# Kaggle's agents play in our arena.
assert play_match("kaggle:negamax", "random", games=2, seed=1, start=Board(Rules(5, 4, 3))).wins
matches = [play_match("kaggle:random", "random", games=2, seed=1) for _ in range(2)]
assert matches[0].games[0].moves == matches[1].games[0].moves
try:
    reason = contestant("kaggle:best")
except ValueError as error:
    reason = error
assert "kaggle must be one of 'random', 'negamax', not 'best'" in str(reason), reason

# Our agent plays in Kaggle's.
env = kaggle_environments.make("connectx", {"actTimeout": 0.05})
states = env.run([KaggleAgent(seed=1), "random"])[-1]
assert [state.status for state in states] == ["DONE", "DONE"]
assert [state.reward for state in states] == [1, -1]
"""


def test_agents_go_both_ways():
    run_apart("kaggle_environments", ONE_PROCESS)

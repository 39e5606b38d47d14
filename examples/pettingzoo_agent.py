"""An agent that learns to play against a player of c4mcts, in its PettingZoo environment: python pettingzoo_agent.py

It needs NumPy and the extra `pettingzoo` of c4mcts. It learns the values of the boards that it leaves to its opponent
by TD(0): R. Sutton, "Learning to predict by the methods of temporal differences", 1988.
"""

import numpy as np

from c4mcts.adapters.pettingzoo import ConnectFourAECEnv, Policy

EMPTY, OWN, THEIRS, PLAYABLE = range(4)  # what a cell is: PLAYABLE is an empty one into which a disc can fall
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))  # of a line: rows and columns


class Agent:
    """Chooses the move after which the board has the highest value.

    The value is the tanh of a sum over all lines of four cells: each adds the weight of what is in its cells. Lines of
    one direction that begin in the same row share their weights.
    """

    def __init__(self, height=6, width=7, *, rate=0.01, exploration=0.1, seed=1):
        found = [
            (direction * height + row, [(row + i * down) * width + column + i * right for i in range(4)])
            for direction, (down, right) in enumerate(STEPS)
            for row in range(height)
            for column in range(width)
            if row + 3 * down < height and 0 <= column + 3 * right < width
        ]
        self.kinds, self.lines = (np.array(each) for each in zip(*found, strict=True))
        self.weights = np.zeros((len(STEPS) * height, 4**4))
        self.rate, self.exploration = rate, exploration
        self.random = np.random.default_rng(seed)
        self.left = None  # the board that it left to the opponent, as the rows of its weights, and the value of it

    def choose(self, observation):
        """The best column, or sometimes another one while it learns."""
        columns = np.flatnonzero(observation["action_mask"])
        rows = self.look(observation["observation"], columns)
        values = np.tanh(self.weights[self.kinds, rows].sum(axis=1))
        if self.random.random() < self.exploration:
            chosen, self.left = self.random.integers(len(columns)), None  # says nothing about the last board
        else:
            chosen = values.argmax()
            self.learn(values[chosen])
        self.left = rows[chosen], values[chosen]
        return int(columns[chosen])

    def learn(self, target):
        """Move the value of the last board towards a better estimate of it: a later value, or the reward."""
        if self.left is not None and self.exploration > 0:
            rows, value = self.left
            np.add.at(self.weights, (self.kinds, rows), self.rate * (target - value) * (1 - value**2))

    def end(self, reward):
        self.learn(reward)
        self.left = None

    def look(self, planes, columns):
        """The rows of the weights for the boards after a move in each of these columns."""
        own, theirs = planes[..., 0], planes[..., 1]
        cells = np.repeat((own * OWN + theirs * THEIRS)[np.newaxis], len(columns), axis=0)
        free = planes.shape[0] - (own + theirs).sum(axis=0)  # empty cells of each column
        for board, column in zip(cells, columns, strict=True):
            board[free[column] - 1, column] = OWN
            heights = free.copy()
            heights[column] -= 1
            playable = np.flatnonzero(heights)
            board[heights[playable] - 1, playable] = PLAYABLE
        return cells.reshape(len(columns), -1)[:, self.lines] @ 4 ** np.arange(4)


def play(agent, opponent, games):
    """The agent's points, 1 for a win and half for a draw, as a share of the games; it moves first in every other."""
    env, points = ConnectFourAECEnv(), 0.0
    for game in range(games):
        env.reset()
        own = env.possible_agents[game % 2]
        for name in env.agent_iter():
            observation, reward, over, _, _ = env.last()
            if over and name == own:
                agent.end(reward)
                points += (reward + 1) / 2
            env.step(None if over else agent.choose(observation) if name == own else opponent(observation))
    return points / games


def main(player="uct@20", games=4000, rounds=4):
    """Learn, and say after each part of the games how many points the agent makes when it does not explore."""
    agent, opponent = Agent(), Policy(player, seed=1)
    for done in range(rounds + 1):
        exploration, agent.exploration = agent.exploration, 0.0
        print(f"after {done * games // rounds:5} games: {play(agent, opponent, 200):.0%} against {player}", flush=True)
        agent.exploration = exploration
        if done < rounds:
            play(agent, opponent, games // rounds)
    return agent


if __name__ == "__main__":
    main()

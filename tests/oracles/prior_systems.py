"""The five earlier systems as their descriptions say, on the naive game: what the presets of their names must do.

All of them draw from one stream of 64-bit numbers: `pick` uses one for a choice, a rollout one for several choices.
"""

import math
from functools import partial

from oracles.uct import Dice, completes
from oracles.uct import rollout as play_out


class Chance:
    """Random choices from the stream."""

    def __init__(self, random_bits, width):
        self.dice = Dice(random_bits, width)

    def pick(self, items):
        """One of them; of a single one there is no choice."""
        return items[(next(self.dice.random_bits) >> 32) * len(items) >> 32] if len(items) > 1 else items[0]


def one_of_the_best(items, score, chance):
    """A random one of those with the highest score."""
    scores = [score(item) for item in items]
    return chance.pick([item for item, value in zip(items, scores, strict=True) if value == max(scores)])


class Node:
    """A node that a player has moved into."""

    def __init__(self):
        self.visits = 0
        self.reward = 0
        self.children = {}  # by column


def ucb1(mean, parent, visits):
    return mean + math.sqrt(2) * math.sqrt(math.log(parent) / visits)


def finish(game, played):
    for _ in range(played):
        game.undo()


def score(node, column):
    """UCB1 of a child; infinite without visits."""
    child = node.children[column]
    return math.inf if child.visits == 0 else ucb1(child.reward / child.visits, node.visits, child.visits)


def finish_and_reward(game, path, played, chance):
    """The rollout, and its result on the way back: win 1, draw and loss 0, for the player who moved into a node."""
    mover = 1 - game.turn()
    if not game.over():
        played += play_out(game, chance.dice)
    winner = game.winner()
    for node in reversed(path):
        node.visits += 1
        node.reward += winner == mover
        mover = 1 - mover
    finish(game, played)


def uct_timed(game, simulations, chance):
    """System 1: all children at once when a visited leaf is reached, one of them at random is rolled out.

    A leaf without visits is rolled out itself. Win 1, draw and loss 0.
    """
    root = Node()
    for _ in range(simulations):
        path, played = [root], 0
        while True:
            node = path[-1]
            if game.over() or node.visits == 0:
                break
            if not node.children:
                node.children = {column: Node() for column in game.legal_columns()}
            column = one_of_the_best(list(node.children), partial(score, node), chance)
            game.drop(column)
            played += 1
            path.append(node.children[column])
        finish_and_reward(game, path, played, chance)
    return root


def notebook_uct(game, simulations, chance):
    """System 4: one random untried child an iteration; win 1, draw and loss 0."""
    root = Node()
    for _ in range(simulations):
        path, played = [root], 0
        while not game.over():
            node = path[-1]
            untried = [column for column in game.legal_columns() if column not in node.children]
            if untried:
                column = chance.pick(untried)
                node.children[column] = Node()
            else:
                column = one_of_the_best(sorted(node.children), partial(score, node), chance)
            game.drop(column)
            played += 1
            path.append(node.children[column])
            if untried:
                break
        finish_and_reward(game, path, played, chance)
    return root


class Report:
    """System 3: statistics n(x, a), Q(x, a), N(x) in dictionaries by position; +1 / 0 / -1 for the agent.

    The agent takes the highest, the opponent the lowest upper (lower) bound of Q, or plays at random.
    """

    def __init__(self, opponent):
        self.opponent = opponent
        self.n, self.q, self.visits = {}, {}, {}

    def choose(self, game, chance, agent):
        x = str(game.cells)
        actions = game.legal_columns()
        mine = game.turn() == agent
        if not mine and self.opponent == "random":
            return actions[(next(chance.dice.random_bits) >> 32) * len(actions) >> 32]
        untried = [a for a in actions if self.n.get((x, a), 0) == 0]
        if untried:
            return chance.pick(untried)
        sign = 1 if mine else -1
        return one_of_the_best(
            actions, lambda a: ucb1(sign * self.q[x, a] / self.n[x, a], self.visits[x], self.n[x, a]), chance
        )

    def iterate(self, game, chance):
        """From the root to a state-action pair that is new, a rollout, and back."""
        agent = game.turn()
        path, played = [], 0
        while not game.over():
            x = str(game.cells)
            a = self.choose(game, chance, agent)
            path.append((x, a))
            game.drop(a)
            played += 1
            if self.n.get((x, a), 0) == 0:
                break
        if not game.over():
            played += play_out(game, chance.dice)
        winner = game.winner()
        reward = 0 if winner is None else 1 if winner == agent else -1
        for x, a in path:
            self.visits[x] = self.visits.get(x, 0) + 1
            self.n[x, a] = self.n.get((x, a), 0) + 1
            self.q[x, a] = self.q.get((x, a), 0) + reward
        finish(game, played)


def no_diagonals(game, chance):
    """System 5: one simulation a column, 2 / 1 / 0 for win / tie / loss; then the best UCB value.

    Of equals the move whose simulation was won with fewer own moves. Returns the columns that are equally good, each
    with its own moves until the win, None if it was not won.
    """
    moves = {}
    agent = game.turn()
    for column in one_by_one(game.legal_columns(), chance):
        won = completes(game, column, agent)
        game.drop(column)
        played = 1 if won or game.full() else 1 + play_out(game, chance.dice)
        winner = game.winner()
        reward = 1 if winner is None else 2 if winner == agent else 0
        moves[column] = (reward, (played + 1) // 2 if winner == agent else None)
        finish(game, played)
    best = max(reward for reward, _ in moves.values())  # all have one visit: the bonus is the same
    soonest = min((own for reward, own in moves.values() if reward == best and own), default=None)
    return {column: own for column, (reward, own) in moves.items() if reward == best and own == soonest}


def one_by_one(columns, chance):
    """All of them, in random order."""
    remaining = list(columns)
    while remaining:
        column = chance.pick(remaining)
        remaining.remove(column)
        yield column


class PuctNode:
    """System 2: a node with the priors of its children, all made at once; V and U for the player who moved into it."""

    def __init__(self):
        self.children = {}  # by column
        self.prob, self.V, self.N, self.U = {}, 0.0, 0, 0.0

    def explore(self, game, policy, chance, path):
        """One descent; returns the value for the player who moved into this node."""
        mover = 1 - game.turn()
        if game.over():  # the outcome is known
            self.V = 0.0 if game.winner() is None else 1.0 if game.winner() == mover else -1.0
            self.N += 1
            return self.V
        if not self.children:
            probs, value = policy(game)
            self.prob = {column: probs[column] for column in game.legal_columns()}
            for column in game.legal_columns():
                self.children[column] = PuctNode()
                game.drop(column)
                if game.winner() is not None:
                    self.children[column].U = math.inf
                game.undo()
            return self.back_up(-value)
        scores = {column: self.score(column) for column in self.children}
        if max(scores.values()) == math.inf:  # some child is proven won
            self.U = -math.inf
            return self.back_up(-1.0)
        if max(scores.values()) == -math.inf:  # all are lost
            self.U = math.inf
            return self.back_up(1.0)
        column = one_of_the_best(list(scores), scores.get, chance)
        path.append(column)
        game.drop(column)
        value = self.children[column].explore(game, policy, chance, path)
        game.undo()
        return self.back_up(-value)

    def score(self, column, C=1.0):
        child = self.children[column]
        if abs(child.U) == math.inf:
            return child.U
        return child.V + C * self.prob[column] * math.sqrt(self.N) / (1 + child.N)

    def back_up(self, value):
        self.N += 1
        self.V += (value - self.V) / self.N
        return value

"""The five earlier systems as their descriptions say, on the naive game: what the presets of their names must do.

All of them draw from one stream of 64-bit numbers: `pick` uses one for a choice, a rollout one for several choices.
"""

import math
from functools import partial

from oracles.uct import Dice, completes
from oracles.uct import rollout as play_out

SQRT2 = math.sqrt(2)


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


def last_of_the_best(items, score):
    """The last of those with the highest score: the source sorts them, and takes the last."""
    return sorted(items, key=score)[-1]


def ucb1(mean, parent, visits, c=SQRT2):
    return mean + c * math.sqrt(math.log(parent) / visits)


def finish(game, played):
    for _ in range(played):
        game.undo()


def score(node, column, units=1, c=SQRT2):
    """UCB1 of a child; infinite without visits. units: of a win."""
    child = node.children[column]
    return math.inf if child.visits == 0 else ucb1(child.reward / child.visits / units, node.visits, child.visits, c)


def finish_and_reward(game, path, played, chance, discount=1.0):
    """The rollout, and its result on the way back: win 1, draw and loss 0, for the player who moved into a node.

    discount: a win counts discount ** n, n plies before the end of the game; rewards are then whole hundredths.
    """
    mover = 1 - game.turn()
    after = 0  # plies from the node to the end of the game
    if not game.over():
        after = play_out(game, chance.dice)
    winner = game.winner()
    for node in reversed(path):
        node.visits += 1
        if winner == mover:
            node.reward += 1 if discount == 1.0 else int(100 * discount**after + 0.5)
        mover = 1 - mover
        after += 1
    finish(game, played + after - len(path))


def uct_timed(game, simulations, chance):
    """System 1: all children at once when a visited leaf is reached, one of them at random is rolled out.

    A leaf without visits is rolled out itself, the root too, as the text of the source says. Win 1, draw and loss 0.
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


def most_visits(visits, chance):
    """The column with the most visits, by column; of several a random one."""
    return chance.pick([column for column in sorted(visits) if visits[column] == max(visits.values())])


def notebook_uct(game, simulations, chance, discount=1.0, c=SQRT2, pick=None):
    """System 4: one random untried child an iteration; win 1, draw and loss 0.

    pick: called with the path to a node and its untried columns, to choose one of them; by default `chance` does.
    """
    root = Node()
    for _ in range(simulations):
        path, columns, played = [root], [], 0
        while not game.over():
            node = path[-1]
            untried = [column for column in game.legal_columns() if column not in node.children]
            if untried:
                column = pick(columns, untried) if pick else chance.pick(untried)
                node.children[column] = Node()
            else:
                units = 1 if discount == 1.0 else 100
                column = last_of_the_best(node.children, partial(score, node, units=units, c=c))
            columns.append(column)
            game.drop(column)
            played += 1
            path.append(node.children[column])
            if untried:
                break
        finish_and_reward(game, path, played, chance, discount)
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
    """System 5: as many iterations as the board has columns; then the best UCB value.

    The root has a child for every column, full ones too, whose iterations lead nowhere. 2 / 1 / 0 for win / tie / loss.
    Of equals the move whose simulation was won with fewer own moves. Returns the columns that are equally good, each
    with its own moves until the soonest win, None if there was none.
    """
    agent, legal = game.turn(), game.legal_columns()
    visits, rewards, own = dict.fromkeys(range(game.width), 0), dict.fromkeys(range(game.width), 0), {}
    for i in range(game.width):
        bounds = {column: ucb1(rewards[column] / n, i, n) if n else math.inf for column, n in visits.items()}
        column = one_of_the_best(list(visits), bounds.get, chance)
        visits[column] += 1
        if column not in legal:
            continue
        won = completes(game, column, agent)
        game.drop(column)
        played = 1 if won or game.full() else 1 + play_out(game, chance.dice)
        winner = game.winner()
        rewards[column] += 1 if winner is None else 2 if winner == agent else 0
        if winner == agent:
            own[column] = min(own.get(column, math.inf), (played + 1) // 2)
        finish(game, played)
    bounds = {c: ucb1(rewards[c] / visits[c], sum(visits.values()), visits[c]) for c in legal}
    best = [column for column in legal if bounds[column] == max(bounds.values())]
    soonest = min((own[column] for column in best if column in own), default=None)
    return {column: soonest for column in best if own.get(column) == soonest}


class SourceNode:
    """System 2 as its source has it: U of a node is set when a visit to one of its siblings, or to it, is backed up.

    V and U are for the player who moved into the node; a finished game has its V and an infinite U from the start.
    """

    def __init__(self, prob=1.0, mother=None):
        self.mother, self.prob = mother, prob
        self.children = {}  # by column
        self.U, self.V, self.N = 0.0, 0.0, 0
        self.is_over = False

    def expand(self, game, policy):
        probs, value = policy(game)
        self.V = -value
        for column in game.legal_columns():
            child = self.children[column] = SourceNode(probs[column], self)
            game.drop(column)
            child.is_over = game.over()
            if game.winner() is not None:
                child.V, child.U = 1.0, math.inf
            game.undo()

    def explore(self, game, policy, chance):
        """One iteration, from this node, which is the root."""
        current, depth = self, 0
        while current.children:
            scores = {column: child.U for column, child in current.children.items()}
            best = max(scores.values())
            if abs(best) == math.inf:
                current.U, current.V = -best, math.copysign(1.0, -best)
                break
            column = one_of_the_best(list(scores), scores.get, chance)
            current = current.children[column]
            game.drop(column)
            depth += 1
        if not current.children and not current.is_over:
            current.expand(game, policy)
        finish(game, depth)
        current.N += 1
        while current.mother is not None:
            mother = current.mother
            mother.N += 1
            mother.V += (-current.V - mother.V) / mother.N
            for child in mother.children.values():
                if abs(child.U) != math.inf:
                    child.U = child.V + math.sqrt(mother.N) * child.prob / (1 + child.N)
            current = mother

    def next(self, chance):
        """The column to play as tau goes to 0: a proven win, else the most visited one."""
        visits = {column: child.N for column, child in self.children.items()}
        won = [column for column, child in self.children.items() if math.isinf(child.U) and child.U > 0]
        return chance.pick(won) if won else most_visits(visits, chance)

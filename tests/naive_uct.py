"""Textbook UCT on the naive game, one small object a node: a third opinion on the trees of both engines."""

import math


class NaiveNode:
    def __init__(self, columns):
        self.visits = 0
        self.reward = 0.0  # of the player who moved into this node
        self.untried = columns
        self.children = {}


class Dice:
    """The choices of the documented generator: several from one 64-bit word, which is used up as a fraction."""

    def __init__(self, words, width):
        self.words = iter(words)
        self.per_word = max(k for k in range(1, 33) if k == 1 or width**k <= 2**32)

    def shake(self):
        self.left = 0

    def roll(self, n):
        if self.left == 0:
            self.word, self.left = next(self.words), self.per_word
        self.left -= 1
        product = self.word * n
        self.word = product % 2**64
        return product // 2**64


def uct(game, simulations, words, exploration, rewards=(1.0, 0.5, 0.0)):
    """The root after that many simulations: one child is added a simulation, lowest column first."""
    dice = Dice(words, game.width)
    root = NaiveNode(game.legal_columns())
    for _ in range(simulations):
        path = [root]
        played = 0
        while not path[-1].untried and path[-1].children:
            column = best_column(path[-1], exploration)
            game.drop(column)
            played += 1
            path.append(path[-1].children[column])
        if path[-1].untried and (path[-1] is root or path[-1].visits > 0):
            column = path[-1].untried.pop(0)
            game.drop(column)
            played += 1
            path[-1].children[column] = NaiveNode(game.legal_columns())
            path.append(path[-1].children[column])
        mover = 1 - game.turn()
        played += rollout(game, dice)
        winner = game.winner()
        for node in reversed(path):
            node.visits += 1
            node.reward += rewards[1] if winner is None else rewards[0] if winner == mover else rewards[2]
            mover = 1 - mover
        for _ in range(played):
            game.undo()
    return root


def best_column(node, exploration):
    def score(child):
        return child.reward / child.visits + exploration * math.sqrt(math.log(node.visits) / child.visits)

    return max(sorted(node.children), key=lambda column: score(node.children[column]))


def rollout(game, dice):
    """Random moves to the end; a column that is full gives its place in the list to the last one."""
    columns = game.legal_columns()
    dice.shake()
    played = 0
    while not game.over():
        index = dice.roll(len(columns))
        game.drop(columns[index])
        played += 1
        if len(game.cells[columns[index]]) == game.height:
            columns[index] = columns[-1]
            columns.pop()
    return played

"""Textbook UCT on the naive game, one small object a node: a third opinion on the trees of both backends."""

import math
from fractions import Fraction


class NaiveNode:
    def __init__(self, columns):
        self.visits = 0
        self.reward = 0.0  # of the player who moved into this node
        self.untried = columns
        self.children = {}

    def share(self, other):
        """Use the children of the other node."""
        self.untried, self.children = other.untried, other.children


class Dice:
    """The choices of the documented generator: several from 64 random bits, whose value / 2**64 is a fraction.

    The fraction times n has the choice as its whole part; what remains of it serves the next choice.
    """

    def __init__(self, random_bits, width):
        self.random_bits = iter(random_bits)
        self.choices_per_draw = max(k for k in range(1, 33) if k == 1 or width**k <= 2**32)

    def begin(self):
        """Draw new bits for the next choice."""
        self.remaining = 0

    def roll(self, n):
        if self.remaining == 0:
            self.bits, self.remaining = next(self.random_bits), self.choices_per_draw
        self.remaining -= 1
        product = self.bits * n
        self.bits = product % 2**64
        return product // 2**64


def uct(game, simulations, random_bits, exploration, rewards=(1.0, 0.5, 0.0), transpositions=False):
    """The root after that many simulations: one child is added a simulation, lowest column first.

    transpositions: a position has its children once, found in a dictionary when a node is reached for the second time.
    """
    dice = Dice(random_bits, game.width)
    root = NaiveNode(game.legal_columns())
    known = {}

    def meet(node):
        if transpositions and node.visits > 0:
            node.share(known.setdefault(str(game.cells), node))

    for _ in range(simulations):
        path = [root]
        played = 0
        while not path[-1].untried and path[-1].children:
            column = best_column(path[-1], exploration, transpositions)
            game.drop(column)
            played += 1
            path.append(path[-1].children[column])
            meet(path[-1])
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


def best_column(node, exploration, transpositions):
    total = sum(child.visits for child in node.children.values()) if transpositions else node.visits

    def score(child):
        return child.reward / child.visits + exploration * math.sqrt(math.log(total) / child.visits)

    return max(sorted(node.children), key=lambda column: score(node.children[column]))


def completes(game, column, player):
    """Whether a disc of the player in this column makes a line."""
    row = len(game.cells[column])
    for right, up in game.directions:
        run = 1
        for sign in (1, -1):
            step = 1
            while game.at(column + sign * step * right, row + sign * step * up) == player:
                run += 1
                step += 1
        if run >= game.connect:
            return row < game.height
    return False


def choose(game, columns, dice, policy):
    """The column a policy plays, of the open ones.

    Of several urgent moves the first in the list is played, without a roll of the dice; a roll that would put a disc
    under a win is repeated, if there is anything else.
    """
    turn = game.turn()
    if policy != "random":
        wins = [column for column in columns if completes(game, column, turn)]
        threats = [column for column in columns if completes(game, column, 1 - turn)]
        if wins or threats:
            return (wins or threats)[0]
    bad = [column for column in columns if gives_win(game, column)] if policy == "safe" else []
    while True:
        column = columns[dice.roll(len(columns))]
        if column not in bad or len(bad) == len(columns):
            return column


def gives_win(game, column):
    """Whether the opponent could win on top of a disc in this column."""
    turn = game.turn()
    game.cells[column].append(turn)
    gives = completes(game, column, 1 - turn)
    game.cells[column].pop()
    return gives


def rollout(game, dice, policy="random"):
    """Moves by a policy to the end; a column that is full gives its place in the list to the last one."""
    columns = game.legal_columns()
    dice.begin()
    played = 0
    won = False
    while columns and not won:
        column = choose(game, columns, dice, policy)
        won = completes(game, column, game.turn())
        game.drop(column)
        played += 1
        if len(game.cells[column]) == game.height:
            columns[columns.index(column)] = columns[-1]
            columns.pop()
    return played


LANES = 24  # streams of random columns into which random games are divided


def lane_games(games, lane):
    """How many of the games are played in a lane."""
    return len(range(lane, games, LANES))


def random_game(game, columns):
    """Moves from RandomColumns to the end; a full column is passed over, and a draw ends the use of the bits."""
    played = 0
    won = False
    while game.legal_columns() and not won:
        column = columns.roll()
        if column in game.legal_columns():
            won = completes(game, column, game.turn())
            game.drop(column)
            played += 1
    if not won:
        columns.remaining = 0
    return played


class RandomColumns:
    """Columns by the documented generator: several from 58 of its 64 bits, in exact fractions."""

    def __init__(self, random_bits, width):
        self.random_bits, self.width = iter(random_bits), width
        self.choices_per_draw = Dice((), width).choices_per_draw
        self.remaining = 0

    def roll(self):
        if self.remaining == 0:
            self.fraction, self.remaining = Fraction(next(self.random_bits) >> 6, 2**58), self.choices_per_draw
        self.remaining -= 1
        column, self.fraction = divmod(self.fraction * self.width, 1)
        return column

"""PUCT with what programs after AlphaZero have added to it, on the naive game; and KataGo's pruned policy target."""

import math

from oracles.prior_systems import one_of_the_best

FORCED = 1e9  # a score above all others


def tempered(prob, temperature, noise, fraction):
    """Priors by column with a temperature, then mixed with noise, which is listed in column order."""
    powers = {column: share ** (1 / temperature) for column, share in prob.items()}
    total = sum(powers.values())
    if not noise:
        return {column: power / total for column, power in powers.items()}
    return {
        column: (1 - fraction) * power / total + fraction * noise[i] for i, (column, power) in enumerate(powers.items())
    }


class Node:
    """The leaf's value is averaged into every node above it; V and U are for the player who moved into the node.

    All children are made at once. Subclasses set how the search goes, in the terms of the papers.
    """

    c_init, c_base = 1.25, math.inf  # Silver et al. 2018
    fpu, fpu_reduction = 0.0, None  # first play urgency; the second as in Leela Chess Zero
    temperature = 1.0  # of the priors of the root
    k = 0.0  # n_forced = sqrt(k P N), Wu 2019
    noise, fraction = (), 0.0
    is_root = False

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
                self.children[column] = type(self)()
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

    def back_up(self, value):
        self.N += 1
        self.V += (value - self.V) / self.N
        return value

    def priors(self):
        return tempered(self.prob, self.temperature, self.noise, self.fraction) if self.is_root else self.prob

    def c(self):
        return (
            self.c_init if self.c_base == math.inf else self.c_init + math.log((1 + self.N + self.c_base) / self.c_base)
        )

    def first_play(self):
        if self.fpu_reduction is None:
            return self.fpu
        explored = sum(self.priors()[column] for column, child in self.children.items() if child.N)
        return -self.V - self.fpu_reduction * math.sqrt(explored)

    def puct(self, column):
        child = self.children[column]
        value = child.V if child.N else self.first_play()
        return value + self.c() * self.priors()[column] * math.sqrt(self.N) / (1 + child.N)

    def score(self, column):
        child = self.children[column]
        if abs(child.U) == math.inf:
            return child.U
        forced = math.sqrt(self.k * self.priors()[column] * sum(each.N for each in self.children.values()))
        return FORCED if self.is_root and 0 < child.N < forced else self.puct(column)

    def target(self):
        """The visits of each child without those that were forced, one taken off at a time."""
        total = sum(child.N for child in self.children.values())
        kept = {column: child.N for column, child in self.children.items()}
        best = max((column for column in kept if -math.inf != self.children[column].U), key=kept.get)
        limit = self.puct(best)
        for column, child in self.children.items():
            if column == best:
                continue
            n_forced = math.ceil(math.sqrt(self.k * self.priors()[column] * total))
            for _ in range(min(n_forced, kept[column])):
                lower = child.V + self.c() * self.priors()[column] * math.sqrt(self.N) / (1 + kept[column] - 1)
                if lower >= limit:
                    break
                kept[column] -= 1
            if kept[column] == 1 < child.N:
                kept[column] = 0
        return kept

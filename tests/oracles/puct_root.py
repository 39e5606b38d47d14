"""PUCT with what programs after AlphaZero have added to it, on the naive game; and KataGo's pruned policy target."""

import math

from oracles.prior_systems import PuctNode

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


class Node(PuctNode):
    """Subclasses set how the search goes, in the terms of the papers."""

    c_init, c_base = 1.25, math.inf  # Silver et al. 2018
    fpu, fpu_reduction = 0.0, None  # first play urgency; the second as in Leela Chess Zero
    temperature = 1.0  # of the priors of the root
    k = 0.0  # n_forced = sqrt(k P N), Wu 2019
    noise, fraction = (), 0.0
    is_root = False

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

"""Gumbel AlphaZero on the naive game, as in the paper and in mctx, with the exact outcomes that c4mcts backs up."""

import math

VALUES = {0: -1.0, 1: 0.0, 2: 1.0}  # of a loss, a draw, a win


def schedule(simulations, actions):
    """How many visits the moves have among which each simulation chooses: sequential halving."""
    if actions == 1:
        return list(range(simulations))
    rounds = math.ceil(math.log2(actions))
    plan, done = [], 0
    while len(plan) < simulations:
        turns = max(1, math.floor(simulations / (rounds * actions)))
        plan += [done + turn for turn in range(turns) for _ in range(actions)]
        done, actions = done + turns, max(2, actions // 2)
    return plan[:simulations]


class GumbelNode:
    """V, lower and upper (0 lost, 1 drawn, 2 won) are for the player who moved into the node."""

    proofs, c_visit, c_scale, considered = True, 50.0, 0.1, 16

    def __init__(self):
        self.children, self.prob = {}, {}  # by column
        self.V, self.N, self.lower, self.upper, self.raw = 0.0, 0, 0, 2, None

    def search(self, game, policy, gumbel, simulations):
        """gumbel: by column. The first simulation evaluates the root."""
        for _ in range(simulations):
            if self.lower == self.upper:
                break
            self.explore(game, policy, gumbel, simulations - 1)

    def explore(self, game, policy, gumbel=None, planned=0):
        """One descent; returns the value for the player who moved into this node."""
        if not self.is_certain() and not self.children:
            return self.back_up(-self.expand(game, policy))
        if not self.is_certain() and self.proofs:
            self.lower = max(self.lower, 2 - max(child.upper for child in self.children.values()))
            self.upper = min(self.upper, 2 - max(child.lower for child in self.children.values()))
        if self.is_certain():
            return self.back_up(VALUES[self.lower])
        column = self.below() if gumbel is None else self.halving(gumbel, planned)
        game.drop(column)
        value = -self.children[column].explore(game, policy)
        game.undo()
        return self.back_up(value)

    def expand(self, game, policy):
        shares, self.raw = policy(game)
        for column in game.legal_columns():
            self.prob[column] = shares[column]
            child = self.children[column] = type(self)()
            game.drop(column)
            if game.over():
                child.lower = child.upper = 1 if game.winner() is None else 2
            game.undo()
        return self.raw

    def back_up(self, value):
        self.N += 1
        self.V += (value - self.V) / self.N
        return value

    def is_certain(self):
        return self.lower == self.upper

    def live(self):
        """The children that are not proven lost, by column."""
        return {column: child for column, child in self.children.items() if not self.proofs or child.upper > 0}

    def open(self):
        """The columns that may still turn out better than what is certain."""
        return [column for column, child in self.live().items() if not self.proofs or child.upper > 2 - self.upper]

    def q(self, column):
        child = self.children[column]
        return VALUES[child.lower] if self.proofs and child.is_certain() else child.V

    def sigma(self):
        """sigma(completed Q) of the live children, by column."""
        live = self.live()
        seen = [column for column in live if live[column].N]
        value = self.raw
        if seen:
            total = sum(live[column].N for column in seen)
            mean = sum(self.prob[column] * self.q(column) for column in seen) / sum(
                self.prob[column] for column in seen
            )
            value = (self.raw + total * mean) / (1 + total)
        known = {
            c: self.q(c) if child.N or (self.proofs and child.is_certain()) else value for c, child in live.items()
        }
        low, high = min(known.values()), max(known.values())
        scale = (self.c_visit + max(child.N for child in live.values())) * self.c_scale
        return {column: scale * (q - low) / max(high - low, 1e-8) for column, q in known.items()}

    def improved(self):
        """softmax(logits + sigma), by column."""
        logits = {column: math.log(self.prob[column]) + value for column, value in self.sigma().items()}
        top = max(logits.values())
        weights = {column: math.exp(value - top) for column, value in logits.items()}
        return {column: weight / sum(weights.values()) for column, weight in weights.items()}

    def below(self):
        pi, live = self.improved(), self.live()
        total = sum(child.N for child in live.values())
        return max(self.open(), key=lambda column: pi[column] - live[column].N / (1 + total))

    def scores(self, gumbel):
        return {column: gumbel[column] + math.log(self.prob[column]) + s for column, s in self.sigma().items()}

    def halving(self, gumbel, planned):
        made = sum(child.N for child in self.children.values())
        wanted = schedule(planned, min(self.considered, len(self.children)))[made]
        visits = {column: self.children[column].N for column in self.open()}
        enough = [n for n in visits.values() if n >= wanted]
        count = min(enough) if enough else max(visits.values())
        scores = self.scores(gumbel)
        return max((column for column in visits if visits[column] == count), key=scores.get)

    def best(self, gumbel):
        """The column that is played, where nothing is proven of the moves with the most visits."""
        most = max(child.N for child in self.children.values())
        scores = self.scores(gumbel)
        return max((column for column in scores if most == self.children[column].N), key=scores.get)

#!/usr/bin/env python3
"""Writes the first claim of a proof, a win, as a table for Rocq: python export.py ../7x6.c4p Table.v

A file of c4mcts lists moves only where no rule decides, and its rule knows lines that come too late. `Checker.v` finds
nothing by itself: each position in which the claimant is to move has an entry, layer by layer, each layer sorted.
"""

import functools
import itertools
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from check_proof import Proof, Walk, each


class Strict(Walk):
    """The rules alone, without lines that come too late."""

    def __init__(self, proof):
        self.proof, self.goal, self.rule, proof.comes_late = proof, 1, functools.cache(self.rule), lambda *_: False
        self.last_win, self.last_loss = proof.board.bit_count(), proof.board.bit_count() + 2


class Strategy(Walk):
    """The claimant's moves. A position is a tuple with the discs of each column, 0 for X and 1 for O."""

    def __init__(self, data):
        proof, self.strict = Proof(data), Strict(Proof(data)).rule
        self.answers, self.before, self.direct = {}, None, functools.cache(self.direct)
        self.order = 1 if proof.claims[0]["player"] == "X" else -1
        super().__init__(proof, proof.claims[0])

    def claimant_moves(self, own, other):
        self.before = own
        super().claimant_moves(own, other)

    def opponent_moves(self, own, other):
        if self.before is not None:
            self.answers[self.position(self.before, other)] = self.position(own, other)
        super().opponent_moves(own, other)

    def position(self, *discs):
        cells, second = [each(column & sum(discs)) for column in self.proof.columns], discs[:: self.order][1]
        position = tuple("".join("01"[cell & second > 0] for cell in column) for column in cells)
        return min(position, position[::-1])

    def discs(self, position):
        cells = [(low << row, disc) for low, column in zip(self.proof.lowest, position) for row, disc in enumerate(column)]
        return [sum(cell for cell, disc in cells if disc == player) for player in "01"[:: self.order]]

    def after(self, own, other):
        return {self.position(own, other | cell) for cell in each(self.proof.free(own | other))}

    def column(self, cell):
        return sum(number for number, column in enumerate(self.proof.columns) if cell & column)

    def direct(self, position):
        """The digits of an entry that needs no other: a move that wins, or one after which the rule decides."""
        own, other = self.discs(position)
        for cell in each(self.proof.winning(own) & self.proof.free(own | other)):
            return f"{self.column(cell)}"
        for cell in self.strict(own, other)[1]:
            for plan in self.plans(own | cell, other):
                return f"{8 + self.column(cell):x}{plan}"
        return ""

    def plans(self, own, other):
        """Plans for which the rule holds, as in `follow_up` of check_proof: a digit for each column, see Checker.v."""
        proof, columns = self.proof, [column & ~(own | other) for column in self.proof.columns]
        plans = [[proof.plan(cells, cells & proof.winning(own), n) for n in (0, 1)[: cells + 1]] for cells in columns]
        for choice in itertools.product(*([plan for plan in both if plan] for both in plans)):
            theirs, ours, shared = (sum(plan[i] for plan in choice) for i in range(3))
            rests = [line & ~other for line in proof.lines if line & (other | theirs) == line]
            if proof.has_line(own | ours) and shared.bit_count() % 2 == 0:
                for order in itertools.permutations(each(shared)):
                    pairs = [one | two for one, two in zip(order[::2], order[1::2], strict=True)]
                    if all(any(rest & pair == pair for pair in pairs) for rest in rests):
                        labels = [sum(i for i, pair in enumerate(pairs, 1) if pair & plan[2]) for plan in choice]
                        yield "".join(f"{plan[1].bit_count() + 4 * label:x}" for plan, label in zip(choice, labels))

    def cost(self, position):
        """Roughly how many entries a position needs."""
        short = self.direct(position) or position in self.answers
        return 1 if short else 8 if self.strict(*self.discs(position))[0] else 60

    def entry(self, position):
        """The digits of an entry, and the positions that it leads to."""
        if digits := self.direct(position):
            return digits, set()
        own, other = self.discs(position)
        moves = [own | cell for cell in self.strict(own, other)[1]]
        listed = [moved for moved in moves if self.position(moved, other) == self.answers.get(position)]
        options = listed or [moved for moved in moves if self.is_decided(moved, other)]
        best = min(options, key=lambda moved: sum(map(self.cost, self.after(moved, other))))
        return str(self.column(best ^ own)), self.after(best, other)


strategy, digits = Strategy(Path(sys.argv[1]).read_bytes()), ""
layer = {strategy.position(0, 0)} if strategy.order == 1 else strategy.after(0, 0)
while layer:
    entries = [strategy.entry(position) for position in sorted(layer)]
    digits += "".join(entry for entry, _ in entries)
    layer = set().union(*(after for _, after in entries))
rows = ";\n".join("0x" + digits[i : i + 110] for i in range(0, len(digits), 110))
start = "From Coq Require Import List Number.\nImport ListNotations.\nLocal Open Scope hex_uint_scope."
Path(sys.argv[2]).write_text(f"(* Made by export.py. *)\n{start}\nDefinition table : list Number.uint := [\n{rows}].\n")

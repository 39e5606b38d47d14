#!/usr/bin/env python3
"""Writes the first claim of a proof as a table for Rocq: python export.py ../7x6.c4p Table.v

A file of c4mcts lists moves only where no rule decides, and its rule knows lines that come too late. `Checker.v` finds
nothing by itself: each position in which the claimant is to move has an entry, layer by layer, each layer sorted.
"""

import functools
import itertools
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from check_proof import Proof, Walk, each


class Rules(Walk):
    """The rules of a proof, without its moves."""

    def claimant_moves(self, own, other):
        pass

    opponent_moves = claimant_moves

    def decides(self, own, other):
        """Whether a rule decides right after a move of the claimant."""
        answers = self.proof.winning(own) & self.proof.free(own | other)
        forced = answers.bit_count() > 1 or (answers and self.rule(own, other | answers)[0])
        return forced or self.proof.follow_up(own, other, True)


class Strategy(Walk):
    """An entry for each position: from the moves of the file, else from the rules."""

    def __init__(self, data):
        proof, strict = Proof(data), Proof(data)
        strict.comes_late = lambda *_: False
        claim = proof.claims[0]
        self.order, self.height, self.before = claim["player"] == "X", proof.columns[0].bit_length(), None
        self.rules = [Rules(each_proof, claim | {"columns": b"", "positions": 0}) for each_proof in (strict, proof)]
        self.answers, self.simple = {}, functools.cache(self.simple)
        super().__init__(proof, claim)

    def claimant_moves(self, own, other):
        self.before = own
        super().claimant_moves(own, other)

    def opponent_moves(self, own, other):
        if self.before is not None:
            self.answers[self.columns(self.before, other)] = self.columns(own, other)
        super().opponent_moves(own, other)

    def columns(self, own, other):
        """The discs of each column, from the bottom, 0 for X and 1 for O; the smaller one of two mirror images."""
        discs = own if self.order else other
        cells = [[low << row for row in range(self.height)] for low in self.proof.lowest]
        board = [tuple(int(not cell & discs) for cell in column if cell & (own | other)) for column in cells]
        return min(tuple(board), tuple(board[::-1]))

    def discs(self, board):
        """Inverse of `columns`."""
        cells = [0, 0]
        for low, column in zip(self.proof.lowest, board, strict=True):
            for row, disc in enumerate(column):
                cells[disc ^ (not self.order)] |= low << row
        return cells

    def after(self, own, other):
        """The positions after each reply."""
        return {self.columns(own, other | cell) for cell in each(self.proof.free(own | other))}

    def simple(self, board):
        """The entry if the claimant wins at once, or the rule decides after one move; else None."""
        own, other = self.discs(board)
        if winning := self.proof.winning(own) & self.proof.free(own | other):
            return [self.digit(winning & -winning)]
        for cell in self.rules[0].rule(own, other)[1]:
            if plan := self.plan(own | cell, other):
                return [8 + self.digit(cell), *plan]
        return None

    def cost(self, board):
        """How many positions an entry adds, roughly."""
        if self.simple(board) or board in self.answers:
            return 1
        return 8 if self.rules[0].rule(*self.discs(board))[0] else 60

    def digit(self, cell):
        """The column of a cell."""
        return (cell.bit_length() - 1) // (self.height + 1)

    def entry(self, board):
        """The digits of an entry, and the positions that it leads to."""
        own, other = self.discs(board)
        if digits := self.simple(board):
            return digits, set()
        safe = [own | cell for cell in self.rules[0].rule(own, other)[1]]
        options = [moved for moved in safe if self.columns(moved, other) == self.answers.get(board)]
        for rules, holds in itertools.product(self.rules, (Rules.decides, Rules.is_decided)):
            options = options or [moved for moved in safe if holds(rules, moved, other)]
        best = min(options, key=lambda moved: sum(map(self.cost, self.after(moved, other))))
        return [self.digit(best ^ own)], self.after(best, other)

    def plan(self, own, other):
        """The digits of a plan if the rule holds after a move, as `follow_up` says, without late lines; else None."""
        proof, plans = self.proof, []
        for column in proof.columns:
            cells = column & ~(own | other)
            both = [proof.plan(cells, cells & proof.winning(own), contested) for contested in (0, 1)]
            plans.append([plan for plan in both if plan] if cells else [(0, 0, 0, 0)])
        for choice in itertools.product(*plans):
            theirs, ours, shared = (sum(plan[i] for plan in choice) for i in range(3))
            rests = [line & ~other for line in proof.lines if line & (other | theirs) == line]
            if shared.bit_count() % 2 == 0 and proof.has_line(own | ours):
                for order in itertools.permutations(each(shared)):
                    pairs = [one | two for one, two in zip(order[::2], order[1::2], strict=True)]
                    if all(any(rest & pair == pair for pair in pairs) for rest in rests):
                        labels = [sum(i for i, pair in enumerate(pairs, 1) if pair & plan[2]) for plan in choice]
                        return [plan[1].bit_count() + 4 * label for plan, label in zip(choice, labels, strict=True)]
        return None


def main(source, target):
    strategy = Strategy(Path(source).read_bytes())
    layer, digits = {strategy.columns(0, 0)} if strategy.order else strategy.after(0, 0), []
    while layer:
        entries = [strategy.entry(board) for board in sorted(layer)]
        digits += [f"{digit:x}" for entry, _ in entries for digit in entry]
        layer = set().union(*(after for _, after in entries))
    rows = ";\n".join("0x" + "".join(digits[i : i + 110]) for i in range(0, len(digits), 110))
    start = "From Coq Require Import List Number.\nImport ListNotations.\nLocal Open Scope hex_uint_scope.\n"
    Path(target).write_text(f"(* Made by export.py. *)\n{start}Definition table : list Number.uint := [\n{rows}].\n")


main(*sys.argv[1:])

#!/usr/bin/env python3
"""Writes the claims of proofs as tables for Rocq: python export.py ../7x6-after-[1234].c4p >Table.v

`Checker.v` plays all replies, but it chooses nothing: it reads digits for each position in which the claimant is to
move, except where that player wins at once or the limit of the claim is reached. A file of c4mcts has moves only where
no rule decides; a table also has what `tools/check_proof.py` finds, moves after which a rule decides, and plans.
"""

import functools
import itertools
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from check_proof import Proof, Walk, each


def pairings(cells):
    """All divisions of cells into pairs."""
    if not cells:
        return [[]]
    first, *rest = cells
    return [[first | cell, *pairs] for cell in rest for pairs in pairings([other for other in rest if other != cell])]


def index(number, choices):
    """The digits of one of some choices; f means that it is not among the first 15."""
    return "f" * (number // 15) + f"{number % 15:x}" if len(choices) > 1 else ""


class Table(Walk):
    def __init__(self, proof, claim):
        self.before, self.moved, self.starts, self.again, self.digits = None, {}, {}, set(), []
        self.plan, self.entry, self.size = map(functools.cache, (self.plan, self.entry, self.size))
        super().__init__(proof, claim)
        own, other = (proof.discs[player] for player in {"X": "XO", "O": "OX"}[claim["player"]])
        for position in [(own, other)] if claim["player"] == proof.to_move else self.after(own, other):
            self.write(*position)
        for start in sorted(self.again, reverse=True):
            self.digits.insert(start, "f")

    def is_new(self, own, other):
        self.before = own, other
        return super().is_new(own, other)

    def opponent_moves(self, own, other):
        self.moved[self.before] = own  # by a move of the file, or the only one
        super().opponent_moves(own, other)

    def mirrored(self, cells):
        low = self.proof.lowest
        return sum((cells & c) // a * b for c, a, b in zip(self.proof.columns, low, low[::-1], strict=True))

    def after(self, own, other):
        """The positions after the replies, for which the checker reads digits."""
        free = self.proof.free(own | other)
        wins = self.proof.winning(own) & free
        if wins.bit_count() > 1 or (own | other).bit_count() + 2 >= self.last_loss:
            return []
        replies = [(other | cell, self.proof.free(own | other | cell)) for cell in each(wins or free)]
        return [(own, reply) for reply, free in replies if free and not self.proof.winning(own) & free]

    def plan(self, own, other):
        """The digits of a plan with which the rule holds after the claimant's move, or None: see `follow_up`."""
        proof, ends = self.proof, self.proof.winning(own) & ~other
        columns = [column & ~(own | other) for column in proof.columns]
        options = [[proof.plan(cells, cells & ends, n) for n in (0, 1)[: cells + 1]] for cells in columns]
        choices = list(itertools.product(*(filter(None, plans) for plans in options)))
        for number, choice in enumerate(choices):
            theirs, ours, shared = (sum(plan[i] for plan in choice) for i in range(3))
            if self.goal <= 0 or proof.has_line(own | ours):
                rests = [line & ~other for line in proof.lines if line & (other | theirs) == line]
                rests = [rest for rest in rests if not proof.comes_late(own, ours, shared, rest)]
                orders = pairings(each(shared))
                for order, pairs in enumerate(orders):
                    if all(any(rest & pair == pair for pair in pairs) for rest in rests):
                        return index(number, choices) + index(order, orders)
        return None

    def entry(self, own, other):
        """The digits for a position, and those that are read next. 7: no line is left for the opponent."""
        if self.goal <= 0 and not self.proof.has_line(self.proof.board & ~own):
            return "7", []
        held, safe = self.rule(own, other)
        moves = {own | cell: column for column, cells in enumerate(self.proof.columns) for cell in safe if cell & cells}
        entries = []
        for moved, column in moves.items():
            forced = self.proof.winning(moved) & self.proof.free(moved | other)
            if forced.bit_count() > 1 or (forced and self.rule(moved, other | forced)[0]):
                entries.append((str(column), self.after(moved, other)))
            elif held and (plan := self.plan(moved, other)) is not None:
                entries.append((f"{8 + column:x}{plan}", []))
            elif not held and self.is_decided(moved, other):
                entries.append((str(column), self.after(moved, other)))
        if not entries:
            image = self.mirrored(own), self.mirrored(other)
            moved = self.moved[own, other] if (own, other) in self.moved else self.mirrored(self.moved[image])
            return str(moves[moved]), self.after(moved, other)
        return min(entries, key=lambda entry: len(entry[0]) + sum(self.size(*position) for position in entry[1]))

    def size(self, own, other):
        digits, positions = self.entry(own, other)
        return len(digits) + sum(self.size(*position) for position in positions)

    def write(self, own, other):
        """7: a position whose digits were written before, or its mirror image. There they begin with f."""
        digits, positions = self.entry(own, other)
        key, start = min((own, other), (self.mirrored(own), self.mirrored(other))), len(self.digits)
        if key in self.starts:
            self.again.add(self.starts[key])
            self.digits.append("7")
            return
        self.digits += digits
        for position in positions:
            self.write(*position)
        if len(self.digits) > start + 2:
            self.starts[key] = start


print("(* Made by export.py. *)\nFrom Stdlib Require Import List Number.\nImport ListNotations.")
print("Local Open Scope hex_uint_scope.")
for name in sys.argv[1:]:
    proof = Proof(Path(name).read_bytes())
    for claim in proof.claims:
        digits = "".join(Table(proof, claim).digits)
        rows = ";\n".join("0x" + digits[i : i + 110] for i in range(0, len(digits), 110))
        print(f"Definition {claim['player']}_{Path(name).stem[4:].replace('-', '_')} : list Number.uint := [\n{rows}].")

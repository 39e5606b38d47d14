#!/usr/bin/env python3
"""Writes the first claim of a proof, a win, as a table for Rocq: python export.py ../7x6.c4p Table.v

A file of c4mcts lists moves only where no rule decides, and its rule knows lines that come too late. `Checker.v` finds
nothing by itself: each position in which the claimant is to move has an entry, layer by layer, each layer sorted. A
position is a tuple with the discs of each column, 0 for X and 1 for O; of two mirror images the smaller one is taken.
"""

import functools
import itertools
import sys
from pathlib import Path

from c4mcts.solver.certificate import Certificate, read_moves

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from check_proof import Proof, Walk, each


class Rules(Walk):
    """The rules alone."""

    def __init__(self, proof):
        self.proof, self.goal, self.last_win, self.last_loss = proof, 1, proof.board.bit_count(), 128
        self.rule = functools.cache(self.rule)

    def decides(self, own, other):
        """Whether a rule decides right after the claimant's move."""
        answers = self.proof.winning(own) & self.proof.free(own | other)
        forced = answers.bit_count() > 1 or (answers and self.rule(own, other | answers)[0])
        return forced or self.proof.follow_up(own, other, True)


source, target = sys.argv[1:]
certificate, data = Certificate.load(source), Path(source).read_bytes()
claim = certificate.claims[0]
*_, answers = read_moves(certificate.board, claim.player, claim.score, claim.moves, "native", discs=128)
proof, strict, full = Proof(data), Rules(Proof(data)), Rules(Proof(data))
strict.proof.comes_late = lambda *_: False


def position_of(own, other):
    discs, second = own | other, (other, own)[claim.player]
    columns = [each(column & discs) for column in proof.columns]
    position = tuple("".join("01"[cell & second > 0] for cell in column) for column in columns)
    return min(position, position[::-1])


@functools.cache
def discs_of(position):
    columns = zip(proof.lowest, position, strict=True)
    cells = [(low << row, disc) for low, discs in columns for row, disc in enumerate(discs)]
    return [sum(cell for cell, disc in cells if disc == player) for player in ("01", "10")[claim.player]]


def column_of(cell):
    return sum(number for number, column in enumerate(proof.columns) if cell & column)


def after(own, other):
    return {position_of(own, other | cell) for cell in each(proof.free(own | other))}


def listed(position):
    """The column of the move in the file, if there is one; it is meant for the mirror image with the lower key."""
    keys = [own | (own | other) + proof.bottom for own, other in map(discs_of, (position, position[::-1]))]
    column = answers.get(min(keys))
    return column if column is None or keys[0] <= keys[1] else len(position) - 1 - column


def plans(own, other):
    """Plans with which the rule holds, as in `follow_up` of check_proof: a digit for each column, see Checker.v."""
    columns = [column & ~(own | other) for column in proof.columns]
    both = [[proof.plan(cells, cells & proof.winning(own), n) for n in (0, 1)[: cells + 1]] for cells in columns]
    for choice in itertools.product(*(filter(None, plans) for plans in both)):
        theirs, ours, shared = (sum(plan[i] for plan in choice) for i in range(3))
        rests = [line & ~other for line in proof.lines if line & (other | theirs) == line]
        if proof.has_line(own | ours) and shared.bit_count() % 2 == 0:
            for order in itertools.permutations(each(shared)):
                pairs = [one | two for one, two in zip(order[::2], order[1::2], strict=True)]
                if all(any(rest & pair == pair for pair in pairs) for rest in rests):
                    label = {cell: number for number, pair in enumerate(pairs, 1) for cell in each(pair)}
                    yield "".join(f"{mine.bit_count() + 4 * label.get(cell, 0):x}" for _, mine, cell, _ in choice)


@functools.cache
def direct(position):
    """The digits of an entry that needs no other: a move that wins, or one after which the rule decides."""
    own, other = discs_of(position)
    for cell in each(proof.winning(own) & proof.free(own | other)):
        return str(column_of(cell))
    for cell in strict.rule(own, other)[1]:
        for plan in plans(own | cell, other):
            return f"{8 + column_of(cell):x}{plan}"
    return ""


def cost(position):
    """About how many digits a position and those after it need."""
    if entry := direct(position):
        return len(entry)
    return 2 if listed(position) is not None else 12 if strict.rule(*discs_of(position))[0] else 60


def entry(position):
    """The digits of an entry, and the positions that it leads to."""
    if digits := direct(position):
        return digits, set()
    own, other = discs_of(position)
    moves = [own | cell for cell in strict.rule(own, other)[1]]
    options = [moved for moved in moves if column_of(moved ^ own) == listed(position)]
    for holds in strict.decides, strict.is_decided, full.decides, full.is_decided:
        options = options or [moved for moved in moves if holds(moved, other)]
    best = min(options, key=lambda moved: sum(map(cost, after(moved, other))))
    return str(column_of(best ^ own)), after(best, other)


own, other = (proof.discs[player] for player in ("XO", "OX")[claim.player])
layer, digits = {position_of(own, other)} if proof.to_move == "XO"[claim.player] else after(own, other), ""
while layer:
    entries = [entry(position) for position in sorted(layer)]
    digits += "".join(text for text, _ in entries)
    layer = set().union(*(positions for _, positions in entries))
rows = ";\n".join("0x" + digits[i : i + 110] for i in range(0, len(digits), 110))
start = "From Stdlib Require Import List Number.\nImport ListNotations.\nLocal Open Scope hex_uint_scope."
Path(target).write_text(f"(* Made by export.py. *)\n{start}\nDefinition table : list Number.uint := [\n{rows}].\n")

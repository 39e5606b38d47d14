#!/usr/bin/env python3
"""Checks proofs about Connect-4 positions, and trusts nobody: python check_proof.py FILE...

Each step says why it is sound. It needs nothing but Python 3.10. A proof is about one player, the *claimant*, and a
*goal*: a score that the claimant reaches against every reply. A game that ends with n discs on a board of c cells
scores (c + 2 - n) // 2 for the winner, its negative for the loser, and 0 for a draw. So goal 1 is "wins", goal 0 "does
not lose", and goal -1 on 7 x 6 "does not lose before the 41st disc". One player's score is the negative of the other's,
so two proofs give the exact value. A file is a line "c4mcts-proof 2 HASH", where HASH is the SHA-256 of the rest,
against accidents; a line of JSON, see `Proof`; and, compressed by zlib, one byte for each move of the claimants: its
column, from 0 at the left. `Walk` plays every reply and applies every rule itself: a bad move can't prove anything.
"""

import functools
import hashlib
import itertools
import json
import sys
import zlib


def require(condition, message):
    if not condition:
        raise ValueError(message)


def each(cells):
    return [1 << i for i in range(cells.bit_length()) if cells >> i & 1]


class Proof:
    """The position and claims of a file. The JSON has "rules": {"width", "height", "connect", "diagonals"}, "board":
    rows from the top to the bottom, with X for the discs of the first player, O for the second's and . for an
    empty cell, and "claims": a list of {"player": "X" or "O", "score": the goal, "moves": how many bytes are its own,
    "positions": how many it visits}. Sets of cells are integers: bit c * (height + 1) + r is the cell in column c and
    row r, both from 0 at the bottom left."""

    def __init__(self, data):
        head, _, body = data.partition(b"\n")
        right = [b"c4mcts-proof", b"2", hashlib.sha256(body).hexdigest().encode()]
        require(head.split() == right, "this is no proof in format 2, or it is damaged: its hash is wrong")
        text, packed = body.split(b"\n", 1)
        rules, rows, self.claims = (json.loads(text)[key] for key in ("rules", "board", "claims"))
        width, height, connect = sizes = [rules[key] for key in ("width", "height", "connect")]
        counts, scores = ([claim[key] for claim in self.claims] for key in ("moves", "score"))
        require({*map(type, sizes + counts + scores)} == {int} and type(rules["diagonals"]) is bool, "a wrong type")
        require(min(width, height, connect - 1) > 0 and width * (height + 1) <= 128, "the board has a wrong size")
        require(counts and 0 <= min(counts) <= sum(counts) <= 1 << 28, "no claim, or a wrong number of moves")
        moves = zlib.decompressobj().decompress(packed, sum(counts) + 1)
        require(len(moves) == sum(counts), f"there are not {sum(counts)} moves")
        for claim, end in zip(self.claims, itertools.accumulate(counts), strict=True):
            claim["columns"] = moves[end - claim["moves"] : end]
        self.lowest = [1 << c * (height + 1) for c in range(width)]  # the lowest cell of each column
        self.columns = [((1 << height) - 1) * cell for cell in self.lowest]
        self.board, self.bottom, self.lines, last = sum(self.columns), sum(self.lowest), [], connect - 1
        self.winning, self.plan = functools.cache(self.winning), functools.cache(self.plan)
        for c, r, (dc, dr) in itertools.product(range(width), range(height), [(0, 1), (1, 0), (1, 1), (1, -1)]):
            if (rules["diagonals"] or dc * dr == 0) and c + dc * last < width and 0 <= r + dr * last < height:
                self.lines.append(sum(self.lowest[c + i * dc] << r + i * dr for i in range(connect)))
        require([len(row) for row in rows] == [width] * height, "the board is of another size")
        cells = {self.lowest[c] << r: rows[height - 1 - r][c] for c in range(width) for r in range(height)}
        self.discs = {disc: sum(cell for cell in cells if cells[cell] == disc) for disc in "XO"}
        floats = [cell for cell in cells if cells[cell] != "." and cells.get(cell >> 1) == "."]
        require(set(cells.values()) <= set("XO.") and not floats, "a disc floats, or is of a third player")
        require(2 * max(map(abs, scores)) <= [*cells.values()].count(".") + 1, "no game has this score")
        self.to_move = {0: "X", 1: "O"}[self.discs["X"].bit_count() - self.discs["O"].bit_count()]
        require(not any(self.has_line(discs) for discs in self.discs.values()), "the game is over")
        self.words = "\n".join([f"{json.dumps(rules)}, {self.to_move} to move", *rows])

    def has_line(self, cells):
        return any(line & cells == line for line in self.lines)

    def winning(self, discs):
        """The cells with which a player who has these discs completes a line, whether they are empty or not."""
        return sum({line & ~discs for line in self.lines if (line & ~discs).bit_count() == 1})

    def free(self, taken):
        """The cells in which a disc can fall: adding 1 to the discs of a column gives its lowest empty cell."""
        return taken + self.bottom & self.board

    def follow_up(self, own, other, goal):
        """Whether the claimant, who has just moved, reaches the goal by answering each disc as follows.

        In every column the empty cells are paired from below. If the opponent takes the lower cell of a pair, the
        claimant takes the upper one, which has just become free. In some columns the lowest empty cell is *contested*,
        and the pairs begin above it. Contested cells are paired with each other, so their number is even: if the
        opponent takes one, the claimant takes the other, which is free, since nobody takes it before. So the claimant
        can answer every disc but one in a cell without a pair. That can only be the last cell of a column, and it is
        out of reach if the upper cell of a pair below it completes a line of the claimant, which ends the game. A plan
        for a column must have no such cell, or such a line: then the opponent runs out of other moves, and loses.
        The opponent gets at most `theirs`: the lower cells of pairs, and one of two contested cells that are paired.
        Hence a line in it that does not come too late must have both of them. To win, the claimant needs a line with
        upper cells of pairs. All get filled; for goal 2, to win with 2 cells still empty, and so on, only those count
        that have as many above them, as they are filled by then. The limits of 6 save time: beyond, no plan holds."""
        ends, early = self.winning(own) & ~other, sum(c & c >> max(0, 2 * goal - 2) for c in self.columns)
        columns = [column & ~(own | other) for column in self.columns if column & ~(own | other)]
        plans = [list(filter(None, [self.plan(cells, cells & ends, n) for n in (0, 1)])) for cells in columns]
        for choice in itertools.product(*plans) if sum(map(len, plans)) <= len(plans) + 6 else []:
            theirs, ours, shared = (sum(plan[i] for plan in choice) for i in range(3))
            if (goal <= 0 or self.has_line(own | ours & early)) and shared.bit_count() in (0, 2, 4, 6):
                late = functools.partial(self.comes_late, own, ours, shared)
                rests = [line & ~other for line in self.lines if line & (other | theirs) == line]
                if all(late(rest) for rest in rests if (rest & shared).bit_count() < 2):
                    dangers = [rest for rest in rests if not late(rest)]
                    for order in itertools.permutations(each(shared)):
                        pairs = [one | two for one, two in zip(order[::2], order[1::2], strict=True)]
                        if all(any(rest & pair == pair for pair in pairs) for rest in dangers):
                            return True
        return False

    def plan(self, cells, ends, contested):
        """For a column with these empty cells: theirs, ours, the contested cell; None if unfit."""
        cell = cells & -cells
        theirs = shared = cell * contested
        cell, ours, won = cell << contested, 0, 0
        while cell & cells and cell << 1 & cells and not won:
            theirs, ours, won, cell = theirs | cell, ours | cell << 1, cell << 1 & ends, cell << 2
        return (theirs, ours, shared) if won or not cell & cells else None

    def comes_late(self, own, ours, shared, rest):
        """Whether the claimant has a line before the opponent takes the rest of a line, whichever cell comes last: by
        then the claimant has the upper cells of all pairs below the rest, and of those in which it is a lower cell."""
        tops = (rest | (rest & ~shared & ~last) << 1 for last in each(rest))
        filled = (sum(column & (1 << (top & column).bit_length()) - 1 for column in self.columns) for top in tops)
        return all(self.has_line(own | ours & cells) for cells in filled)


class Walk:
    """Plays through one claim: all replies of the opponent, one move of the claimant. A position that was met before,
    or its mirror image, is not played again: it is proven there. Since moves add discs, no proof refers to itself."""

    def __init__(self, proof, claim):
        self.proof, self.goal, self.moves, self.next = proof, claim["score"], claim["columns"], 0
        self.rule, self.met = functools.cache(self.rule), set()
        # A win with more discs than last_win misses the goal, by the scores above, and a loss with at most last_loss.
        self.last_win, self.last_loss = (proof.board.bit_count() + n for n in (2 - 2 * self.goal, 2 * self.goal))
        walk = self.claimant_moves if claim["player"] == proof.to_move else self.opponent_moves
        walk(*(proof.discs[player] for player in {"X": "XO", "O": "OX"}[claim["player"]]))
        require(self.next == len(self.moves), f"{len(self.moves) - self.next} moves are left over")
        require(len(self.met) == claim["positions"], f"there are {len(self.met)} positions")

    def is_new(self, own, other):
        key = [((own & a) // b, (other & a) // b) for a, b in zip(self.proof.columns, self.proof.lowest, strict=True)]
        before = len(self.met)
        self.met.add(tuple(min(key, key[::-1])))
        return len(self.met) > before

    def rule(self, own, other):
        """Whether a rule shows that the claimant, who is to move, reaches the goal; and the moves to choose from."""
        proof, goal, discs, free = self.proof, self.goal, (own | other).bit_count(), self.proof.free(own | other)
        if discs + 1 >= self.last_loss or (goal <= 0 and not proof.has_line(proof.board & ~own)):
            return True, []  # the opponent wins too late for the goal or never, and a draw is enough
        if proof.winning(own) & free and discs < self.last_win:
            return True, []  # the claimant wins, and in time
        threats = proof.winning(other) & ~own  # the opponent must not be able to win with the next disc
        safe = each((threats & free or free) & ~(threats >> 1)) if (threats & free).bit_count() < 2 else []
        for cell in safe if discs < self.last_win else []:
            answers = proof.winning(own | cell) & proof.free(own | other | cell) if discs + 2 < self.last_win else 0
            if answers.bit_count() > 1 or (answers and self.rule(own | cell, other | answers)[0]):
                return True, safe  # two threats can't be answered at once, and one must be
            if proof.follow_up(own | cell, other, goal):
                return True, safe
        return False, safe

    def is_decided(self, own, other):
        """Whether a rule decides after each reply of the opponent, who can't win at once, and there is a reply."""
        replies = each(self.proof.free(own | other))
        return replies and all(self.rule(own, other | cell)[0] for cell in replies)

    def claimant_moves(self, own, other):
        """One move is enough. It is in the file unless a rule decides here or one move later, or there is no choice."""
        held, safe = self.rule(own, other)
        if held or any(self.is_decided(own | cell, other) for cell in safe) or not self.is_new(own, other):
            return
        if len(safe) > 1:
            column = sum(sum(self.proof.columns[i : i + 1]) for i in self.moves[self.next : self.next + 1])
            safe, self.next = [cell for cell in safe if cell & column], self.next + 1
        require(safe, f"at move {self.next}: it is missing, or loses, its column is full, or the goal is out of reach")
        self.opponent_moves(own | safe[0], other)

    def opponent_moves(self, own, other):
        """All replies count. None of them wins, unless that is late enough; and only a draw can end the game here."""
        free, late = self.proof.free(own | other), (own | other).bit_count() >= self.last_loss
        reached = (free or self.goal <= 0) and (late or not self.proof.winning(other) & free)
        require(reached, f"before move {self.next}: the game ends in a draw, or the opponent wins")
        if self.is_new(own, other):
            for cell in each(free):
                self.claimant_moves(own, other | cell)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        try:
            with open(name, "rb") as file:
                proof = Proof(file.read())
            print(f"{name}: {proof.words}")
            for claim in proof.claims:
                Walk(proof, claim)
                print(f"{claim['player']} scores at least {claim['score']}: proven.")
        except Exception as error:  # a forged file can lead to any
            sys.exit(f"{name}: refused: {error}")

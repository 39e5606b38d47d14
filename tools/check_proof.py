#!/usr/bin/env python3
"""Checks proofs about Connect-4 positions, and trusts nobody: python check_proof.py FILE...

Read it from top to bottom: each step says why it is sound. It needs Python 3.10 and nothing else, no part of c4mcts.
A proof is about one player, the *claimant*, and a *goal*: a score that the claimant reaches against every reply.
A game that ends with n discs on a board of c cells scores (c + 2 - n) // 2 for the winner and the negative of that for
the loser; a draw scores 0. So goal 1 is "wins", goal 0 "does not lose", and goal -1 on 7 x 6 "does not lose before the
41st disc". One player's score is the negative of the other's, so two proofs give the exact value.
A file is a line "c4mcts-proof 1 HASH", with the SHA-256 of all bytes after it; a line of JSON, see `Proof`; and,
compressed by zlib, one byte for each move of the claimants: its column, from 0 at the left. The hash only finds
accidents. A forged file is refused because the walk below plays every reply and applies every rule by itself: the file
contributes nothing but moves of the claimants, and a bad move can't prove anything.
"""

import hashlib
import itertools
import json
import sys
import zlib


def require(condition, message):
    if not condition:
        raise ValueError(message)


class Proof:
    """The position and the claims of a file.

    The JSON has "rules": {"width", "height", "connect", "diagonals"}, "board": rows from the top to the bottom, with X
    for the discs of the first player, O for those of the second and . for an empty cell, and "claims": a list of
    {"player": "X" or "O", "score": the goal, "moves": how many bytes are its own, "positions": how many it visits}.
    Sets of cells are integers: bit c * height + r is the cell in column c and row r, both from 0 at the bottom left.
    """

    def __init__(self, data):
        head, body = data.split(b"\n", 1)
        require(head.split() == [b"c4mcts-proof", b"1", hashlib.sha256(body).hexdigest().encode()], "the hash is wrong")
        text, packed = body.split(b"\n", 1)
        rules, rows, self.claims = (json.loads(text)[key] for key in ("rules", "board", "claims"))
        width, height, connect = sizes = [rules[key] for key in ("width", "height", "connect")]
        sizes += [claim[key] for claim in self.claims for key in ("score", "moves", "positions")]
        require(all(type(size) is int for size in sizes) and min(width, height, connect - 1) > 0, "a size is wrong")
        require(type(rules["diagonals"]) is bool, "diagonals are neither true nor false")
        total, unpacker = sum(claim["moves"] for claim in self.claims), zlib.decompressobj()
        self.moves = unpacker.decompress(packed, total + 1)
        require(len(self.moves) == total and unpacker.eof and not unpacker.unused_data, f"there are not {total} moves")
        self.width, self.height, self.cells = width, height, width * height
        self.columns = [((1 << height) - 1) << c * height for c in range(width)]
        self.lines, reach = [], range(connect)  # each line that wins
        for c, r, (dc, dr) in itertools.product(range(width), range(height), [(0, 1), (1, 0), (1, 1), (1, -1)]):
            if (rules["diagonals"] or dc * dr == 0) and c + dc * reach[-1] < width and 0 <= r + dr * reach[-1] < height:
                self.lines.append(sum(1 << (c + i * dc) * height + r + i * dr for i in reach))
        self.through = [[line & ~(1 << cell) for line in self.lines if line >> cell & 1] for cell in range(self.cells)]
        require([len(row) for row in rows] == [width] * height, "the board is of another size")
        cells = [rows[height - 1 - r][c] for c in range(width) for r in range(height)]
        floats = [i % height and cells[i] != "." == cells[i - 1] for i in range(self.cells)]
        require(set(cells) <= set("XO.") and not any(floats), "a disc floats, or is of a third player")
        self.discs = {disc: sum(1 << i for i in range(self.cells) if cells[i] == disc) for disc in "XO"}
        self.to_move = {0: "X", 1: "O"}[cells.count("X") - cells.count("O")]
        self.words = f"{width} x {height}, {connect} in a row{'' if rules['diagonals'] else ', no diagonals'}"
        self.words = "\n".join([f"{self.words}, {self.to_move} to move", *rows])
        require(not any(self.has_line(discs) for discs in self.discs.values()), "the game is over")

    def has_line(self, cells):
        return any(line & cells == line for line in self.lines)

    def wins(self, discs, cells):
        """Those of the cells with which a player who has these discs completes a line."""
        return [cell for cell in cells if any(rest & discs == rest for rest in self.through[cell.bit_length() - 1])]

    def free(self, taken):
        """The cells in which a disc can fall, from the left to the right: the lowest empty one of each column."""
        return [column & ~taken & -(column & ~taken) for column in self.columns if column & ~taken]

    def win_score(self, discs):
        return (self.cells + 2 - discs) // 2


class Walk:
    """Plays through one claim: all replies of the opponent, one move of the claimant.

    A position that was met before, or its mirror image, is not played again: it is proven where it was met. Since each
    move adds a disc, no proof can refer to itself.
    """

    def __init__(self, proof, claim, moves):
        self.proof, self.goal, self.moves, self.next, self.met = proof, claim["score"], moves, 0, set()
        own, other = (proof.discs[player] for player in {"X": "XO", "O": "OX"}[claim["player"]])
        if claim["player"] == proof.to_move:
            self.claimant_moves(own, other)
        else:
            late = -proof.win_score((own | other).bit_count() + 1) >= self.goal
            require(late or not proof.wins(other, proof.free(own | other)), "the opponent wins at once")
            self.opponent_moves(own, other)
        require(self.next == len(moves), f"{len(moves) - self.next} moves are left over")
        require(len(self.met) == claim["positions"], f"there are {len(self.met)} positions")

    def is_new(self, own, other):
        places = [c * self.proof.height for c in range(self.proof.width)]
        image = [sum((cells >> c & self.proof.columns[0]) << places[-1] - c for c in places) for cells in (own, other)]
        before = len(self.met)
        self.met.add(min((own, other), tuple(image)))
        return len(self.met) > before

    def is_held(self, own, other):
        """Whether a rule shows that the claimant, who is to move, reaches the goal; and the moves to choose from."""
        proof, goal, discs, everywhere = self.proof, self.goal, (own | other).bit_count(), (1 << self.proof.cells) - 1
        free = proof.free(own | other)
        if -proof.win_score(discs + 2) >= goal:
            return True, []  # the opponent's next disc is the first that could win, which is late enough for the goal
        if goal <= 0 and not proof.has_line(everywhere & ~own):
            return True, []  # no loss is possible any more, and a draw is enough; this includes a full board
        if goal > 0 and proof.win_score(discs + 1) < goal:
            return False, []  # the next disc comes too late to win
        if proof.wins(own, free):
            return True, []  # the claimant wins, and in time
        # From here on the opponent must not be able to win with the next disc: that would be too early.
        threats = proof.wins(other, free)
        safe = free if not threats else threats if len(threats) == 1 else []
        tops = [column & ~(column >> 1) for column in proof.columns]
        safe = [cell for cell in safe if cell in tops or not proof.wins(other, [cell << 1])]
        if goal <= 1 and any(follow_up(proof, own | cell, other, goal == 1) for cell in safe):
            return True, safe
        for cell in safe if goal <= 1 else []:  # a threat must be answered at once, and two threats can't be
            answers = proof.wins(own | cell, proof.free(own | other | cell))
            if len(answers) > 1 or (answers and self.is_held(own | cell, other | answers[0])[0]):
                return True, safe
        return False, safe

    def claimant_moves(self, own, other):
        """One move is enough. It is in the file unless a rule needs none, or only one does not lose at once."""
        held, safe = self.is_held(own, other)
        if held or not self.is_new(own, other):
            return
        if len(safe) > 1:
            require(self.next < len(self.moves), f"move {self.next} is missing")
            column = sum(self.proof.columns[self.moves[self.next] :][:1])
            safe = [cell for cell in safe if cell & column]
            self.next += 1
        require(safe, f"at move {self.next}: the goal is out of reach, or the column of the move is full or loses")
        self.opponent_moves(own | safe[0], other)

    def opponent_moves(self, own, other):
        """All replies count. None of them wins: is_held has seen to that, and so has __init__ at the start."""
        free = self.proof.free(own | other)
        require(free or self.goal <= 0, f"before move {self.next}: the game ends in a draw")
        if self.is_new(own, other):
            for cell in free:
                self.claimant_moves(own, other | cell)


def follow_up(proof, own, other, must_win):
    """Whether the claimant, who has just moved, reaches goal 1 (must_win) or 0 by answering each disc by these rules.

    In every column the empty cells are paired from below. If the opponent takes the lower cell of a pair, the claimant
    takes the upper one, which has just become free. In some columns the lowest empty cell is *contested*, and the pairs
    begin above it. Contested cells are paired with each other, so their number is even: if the opponent takes one, the
    claimant takes the other, which is free, since nobody takes it before. So the claimant can answer every disc but one
    in a cell without a pair. That can only be the last cell of a column, and it is out of reach if the upper cell of a
    pair below it completes a line of the claimant, which ends the game. A plan for a column must have no such cell, or
    such a line; and until a column with such a line is full, the opponent runs out of other moves and loses.

    The opponent gets at most `theirs`: the lower cells of pairs, and one of two contested cells that are paired. Hence
    a line in it that does not come too late must have both of them. To win, the claimant needs a column with a line, or
    a line once all columns are full. The limits of 6 save time: above them the rule is not applied.
    """
    columns = [column & ~(own | other) for column in proof.columns if column & ~(own | other)]
    plans = [list(filter(None, [pair_up(proof, own, cells, 0), pair_up(proof, own, cells, 1)])) for cells in columns]
    for choice in itertools.product(*plans) if sum(len(each) - 1 for each in plans) <= 6 else []:
        theirs, ours, shared = (sum(plan[i] for plan in choice) for i in range(3))
        wins = not must_win or any(plan[3] for plan in choice) or proof.has_line(own | ours)
        if wins and shared.bit_count() % 2 == 0:
            dangers = [line for line in proof.lines if line & (other | theirs) == line]
            dangers = [line for line in dangers if not comes_late(proof, line & ~other, own, ours, shared)]
            contested = [plan[2] for plan in choice if plan[2]]
            if not dangers or (len(contested) <= 6 and parted(dangers, contested)):
                return True
    return False


def pair_up(proof, own, cells, contested):
    """A plan for a column with these empty cells: theirs, ours, the contested cell, whether it wins; None if unfit."""
    cell = cells & -cells
    shared = theirs = cell * contested
    cell, ours, wins = cell << contested, 0, False
    while cell & cells and cell << 1 & cells and not wins:
        wins = bool(proof.wins(own, [cell << 1]))
        theirs, ours, cell = theirs | cell, ours | cell << 1, cell << 2
    return (theirs, ours, shared, wins) if wins or not cell & cells else None


def comes_late(proof, rest, own, ours, shared):
    """Whether the claimant has a line before the opponent takes the rest of a line, whichever cell of it comes last.

    By then the claimant has the upper cells of all pairs below the rest, and of those in which the opponent took it.
    """
    parts = [(column, rest & column) for column in proof.columns if rest & column]
    below = sum(ours & column & ((1 << part.bit_length() - 1) - 1) for column, part in parts)
    lasts = [1 << i for i in range(proof.cells) if rest >> i & 1]
    return all(proof.has_line(own | below | (rest & ~shared & ~last) << 1) for last in lasts)


def parted(dangers, cells):
    """Whether these cells can be paired such that each of the lines contains both cells of a pair."""
    lefts = [[line for line in dangers if line & (cells[0] | cell) != cells[0] | cell] for cell in cells[1:]]
    return not dangers or any(parted(left, cells[1:i] + cells[i + 1 :]) for i, left in enumerate(lefts, 1))


def main(names):
    """Prints positions and what is proven of them, and returns 0; or says where a proof fails, and returns 1."""
    for name in names:
        try:
            with open(name, "rb") as file:
                proof, start = Proof(file.read()), 0
            for claim in proof.claims:
                Walk(proof, claim, proof.moves[start : start + claim["moves"]])
                start += claim["moves"]
            claims = (f"{claim['player']} scores at least {claim['score']}: proven." for claim in proof.claims)
            print(f"{name}: {proof.words}", *claims, sep="\n")
        except Exception as error:  # a forged file can lead to any
            return print(f"{name}: refused: {error}") or 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""Checks proofs about Connect-4 positions, and trusts nobody: python check_proof.py FILE...

Read it from top to bottom: each step says why it is sound. It prints what is proven and exits with 0, or says where a
proof fails and exits with 1. It needs Python 3.8 and nothing else, no part of c4mcts either.

A proof is about one player, the *claimant*, and a *goal*: a score that the claimant reaches whatever the opponent does.
A game that ends with n discs on a board of c cells scores (c + 2 - n) // 2 for the winner and the negative of that for
the loser; a draw scores 0. So goal 1 is "wins", goal 0 "does not lose", and goal -1 on 7 x 6 "does not lose before the
41st disc". One player's score is the negative of the other's, so two proofs give the exact value.

The file: a line "c4mcts-proof 1 HASH", with the SHA-256 of all bytes after that line; a line of JSON, see `Proof`; and,
compressed by zlib, one byte for each move of the claimants: its column, from 0 at the left. The hash only finds
accidents. A forged file with a correct hash is refused because the walk below plays every reply and applies every rule
by itself: the file contributes nothing but moves of the claimants, and a bad move can't prove anything.
"""

import hashlib
import itertools
import json
import sys
import zlib


class Proof:
    """The position and the claims of a file.

    The JSON has "rules": {"width", "height", "connect", "diagonals"}, "board": rows from the top to the bottom, with X
    for the discs of the first player, O for those of the second and . for an empty cell, and "claims": a list of
    {"player": "X" or "O", "score": the goal, "moves": how many bytes are its own, "positions": how many it visits}.

    Sets of cells are integers: the cell in column c and row r, both from 0 at the bottom left, is the bit c * height + r.
    """

    def __init__(self, data):
        head, _, body = data.partition(b"\n")
        if head.split() != [b"c4mcts-proof", b"1", hashlib.sha256(body).hexdigest().encode()]:
            raise ValueError("this is no proof in format 1, or it is damaged: its hash is wrong")
        text, _, packed = body.partition(b"\n")
        about = json.loads(text)
        rules, rows, self.claims = about["rules"], about["board"], about["claims"]
        self.width, self.height, connect = width, height, _ = rules["width"], rules["height"], rules["connect"]
        sizes = [
            width,
            height,
            connect,
            *(claim[key] for claim in self.claims for key in ("score", "moves", "positions")),
        ]
        if any(type(size) is not int for size in sizes) or not (0 < width <= 64 and 0 < height <= 64 and connect > 1):
            raise ValueError("a size is not a number that it may be")
        total, unpacker, self.cells = sum(claim["moves"] for claim in self.claims), zlib.decompressobj(), width * height
        self.moves = unpacker.decompress(packed, total + 1)
        if len(self.moves) != total or not unpacker.eof or unpacker.unused_data:
            raise ValueError(f"there are not exactly {total} moves")
        self.columns = [((1 << height) - 1) << c * height for c in range(width)]
        self.lines, reach = [], range(connect)  # every line that wins
        for c, r, (dc, dr) in itertools.product(range(width), range(height), [(0, 1), (1, 0), (1, 1), (1, -1)]):
            if (rules["diagonals"] or dc * dr == 0) and c + dc * reach[-1] < width and 0 <= r + dr * reach[-1] < height:
                self.lines.append(sum(1 << (c + i * dc) * height + r + i * dr for i in reach))
        self.through = [[line & ~(1 << cell) for line in self.lines if line >> cell & 1] for cell in range(self.cells)]
        self.discs = {"X": 0, "O": 0}
        if [len(row) for row in rows] != [width] * height or set("".join(rows)) - set("XO."):
            raise ValueError("the board is of another size, or has other discs")
        for c, column in enumerate(zip(*reversed(rows))):
            if "." in "".join(column).rstrip("."):
                raise ValueError("a disc floats")
            for disc in "XO":
                self.discs[disc] |= sum(1 << c * height + r for r in range(height) if column[r] == disc)
        self.to_move = {0: "X", 1: "O"}[count(self.discs["X"]) - count(self.discs["O"])]
        if any(self.has_line(discs) for discs in self.discs.values()):
            raise ValueError("the game is over")

    def has_line(self, cells):
        return any(line & cells == line for line in self.lines)

    def wins(self, discs, cells):
        """Those of the cells with which a player who has these discs completes a line."""
        return [cell for cell in cells if any(rest & discs == rest for rest in self.through[cell.bit_length() - 1])]

    def free(self, taken):
        """The cells in which a disc can fall, from the left to the right: the lowest empty one of each column."""
        return [column & ~taken & -(column & ~taken) for column in self.columns if column & ~taken]

    def above(self, cell):
        """The cell above this one, in a list that is empty at the top."""
        return [cell << 1 for column in self.columns if cell & column and cell << 1 & column]

    def win_score(self, discs):
        return (self.cells + 2 - discs) // 2


class Walk:
    """Plays through one claim: all replies of the opponent, one move of the claimant.

    A position that was met before, or its mirror image, is not played again: it is proven where it was met. Since each
    move adds a disc, no proof can refer to itself.
    """

    def __init__(self, proof, claim, moves):
        self.proof, self.goal, self.moves, self.next, self.met = proof, claim["score"], moves, 0, set()
        own, other = (proof.discs[player] for player in ("XO" if claim["player"] == "X" else "OX"))
        if claim["player"] == proof.to_move:
            self.claimant_moves(own, other)
        else:
            late = -proof.win_score(count(own | other) + 1) >= self.goal
            if not late and proof.wins(other, proof.free(own | other)):
                raise ValueError("the opponent wins at once")
            self.opponent_moves(own, other)
        if (self.next, len(self.met)) != (len(moves), claim["positions"]):
            raise ValueError(
                f"{len(moves) - self.next} moves are left over, or there are not {claim['positions']} positions"
            )

    def is_new(self, own, other):
        places = [c * self.proof.height for c in range(self.proof.width)]
        image = tuple(
            sum((discs >> c & self.proof.columns[0]) << places[-1] - c for c in places) for discs in (own, other)
        )
        before = len(self.met)
        self.met.add(min((own, other), image))
        return len(self.met) > before

    def is_held(self, own, other):
        """Whether a rule shows that the claimant, who is to move, reaches the goal; and the moves to choose from."""
        proof, discs, everywhere = self.proof, count(own | other), (1 << self.proof.cells) - 1
        free = proof.free(own | other)
        if -proof.win_score(discs + 2) >= self.goal:
            return True, []  # the opponent has no chance to win before the next disc but one: late enough for the goal
        if self.goal <= 0 and not proof.has_line(everywhere & ~own):
            return True, []  # no loss is possible any more, and a draw is enough; this includes a full board
        if (
            not free
            or (self.goal > 0 and not proof.has_line(everywhere & ~other))
            or proof.win_score(discs + 1) < self.goal
        ):
            return False, []  # the goal is out of reach: no line is left, or the next disc is too late
        if proof.wins(own, free):
            return True, []  # the claimant wins, and in time
        # From here on the opponent must not be given a win with the next disc, which would be in time for them.
        threats = proof.wins(other, free)
        safe = threats if len(threats) == 1 else [] if threats else free
        safe = [cell for cell in safe if not proof.wins(other, proof.above(cell))]
        if self.goal > 1:
            return False, safe  # the rules below don't say when the claimant wins
        if any(follow_up(proof, own | cell, other, self.goal == 1) for cell in safe):
            return True, safe
        for cell in safe:  # a threat to win with the next disc must be answered; two threats can't be
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
            if self.next == len(self.moves):
                raise ValueError(f"move {self.next} is missing")
            column = self.moves[self.next]
            safe = [cell for cell in safe if column < self.proof.width and cell & self.proof.columns[column]]
            self.next += 1
        if not safe:
            raise ValueError(
                f"at move {self.next}: the goal is out of reach, or the column of the move is full or loses"
            )
        self.opponent_moves(own | safe[0], other)

    def opponent_moves(self, own, other):
        """All replies count. None of them wins: is_held has seen to that, and so has __init__ at the start."""
        free = self.proof.free(own | other)
        if not free and self.goal > 0:
            raise ValueError(f"before move {self.next}: the game ends in a draw")
        if self.is_new(own, other):
            for cell in free:
                self.claimant_moves(own, other | cell)


def count(cells):
    return bin(cells).count("1")


def follow_up(proof, own, other, must_win):
    """Whether the claimant, who has just moved, reaches goal 1 (must_win) or 0 by answering each disc by these rules.

    In every column the empty cells are paired from below. If the opponent takes the lower cell of a pair, the claimant
    takes the upper one, which has just become free. In some columns the lowest empty cell is *contested*, and the pairs
    begin above it. Contested cells are paired with each other, so their number is even: if the opponent takes one, the
    claimant takes the other, which is free, since nobody takes it before. So the claimant can answer every disc but one
    in a cell without a pair. That can only be the last cell of a column, and it is out of reach if the upper cell of a
    pair below it completes a line of the claimant, which ends the game. A plan for a column *fits* if it has no such
    cell or has such a line.

    Then the opponent gets at most `theirs`: the lower cells of pairs, and of the contested cells one of each pair. They
    win only by a line within that and their discs. If the goal is a win, they must also run out of moves: a column with
    a line of the claimant can't be filled without it; or the claimant has a line once all columns are full.

    The limits (6 columns with two plans, 6 contested cells) only save time: the rule is then not applied.
    """
    columns = [column & ~(own | other) for column in proof.columns if column & ~(own | other)]
    plans = [
        [plan for plan in (pair_up(proof, own, cells, 0), pair_up(proof, own, cells, 1)) if plan] for cells in columns
    ]
    for choice in itertools.product(*plans) if sum(len(each) - 1 for each in plans) <= 6 else []:
        theirs, ours, shared = (sum(plan[i] for plan in choice) for i in range(3))
        if count(shared) % 2 or (must_win and not any(plan[3] for plan in choice) and not proof.has_line(own | ours)):
            continue
        dangers = [line for line in proof.lines if line & (other | theirs) == line]
        dangers = [line for line in dangers if not comes_late(proof, line & ~other, own, ours, shared)]
        contested = [plan[2] for plan in choice if plan[2]]
        if not dangers or (len(contested) <= 6 and parted(dangers, contested)):
            return True
    return False


def pair_up(proof, own, cells, contested):
    """A plan for a column with these empty cells: theirs, ours, the contested cell, whether it wins. None: unfit."""
    cell = cells & -cells
    shared = theirs = cell * contested
    cell, ours, wins = cell << contested, 0, False
    while cell & cells and cell << 1 & cells and not wins:
        wins = bool(proof.wins(own, [cell << 1]))
        theirs, ours, cell = theirs | cell, ours | cell << 1, cell << 2
    return (theirs, ours, shared, wins) if wins or not cell & cells else None


def comes_late(proof, rest, own, ours, shared):
    """Whether the claimant has a line before the opponent takes the rest of a line, in whatever order.

    When its last cell is taken, the claimant has the upper cell of every pair below the rest, and of the pairs in which
    the opponent took the other cells of it.
    """
    cells = [1 << i for i in range(proof.cells) if rest >> i & 1]
    below = sum(
        ours & (column & (1 << (rest & column).bit_length() - 1) - 1) for column in proof.columns if rest & column
    )
    return all(proof.has_line(own | below | (rest & ~shared & ~last) << 1) for last in cells)


def parted(dangers, cells):
    """Whether these cells can be paired such that each of the lines contains both cells of a pair."""
    lefts = [[line for line in dangers if line & (cells[0] | cell) != cells[0] | cell] for cell in cells[1:]]
    return not dangers or any(parted(left, cells[1:i] + cells[i + 1 :]) for i, left in enumerate(lefts, 1))


def main(names):
    for name in names:
        try:
            with open(name, "rb") as file:
                proof = Proof(file.read())
            start = 0
            for claim in proof.claims:
                Walk(proof, claim, proof.moves[start : start + claim["moves"]])
                start += claim["moves"]
            print(
                f"{name}:", *(f"{claim['player']} scores at least {claim['score']}: proven." for claim in proof.claims)
            )
        except (OSError, ValueError, LookupError, TypeError, AttributeError, zlib.error) as error:
            print(f"{name}: refused: {error}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

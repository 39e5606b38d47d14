"""What a policy reaches on 7x6 against every reply, and where it gives the win away: all of it.

    cd examples && python -m network.reach network/first-player.npz

It moves first, or with --second after the first moves after which the second player wins: columns 1, 2, 6 and 7. Prints
how many positions it reaches, by discs, and in how many of them it gives away the win, which it has kept until then. A
position and its mirror image are one, although it may move otherwise in the second, where two columns have the same
prior. Takes some minutes and 4 GB of memory, with --second 9 GB. Needs the native backend.
"""

import argparse
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from c4mcts import PolicyValueNetwork, Rules
from c4mcts._backend import load
from c4mcts._layout.settings import UNLIMITED
from c4mcts.play import BatchPlayer, NetworkPlayer
from c4mcts.solver.bitboards import Positions, has_line
from c4mcts.solver.scores import Scores

RULES = Rules()
CHUNK = 1 << 16  # positions of a question
ITSELF, IMAGE = 1, 2  # sides of a position: bits for what is reached, or moved in

Rows = npt.NDArray[np.int32]
Columns = npt.NDArray[np.intp]
Sides = npt.NDArray[np.uint8]


class Roots(NamedTuple):
    """Positions from which the player to move wins."""

    positions: Positions
    sides: int  # of each that the player meets


FIRST = Roots(Positions.of(RULES, [0], [0]), ITSELF)
SECOND = Roots(Positions.of(RULES, [0, 0], [1, 1 << 7]), ITSELF | IMAGE)  # after a first move in column 0 or 1


class Judge:
    """Which moves win or keep the outcome, by the book or the solver."""

    def __init__(self) -> None:
        self._scores = Scores(RULES, True, lambda: load("native").new_solver(RULES))

    def wins(self, own: int, mask: int, column: int) -> bool:
        """Whether the player to move wins with this column, which is open. own, mask: of a position that is won."""
        if has_line(np.array([own | cell_of(mask, column)], np.uint64), RULES)[0]:
            return True
        return mask.bit_count() + 1 < RULES.cells and self._bounds(own, mask, column, -1)[1] < 0

    def good_columns(self, own: int, mask: int) -> list[int]:
        """The columns that keep the outcome of an unfinished position in which no disc wins at once."""
        columns = [column for column in range(RULES.width) if not mask >> 7 * column + 5 & 1]
        wins = [column for column in columns if self._bounds(own, mask, column, -1)[1] < 0]
        return wins or [column for column in columns if self._bounds(own, mask, column, 0)[0] <= 0] or columns

    def _bounds(self, own: int, mask: int, column: int, low: int) -> tuple[int, int]:
        """Bounds of the opponent's score after a column, both at most `low` or both above it."""
        after = own ^ mask, mask | cell_of(mask, column)
        return self._scores.bounds(*after, low, low + 1, UNLIMITED, lambda: False)


def cell_of(mask: int, column: int) -> int:
    """The cell that the next disc in an open column takes, as a bit."""
    return mask + (1 << 7 * column) & 63 << 7 * column


class Replies(NamedTuple):
    """What follows on a move in each of n positions: m replies, to k different positions that are not over."""

    positions: Positions  # (k,); of a position and its mirror image there is one
    sides: Sides  # (k,)
    parents: Rows  # (m,): the position before the move
    indices: Rows  # (m,): the position after the reply
    is_won: npt.NDArray[np.bool_]  # (n,): the move wins
    is_lost: npt.NDArray[np.bool_]  # (n,): a reply wins, or the game ends in a draw


def replies(positions: Positions, columns: Columns, sides: Sides) -> Replies:
    """All replies to a move in each position. columns: the moves, in open columns."""
    n, parts = len(positions), []
    for column in range(RULES.width):
        rows = np.flatnonzero(columns == column)
        parts.append((rows, positions[rows].after(column).positions))
    before, after = np.concatenate([rows for rows, _ in parts]), Positions.joined([part for _, part in parts])
    is_won, is_lost = np.zeros(n, bool), np.zeros(n, bool)
    won = has_line(after.own ^ after.mask, RULES)
    is_won[before[won]] = True
    before, after, found = before[~won], after[~won], []
    is_lost[before[after.are_over()]] = True  # the last disc of the board
    for column in range(RULES.width):
        reply = after.after(column)
        ends = reply.positions.are_over()
        is_lost[before[reply.parents[ends]]] = True
        found.append((before[reply.parents[~ends]].astype(np.int32), reply.positions[~ends]))
    unique = Positions.joined([part for _, part in found]).unique()
    parents = np.concatenate([rows for rows, _ in found])
    reached = np.zeros(len(unique.positions), np.uint8)
    for side, other in ((ITSELF, IMAGE), (IMAGE, ITSELF)):
        reached[unique.indices[sides[parents] & np.where(unique.flipped, other, side) > 0]] |= side
    return Replies(unique.positions, reached, parents, unique.indices.astype(np.int32), is_won, is_lost)


class Ply(NamedTuple):
    """The positions with as many discs that a player reaches, and its moves, one or two in each."""

    positions: Positions
    rows: Columns  # of each move: in which of the positions
    columns: Columns
    replies: Replies


def moves_of(player: BatchPlayer, positions: Positions, sides: Sides) -> tuple[Columns, Columns, Sides]:
    """Of each move in the sides of positions: the row and the column of the position, and in which of its sides."""
    chosen = np.full((2, len(positions)), -1)
    here, there = np.flatnonzero(sides & ITSELF), np.flatnonzero(sides & IMAGE)
    itself, image = positions[here], positions[there].mirrored()
    chosen[0, here] = player.choose_many(RULES, itself.own, itself.mask)
    chosen[1, there] = RULES.width - 1 - player.choose_many(RULES, image.own, image.mask)
    both = chosen[0] == chosen[1]
    there = there[~both[there]]
    moved = np.where(both[here], ITSELF | IMAGE, ITSELF), np.full(len(there), IMAGE)
    columns = np.concatenate([chosen[0, here], chosen[1, there]])
    return np.concatenate([here, there]), columns, np.concatenate(moved).astype(np.uint8)


def reached(player: BatchPlayer, roots: Roots) -> list[Ply]:
    """Everything that a player reaches, ply by ply: some tens of bytes for each of 30 million positions."""
    plies, here, sides = list[Ply](), roots.positions, np.full(len(roots.positions), roots.sides, np.uint8)
    while len(here):
        starts = range(0, len(here), CHUNK)
        parts = [moves_of(player, *(array[start : start + CHUNK] for array in (here, sides))) for start in starts]
        rows = np.concatenate([start + part[0] for start, part in zip(starts, parts, strict=True)])
        columns, moved = (np.concatenate([part[i] for part in parts]) for i in (1, 2))
        after = replies(here[rows], columns, moved)
        plies.append(Ply(here, rows, columns, after._replace(positions=roots.positions)))
        here, sides = after.positions, after.sides
    return plies


def winning_moves(plies: list[Ply]) -> list[npt.NDArray[np.bool_]]:
    """By ply, of each move whether the player wins against all replies."""
    result, wins = [], np.zeros(0, bool)  # of the positions of the next ply
    for ply in reversed(plies):
        fails = ply.replies.is_lost.copy()
        fails[ply.replies.parents[~wins[ply.replies.indices]]] = True
        result.append(ply.replies.is_won | ~fails)
        wins = np.ones(len(ply.positions), bool)
        wins[ply.rows[~result[-1]]] = False
    return result[::-1]


def given_away(player: BatchPlayer, judge: Judge, roots: Roots = FIRST) -> list[tuple[int, int, int]]:
    """By ply: discs, positions that the player reaches, and in how many of them it gives away a win that it has kept.

    The solver is asked only about moves with which the player does not win against all replies.
    """
    plies, table = reached(player, roots), []
    keeps = np.ones(len(roots.positions), bool)  # of the positions of a ply: it is won, and the player has kept that
    for number, (ply, wins) in enumerate(zip(plies, winning_moves(plies), strict=True)):
        goes_on, wrong = np.zeros(len(wins), bool), set()
        for move in np.flatnonzero(keeps[ply.rows] & ~wins).tolist():
            row, column = int(ply.rows[move]), int(ply.columns[move])
            goes_on[move] = judge.wins(int(ply.positions.own[row]), int(ply.positions.mask[row]), column)
            wrong |= set() if goes_on[move] else {row}
        table.append((int(ply.positions.plies[0]), len(ply.positions), len(wrong)))
        if number + 1 < len(plies):
            keeps = np.zeros(len(plies[number + 1].positions), bool)
            keeps[ply.replies.indices[goes_on[ply.replies.parents]]] = True
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", nargs="?", metavar="FILE", help="by default the package's")
    parser.add_argument("--lookahead", action="store_true", help="of two plies: see NetworkPlayer")
    parser.add_argument("--second", action="store_true", help="moving second, after a first move in column 1 or 2")
    options = parser.parse_args()
    player = NetworkPlayer(PolicyValueNetwork.load(options.network), lookahead=options.lookahead)
    table = given_away(player, Judge(), SECOND if options.second else FIRST)
    for discs, count, wrong in [*table, ("all", *(sum(row[i] for row in table) for i in (1, 2)))]:
        print(f"{discs:>4}  {count:>12,}  {wrong:>8,}", flush=True)


if __name__ == "__main__":
    main()

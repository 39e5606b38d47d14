"""What a policy reaches on 7x6 against every reply, and where it gives the win or the draw away: all of it.

    cd examples && python -m network.reach network/first-player.npz

It moves first and is to win; with --task second it is to win after the first moves after which the second player can,
with --task draw not to lose after those after which that player draws. Prints how many positions it reaches, by discs,
and in how many of them it gives away what it has kept until then. A position and its mirror image are one, although it
may move otherwise in the second, where two columns have the same prior. Takes some minutes and 4 GB of memory, with
--task second 9 GB. Needs the native backend.
"""

import argparse
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from c4mcts import PolicyValueNetwork
from c4mcts._backend import load
from c4mcts._layout.settings import UNLIMITED
from c4mcts.play import BatchPlayer, NetworkPlayer
from c4mcts.solver.bitboards import Positions, Unique, has_line
from c4mcts.solver.scores import Scores

from .tasks import RULES, TASKS, Task, add_task

CHUNK = 1 << 16  # positions of a question
ITSELF, IMAGE = 1, 2  # sides of a position: bits for what is reached, or moved in

Rows = npt.NDArray[np.int32]
Columns = npt.NDArray[np.intp]
Sides = npt.NDArray[np.uint8]


class Judge:
    """Which moves reach a goal or keep the outcome, by the book or the solver."""

    def __init__(self) -> None:
        self._scores = Scores(RULES, True, lambda: load("native").new_solver(RULES))

    def reaches(self, own: int, mask: int, column: int, goal: int) -> bool:
        """Whether the player to move reaches a goal (see Task) with this column, which is open."""
        if has_line(np.array([own | cell_of(mask, column)], np.uint64), RULES)[0]:
            return True
        if mask.bit_count() + 1 == RULES.cells:
            return goal <= 0
        return self._bounds(own, mask, column, -goal)[1] <= -goal

    def good_columns(self, own: int, mask: int) -> list[int]:
        """The columns that keep the outcome of an unfinished position in which no disc wins at once."""
        columns = [column for column in range(RULES.width) if not mask >> 7 * column + 5 & 1]
        for goal in (1, 0):
            if good := [column for column in columns if self.reaches(own, mask, column, goal)]:
                return good
        return columns

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
    fails: npt.NDArray[np.bool_]  # (n,): a reply wins, or the game ends in a draw and the goal is to win


def sides_of(unique: Unique, sides: Sides) -> Sides:
    """The sides of unique positions, from those of the original ones."""
    result = np.zeros(len(unique.positions), np.uint8)
    for side, other in ((ITSELF, IMAGE), (IMAGE, ITSELF)):
        result[unique.indices[sides & np.where(unique.flipped, other, side) > 0]] |= side
    return result


def replies(positions: Positions, columns: Columns, sides: Sides, goal: int) -> Replies:
    """All replies to a move in each position. columns: the moves, in open columns."""
    n, parts = len(positions), []
    for column in range(RULES.width):
        rows = np.flatnonzero(columns == column)
        parts.append((rows, positions[rows].after(column).positions))
    before, after = np.concatenate([rows for rows, _ in parts]), Positions.joined([part for _, part in parts])
    is_won, fails = np.zeros(n, bool), np.zeros(n, bool)
    won = has_line(after.own ^ after.mask, RULES)
    is_won[before[won]] = True
    before, after, found = before[~won], after[~won], []
    fails[before[after.are_over()]] = goal > 0  # the last disc of the board
    for column in range(RULES.width):
        reply = after.after(column)
        ends = reply.positions.are_over()
        lost = ends if goal > 0 else reply.positions.are_won()
        fails[before[reply.parents[lost]]] = True
        found.append((before[reply.parents[~ends]].astype(np.int32), reply.positions[~ends]))
    unique = Positions.joined([part for _, part in found]).unique()
    parents = np.concatenate([rows for rows, _ in found])
    indices = unique.indices.astype(np.int32)
    return Replies(unique.positions, sides_of(unique, sides[parents]), parents, indices, is_won, fails)


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


def reached(player: BatchPlayer, task: Task) -> list[Ply]:
    """Everything that a player reaches, ply by ply: some tens of bytes for each of 30 million positions."""
    plies, roots = list[Ply](), task.positions()
    here, sides = roots.positions, sides_of(roots, np.full(len(task.roots), ITSELF, np.uint8))
    while len(here):
        starts = range(0, len(here), CHUNK)
        parts = [moves_of(player, *(array[start : start + CHUNK] for array in (here, sides))) for start in starts]
        rows = np.concatenate([start + part[0] for start, part in zip(starts, parts, strict=True)])
        columns, moved = (np.concatenate([part[i] for part in parts]) for i in (1, 2))
        after = replies(here[rows], columns, moved, task.goal)
        plies.append(Ply(here, rows, columns, after._replace(positions=roots.positions)))
        here, sides = after.positions, after.sides
    return plies


def good_moves(plies: list[Ply]) -> list[npt.NDArray[np.bool_]]:
    """By ply, of each move whether the player reaches the goal against all replies."""
    result, good = [], np.zeros(0, bool)  # of the positions of the next ply
    for ply in reversed(plies):
        fails = ply.replies.fails.copy()
        fails[ply.replies.parents[~good[ply.replies.indices]]] = True
        result.append(ply.replies.is_won | ~fails)
        good = np.ones(len(ply.positions), bool)
        good[ply.rows[~result[-1]]] = False
    return result[::-1]


def given_away(player: BatchPlayer, judge: Judge, task: Task) -> list[tuple[int, int, int]]:
    """By ply: discs, positions that the player reaches, and in how many of them it gives the goal away.

    Only positions count in which it has kept it until then. The solver is asked only about moves with which the player
    does not reach it against all replies.
    """
    plies, table = reached(player, task), []
    keeps = np.ones(len(plies[0].positions), bool)  # of the positions of a ply: the player can still reach the goal
    for number, (ply, good) in enumerate(zip(plies, good_moves(plies), strict=True)):
        goes_on, wrong = np.zeros(len(good), bool), set()
        for move in np.flatnonzero(keeps[ply.rows] & ~good).tolist():
            row, column = int(ply.rows[move]), int(ply.columns[move])
            position = int(ply.positions.own[row]), int(ply.positions.mask[row])
            goes_on[move] = judge.reaches(*position, column, task.goal)
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
    add_task(parser)
    options = parser.parse_args()
    player = NetworkPlayer(PolicyValueNetwork.load(options.network), lookahead=options.lookahead)
    table = given_away(player, Judge(), TASKS[options.task])
    for discs, count, wrong in [*table, ("all", *(sum(row[i] for row in table) for i in (1, 2)))]:
        print(f"{discs:>4}  {count:>12,}  {wrong:>8,}", flush=True)


if __name__ == "__main__":
    main()

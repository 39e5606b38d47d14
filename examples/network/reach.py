"""What a policy that moves first on 7x6 reaches against every reply, and where it gives the win away: all of it.

    cd examples && python -m network.reach network/first-player.npz

Prints how many positions it reaches, by discs, and in how many of them it gives away the win, which it has kept until
then. A position and its mirror image are one, although a player may move otherwise in the second, where two columns
have the same prior: c4mcts exploit asks about both. Takes some minutes and 3 GB of memory. Needs the native backend.
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
START = Positions.of(RULES, [0], [0])
CHUNK = 1 << 16  # positions of a question

Rows = npt.NDArray[np.int32]
Columns = npt.NDArray[np.intp]


class Judge:
    """Whether moves win, by the book or the solver."""

    def __init__(self) -> None:
        self._scores = Scores(RULES, True, lambda: load("native").new_solver(RULES))

    def wins(self, own: int, mask: int, column: int) -> bool:
        """Whether the player to move wins with this column, which is open. own, mask: of a position that is won."""
        cell = mask + (1 << 7 * column) & 63 << 7 * column
        after, discs = own ^ mask, mask | cell
        if has_line(np.array([own | cell], np.uint64), RULES)[0]:
            return True
        if discs.bit_count() == RULES.cells:
            return False
        return self._scores.bounds(after, discs, -1, 0, UNLIMITED, lambda: False)[1] < 0


class Replies(NamedTuple):
    """What follows on a move in each of n positions: m replies, to k different positions that are not over."""

    positions: Positions  # (k,); of a position and its mirror image there is one
    parents: Rows  # (m,): the position before the move
    indices: Rows  # (m,): the position after the reply
    is_won: npt.NDArray[np.bool_]  # (n,): the move wins
    is_lost: npt.NDArray[np.bool_]  # (n,): a reply wins, or the game ends in a draw


def replies(positions: Positions, columns: Columns) -> Replies:
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
    for column in range(RULES.width):
        reply = after.after(column)
        ends = reply.positions.are_over()
        is_lost[before[reply.parents[ends]]] = True
        found.append((before[reply.parents[~ends]].astype(np.int32), reply.positions[~ends]))
    unique = Positions.joined([part for _, part in found]).unique()
    parents = np.concatenate([rows for rows, _ in found])
    return Replies(unique.positions, parents, unique.indices.astype(np.int32), is_won, is_lost)


class Ply(NamedTuple):
    """The positions with as many discs that a player reaches."""

    positions: Positions
    columns: npt.NDArray[np.int8]  # its moves
    replies: Replies


def reached(player: BatchPlayer) -> list[Ply]:
    """Everything that a player reaches, ply by ply: some tens of bytes for each of 30 million positions."""
    plies, here = list[Ply](), START
    while len(here):
        parts = [here[start : start + CHUNK] for start in range(0, len(here), CHUNK)]
        columns = np.concatenate([player.choose_many(RULES, part.own, part.mask) for part in parts])
        after = replies(here, columns)
        plies.append(Ply(here, columns.astype(np.int8), after._replace(positions=START)))
        here = after.positions
    return plies


def given_away(player: BatchPlayer, judge: Judge) -> list[tuple[int, int, int]]:
    """By ply: discs, positions that the player reaches, and in how many of them it gives away a win that it has kept.

    The solver is asked only about positions from which the player does not win against all replies.
    """
    plies, wins = reached(player), [np.zeros(0, bool)]
    for ply in reversed(plies):
        after = ply.replies
        fails = after.is_lost.copy()
        fails[after.parents[~wins[-1][after.indices]]] = True
        wins.append(after.is_won | ~fails)
    wins.reverse()
    table, keeps = [], np.ones(1, bool)  # positions that are won, and to which the player came
    for number, ply in enumerate(plies):
        own, mask = ply.positions.own, ply.positions.mask
        goes_on, wrong = np.zeros(len(own), bool), 0
        for row in np.flatnonzero(keeps & ~wins[number]).tolist():
            goes_on[row] = judge.wins(int(own[row]), int(mask[row]), int(ply.columns[row]))
            wrong += not goes_on[row]
        table.append((int(ply.positions.plies[0]), len(own), wrong))
        keeps = np.zeros(len(wins[number + 1]), bool)
        keeps[ply.replies.indices[goes_on[ply.replies.parents]]] = True
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", nargs="?", metavar="FILE", help="by default the package's")
    parser.add_argument("--lookahead", action="store_true", help="of two plies: see NetworkPlayer")
    options = parser.parse_args()
    player = NetworkPlayer(PolicyValueNetwork.load(options.network), lookahead=options.lookahead)
    table = given_away(player, Judge())
    for discs, count, wrong in [*table, ("all", *(sum(row[i] for row in table) for i in (1, 2)))]:
        print(f"{discs:>4}  {count:>12,}  {wrong:>8,}", flush=True)


if __name__ == "__main__":
    main()

"""What the networks of these examples are to reach on 7x6 without a search, against every reply."""

import argparse
from pathlib import Path
from typing import NamedTuple

from c4mcts import Board, Rules
from c4mcts.solver.bitboards import Positions, Unique

RULES = Rules()
PROOFS = Path(__file__).parents[2] / "proofs"


class Task(NamedTuple):
    """Positions with the same player to move, and what this player is to reach from them."""

    roots: tuple[Board, ...]
    goal: int  # 1, to win; 0, not to lose
    proofs: tuple[str, ...]  # certificates in proofs/ of the roots, but for mirror images

    def positions(self) -> Unique:
        """The roots, mirror images joined."""
        return Positions.of(RULES, [board.own for board in self.roots], [board.mask for board in self.roots]).unique()


TASKS = {
    "first": Task((Board(),), 1, ("7x6",)),
    "second": Task(tuple(map(Board.parse, "1267")), 1, ("7x6-after-1", "7x6-after-2")),
    "draw": Task(tuple(map(Board.parse, "35")), 0, ("7x6-after-3",)),
}


def add_task(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--task",
        choices=TASKS,
        default="first",
        help="win moving first (default); win moving second, after a first move in column 1, 2, 6 or 7; or draw, after "
        "3 or 5",
    )

"""Solves the positions of 7 x 6 with 12 discs, part by part, for the book. Interrupt it at any time and start it again.

Positions that the next disc wins are left out, and one of each pair of mirror images. They are in the order of a walk
through the game, depth first, the middle columns first: neighbours have most of their continuations in common, and find
them in the solver's table. A part is a file of one signed byte for each of PART positions, in that order: its score for
the player to move.

    python tools/book/solve.py tools/book/parts           from the first part upwards
    python tools/book/solve.py tools/book/parts --down    from the last part downwards, in a second process
"""

import argparse
import os
import time
from pathlib import Path

import numpy as np

from c4mcts import Rules
from c4mcts._backend import load
from c4mcts.solver.book_building import unfinished_positions
from c4mcts.solver.solver import INFINITY, POLL_EVERY

PLIES = 12
PART = 20_000
TABLE_BITS = 26


def main() -> None:
    """Solve the parts that the folder lacks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--down", action="store_true")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    positions = unfinished_positions(Rules(), PLIES)[-1]
    solver = load("native").solver.AlphaBetaSolver(Rules(), TABLE_BITS, POLL_EVERY["native"], 1)
    parts = range(-(-len(positions) // PART))
    for part in reversed(parts) if arguments.down else parts:
        path = arguments.folder / f"{part:03}.bin"
        if path.exists():
            continue
        some = positions[part * PART : (part + 1) * PART]
        begun, nodes = time.process_time(), solver.nodes()
        scores = [
            solver.solve(int(own), int(mask), -INFINITY, INFINITY, 1 << 62, bool)[0]
            for own, mask in zip(some.own, some.mask, strict=True)
        ]
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(np.array(scores, np.int8).tobytes())
        unfinished.replace(path)
        seconds = time.process_time() - begun
        print(f"part {part}: {seconds:.0f} s of CPU time, {solver.nodes() - nodes:,} nodes", flush=True)


if __name__ == "__main__":
    main()

"""Count the move sequences of each length from a position."""

import argparse
import time

from ..board.board import Board
from ..board.positions import perft
from ..facts import facts
from .arguments import add_backend, add_json, backend_of, print_json, require_between
from .position import add_position, board_of


def add(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.add_argument("--depth", type=int, default=8, metavar="N", help="the longest sequences, in plies (default 8)")
    add_backend(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Count depth by depth; each row is printed as soon as it is known, as JSON also after a signal."""
    board = board_of(args)
    require_between(args, depth=(0, board.rules.cells))
    backend = backend_of(args)
    if not args.json:
        print(f"{'depth':>5}  {'sequences':>20}  {'seconds':>9}  {'M/s':>8}", flush=True)
    rows: list[dict[str, float]] = []
    try:
        count_depths(args, board, rows)
    finally:
        if args.json:
            about = facts(backend=backend, rules=board.rules, limits={"depth": args.depth}, threads=1)
            print_json({**about, "board": board.to_fen(), "depths": rows})
    return 0


def count_depths(args: argparse.Namespace, board: Board, rows: list[dict[str, float]]) -> None:
    """Append a row for each depth, and print it if the output is text."""
    for depth in range(args.depth + 1):
        start = time.perf_counter()
        sequences = perft(board, depth, backend=args.backend)
        seconds = time.perf_counter() - start
        rows.append({"depth": depth, "sequences": sequences, "seconds": seconds})
        if not args.json:
            speed = f"{sequences / seconds / 1e6:8.1f}" if sequences >= 1000 else ""
            print(f"{depth:5}  {sequences:20,}  {seconds:9.3f}  {speed}".rstrip(), flush=True)

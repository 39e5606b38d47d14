"""Let the engine play against itself, and write its games as arrays for training a network."""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from math import inf
from pathlib import Path
from typing import Any

from .._layout import MAX_THREADS
from ..errors import CheckpointError, SaveError
from ..selfplay import generation as selfplay
from .arguments import (
    MOST_JOBS,
    PLAYABLE,
    UsageError,
    add_choice,
    add_exploration,
    add_limits,
    count,
    limits_of,
    params_of,
    require_between,
    usage_errors,
)
from .position import add_position, unfinished_board_of
from .streams import say

SIMULATIONS = 400  # a move, unless told


def add(parser: argparse.ArgumentParser) -> None:
    """The options."""
    add_position(parser)
    add_limits(parser)
    search = parser.add_argument_group("search")
    search.add_argument("--preset", choices=PLAYABLE, default=PLAYABLE[0], help="named parameters")
    add_exploration(search)
    add_choice(search)
    games = parser.add_argument_group("games")
    games.add_argument("--games", type=count, default=100, metavar="N", help="how many (default 100)")
    words = "of the first plies, which are drawn by chance: 0 is the most visited column, inf is any (default 1)"
    games.add_argument("--temperature", type=float, default=1.0, metavar="T", help=words)
    words = "how many plies of each game are drawn (default 10)"
    games.add_argument("--temperature-plies", type=count, default=10, metavar="N", help=words)
    games.add_argument("--seed", type=int, metavar="N", help="start of the random numbers (default: by chance)")
    games.add_argument("--workers", type=int, metavar="N", help="threads (default: one for every processor)")
    games.add_argument("--out", default="games.npz", metavar="FILE", help="file to write (default: games.npz)")


def run(args: argparse.Namespace) -> int:
    """Play; what is finished when it is interrupted stays in a file, and the same command goes on from it."""
    board, params, limits = unfinished_board_of(args), params_of(args), limits_of(args, simulations=SIMULATIONS)
    require_between(args, games=(1, MOST_JOBS), workers=(1, MAX_THREADS), temperature_plies=(0, inf))
    out = Path(args.out)
    done = "already complete" if out.exists() else "written"
    options = {name: getattr(args, name) for name in ("games", "temperature", "temperature_plies", "seed")}
    options |= {"params": params, "start": board, "progress": sys.stderr.isatty(), "out": out, **limits}
    try:
        with ThreadPoolExecutor(args.workers) if args.workers else nullcontext() as executor:
            data = played(executor=executor, **options)
    except KeyboardInterrupt:
        say(f"c4mcts selfplay: stopped; the same command goes on from {selfplay.checkpoint_of(out)}")
        raise
    print(f"{data}\n{done}: {out}")
    return 0


def played(**options: Any) -> selfplay.SelfPlay:
    """The games."""
    with usage_errors("--"):
        try:
            return selfplay.generate(**options)
        except (CheckpointError, SaveError) as error:
            raise UsageError(f"{error}") from None

"""Measure the speed of the native and the pure backend on this machine."""

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from typing import Literal, cast

from rich.table import Table

from .. import __version__
from ..board.board import Board
from ..rules import Rules
from ..search.engine import Engine
from ..search.random_games import rollouts
from .arguments import BACKENDS, add_json, backend_of, print_json
from .board_display import Terminal

LoadedBackend = Literal["native", "pure"]

REPEATS = 3  # the median counts
MIN_SECONDS = 0.1  # CPU time of each repeat
SEARCHES = {"native": (2_000, 10_000, 100_000, 1_000_000), "pure": (2_000,)}
BOARDS = ((7, 6), (20, 14), (7, 40))
GAMES = {"native": 10_000, "pure": 50}


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--backend", choices=BACKENDS, default="auto", help="measure one backend only; auto: both")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Measure, then print one table or one JSON object."""
    terminal = Terminal()
    rows: dict[str, dict[str, float]] = {}
    with terminal.status("measuring", spinner="line") if terminal.is_terminal and not args.json else nullcontext():
        for backend in backends(args):
            for name, rate in measurements(backend):
                rows.setdefault(name, {})[backend] = rate
    if args.json:
        print_json({"version": __version__, "repeats": REPEATS, "clock": "CPU time", "rates": rows})
    else:
        terminal.print(rates_table(rows))
        terminal.print(f"medians of {REPEATS}, CPU time, one thread; c4mcts {__version__}", style="dim")
    return 0


def backends(args: argparse.Namespace) -> list[LoadedBackend]:
    """The backends to measure: the selected one, or all that are installed."""
    if args.backend == "auto":
        return ["native", "pure"] if backend_of(args) == "native" else ["pure"]
    return [cast(LoadedBackend, backend_of(args))]


def measurements(backend: LoadedBackend) -> Iterator[tuple[str, float]]:
    """Measure one rate after the other; yields its name and its value per second."""
    for simulations in SEARCHES[backend]:
        yield f"simulations, search of {simulations:,}", rate(partial(search, backend, simulations), simulations)
    for width, height in BOARDS:
        board = Board(Rules(width, height))
        games = GAMES[backend]
        yield f"random games, {width} x {height}", rate(partial(play, backend, board, games), games)


def search(backend: LoadedBackend, simulations: int) -> None:
    """One search of the empty board with a new tree."""
    Engine(seed=1, backend=backend).search(Board(), simulations=simulations)


def play(backend: LoadedBackend, board: Board, games: int) -> None:
    """Random games from one position."""
    rollouts(board, games, seed=1, backend=backend)


def rate(job: Callable[[], object], amount: int) -> float:
    """How many units of work are done per second of CPU time, if one run of the job does `amount` units."""
    return statistics.median(amount / cpu_seconds(job, MIN_SECONDS) for _ in range(REPEATS))


def cpu_seconds(job: Callable[[], object], at_least: float = 0.0) -> float:
    """CPU time of one run, in seconds; the job is repeated until all runs together take `at_least` seconds."""
    runs, spent = 0, 0.0
    start = time.process_time()
    while not runs or spent < at_least:
        job()
        runs += 1
        spent = time.process_time() - start
    return spent / runs


def rates_table(rows: dict[str, dict[str, float]]) -> Table:
    """The table that is printed: a row for each measurement, a column for each backend, and their ratio."""
    found = [backend for backend in ("native", "pure") if any(backend in rates for rates in rows.values())]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("per second")
    for backend in found:
        table.add_column(backend, justify="right", style="bold" if backend == "native" else "")
    if len(found) == 2:
        table.add_column("ratio", justify="right")
    for name, rates in rows.items():
        cells = [f"{rates[backend]:,.0f}" if backend in rates else "" for backend in found]
        ratio = f"{rates['native'] / rates['pure']:,.0f}" if len(rates) == 2 else ""
        table.add_row(name, *cells, *([ratio] if len(found) == 2 else []))
    return table

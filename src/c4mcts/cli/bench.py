"""Measure how fast the engines are on this machine."""

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
from .arguments import add_json, backend_of, print_json
from .picture import Terminal

EngineName = Literal["native", "pure"]

REPEATS = 3  # of which the median counts
LEAST = 0.1  # seconds of CPU time a repeat takes at least
SEARCHES = {"native": (2_000, 10_000, 100_000, 1_000_000), "pure": (2_000,)}
BOARDS = ((7, 6), (20, 14), (7, 40))
GAMES = {"native": 10_000, "pure": 50}


def add(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("--backend", choices=("auto", "native", "pure"), default="auto", help="measure one engine only")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Measure, then print one table."""
    terminal = Terminal()
    rows: dict[str, dict[str, float]] = {}
    with terminal.status("measuring", spinner="line") if terminal.is_terminal and not args.json else nullcontext():
        for engine in engines(args):
            for name, rate in measurements(engine):
                rows.setdefault(name, {})[engine] = rate
    if args.json:
        print_json({"version": __version__, "repeats": REPEATS, "clock": "CPU time", "rates": rows})
    else:
        terminal.print(rates_table(rows))
        terminal.print(f"medians of {REPEATS}, CPU time, one thread; c4mcts {__version__}", style="dim")
    return 0


def engines(args: argparse.Namespace) -> list[EngineName]:
    """The engines to measure: both, where both are there, unless one is asked for."""
    if args.backend == "auto":
        return ["native", "pure"] if backend_of(args) == "native" else ["pure"]
    return [cast(EngineName, backend_of(args))]


def measurements(engine: EngineName) -> Iterator[tuple[str, float]]:
    """Names and rates per second."""
    for simulations in SEARCHES[engine]:
        yield f"simulations, search of {simulations:,}", rate(partial(search, engine, simulations), simulations)
    for width, height in BOARDS:
        board = Board(Rules(width, height))
        games = GAMES[engine]
        yield f"random games, {width} x {height}", rate(partial(play, engine, board, games), games)


def search(engine: EngineName, simulations: int) -> None:
    """One search of the empty board, on a new tree."""
    Engine(seed=1, backend=engine).search(Board(), simulations=simulations)


def play(engine: EngineName, board: Board, games: int) -> None:
    """Random games from one position."""
    rollouts(board, games, seed=1, backend=engine)


def rate(work: Callable[[], object], amount: int) -> float:
    """How much of the work is done in a second of CPU time; each repeat does it often enough for the clock."""
    rates = []
    for _ in range(REPEATS):
        done, spent = 0, 0.0
        start = time.process_time()
        while spent < LEAST:
            work()
            done += amount
            spent = time.process_time() - start
        rates.append(done / spent)
    return statistics.median(rates)


def rates_table(rows: dict[str, dict[str, float]]) -> Table:
    """A row for each measurement."""
    found = [engine for engine in ("native", "pure") if any(engine in rates for rates in rows.values())]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("per second")
    for engine in found:
        table.add_column(engine, justify="right", style="bold" if engine == "native" else "")
    if len(found) == 2:
        table.add_column("ratio", justify="right")
    for name, rates in rows.items():
        cells = [f"{rates[engine]:,.0f}" if engine in rates else "" for engine in found]
        ratio = f"{rates['native'] / rates['pure']:,.0f}" if len(rates) == 2 else ""
        table.add_row(name, *cells, *([ratio] if len(found) == 2 else []))
    return table

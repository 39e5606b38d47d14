"""Measure the speed of both backends on this machine."""

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from typing import Literal, NamedTuple, cast

from rich.table import Table

from .. import __version__
from ..board.board import Board
from ..facts import facts
from ..rules import Rules
from ..search.engine import Engine
from ..search.params import SearchParams
from ..search.random_games import rollouts
from .arguments import add_options, backend_of, print_json
from .display import Terminal
from .messages import OK

LoadedBackend = Literal["native", "pure"]

MIN_SECONDS = 0.1  # CPU time of each repeat
REPEATS = {"full": 3, "quick": 1}  # the median counts
# of the searches of the empty board, by backend and preset
SIMULATIONS: dict[LoadedBackend, dict[str, tuple[int, ...]]] = {
    "native": {"uct": (1_000, 10_000, 100_000, 1_000_000), "strong": (1_000, 10_000, 100_000)},
    "pure": {"uct": (1_000,), "strong": (1_000,)},
}
SEED = 1
QUICK = 100_000  # simulations of the longest search with --quick
BOARDS = ((7, 6), (20, 14), (7, 40))
GAMES = {"native": 200_000, "pure": 50}


class BenchCase(NamedTuple):
    """What is counted per second: simulations of a search, or random games."""

    what: Literal["simulations", "random_games"]
    preset: str | None  # of the search
    simulations: int | None  # of one search; the larger the tree, the slower
    width: int = 7
    height: int = 6

    def __str__(self) -> str:
        if self.what == "random_games":
            return f"random games, {self.width} x {self.height}"
        return f"simulations, {self.preset}, {self.simulations:,}"


Rows = dict[BenchCase, dict[str, float]]  # rates per second, by backend


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--quick", action="store_true", help="measure once, without the longest search: some seconds")
    add_options(parser, "backend", help="measure only this backend (default auto: both)")
    add_options(parser, "json")


def run(args: argparse.Namespace) -> int:
    """Measure, then print one table or one JSON object, also after a signal."""
    terminal = Terminal()
    backends = [cast(LoadedBackend, backend_of(args))]
    if args.backend == "auto" and backends == ["native"]:
        backends.append("pure")
    repeats = REPEATS["quick" if args.quick else "full"]
    rows: Rows = {}
    try:
        with terminal.status("measuring", spinner="line") if terminal.is_terminal and not args.json else nullcontext():
            for backend in backends:
                for case, job, amount in jobs(backend, args.quick):
                    rates = [amount / cpu_seconds(job, MIN_SECONDS) for _ in range(repeats)]
                    rows.setdefault(case, {})[backend] = statistics.median(rates)
    finally:
        if args.json:
            about = facts(backend=backends[0], threads=1, seed=SEED)
            found = [{**case._asdict(), "native": None, "pure": None, **rates} for case, rates in rows.items()]
            print_json({**about, "repeats": repeats, "clock": "cpu", "rates": found})
        else:
            terminal.print(_rates_table(rows, backends))
            words = f"{'medians of ' if repeats > 1 else ''}{repeats} run{'s' * (repeats > 1)}"
            terminal.print(f"{words}, CPU time, one thread; c4mcts {__version__}", style="dim")
    return OK


def jobs(backend: LoadedBackend, quick: bool) -> Iterator[tuple[BenchCase, Callable[[], object], int]]:
    """What is measured of one backend: the case, the job, and how much the job does."""
    for preset, amounts in SIMULATIONS[backend].items():
        for amount in amounts:
            if amount <= QUICK or not quick:
                yield BenchCase("simulations", preset, amount), partial(search, backend, preset, amount), amount
    for width, height in BOARDS:
        games = GAMES[backend]
        job = partial(rollouts, Board(Rules(width, height)), games, seed=SEED, backend=backend)
        yield BenchCase("random_games", None, None, width, height), job, games


def search(backend: LoadedBackend, preset: str, simulations: int) -> None:
    Engine(SearchParams.preset(preset), seed=SEED, backend=backend).search(Board(), simulations=simulations)


def cpu_seconds(job: Callable[[], object], at_least: float = 0.0) -> float:
    """CPU time of one run, in seconds; the job is repeated until all runs together take `at_least` seconds."""
    runs, spent = 0, 0.0
    start = time.process_time()
    while not runs or spent < at_least:
        job()
        runs += 1
        spent = time.process_time() - start
    return spent / runs


def _rates_table(rows: Rows, backends: list[LoadedBackend]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("per second")
    for name in [*backends, "ratio"][: 3 if len(backends) == 2 else 1]:
        table.add_column(name, justify="right", style="bold" if name == "native" else "")
    for case, rates in rows.items():
        cells = [f"{rates[backend]:,.0f}" if backend in rates else "" for backend in backends]
        ratio = [f"{rates['native'] / rates['pure']:,.0f}"] if len(rates) == 2 else []
        table.add_row(str(case), *cells, *ratio)
    return table

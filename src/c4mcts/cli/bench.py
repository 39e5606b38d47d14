"""Measure the speed of both backends on this machine."""

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from typing import Any, cast

from .. import __version__
from .._backend import BackendName
from ..board.board import Board
from ..provenance import provenance
from ..rules import Rules
from ..search.engine import Engine
from ..search.params import SearchParams
from ..search.random_games import rollouts
from .display import Terminal
from .engines import backend_of
from .failures import OK
from .options import add_options
from .output import print_json, show

MIN_SECONDS = 0.1  # CPU time of each repeat
REPEATS = {"full": 3, "quick": 1}  # the median counts
# simulations of the searches of the empty board, by preset; the larger the tree, the slower
SEARCHES = {"uct": (1_000, 10_000, 100_000, 1_000_000), "strong": (1_000, 10_000, 100_000)}
MOST = {"native": 1_000_000, "pure": 1_000}  # simulations of a search
QUICK = 100_000  # the same with --quick
BOARDS = ((7, 6), (20, 14), (7, 40))  # of the random games
GAMES = {"native": 200_000, "pure": 50}
SEED = 1


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--quick", action="store_true", help="measure once, without the longest search: some seconds")
    add_options(parser, "backend", help="measure only this backend (default auto: both)")
    add_options(parser, "json")


def run(args: argparse.Namespace) -> int:
    """Measure, then print one table or one JSON object, also after a signal."""
    terminal = Terminal()
    backends = [cast(BackendName, backend_of(args))]
    if args.backend == "auto" and backends == ["native"]:
        backends.append("pure")
    repeats = REPEATS["quick" if args.quick else "full"]
    rows: list[dict[str, Any]] = []
    try:
        with terminal.status("measuring", spinner="line") if terminal.is_terminal and not args.json else nullcontext():
            for case in cases(args.quick):
                rows.append({**case, "native": None, "pure": None})
                for backend in backends:
                    rows[-1][backend] = rate(backend, case, repeats)
    finally:
        if args.json:
            about = provenance(backend=backends[0], threads=1, seed=SEED)
            print_json({**about, "repeats": repeats, "clock": "cpu", "rates": rows})
        else:
            text = f"{'medians of ' if repeats > 1 else ''}{repeats} run{'s' * (repeats > 1)}"
            show(f"{table(rows, backends)}\n{text}, CPU time, one thread; c4mcts {__version__}")
    return OK


def cases(quick: bool) -> Iterator[dict[str, Any]]:
    """The cases, counted per second: simulations of a search, or random games."""
    for preset, amounts in SEARCHES.items():
        for simulations in amounts:
            if simulations <= QUICK or not quick:
                yield {"what": "simulations", "preset": preset, "simulations": simulations, "width": 7, "height": 6}
    for width, height in BOARDS:
        yield {"what": "random_games", "preset": None, "simulations": None, "width": width, "height": height}


def rate(backend: BackendName, case: dict[str, Any], repeats: int) -> float | None:
    """The median of the rates; None for a search that is too long for the backend."""
    board, amount = Board(Rules(case["width"], case["height"])), case["simulations"] or GAMES[backend]
    job: Callable[[], object] = partial(rollouts, board, amount, seed=SEED, backend=backend)
    if case["what"] == "simulations":
        if amount > MOST[backend]:
            return None
        job = partial(search, backend, case["preset"], amount)
    return statistics.median(amount / cpu_seconds(job, MIN_SECONDS) for _ in range(repeats))


def search(backend: BackendName, preset: str, simulations: int) -> None:
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


def table(rows: list[dict[str, Any]], backends: list[BackendName]) -> str:
    names = [*backends, *["ratio"] * (len(backends) > 1)]
    lines = [f"{'per second':<28}" + "".join(f"{name:>12}" for name in names)]
    for row in rows:
        name = f"random games, {row['width']} x {row['height']}"
        if row["preset"] is not None:
            name = f"simulations, {row['preset']}, {row['simulations']:,}"
        cells = ["" if row[each] is None else f"{row[each]:,.0f}" for each in backends]
        if row["native"] and row["pure"]:
            cells.append(f"{row['native'] / row['pure']:,.0f}")
        lines.append((f"{name:<28}" + "".join(f"{cell:>12}" for cell in cells)).rstrip())
    return "\n".join(lines)

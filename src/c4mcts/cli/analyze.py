"""Search a position and show what every column is worth."""

import argparse
import sys
from collections.abc import Callable
from typing import Any

from rich.live import Live

from .. import __version__
from ..result import SearchResult
from .arguments import add_json, add_search, engine_of, limits_of, print_json
from .picture import Terminal
from .position import add_position, unfinished_board_of
from .report import footer, report

SECONDS = 1.0  # where no limit is given


def add(parser: argparse.ArgumentParser) -> None:
    """The options."""
    add_position(parser)
    add_search(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Search; on a terminal the display grows with the search."""
    board = unfinished_board_of(args)
    limits = limits_of(args, seconds=SECONDS)
    engine, seed = engine_of(args)
    note = f"{engine.backend}, seed {seed}"
    if not args.json and sys.stdout.isatty():
        show_growing(Terminal(), lambda show: engine.search(board, on_progress=show, **limits), note)
        return 0
    result = engine.search(board, **limits)
    if args.json:
        print_json(fields(result, engine.backend, seed))
    elif (terminal := Terminal()).is_terminal:  # a pipe, and the environment asks for colour
        terminal.print(report(terminal, result, note))
    else:
        print(f"{board}\n\n{result}\n\n{footer(result, note)}")
    return 0


def show_growing(
    terminal: Terminal, search: Callable[[Callable[[SearchResult], None]], SearchResult], note: str
) -> None:
    """Show every report of a search in place of the last one; `search` takes what it is to call."""
    with Live(console=terminal, auto_refresh=False) as live:

        def show(result: SearchResult) -> None:
            live.update(report(terminal, result, note), refresh=True)

        show(search(show))


def fields(result: SearchResult, backend: str, seed: int) -> dict[str, Any]:
    """What --json prints."""
    return {
        "version": __version__,
        "backend": backend,
        "seed": seed,
        **result.to_dict(),
        "simulations_per_second": result.simulations / max(result.seconds, 1e-9),
    }

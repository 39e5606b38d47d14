"""Search a position and show what every column is worth."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.live import Live

from .. import __version__
from ..search.engine import Engine
from ..search.results import SearchResult
from ..view.dot import tree_dot
from ..view.graphviz import FORMATS, render, require_dot
from .arguments import CommandError, UsageError, add_json, add_search, engine_of, limits_of, print_json
from .picture import Terminal
from .position import add_position, unfinished_board_of
from .report import footer, report

SECONDS = 1.0  # where no limit is given
TEXTS = (".dot", ".gv")


def add(parser: argparse.ArgumentParser) -> None:
    """The options."""
    add_position(parser)
    add_search(parser)
    parser.add_argument(
        "--dot",
        metavar="FILE",
        help="also write the top of the tree: text for Graphviz to .dot or .gv, its picture to .png, .svg or .pdf",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Search; on a terminal the display grows with the search."""
    board = unfinished_board_of(args)
    limits = limits_of(args, seconds=SECONDS)
    if args.dot is not None:
        require_tree_file(args.dot)
    engine, seed = engine_of(args)
    note = f"{engine.backend}, seed {seed}"
    if not args.json and sys.stdout.isatty():
        result = show_growing(Terminal(), lambda show: engine.search(board, on_progress=show, **limits), note)
    else:
        result = engine.search(board, **limits)
        print_result(result, engine, seed, note, args.json)
    if args.dot is not None:
        write_tree(engine, result, args.dot)
    return 0


def print_result(result: SearchResult, engine: Engine, seed: int, note: str, as_json: bool) -> None:
    """The display of the final state, plain where it goes to a file, or one JSON object."""
    if as_json:
        print_json(fields(result, engine.backend, seed))
    elif (terminal := Terminal()).is_terminal:  # a pipe, and the environment asks for colour
        terminal.print(report(terminal, result, note))
    else:
        print(f"{result.board}\n\n{result}\n\n{footer(result, note)}")


def show_growing(
    terminal: Terminal, search: Callable[[Callable[[SearchResult], None]], SearchResult], note: str
) -> SearchResult:
    """Show every report of a search in place of the last one; `search` takes what it is to call. Returns the last."""
    with Live(console=terminal, auto_refresh=False) as live:

        def show(result: SearchResult) -> None:
            live.update(report(terminal, result, note), refresh=True)

        result = search(show)
        show(result)
        return result


@contextmanager
def tree_errors() -> Iterator[None]:
    """What can go wrong with the file of --dot becomes the user's error."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        raise CommandError(f"--dot: {error}") from None


def require_tree_file(name: str) -> None:
    """Find out before the search whether a tree can be written there at all."""
    suffix = Path(name).suffix.lower()
    if suffix not in (*TEXTS, *FORMATS):
        raise UsageError(f"--dot {name}: the name must end in one of {' '.join((*TEXTS, *FORMATS))}")
    if not Path(name).parent.is_dir():
        raise UsageError(f"--dot {name}: there is no directory {Path(name).parent}")
    if suffix in FORMATS:
        with tree_errors():
            require_dot(name)


def write_tree(engine: Engine, result: SearchResult, name: str) -> None:
    """The top of the tree, as text or drawn, as the name of the file says."""
    dot = tree_dot(engine, result)
    with tree_errors():
        if Path(name).suffix.lower() in TEXTS:
            Path(name).write_text(dot, encoding="ascii", newline="\n")
        else:
            render(dot, name)


def fields(result: SearchResult, backend: str, seed: int) -> dict[str, Any]:
    """What --json prints."""
    return {
        "version": __version__,
        "backend": backend,
        "seed": seed,
        **result.to_dict(),
        "simulations_per_second": result.simulations / max(result.seconds, 1e-9),
    }

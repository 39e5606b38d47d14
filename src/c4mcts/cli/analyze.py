"""Search a position and show the value of every column."""

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
from .board_display import Terminal
from .position import add_position, unfinished_board_of
from .result_display import footer, result_display

SECONDS = 1.0  # default, used if no limit is given
DOT_SUFFIXES = (".dot", ".gv")


def add(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    add_search(parser)
    parser.add_argument(
        "--dot",
        metavar="FILE",
        help="also write the top of the tree: text for Graphviz to .dot or .gv, its picture to .png, .svg or .pdf",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Search and print the result; on a terminal the display is updated while the search runs."""
    board = unfinished_board_of(args)
    limits = limits_of(args, seconds=SECONDS)
    if args.dot is not None:
        require_tree_file(args.dot)
    engine, seed = engine_of(args)
    note = f"{engine.backend}, seed {seed}"
    if not args.json and sys.stdout.isatty():
        result = search_with_display(Terminal(), lambda show: engine.search(board, on_progress=show, **limits), note)
    else:
        result = engine.search(board, **limits)
        print_result(result, engine, seed, note, args.json)
    if args.dot is not None:
        write_tree(engine, result, args.dot)
    return 0


def print_result(result: SearchResult, engine: Engine, seed: int, note: str, as_json: bool) -> None:
    """Print the result: as JSON, with colours if they are asked for, or as plain text."""
    if as_json:
        print_json(fields(result, engine.backend, seed))
    elif (terminal := Terminal()).is_terminal:  # output goes to a pipe, but the environment asks for colours
        terminal.print(result_display(terminal, result, note))
    else:
        print(f"{result.board}\n\n{result}\n\n{footer(result, note)}")


def search_with_display(
    terminal: Terminal, search: Callable[[Callable[[SearchResult], None]], SearchResult], note: str
) -> SearchResult:
    """Run `search` with a callback that redraws the display with each progress report; return its final result."""
    with Live(console=terminal, auto_refresh=False) as live:

        def show(result: SearchResult) -> None:
            live.update(result_display(terminal, result, note), refresh=True)

        result = search(show)
        show(result)
        return result


@contextmanager
def tree_errors() -> Iterator[None]:
    """Turn failures to draw or write the file of --dot into a CommandError."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        raise CommandError(f"--dot: {error}") from None


def require_tree_file(name: str) -> None:
    """Check the file name of --dot before the search, so that no search is wasted."""
    suffix = Path(name).suffix.lower()
    if suffix not in (*DOT_SUFFIXES, *FORMATS):
        raise UsageError(f"--dot {name}: the name must end in one of {' '.join((*DOT_SUFFIXES, *FORMATS))}")
    if not Path(name).parent.is_dir():
        raise UsageError(f"--dot {name}: there is no directory {Path(name).parent}")
    if suffix in FORMATS:
        with tree_errors():
            require_dot(name)


def write_tree(engine: Engine, result: SearchResult, name: str) -> None:
    """Write the top of the tree as DOT text or as a picture, depending on the suffix."""
    dot = tree_dot(engine, result)
    with tree_errors():
        if Path(name).suffix.lower() in DOT_SUFFIXES:
            Path(name).write_text(dot, encoding="ascii", newline="\n")
        else:
            render(dot, name)


def fields(result: SearchResult, backend: str, seed: int) -> dict[str, Any]:
    """The object that --json prints."""
    return {
        "version": __version__,
        "backend": backend,
        "seed": seed,
        **result.to_dict(),
        "simulations_per_second": result.simulations / max(result.seconds, 1e-9),
    }

"""--dot FILE: the top of the tree as a picture, and the options for how much of it."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .._layout import MAX_SIDE
from ..search.dot import FORMATS, render, require_dot, tree_dot
from ..search.engine import Engine
from ..search.results import SearchResult
from .arguments import CommandError, UsageError, count, require_between

DOT_SUFFIXES = (".dot", ".gv")
OPTIONS = ("depth", "children", "visits", "q")


def add_tree_picture(parser: argparse.ArgumentParser) -> None:
    """Add --dot, --depth, --children, --visits and --q."""
    tree = parser.add_argument_group("picture of the tree")
    words = "also write the top of the tree: text for Graphviz to .dot or .gv, its picture to .png, .svg or .pdf"
    tree.add_argument("--dot", metavar="FILE", help=words)
    tree.add_argument("--depth", type=int, metavar="N", help="plies from the root (default 3)")
    tree.add_argument("--children", type=int, metavar="N", help="moves per position, the best ones (default 3)")
    words = "leave out moves with fewer visits (default: a hundredth of the root's)"
    tree.add_argument("--visits", type=count, metavar="N", help=words)
    words = "show mean rewards Q, on the scale of the rewards, not values from 0 to 1"
    tree.add_argument("--q", action="store_true", default=None, help=words)


def require_tree_picture(args: argparse.Namespace, single: bool) -> None:
    """Check the options before the search, so that no search is wasted. single: whether there is one position."""
    if args.dot is None:
        for name in OPTIONS:
            if getattr(args, name) is not None:
                raise UsageError(f"--{name} needs --dot")
        return
    if not single:
        raise UsageError("--dot needs a single position, not lines of standard input")
    require_between(args, depth=(1, MAX_SIDE**2), children=(1, MAX_SIDE), visits=(1, 2**32))
    suffix = Path(args.dot).suffix.lower()
    if suffix not in (*DOT_SUFFIXES, *FORMATS):
        raise UsageError(f"--dot {args.dot}: the name must end in one of {' '.join((*DOT_SUFFIXES, *FORMATS))}")
    if not Path(args.dot).parent.is_dir():
        raise UsageError(f"--dot {args.dot}: there is no directory {Path(args.dot).parent}")
    if suffix in FORMATS:
        with _errors():
            require_dot(args.dot)


def write_tree_picture(args: argparse.Namespace, engine: Engine, result: SearchResult) -> None:
    """Write the top of the tree as DOT text or as a picture, depending on the suffix, if --dot asks for it."""
    if args.dot is None:
        return
    dot = tree_dot(engine, result, **{name: getattr(args, name) for name in OPTIONS if getattr(args, name) is not None})
    with _errors():
        if Path(args.dot).suffix.lower() in DOT_SUFFIXES:
            Path(args.dot).write_text(dot, encoding="ascii", newline="\n")
        else:
            render(dot, args.dot)


@contextmanager
def _errors() -> Iterator[None]:
    """Turn failures to draw or write the file of --dot into a CommandError."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        raise CommandError(f"--dot: {error}") from None

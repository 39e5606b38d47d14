"""Search a position and show the value of every column; or many positions, one per line of standard input."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from rich.live import Live

from .._backend import BackendName
from .._layout import MAX_SIDE
from ..board.board import Board
from ..board.notation import write_drawing
from ..facts import facts
from ..rules import fits_solver
from ..search.dot import FORMATS, render, require_dot, tree_dot
from ..search.engine import Engine
from ..search.limits import check_budget
from ..search.results import SearchResult, result_text, with_solution
from ..solver.solution import Solution
from ..solver.solver import solve
from .arguments import (
    CommandError,
    UsageError,
    add_options,
    add_search,
    count,
    engine_of,
    evaluator_errors,
    evaluator_of,
    limits_of,
    params_of,
    preset_of,
    print_json,
    require_between,
    require_output,
    usage_errors,
)
from .display import Terminal, footer, result_display
from .positions import (
    PositionLine,
    add_position,
    board_of,
    board_of_line,
    for_each,
    position_lines,
    unfinished,
    wants_lines,
)
from .process import OK, stopping

SECONDS = 1.0  # default if no limit is given
DOT_SUFFIXES = (".dot", ".gv")
OPTIONS = ("depth", "children", "visits", "q")
SOLVER_NODES = {"native": 500_000, "pure": 2_000}  # about 0.05 s


def add(parser: argparse.ArgumentParser) -> None:
    add_position(parser, lines=True)
    add_search(parser)
    add_tree_picture(parser)
    add_options(parser, "json")


def run(args: argparse.Namespace) -> int:
    """Search and print; a signal ends the search, and its result so far is printed."""
    board = None if wants_lines(args) else unfinished(board_of(args))
    limits = limits_of(args, seconds=SECONDS)
    require_tree_picture(args, single=board is not None)
    with usage_errors():
        check_budget(params_of(args), limits.get("simulations"))
    with evaluator_errors(args):
        engine, seed = engine_of(args, evaluator_of(args, params_of(args)))
        analysis = Analysis(args, engine, seed, limits)
        if board is None:
            return analysis.of_lines()
        analysis.of_board(board)
        return OK


class Analysis:
    """Searches by one engine, and what is printed of them."""

    def __init__(self, args: argparse.Namespace, engine: Engine, seed: int, limits: dict[str, Any]) -> None:
        self._args = args
        self._engine = engine
        self._seed = seed
        self._limits = limits
        self._note = f"{engine.backend}, seed {seed}"
        self._solution: Solution | None = None  # of the position that is searched, if it is found soon

    def of_lines(self) -> int:
        """Search the position of every line, as if it were the only one; return the exit code.

        Input without lines means the empty board, unless lines were requested with "-".
        """

        def search(line: PositionLine, board: Board) -> None:
            self._engine.reset()
            self.of_board(board, line)

        args = self._args
        status = for_each(args, position_lines(sys.stdin), lambda line: unfinished(board_of_line(args, line)), search)
        if status is None and args.position is None:
            self.of_board(board_of(args))
        return status or OK

    def of_board(self, board: Board, line: PositionLine | None = None) -> None:
        """Search one position, print the result, and draw the tree if requested. line: where it came from.

        The first signal ends the search alone, and is raised afterwards.
        """
        with stopping(self._engine.stop) as interruption:
            self._solution = None if self._args.json else solved_soon(board, self._engine.backend)
            live = not self._args.json and sys.stdout.isatty()
            terminal = Terminal()
            with Live(console=terminal, auto_refresh=False) if live else nullcontext() as display:

                def show(result: SearchResult) -> None:
                    if interruption.cause is not None:  # perhaps before the search began, which stop() can't end
                        self._engine.stop()
                    if display is not None:
                        display.update(result_display(terminal, *self._known(result)), refresh=True)

                result = self._engine.search(board, on_progress=show, **self._limits)
                show(result)
            if not live:
                self._print(terminal, result, line)
            write_tree_picture(self._args, self._engine, result)
        interruption.raise_it()

    def _print(self, terminal: Terminal, result: SearchResult, line: PositionLine | None) -> None:
        if self._args.json:
            print_json({**({} if line is None else line.fields()), **self._fields(result)})
            return
        if line is not None and line.index:
            print()
        if terminal.is_terminal:  # a pipe, but the environment requests colours
            terminal.print(result_display(terminal, *self._known(result)))
        else:
            result, _, searched = self._known(result)
            board = write_drawing(result.board.to_array().tolist(), first=1)
            table = result_text(result, first=1, searched=searched)
            print(f"{board}\n\n{table}\n\n{footer(result, self._note)}", flush=True)

    def _known(self, result: SearchResult) -> tuple[SearchResult, str, SearchResult | None]:
        """What to display: the result with the solution, if the search has not proven it yet; the note; the search."""
        if result.proof is not None or self._solution is None:
            return result, self._note, None
        return with_solution(result, self._solution), self._note, result

    def _fields(self, result: SearchResult) -> dict[str, Any]:
        about = facts(
            backend=self._engine.backend,
            rules=result.board.rules,
            preset=preset_of(self._args),
            params=self._engine.params,
            limits={name: self._limits.get(name) for name in ("simulations", "seconds", "nodes")},
            threads=self._args.threads,
            seed=self._seed,
            point_of_view="player_to_move",
        )
        return {
            **about,
            **result.to_dict(),
            "simulations_per_second": result.simulations / max(result.seconds, 1e-9),
        }


def solved_soon(board: Board, backend: str) -> Solution | None:
    """The exact scores of a position by the book, or by the solver within SOLVER_NODES; None if that is not enough."""
    if not fits_solver(board.rules):
        return None
    name: BackendName = "native" if backend == "native" else "pure"
    solution = solve(board, max_nodes=SOLVER_NODES[name], backend=name)
    return None if solution.score is None else solution


def add_tree_picture(parser: argparse.ArgumentParser) -> None:
    tree = parser.add_argument_group("picture of the tree")
    words = "also draw the top of the tree: .dot or .gv (text for Graphviz), .png, .svg or .pdf"
    tree.add_argument("--dot", metavar="FILE", help=words)
    tree.add_argument("--depth", type=int, metavar="N", help="depth of the drawing in plies (default 3)")
    tree.add_argument(
        "--children",
        type=int,
        metavar="N",
        help="number of moves drawn per position, the most visited first (default 3)",
    )
    words = "omit moves with fewer visits (default: a hundredth of the root's)"
    tree.add_argument("--visits", type=count, metavar="N", help=words)
    words = "show mean rewards Q on the scale of the rewards instead of values from 0 to 1"
    tree.add_argument("--q", action="store_true", default=None, help=words)


def require_tree_picture(args: argparse.Namespace, single: bool) -> None:
    """Check the options before the search. single: whether there is only one position."""
    if args.dot is None:
        for name in OPTIONS:
            if getattr(args, name) is not None:
                raise UsageError(f"--{name} needs --dot")
        return
    if not single:
        raise UsageError("--dot needs a single position, not lines on standard input")
    require_between(args, depth=(1, MAX_SIDE**2), children=(1, MAX_SIDE), visits=(1, 2**32))
    require_dot_file(args.dot)


def write_tree_picture(args: argparse.Namespace, engine: Engine, result: SearchResult) -> None:
    """Write the top of the tree as DOT text or as a picture, depending on the suffix, if --dot asks for it."""
    if args.dot is None:
        return
    options = {name: getattr(args, name) for name in OPTIONS if getattr(args, name) is not None}
    write_dot(tree_dot(engine, result, **options), args.dot)


def require_dot_file(name: str) -> None:
    """Check, before the work begins, that a picture can be written to a file. UsageError, CommandError."""
    require_output("--dot", name, (*DOT_SUFFIXES, *FORMATS))
    if Path(name).suffix.lower() in FORMATS:
        with _errors():
            require_dot(name)


def write_dot(dot: str, name: str) -> None:
    """Write DOT text, or the picture of it, depending on the suffix. CommandError."""
    with _errors():
        if Path(name).suffix.lower() in DOT_SUFFIXES:
            Path(name).write_text(dot, encoding="ascii", newline="\n")
        else:
            render(dot, name)


@contextmanager
def _errors() -> Iterator[None]:
    """Turn failures to draw or write the file of --dot into a CommandError."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        raise CommandError(f"--dot: {error}") from None

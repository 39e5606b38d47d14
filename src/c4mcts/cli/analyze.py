"""Search a position, or each line of standard input, and show the value of every column."""

import argparse
import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from rich.live import Live

from ..board.board import Board
from ..board.notation import write_drawing
from ..provenance import provenance
from ..rules import fits_solver
from ..search.dot import tree_dot
from ..search.results import SearchResult, result_text, with_solution
from ..solver.solution import Solution
from ..solver.solver import solve
from .boards import add_position, board_of_line, start_board
from .display import Terminal, footer, result_display
from .engines import engine_of, limits_of, preset_of
from .failures import OK, UsageError, errors_of_others
from .files import require_output
from .lines import PositionLine, for_each, input_is_data, lines_of_file
from .options import add_options
from .output import print_json, results, show

SECONDS = 1.0  # default if no limit is given
DOT_SUFFIXES = (".dot", ".gv")
SOLVER_NODES = {"native": 500_000, "pure": 2_000}  # about 0.05 s


def add(parser: argparse.ArgumentParser) -> None:
    add_position(parser, lines=True)
    search = parser.add_argument_group(f"search (ends at the first limit; default {SECONDS:g} second)")
    add_options(search, "seconds", "simulations", "nodes", "preset", "set")
    add_options(search, "seed", "backend", "threads", "evaluator")
    text = "also draw the top of the tree, as text for Graphviz (.dot or .gv) or as a picture (.svg)"
    parser.add_argument("--dot", metavar="FILE", help=text)
    add_options(parser, "json")


def run(args: argparse.Namespace) -> int:
    """Search and print. After Ctrl-C the result so far is printed."""
    reads_lines = args.position == "-" or (args.position is None and args.start is None and input_is_data())
    board = None if reads_lines else start_board(args)
    if args.dot is not None and board is None:
        raise UsageError("--dot needs a single position, not lines on standard input")
    require_output(args, "dot", *DOT_SUFFIXES, ".svg")
    with errors_of_others(None if args.evaluator is None else f"--evaluator {args.evaluator}"):
        analysis = Analysis(args)
        if board is not None:
            analysis.show(board)
            return OK
        read = partial(board_of_line, args)
        lines = lines_of_file("-", digits_from=args.digits_from)
        status = for_each(args, lines, read, lambda line, read: analysis.show(read[0], line))
        if status is None and args.position is None:  # no lines, and nobody has asked for them
            analysis.show(start_board(args))
    return status or OK


class Analysis:
    """Searches by one engine, printed."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._engine, self._seed = engine_of(args)
        self._limits = limits_of(args, seconds=SECONDS)
        self._note = f"{self._engine.backend}, seed {self._seed}"

    def show(self, board: Board, line: PositionLine | None = None) -> None:
        """Search a position as if it were the only one, and print the result; after Ctrl-C the last one reported.

        line: where the position came from.
        """
        args, terminal = self._args, Terminal()
        self._engine.reset()
        solution = None if args.json else _solved_soon(board, self._engine.backend)
        is_live = not args.json and results().isatty()
        # what an evaluator prints is on standard error: above the board if that is the terminal, else not on it
        is_near = sys.stderr.isatty()
        display_of = partial(Live, auto_refresh=False, redirect_stdout=is_near, redirect_stderr=is_near)
        result: SearchResult | None = None
        try:
            with display_of(console=terminal) if is_live else nullcontext() as display:

                def report(latest: SearchResult) -> None:
                    nonlocal result
                    result = latest
                    if display is not None:
                        picture = result_display(terminal, *_with_exact_scores(latest, solution), self._note)
                        display.update(picture, refresh=True)

                report(self._engine.search(board, on_progress=report, **self._limits))
        finally:
            if result is not None and args.json:
                print_json({**self._fields(result), **({} if line is None else line.fields())})
            elif result is not None and not is_live:
                show("\n" * (line is not None and line.index > 0) + self._text(result, solution))
            if result is not None and args.dot is not None:
                self._draw(Path(args.dot), result)

    def _draw(self, path: Path, result: SearchResult) -> None:
        is_text = path.suffix.lower() in DOT_SUFFIXES
        drawing = tree_dot(self._engine, result) if is_text else self._engine.tree_svg() + "\n"
        path.write_text(drawing, encoding="utf-8", newline="\n")

    def _text(self, result: SearchResult, solution: Solution | None) -> str:
        refined, searched = _with_exact_scores(result, solution)
        board = write_drawing(result.board.to_array().tolist(), first=1)
        return f"{board}\n\n{result_text(refined, first=1, searched=searched)}\n\n{footer(result, self._note)}"

    def _fields(self, result: SearchResult) -> dict[str, Any]:
        about = provenance(
            backend=self._engine.backend,
            rules=result.board.rules,
            preset=preset_of(self._args),
            params=self._engine.params,
            limits={name: self._limits.get(name) for name in ("simulations", "seconds", "nodes")},
            threads=self._args.threads,
            seed=self._seed,
            point_of_view="player_to_move",
        )
        speed = result.simulations / max(result.seconds, 1e-9)
        return {**about, **result.to_dict(), "simulations_per_second": speed}


def _with_exact_scores(result: SearchResult, solution: Solution | None) -> tuple[SearchResult, SearchResult | None]:
    """The result with the scores of the solver, and the search's own; None if they are the same."""
    if result.proof is not None or solution is None:
        return result, None
    return with_solution(result, solution), result


def _solved_soon(board: Board, backend: str) -> Solution | None:
    """The exact scores of a position by the book, or by the solver within SOLVER_NODES; None if that is not enough."""
    if not fits_solver(board.rules):
        return None
    solution = solve(board, max_nodes=SOLVER_NODES[backend], backend="native" if backend == "native" else "pure")
    return None if solution.score is None else solution

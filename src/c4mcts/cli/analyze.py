"""Search a position and show the value of every column; or many positions, one per line of standard input."""

import argparse
import sys
from contextlib import nullcontext
from typing import Any

from rich.live import Live

from ..board.board import Board
from ..board.notation import write_drawing
from ..facts import facts
from ..search.engine import Engine
from ..search.limits import check_budget
from ..search.results import SearchResult, result_text
from .arguments import (
    UsageError,
    add_json,
    add_search,
    engine_of,
    limits_of,
    params_of,
    preset_of,
    print_json,
    usage_errors,
)
from .board_display import Terminal
from .evaluator import add_evaluator, evaluator_errors, evaluator_of
from .exit_codes import OK, USAGE
from .position import add_position, board_of, unfinished, unfinished_board_of
from .position_lines import PositionLine, board_of_line, position_lines, wants_lines
from .result_display import footer, result_display
from .signals import stopping
from .streams import say
from .tree_picture import add_tree_picture, require_tree_picture, write_tree_picture

SECONDS = 1.0  # default, used if no limit is given


def add(parser: argparse.ArgumentParser) -> None:
    add_position(parser, lines=True)
    add_evaluator(add_search(parser))
    add_tree_picture(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Search and print; a signal ends the search, and its result so far is printed."""
    board = None if wants_lines(args) else unfinished_board_of(args)
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

    def of_lines(self) -> int:
        """Search the position of every line, as if it were the only one; return the exit code.

        An input without lines stands for the empty board, as no input does, unless "-" has asked for lines.
        """
        status, line = OK, None
        for line in position_lines(sys.stdin):
            try:
                board = unfinished(board_of_line(self._args, line))
            except UsageError as error:
                status = USAGE
                self._refuse(line, error)
                continue
            self._engine.reset()
            self.of_board(board, line)
        if line is None and self._args.position is None:
            self.of_board(board_of(self._args))
        return status

    def of_board(self, board: Board, line: PositionLine | None = None) -> None:
        """Search one position, print the result, and draw the tree if that is asked for. line: where it came from.

        The first signal ends the search alone, and is raised afterwards.
        """
        with stopping(self._engine.stop) as interruption:
            live = not self._args.json and sys.stdout.isatty()
            terminal = Terminal()
            with Live(console=terminal, auto_refresh=False) if live else nullcontext() as display:

                def show(result: SearchResult) -> None:
                    if interruption.cause is not None:  # perhaps before the search began, which stop() can't end
                        self._engine.stop()
                    if display is not None:
                        display.update(result_display(terminal, result, self._note), refresh=True)

                result = self._engine.search(board, on_progress=show, **self._limits)
                show(result)
            if not live:
                self._print(terminal, result, line)
            write_tree_picture(self._args, self._engine, result)
        interruption.raise_it()

    def _print(self, terminal: Terminal, result: SearchResult, line: PositionLine | None) -> None:
        """Print a result: as JSON, with colours if they are asked for, or as plain text."""
        if self._args.json:
            print_json({**({} if line is None else line.fields()), **self._fields(result)})
            return
        if line is not None and line.index:
            print()
        if terminal.is_terminal:  # output goes to a pipe, but the environment asks for colours
            terminal.print(result_display(terminal, result, self._note))
        else:
            board, table = write_drawing(result.board.to_array().tolist(), first=1), result_text(result, first=1)
            print(f"{board}\n\n{table}\n\n{footer(result, self._note)}", flush=True)

    def _refuse(self, line: PositionLine, error: UsageError) -> None:
        """Report a line that holds no position to search: with --json also as a record, so that each line has one."""
        if self._args.json:
            print_json({**line.fields(), "error": str(error)})
        sys.stdout.flush()
        say(f"c4mcts analyze: line {line.number}: {error}")

    def _fields(self, result: SearchResult) -> dict[str, Any]:
        """The object that --json prints."""
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

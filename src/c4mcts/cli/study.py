"""Run an experiment on searches, and write its results as a table (CSV) and a plot (PNG)."""

import argparse
import sys
from pathlib import Path
from typing import Any

from ..board.board import Board
from ..errors import CheckpointError
from .arguments import MAX_JOBS, CommandError, UsageError, add_seed, count, require_between, usage_errors
from .executor import add_executor, executor_of
from .experiments import EXPERIMENTS, Result
from .position import add_position, unfinished_board_of
from .streams import say

DPI = 150


def add(parser: argparse.ArgumentParser) -> None:
    """Add the experiments with their options."""
    names = parser.add_subparsers(dest="experiment", metavar="experiment", required=True)
    for name, experiment in EXPERIMENTS.items():
        one = names.add_parser(name, help=experiment.summary, description=experiment.summary, allow_abbrev=False)
        if experiment.has_position:
            add_position(one)
        experiment.add(one)
        runs, what = experiment.runs
        one.add_argument("--runs", type=count, default=runs, metavar="N", help=f"{what} (default {runs})")
        add_seed(one)
        add_executor(one)
        one.add_argument("--out", default=".", metavar="DIR", help="folder for the files (default: the current one)")


def run(args: argparse.Namespace) -> int:
    """Run the experiment. If interrupted, its results stay in the folder, and the same command continues from them."""
    board = unfinished_board_of(args) if EXPERIMENTS[args.experiment].has_position else None
    require_between(args, runs=(1, MAX_JOBS))
    folder = Path(args.out)
    table, picture, checkpoint = (folder / f"{args.experiment}.{end}" for end in ("csv", "png", "jsonl"))
    shared = {"runs": args.runs, "seed": args.seed, "progress": sys.stderr.isatty(), "checkpoint": checkpoint}
    try:
        with executor_of(args) as executor:
            folder.mkdir(parents=True, exist_ok=True)
            result = result_of(args, board, executor=executor, **shared)
    except KeyboardInterrupt:
        say(f"c4mcts study: stopped; the same command continues from {checkpoint}")
        raise
    result.to_csv(table)
    print(result.as_text(first=1), end="\n\n")
    draw(result, picture, table)
    checkpoint.unlink(missing_ok=True)
    print(f"written: {table} {picture}")
    return 0


def result_of(args: argparse.Namespace, board: Board | None, **shared: Any) -> Result:
    """The result of the experiment; errors become UsageErrors."""
    with usage_errors("--"):
        try:
            return EXPERIMENTS[args.experiment].call(args, board, **shared)
        except CheckpointError as error:
            raise UsageError(f"{error}") from None


def draw(result: Result, picture: Path, table: Path) -> None:
    """Write the plot to a file. CommandError without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        raise CommandError(
            f"{table} is written, but no plot: it needs matplotlib, pip install 'c4mcts[plot]'; "
            "then the same command draws it without repeating the experiment"
        ) from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure = result.plot().figure
    figure.savefig(picture, dpi=DPI)
    pyplot.close(figure)

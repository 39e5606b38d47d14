"""Run an experiment on searches, and write its results as a table (CSV) and a plot (PNG)."""

import argparse
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, get_args

from ..board.board import Board
from ..study import CheckpointError, action_frequency, convergence, optimality, win_rate
from ..study.win_rate import BUDGETS, First
from .arguments import (
    MAX_JOBS,
    PLAYABLE,
    CommandError,
    UsageError,
    add_choice,
    add_exploration,
    add_params,
    add_seed,
    add_set,
    count,
    params_of,
    require_between,
    usage_errors,
)
from .executor import add_executor, executor_of
from .position import add_position, unfinished_board_of
from .streams import say

PRESET = "uct"  # default of all experiments
DPI = 150

Result = Any  # one of the result classes of c4mcts.study: all have __str__, to_csv and plot


class Experiment(NamedTuple):
    """One experiment, selected by the word after `study`."""

    summary: str
    runs: tuple[int, str]  # default of --runs, and its help text
    add: Callable[[argparse.ArgumentParser], None]  # adds its own options
    call: Callable[..., Result]  # runs it; takes the options, the board, and the keyword arguments of all experiments


def add(parser: argparse.ArgumentParser) -> None:
    """Add the experiments with their options."""
    names = parser.add_subparsers(dest="experiment", metavar="experiment", required=True)
    for name, experiment in EXPERIMENTS.items():
        one = names.add_parser(name, help=experiment.summary, description=experiment.summary, allow_abbrev=False)
        add_position(one)
        experiment.add(one)
        runs, what = experiment.runs
        one.add_argument("--runs", type=count, default=runs, metavar="N", help=f"{what} (default {runs})")
        add_seed(one)
        add_executor(one)
        one.add_argument("--out", default=".", metavar="DIR", help="folder for the files (default: the current one)")


def run(args: argparse.Namespace) -> int:
    """Run the experiment. If interrupted, its results stay in the folder, and the same command continues from them."""
    board = unfinished_board_of(args)
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
    print(result, end="\n\n")
    draw(result, picture, table)
    checkpoint.unlink(missing_ok=True)
    print(f"written: {table} {picture}")
    return 0


def result_of(args: argparse.Namespace, board: Board, **shared: Any) -> Result:
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


def numbers(text: str) -> list[float]:
    """Parse finite numbers separated by commas. ValueError."""
    found = [float(word) for word in text.split(",")]
    if not all(map(math.isfinite, found)):
        raise ValueError
    return found


def counts(text: str) -> list[int]:
    """Parse whole numbers separated by commas. ValueError."""
    return [count(word) for word in text.split(",")]


def add_convergence(parser: argparse.ArgumentParser) -> None:
    add_params(parser, PRESET)
    add_simulations(parser, 5000, "simulations of each search")


def call_convergence(args: argparse.Namespace, board: Board, **shared: Any) -> Result:
    """Run `study convergence`."""
    return convergence(board, params_of(args), simulations=args.simulations, **shared)


def add_win_rate(parser: argparse.ArgumentParser) -> None:
    search = parser.add_argument_group("search")
    words = f"named set of parameters (default {PRESET}); repeat the option to compare several"
    search.add_argument("--preset", choices=PLAYABLE, action="append", help=words)
    add_exploration(search)
    add_choice(search)
    add_set(search)
    words = "who plays against it: random (default), perfect, level:3, a preset as uct@1000, or any player of match"
    parser.add_argument("--opponent", default="random", metavar="PLAYER", help=words)
    add_counts(parser, "--budgets", "simulations per move", ",".join(map(str, BUDGETS)))
    first = get_args(First)
    parser.add_argument("--first", choices=first, default=first[0], help=f"who moves first (default: {first[0]})")


def call_win_rate(args: argparse.Namespace, board: Board, *, runs: int, **shared: Any) -> Result:
    """Run `study win-rate`."""
    modes = {preset: params_of(args, preset) for preset in args.preset or [PRESET]}
    options = {"opponent": args.opponent, "budgets": args.budgets or BUDGETS, "first": args.first}
    return win_rate(board, modes, games=runs, **options, **shared)


def add_action_frequency(parser: argparse.ArgumentParser) -> None:
    add_params(parser, PRESET)
    add_simulations(parser, 100, "simulations of each search")


def call_action_frequency(args: argparse.Namespace, board: Board, **shared: Any) -> Result:
    """Run `study action-frequency`."""
    return action_frequency(board, params_of(args), simulations=args.simulations, **shared)


def add_exploration_sweep(parser: argparse.ArgumentParser) -> None:
    add_params(parser, PRESET, exploration=False)
    add_simulations(parser, 50_000, "simulations of each search")
    words = "factors separated by commas: --values=-1,0,1 (default: -2 to 4 in steps of 0.1)"
    parser.add_argument("--values", type=numbers, metavar="C,C,...", help=words)
    add_optimal(parser)


def call_exploration_sweep(args: argparse.Namespace, board: Board, **shared: Any) -> Result:
    """Run `study exploration`."""
    options = {"values": args.values, "simulations": args.simulations, "optimal": args.optimal}
    return optimality(board, params_of(args), sweep="exploration", **options, **shared)


def add_budget_sweep(parser: argparse.ArgumentParser) -> None:
    add_params(parser, PRESET)
    add_counts(parser, "--values", "simulations per search", "100 to 2000 in steps of 100")
    add_optimal(parser)


def call_budget_sweep(args: argparse.Namespace, board: Board, **shared: Any) -> Result:
    """Run `study budget`."""
    return optimality(board, params_of(args), sweep="simulations", values=args.values, optimal=args.optimal, **shared)


def add_simulations(parser: argparse.ArgumentParser, default: int, what: str) -> None:
    words = f"{what} (default {default:,})"
    parser.add_argument("--simulations", type=count, default=default, metavar="N", help=words)


def add_counts(parser: argparse.ArgumentParser, name: str, what: str, default: str) -> None:
    """Add an option for a list of budgets; None stands for the defaults of the experiment."""
    parser.add_argument(name, type=counts, metavar="N,N,...", help=f"{what} (default: {default})")


def add_optimal(parser: argparse.ArgumentParser) -> None:
    words = "columns that are optimal, counted from 0 (default: those with the best exact score)"
    parser.add_argument("--optimal", type=counts, metavar="C,C,...", help=words)


EXPERIMENTS = {
    "convergence": Experiment(
        "how the values of all columns settle while a search grows",
        (10, "searches"),
        add_convergence,
        call_convergence,
    ),
    "win-rate": Experiment(
        "how often a search beats an opponent, by its budget",
        (100, "games for each budget"),
        add_win_rate,
        call_win_rate,
    ),
    "action-frequency": Experiment(
        "how often each column is chosen by independent searches, and how long they take",
        (100, "searches"),
        add_action_frequency,
        call_action_frequency,
    ),
    "exploration": Experiment(
        "how often the optimal column is chosen, by the exploration factor",
        (50, "searches for each factor"),
        add_exploration_sweep,
        call_exploration_sweep,
    ),
    "budget": Experiment(
        "how often the optimal column is chosen, by the simulations of a search",
        (50, "searches for each budget"),
        add_budget_sweep,
        call_budget_sweep,
    ),
}

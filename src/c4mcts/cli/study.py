"""Run an experiment on searches, and write its results as a table (CSV) and a plot (PNG)."""

import argparse
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from .._named import installed_by
from .._tables import write_table
from ..board.notation import read_moves
from ..search.params import SearchParams
from ..search.typed_values import count
from ..study import Result, action_frequency, convergence, head_to_head, optimality, regret, rules_change, win_rate
from ..study.convergence import POINTS, SIMULATIONS, spread
from ..study.plots import SIZE
from .boards import MOVES, RULES, add_position, board_of_file, rules_of, start_board
from .engines import params_of
from .executors import executor_of
from .failures import OK, CommandError, UsageError, usage_errors
from .files import continued, folder_of, progress_of
from .match import entrant
from .options import add_options
from .output import show

PRESET = "uct"  # default of all experiments
DPI = 150
Options = dict[str, Any]  # the options by name, as keyword arguments of the experiment


class Experiment(NamedTuple):
    """One experiment: what it answers, which of the options in OWN it has, and what turns them into arguments."""

    summary: str
    options: tuple[str, ...]
    call: Callable[[argparse.Namespace, Options], Result]
    presets: tuple[str, ...] = ()  # default of --preset if several can be compared, or else it is PRESET
    number: str = "runs"  # the argument that --runs stands for


def growing(function: Callable[..., Result], args: argparse.Namespace, options: Options) -> Result:
    """An experiment that measures searches at several points as they grow."""
    points, linear = options.pop("points", POINTS), options.pop("linear", False)
    options["simulations"] = spread(options.get("simulations", SIMULATIONS), points, linear=linear).tolist()
    return function(start_board(args), params_of(args), **options)


def _params_by_preset(args: argparse.Namespace) -> dict[str, SearchParams]:
    return {name: params_of(args, name) for name in args.presets}


def _call_win_rate(args: argparse.Namespace, options: Options) -> Result:
    boards: Any = start_board(args)
    if "opponent" in options:
        entrant(options["opponent"], boards.rules)
    if also := options.pop("also", []):
        first = (Path(args.start).stem if args.start else args.position) or "empty"
        boards = {first: boards} | {Path(name).stem: board_of_file(args, "--also", name) for name in also}
        if len(boards) <= len(also):
            raise UsageError("--also: files of the same name can't be told apart in the result")
    return win_rate(boards, _params_by_preset(args), **options)


def _call_sweep(args: argparse.Namespace, options: Options) -> Result:
    if args.experiment == "exploration" and "exploration" in dict(args.set):
        raise UsageError("--set exploration can't be combined with --values, which are the factors to compare")
    sweep, board = "exploration" if args.experiment == "exploration" else "simulations", start_board(args)
    if "optimal" in options:
        with usage_errors(f"--optimal {options['optimal']!r}: "):
            options["optimal"] = read_moves(options["optimal"], board.rules)
    return optimality(board, params_of(args), sweep=sweep, **options)


def _call_rules_change(args: argparse.Namespace, options: Options) -> Result:
    if args.position is not None or args.start is not None:
        raise UsageError("rules-change compares empty boards: it takes no position")
    rules = {} if args.rules is None else {"rules": args.rules}
    return rules_change(params=params_of(args), **rules, **options)


EXPERIMENTS = {
    "convergence": Experiment(
        "how the values of all columns settle as a search grows",
        ("simulations", "points", "linear"),
        partial(growing, convergence),
    ),
    "regret": Experiment(
        "how much a search loses by trying moves that are not the best, as it grows",
        ("simulations", "points", "linear"),
        partial(growing, regret),
    ),
    "win-rate": Experiment(
        "how often a search beats an opponent, by budget",
        ("opponent", "budgets", "also"),
        _call_win_rate,
        presets=(PRESET,),
        number="games",
    ),
    "head-to-head": Experiment(
        "how presets score against each other, by budget",
        ("budgets",),
        lambda args, options: head_to_head(start_board(args), _params_by_preset(args), **options),
        presets=("uct", "strong"),
        number="games",
    ),
    "action-frequency": Experiment(
        "how often independent searches choose each column, and how long they take",
        ("simulations",),
        lambda args, options: action_frequency(start_board(args), params_of(args), **options),
    ),
    "exploration": Experiment(
        "how often the optimal column is chosen, by exploration factor",
        ("values", "optimal", "simulations"),
        _call_sweep,
    ),
    "budget": Experiment(
        "how often the optimal column is chosen, by number of simulations",
        ("values", "optimal"),
        _call_sweep,
    ),
    "rules-change": Experiment(
        "what the board size and the winning length change: branching factor, depth, rollouts, time",
        ("simulations",),
        _call_rules_change,
    ),
}
OWN = ("simulations", "points", "linear", "values", "optimal", "budgets", "opponent", "also")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of all experiments; `run` refuses those that the chosen one does not have."""
    summaries = "; ".join(f"{name}: {experiment.summary}" for name, experiment in EXPERIMENTS.items())
    parser.add_argument("experiment", choices=tuple(EXPERIMENTS), metavar="experiment", help=summaries)
    message = f"{RULES}; several for rules-change, separated by commas"
    add_position(parser, type=lambda text: [rules_of(word) for word in text.split(",")], help=message)
    message = f"named set of parameters (default {PRESET}; in head-to-head uct, strong); repeat it to compare several: "
    message += "in win-rate and head-to-head in one plot, else in plots side by side"
    add_options(parser, "preset", action="append", default=[], help=message)
    add_options(parser, "set")

    def option(name: str, text: str, **options: Any) -> None:
        where = ", ".join(key for key, experiment in EXPERIMENTS.items() if name in experiment.options)
        parser.add_argument(f"--{name}", help=f"{text} ({where})", **options)

    message = "simulations per search, by default 5,000, 50,000 (exploration), 10,000 (rules-change), or 100 "
    message += "(action-frequency; but one for each open column with no-diagonals)"
    option("simulations", message, type=count, metavar="N")
    option("points", f"number of points at which each search is measured, by default {POINTS}", type=count, metavar="N")
    message = "equally spaced points and a linear axis instead of a logarithmic one"
    option("linear", message, action="store_true", default=None)
    message = "what is compared, separated by commas, as in --values=-1,0,1; by default factors from -2 to 3.9, "
    message += "or 100 to 1900 simulations"
    option("values", message, type=numbers, metavar="V,V,...")
    message = f"the optimal columns: {MOVES}; by default those with the best exact score"
    option("optimal", message, metavar="COLUMNS")
    option("budgets", "simulations per move, separated by commas", type=numbers, metavar="N,N,...")
    option("opponent", "random (default), or any player of a match, as uct@1000 or level:3", metavar="PLAYER")
    option("also", "another start position, as --start; may be repeated", action="append", metavar="FILE")
    message = "searches, or games, of each kind, by default 10 (convergence, rules-change), 20 (regret), 50 "
    message += "(exploration, budget), or 100"
    parser.add_argument("--runs", type=count, metavar="N", help=message)
    add_options(parser, "seed", "executor")
    parser.add_argument("--out", default=".", metavar="DIR", help="folder for the files (default: the current one)")


def numbers(text: str) -> list[float]:
    values = [float(word) for word in text.split(",")]
    return [int(number) if number.is_integer() else number for number in values]


def run(args: argparse.Namespace) -> int:
    """Run the experiment. If interrupted, its results stay in the folder, and the same command continues from them."""
    experiment = EXPERIMENTS[args.experiment]
    options = {name: value for name in OWN if (value := getattr(args, name)) is not None}
    for name in options:
        if name not in experiment.options:
            raise UsageError(f"{args.experiment} has no option --{name}")
    args.presets = args.preset or experiment.presets or [PRESET]
    if len({*args.presets}) < len(args.presets) or (args.experiment == "head-to-head" and len(args.presets) < 2):
        raise UsageError("--preset must be given at least twice, with different names")
    if args.rules is not None and args.experiment != "rules-change":
        if len(args.rules) > 1:
            raise UsageError(f"{args.experiment} takes one set of rules")
        args.rules = args.rules[0]
    if args.runs is not None:
        options[experiment.number] = args.runs
    folder = folder_of(args)
    table, picture = (folder / f"{args.experiment}.{end}" for end in ("csv", "png"))
    apart = args.presets if len(args.presets) > 1 and not experiment.presets else []  # each has a result of its own
    results, kept = dict[str, Result](), []
    for name in apart or args.presets[:1]:
        args.preset = name
        checkpoint = folder / f"{args.experiment}{f'-{name}' if apart else ''}.checkpoint"
        kept.append(checkpoint)
        with continued(args, checkpoint), executor_of(args) as executor:
            folder.mkdir(parents=True, exist_ok=True)
            work = {"seed": args.seed, "progress": progress_of(args), "executor": executor, "checkpoint": checkpoint}
            results[name] = experiment.call(args, {**options, **work})
    rows = [({"preset": name} if apart else {}) | row for name, each in results.items() for row in each.rows()]
    write_table(str(table), rows)
    try:
        for each in results.values():
            show(each.as_text(first=1), end="\n\n")
    finally:
        draw([*results.values()], picture, table)  # also if nobody reads on, as with `| head`
    for checkpoint in kept:
        checkpoint.unlink(missing_ok=True)
    show(f"written: {table} {picture}")
    return OK


def draw(results: Sequence[Result], picture: Path, table: Path) -> None:
    """Write the plot to a file: of several results the first panels, side by side. CommandError without matplotlib."""
    os.environ["MPLBACKEND"] = "Agg"  # which needs no display
    try:
        if len(results) == 1:
            figure: Any = results[0].plot().figure
        else:
            with installed_by("plot"):
                from matplotlib import pyplot
            width, height = SIZE
            size = width * len(results), height
            figure, axes = pyplot.subplots(1, len(results), sharey=True, figsize=size, layout="constrained")
            for ax, result in zip(axes, results, strict=True):
                result.plot(ax)
    except ModuleNotFoundError as error:
        text = f"{table} is written, but no plot: {error}; then the same command draws it without new searches"
        raise CommandError(text) from None
    figure.savefig(picture, dpi=DPI)

"""Run an experiment on searches, and write its results as a table (CSV) and a plot (PNG)."""

import argparse
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, get_args

from ..board.board import Board
from ..board.notation import read_moves
from ..rules import Rules
from ..search.params import SearchParams
from ..study import action_frequency, convergence, head_to_head, optimality, regret, rules_change, win_rate
from ..study.convergence import POINTS, spread
from ..study.win_rate import First
from .arguments import add_options, count, params_of, resumable, usage_errors
from .messages import OK, CommandError, UsageError
from .positions import MOVES, RULES, add_position, board_of, board_of_file, rules_of, unfinished

PRESET = "uct"  # default of all experiments
DPI = 150
Result = Any  # one of the result classes of c4mcts.study: all have as_text, to_csv and plot
Given = dict[str, Any]  # the options that were given, by name, as keyword arguments of the experiment


class Experiment(NamedTuple):
    """One experiment: what it answers, the function, its options, and what turns these into arguments."""

    summary: str
    function: Callable[..., Result]
    options: tuple[str, ...]
    call: Callable[[argparse.Namespace, Given], Result]
    presets: tuple[str, ...] = ()  # default of --preset if several can be compared, or else it is PRESET


def growing(args: argparse.Namespace, given: Given) -> Result:
    """An experiment that measures searches at several points as they grow."""
    function = EXPERIMENTS[args.experiment].function
    points, linear = given.pop("points", POINTS), given.pop("linear", False)
    simulations = given.get("simulations", default_of(function, "simulations"))
    given["simulations"] = spread(simulations, points, linear=linear).tolist()
    return function(start_of(args), params_of(args), **given)


def one_search(args: argparse.Namespace, given: Given) -> Result:
    """An experiment with the same search again and again."""
    return EXPERIMENTS[args.experiment].function(start_of(args), params_of(args), **given)


def call_win_rate(args: argparse.Namespace, given: Given) -> Result:
    """The start positions by the names of their files, and the parameters by those of their presets."""
    boards: Any = start_of(args)
    if also := given.pop("also", []):
        first = (Path(args.start).stem if args.start else args.position) or "empty"
        boards = {first: boards} | {Path(name).stem: unfinished(board_of_file(args, "--also", name)) for name in also}
        if len(boards) <= len(also):
            raise UsageError("--also: files of the same name can't be told apart in the result")
    return win_rate(boards, params_by_preset(args), **given)


def call_head_to_head(args: argparse.Namespace, given: Given) -> Result:
    """The parameters that play each other, by the names of their presets."""
    sets = params_by_preset(args)
    if len(sets) < 2:
        raise UsageError("--preset must be given at least twice, with different names")
    return head_to_head(start_of(args), sets, **given)


def call_sweep(args: argparse.Namespace, given: Given) -> Result:
    """A sweep of the exploration factor, or of the budget."""
    if args.experiment == "exploration" and "exploration" in dict(args.set):
        raise UsageError("--set exploration can't be combined with --values, which are the factors to compare")
    sweep, board = "exploration" if args.experiment == "exploration" else "simulations", start_of(args)
    if "optimal" in given:
        with usage_errors(f"--optimal {given['optimal']!r}: "):
            given["optimal"] = read_moves(given["optimal"], board.rules)
    return optimality(board, params_of(args), sweep=sweep, **given)


def call_rules_change(args: argparse.Namespace, given: Given) -> Result:
    """All rules of --rules, which have no position."""
    if args.position is not None or args.start is not None:
        raise UsageError("rules-change compares empty boards: it takes no position")
    rules = {} if args.rules is None else {"rules": args.rules}
    return rules_change(params=params_of(args), **rules, **given)


EXPERIMENTS = {
    "convergence": Experiment(
        "how the values of all columns settle as a search grows",
        convergence,
        ("simulations", "points", "linear"),
        growing,
    ),
    "regret": Experiment(
        "how much a search loses by trying moves that are not the best, as it grows",
        regret,
        ("simulations", "points", "linear"),
        growing,
    ),
    "win-rate": Experiment(
        "how often a search beats an opponent, by budget",
        win_rate,
        ("opponent", "budgets", "first", "also"),
        call_win_rate,
        presets=(PRESET,),
    ),
    "head-to-head": Experiment(
        "how presets score against each other, by budget",
        head_to_head,
        ("budgets",),
        call_head_to_head,
        presets=("uct", "strong"),
    ),
    "action-frequency": Experiment(
        "how often independent searches choose each column, and how long they take",
        action_frequency,
        ("simulations",),
        one_search,
    ),
    "exploration": Experiment(
        "how often the optimal column is chosen, by exploration factor",
        optimality,
        ("values", "optimal", "simulations"),
        call_sweep,
    ),
    "budget": Experiment(
        "how often the optimal column is chosen, by number of simulations",
        optimality,
        ("values", "optimal"),
        call_sweep,
    ),
    "rules-change": Experiment(
        "what the board size and the winning length change: branching factor, depth, rollouts, time",
        rules_change,
        ("simulations",),
        call_rules_change,
    ),
}
OWN = ("simulations", "points", "linear", "values", "optimal", "budgets", "opponent", "first", "also")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of all experiments; `run` refuses those that the chosen one does not have."""
    summaries = "; ".join(f"{name}: {experiment.summary}" for name, experiment in EXPERIMENTS.items())
    parser.add_argument("experiment", choices=tuple(EXPERIMENTS), metavar="experiment", help=summaries)
    add_position(parser, type=many_rules, help=f"{RULES}; several for rules-change, separated by commas")
    words = f"named set of parameters (default {PRESET}); repeat it to compare several, in {of_presets()}"
    add_options(parser, "preset", action="append", default=[], help=words)
    add_options(parser, "set")

    def option(name: str, words: str, **options: Any) -> None:
        where = ", ".join(key for key, experiment in EXPERIMENTS.items() if name in experiment.options)
        parser.add_argument(f"--{name}", help=f"{words} ({where})", **options)

    words = f"simulations per search, by default {defaults('simulations')}"
    option("simulations", words, type=count, metavar="N")
    option("points", f"number of points at which each search is measured, by default {POINTS}", type=count, metavar="N")
    words = "equally spaced points and a linear axis instead of a logarithmic one"
    option("linear", words, action="store_true", default=None)
    words = "what is compared, separated by commas, as in --values=-1,0,1; by default factors from -2 to 3.9, "
    words += "or 100 to 1900 simulations"
    option("values", words, type=numbers, metavar="V,V,...")
    words = f"the optimal columns: {MOVES}; by default those with the best exact score"
    option("optimal", words, metavar="COLUMNS")
    option("budgets", "simulations per move, separated by commas", type=numbers, metavar="N,N,...")
    option("opponent", "random (default), or any player of a match, as uct@1000 or level:3", metavar="PLAYER")
    option("first", "who moves first, by default alternate", choices=get_args(First))
    option("also", "another start position, as --start; may be repeated", action="append", metavar="FILE")
    words = f"searches, or games, of each kind, by default {defaults('runs')}"
    parser.add_argument("--runs", type=count, metavar="N", help=words)
    add_options(parser, "seed", "executor")
    parser.add_argument("--out", default=".", metavar="DIR", help="folder for the files (default: the current one)")


def many_rules(text: str) -> list[Rules]:
    """Parse rules separated by commas. ArgumentTypeError."""
    return [rules_of(word) for word in text.split(",")]


def numbers(text: str) -> list[float]:
    """Parse numbers separated by commas. ValueError."""
    found = [float(word) for word in text.split(",")]
    return [int(number) if number.is_integer() else number for number in found]


def default_of(function: Callable[..., Result], name: str) -> Any:
    """The default of an argument of an experiment; `runs` is the number of games in some."""
    parameters = inspect.signature(function).parameters
    return parameters["games" if name == "runs" and name not in parameters else name].default


def defaults(name: str) -> str:
    """The defaults of an argument in all experiments, in words."""
    found: dict[Any, list[str]] = {}
    for key, experiment in EXPERIMENTS.items():
        if name == "runs" or name in experiment.options:
            found.setdefault(default_of(experiment.function, name) or 50_000, []).append(key)
    return "; ".join(f"{value:,} ({', '.join(keys)})" for value, keys in found.items())


def of_presets() -> str:
    """The experiments that compare presets, with their defaults."""
    names = [name for name, experiment in EXPERIMENTS.items() if experiment.presets]
    return " and ".join(f"{name} (default {', '.join(EXPERIMENTS[name].presets)})" for name in names)


def start_of(args: argparse.Namespace) -> Board:
    """The start position. UsageError, also for several rules."""
    return unfinished(board_of(args))


def params_by_preset(args: argparse.Namespace) -> dict[str, SearchParams]:
    """The parameters of all presets that are compared, by name."""
    return {name: params_of(args, name) for name in args.presets}


def run(args: argparse.Namespace) -> int:
    """Run the experiment. If interrupted, its results stay in the folder, and the same command continues from them."""
    experiment = EXPERIMENTS[args.experiment]
    given = {name: value for name in OWN if (value := getattr(args, name)) is not None}
    for name in given:
        if name not in experiment.options:
            raise UsageError(f"{args.experiment} has no option --{name}")
    args.presets = args.preset or experiment.presets or [PRESET]
    if len(args.presets) > 1 and not experiment.presets:
        raise UsageError(f"{args.experiment} takes one --preset")
    args.preset = args.presets[0]
    if args.rules is not None and args.experiment != "rules-change":
        if len(args.rules) > 1:
            raise UsageError(f"{args.experiment} takes one set of rules")
        args.rules = args.rules[0]
    if args.runs is not None:
        given["runs" if "runs" in inspect.signature(experiment.function).parameters else "games"] = args.runs
    folder = Path(args.out)
    table, picture, checkpoint = (folder / f"{args.experiment}.{end}" for end in ("csv", "png", "checkpoint"))
    with resumable(args, checkpoint) as executor:
        folder.mkdir(parents=True, exist_ok=True)
        work = {"seed": args.seed, "progress": sys.stderr.isatty(), "executor": executor, "checkpoint": checkpoint}
        result = experiment.call(args, {**given, **work})
    result.to_csv(table)
    print(result.as_text(first=1), end="\n\n")
    draw(result, picture, table)
    checkpoint.unlink(missing_ok=True)
    print(f"written: {table} {picture}")
    return OK


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

"""Run an experiment on searches, and write its results as a table (CSV) and a plot (PNG)."""

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, get_args

from ..board.board import Board
from ..board.notation import read_moves
from ..rules import Rules, fits_word
from ..search.params import SearchParams
from ..study import action_frequency, convergence, head_to_head, optimality, regret, rules_change, win_rate
from ..study.convergence import POINTS, spread
from ..study.head_to_head import BUDGETS as EVEN_BUDGETS
from ..study.rules_change import RULES, SIZES
from ..study.win_rate import BUDGETS, First
from .arguments import (
    MAX_JOBS,
    PLAYABLE,
    CommandError,
    UsageError,
    add_options,
    add_params,
    add_settings,
    count,
    params_of,
    require_between,
    resumable,
    usage_errors,
)
from .positions import add_position, board_of, board_of_file, rules_of, unfinished
from .process import OK

PRESET = "uct"  # default of all experiments
RIVALS = ("uct", "strong")  # presets that play against each other by default

Result = Any  # one of the result classes of c4mcts.study: all have as_text, to_csv and plot
DPI = 150


class Experiment(NamedTuple):
    """One experiment, selected by the word after `study`."""

    summary: str
    runs: tuple[int, str]  # default of --runs, and its help text
    call: Callable[..., Result]  # runs it; takes the options, the board, and the keyword arguments of all experiments
    simulations: int | None = None  # default of --simulations; None if there is no such option
    add: Callable[[argparse.ArgumentParser], None] = lambda parser: None  # adds its own options
    presets: tuple[str, ...] = ()  # default of --preset if several can be compared, or else it is PRESET
    has_position: bool = True  # whether it starts from a position


def numbers(text: str) -> list[float]:
    """Parse finite numbers separated by commas. ValueError."""
    found = [float(word) for word in text.split(",")]
    if not all(map(math.isfinite, found)):
        raise ValueError
    return found


def counts(text: str) -> list[int]:
    """Parse whole numbers separated by commas. ValueError."""
    return [count(word) for word in text.split(",")]


def sizes(text: str) -> list[Rules]:
    """Parse rules as 7x6x4 or 7x6, separated by commas. ArgumentTypeError."""
    return [rules_of(word) for word in text.split(",")]


def add_points(parser: argparse.ArgumentParser) -> None:
    words = f"number of points at which each search is measured (default {POINTS})"
    parser.add_argument("--points", type=count, default=POINTS, metavar="N", help=words)
    words = "equally spaced points and a linear axis (default: a logarithmic one)"
    parser.add_argument("--linear", action="store_true", help=words)


def points_of(args: argparse.Namespace) -> list[int]:
    found: list[int] = spread(args.simulations, args.points, linear=args.linear).tolist()
    return found


def call_regret(args: argparse.Namespace, board: Board, **shared: Any) -> Result:
    if not fits_word(board.rules):
        raise UsageError(f"a board of {board.rules} is too large to be solved")
    return regret(board, params_of(args), simulations=points_of(args), **shared)


def add_budgets(parser: argparse.ArgumentParser, default: Sequence[int] = EVEN_BUDGETS) -> None:
    words = f"simulations per move, separated by commas (default {','.join(map(str, default))})"
    parser.add_argument("--budgets", type=counts, default=default, metavar="N,N,...", help=words)


def params_by_preset(args: argparse.Namespace) -> dict[str, SearchParams]:
    """The parameters of all presets that are compared, by name."""
    return {preset: params_of(args, preset) for preset in args.preset or EXPERIMENTS[args.experiment].presets}


def add_win_rate(parser: argparse.ArgumentParser) -> None:
    words = "the opponent: random (default), perfect, level:3, a preset as in uct@1000, or any other player of a match"
    parser.add_argument("--opponent", default="random", metavar="PLAYER", help=words)
    add_budgets(parser, BUDGETS)
    first = get_args(First)
    parser.add_argument("--first", choices=first, default=first[0], help=f"who moves first (default {first[0]})")
    words = "another start position, as --start; may be repeated"
    parser.add_argument("--also", action="append", default=[], metavar="FILE", help=words)


def call_win_rate(args: argparse.Namespace, board: Board, *, runs: int, **shared: Any) -> Result:
    options = {"opponent": args.opponent, "budgets": args.budgets, "first": args.first}
    first = (Path(args.start).stem if args.start else args.position) or "empty"
    boards = {first: board} | {Path(name).stem: unfinished(board_of_file(args, "--also", name)) for name in args.also}
    if len(boards) <= len(args.also):
        raise UsageError("--also: files of the same name can't be told apart in the result")
    return win_rate(boards if args.also else board, params_by_preset(args), games=runs, **options, **shared)


def call_head_to_head(args: argparse.Namespace, board: Board, *, runs: int, **shared: Any) -> Result:
    sets = params_by_preset(args)
    if len(sets) < 2:
        raise UsageError("--preset must be given at least twice, with different names")
    return head_to_head(board, sets, games=runs, budgets=args.budgets, **shared)


def add_exploration_sweep(parser: argparse.ArgumentParser) -> None:
    words = "exploration factors, separated by commas: --values=-1,0,1 (default: -2 to 3.9 in steps of 0.1)"
    parser.add_argument("--values", type=numbers, metavar="C,C,...", help=words)
    add_optimal(parser)


def call_sweep(args: argparse.Namespace, board: Board, **shared: Any) -> Result:
    if args.experiment == "budget":
        sweep, options = "simulations", {}
    else:
        sweep, options = "exploration", {"simulations": args.simulations}
    if sweep in dict(args.set):
        raise UsageError("--set exploration can't be combined with --values, which are the factors to compare")
    optimal = optimal_of(args, board)
    return optimality(board, params_of(args), sweep=sweep, values=args.values, optimal=optimal, **options, **shared)


def add_budget_sweep(parser: argparse.ArgumentParser) -> None:
    words = "simulations per search, separated by commas (default: 100 to 1900 in steps of 100)"
    parser.add_argument("--values", type=counts, metavar="N,N,...", help=words)
    add_optimal(parser)


def add_optimal(parser: argparse.ArgumentParser) -> None:
    words = "the optimal columns, as digits from 1, or from 0 with commas (default: those with the best exact score)"
    parser.add_argument("--optimal", metavar="C,C,...", help=words)


def optimal_of(args: argparse.Namespace, board: Board) -> list[int] | None:
    """The columns of --optimal, counted from 0. UsageError for one that can't be played."""
    if args.optimal is None:
        return None
    with usage_errors(f"--optimal {args.optimal!r}: "):
        found = read_moves(args.optimal, board.rules)
    first = 0 if "," in args.optimal else 1
    for column in found:
        if not board.is_legal(column):
            raise UsageError(f"--optimal {args.optimal!r}: column {column + first} can't be played")
    return found


def add_sizes(parser: argparse.ArgumentParser) -> None:
    usual = ",".join("x".join(map(str, size)) for size in SIZES)
    words = f"the rules to compare, separated by commas; differences are from the first ones (default {usual})"
    parser.add_argument("--rules", type=sizes, default=RULES, metavar="WxHxK,...", help=words)


EXPERIMENTS = {
    "convergence": Experiment(
        "How the values of all columns settle as a search grows.",
        (10, "searches"),
        lambda args, board, **shared: convergence(board, params_of(args), simulations=points_of(args), **shared),
        simulations=5000,
        add=add_points,
    ),
    "regret": Experiment(
        "How much a search loses by trying moves that are not the best, as it grows.",
        (20, "searches"),
        call_regret,
        simulations=5000,
        add=add_points,
    ),
    "win-rate": Experiment(
        "How often a search beats an opponent, by budget.",
        (100, "games per budget"),
        call_win_rate,
        add=add_win_rate,
        presets=(PRESET,),
    ),
    "head-to-head": Experiment(
        "How presets score against each other, by budget.",
        (100, "games per pair and budget"),
        call_head_to_head,
        add=add_budgets,
        presets=RIVALS,
    ),
    "action-frequency": Experiment(
        "How often independent searches choose each column, and how long they take.",
        (100, "searches"),
        lambda args, board, **shared: action_frequency(board, params_of(args), simulations=args.simulations, **shared),
        simulations=100,
    ),
    "exploration": Experiment(
        "How often the optimal column is chosen, by exploration factor.",
        (50, "searches per factor"),
        call_sweep,
        simulations=50_000,
        add=add_exploration_sweep,
    ),
    "budget": Experiment(
        "How often the optimal column is chosen, by number of simulations.",
        (50, "searches per budget"),
        call_sweep,
        add=add_budget_sweep,
    ),
    "rules-change": Experiment(
        "What the board size and the winning length change: branching factor, depth, rollouts, time.",
        (10, "searches per set of rules"),
        lambda args, board, **shared: rules_change(
            args.rules, params=params_of(args), simulations=args.simulations, **shared
        ),
        simulations=10_000,
        add=add_sizes,
        has_position=False,
    ),
}


def add(parser: argparse.ArgumentParser) -> None:
    names = parser.add_subparsers(dest="experiment", metavar="experiment", required=True)
    for name, experiment in EXPERIMENTS.items():
        one = names.add_parser(name, help=experiment.summary, description=experiment.summary, allow_abbrev=False)
        if experiment.has_position:
            add_position(one)
        if experiment.presets:
            words = f"named set of parameters (default: {', '.join(experiment.presets)}); repeat it to compare several"
            one.add_argument("--preset", choices=PLAYABLE, action="append", help=words)
            add_settings(one)
        else:
            add_params(one, PRESET)
        experiment.add(one)
        if experiment.simulations is not None:
            words = f"simulations per search (default {experiment.simulations:,})"
            one.add_argument("--simulations", type=count, default=experiment.simulations, metavar="N", help=words)
        runs, what = experiment.runs
        one.add_argument("--runs", type=count, default=runs, metavar="N", help=f"{what} (default {runs})")
        add_options(one, "seed", "executor")
        one.add_argument("--out", default=".", metavar="DIR", help="folder for the files (default: the current one)")


def run(args: argparse.Namespace) -> int:
    """Run the experiment. If interrupted, its results stay in the folder, and the same command continues from them."""
    experiment = EXPERIMENTS[args.experiment]
    board = unfinished(board_of(args)) if experiment.has_position else None
    require_between(args, runs=(1, MAX_JOBS))
    folder = Path(args.out)
    table, picture = (folder / f"{args.experiment}.{end}" for end in ("csv", "png"))
    shared = {"runs": args.runs, "seed": args.seed, "progress": sys.stderr.isatty()}
    with resumable(args, folder / args.experiment) as (executor, checkpoint):
        folder.mkdir(parents=True, exist_ok=True)
        with usage_errors("--"):
            result = experiment.call(args, board, executor=executor, checkpoint=checkpoint, **shared)
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

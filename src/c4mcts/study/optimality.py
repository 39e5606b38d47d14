"""Experiment: how often searches choose an optimal column, by exploration factor, budget or another parameter."""

from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .._files import StrPath
from .._validation import positive, shown, word
from ..board.board import Board
from ..board.validation import unfinished
from ..executors.background import Check, job_count
from ..executors.jobs import Job, perform
from ..executors.progress import Progress
from ..rules import fits_word
from ..search.engine import Engine
from ..search.params import SearchParams, search_params
from ..solver.solver import solve
from . import plots, validation
from .csv_files import write_csv
from .intervals import wilson
from .validation import PLAIN

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BUDGET = "simulations"
SIMULATIONS = 50_000  # default of each search, unless they are swept
MAX_LINES = 31  # of the table that print shows
VALUES = {
    "exploration": np.linspace(-2.0, 4.0, 61).round(1),
    BUDGET: np.arange(100, 2001, 100),
}
AXES = {"exploration": "exploration factor c", BUDGET: "simulations per search"}


@dataclass(frozen=True, eq=False, repr=False)
class Optimality(plots.ShownAsPlot):
    """The moves that searches of one position chose, for several values of one parameter."""

    board: Board
    params: SearchParams
    seed: int
    sweep: str  # "simulations", or a field of the parameters
    values: npt.NDArray[Any]  # (points,)
    simulations: int | None  # of each search; None where they are swept
    runs: int  # searches per point
    counts: npt.NDArray[np.int64]  # (points, width): how often each column was chosen
    scores: tuple[int | None, ...] | None  # exact, by column (see solve); None if `optimal` was given
    optimal: tuple[int, ...]  # columns with the best score, or those that were given
    keeping: tuple[int, ...]  # columns that keep the outcome under perfect play, or those that were given

    @property
    def frequency(self) -> npt.NDArray[np.float64]:
        """Share of the searches that chose an optimal column: (points,)."""
        return self._share(self.optimal)

    @property
    def keeping_frequency(self) -> npt.NDArray[np.float64]:
        """Share of the searches whose column keeps the outcome under perfect play: (points,)."""
        return self._share(self.keeping)

    @property
    def interval(self) -> npt.NDArray[np.float64]:
        """95 % intervals (Wilson) of `frequency`, lower ends first: (2, points)."""
        return wilson(self._hits(self.optimal), self.runs)

    @property
    def keeping_interval(self) -> npt.NDArray[np.float64]:
        """95 % intervals (Wilson) of `keeping_frequency`, lower ends first: (2, points)."""
        return wilson(self._hits(self.keeping), self.runs)

    def _hits(self, columns: tuple[int, ...]) -> npt.NDArray[np.int64]:
        return np.asarray(self.counts[:, list(columns)].sum(axis=1))

    def _share(self, columns: tuple[int, ...]) -> npt.NDArray[np.float64]:
        return np.asarray(self._hits(columns) / self.runs)

    def to_csv(self, path: StrPath) -> None:
        """Write one line per value: shares with their intervals, and how often each column was chosen. OSError."""
        shares = ["optimal", "low", "high", "keeping", "keeping_low", "keeping_high"]
        columns = [f"column_{column}" for column in range(self.board.rules.width)]
        write_csv(path, [self.sweep, "runs", *shares, *columns], self._rows())

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        parts = (self.frequency, *self.interval, self.keeping_frequency, *self.keeping_interval)
        for i, value in enumerate(self.values.tolist()):
            yield value, self.runs, *(float(part[i]) for part in parts), *self.counts[i].tolist()

    def plot(self, ax: "Axes | None" = None, *, title: str | None = None) -> "Axes":
        """Draw the shares of optimal moves, and of moves that keep the outcome, with their 95 % intervals.

        title: replaces the default one.
        """
        ax = plots.axes(ax)
        if self.keeping != self.optimal:
            words = f"keeps the outcome: {_listed(self.keeping)}"
            self._draw(ax, self.keeping_frequency, self.keeping_interval, plots.COLOURS[1], "s--", words)
        self._draw(ax, self.frequency, self.interval, plots.COLOURS[0], "o-", f"optimal: {_listed(self.optimal)}")
        budget = "" if self.simulations is None else f" of {self.simulations:,} simulations"
        note = f"{self.runs} searches{budget} per point, 95 % intervals, seed {self.seed}"
        own = f"How often the optimal column is chosen, {plots.place(self.board)}"
        plots.label(ax, title, own, note, AXES.get(self.sweep, self.sweep), "chosen")
        ax.set_ylim(-0.03, 1.03)
        plots.plain(ax.xaxis)
        plots.percents(ax)
        ax.legend(framealpha=0.8, fontsize="small")
        return ax

    def _draw(
        self,
        ax: "Axes",
        share: npt.NDArray[np.float64],
        interval: npt.NDArray[np.float64],
        colour: str,
        style: str,
        words: str,
    ) -> None:
        ax.fill_between(self.values, *interval, color=colour, alpha=0.15, linewidth=0)
        ax.plot(self.values, share, style, color=colour, markersize=3.5, label=words)

    def __str__(self) -> str:
        """A summary, and a line for each value; of many values only every second, third and so on."""
        lines = [self._head(), "", f"{self.sweep:>12}  optimal      95 %       keeping"]
        table = zip(self.values.tolist(), self.frequency, *self.interval, self.keeping_frequency, strict=True)
        for value, share, low, high, keeping in list(table)[:: -(-len(self.values) // MAX_LINES)]:
            lines.append(f"{value:12,}  {share:7.0%}  {low:4.0%} - {high:4.0%}  {keeping:7.0%}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<c4mcts.study.Optimality {self._head()}>"

    def _head(self) -> str:
        swept = f"{self.sweep} from {self.values[0]} to {self.values[-1]}"
        words = f"{self.runs} searches per point on {self.board.to_fen()}, optimal: {_listed(self.optimal)}"
        return f"{swept}, {words}, seed {self.seed}"


def optimality(
    board: Board,
    params: SearchParams = PLAIN,
    *,
    sweep: str = "exploration",
    values: Iterable[float] | None = None,
    simulations: int | None = None,
    runs: int = 50,
    optimal: Collection[int] | None = None,
    seed: int | None = None,
    executor: Executor | None = None,
    progress: Progress = False,
    checkpoint: StrPath | None = None,
) -> Optimality:
    """Search a position with several values of one parameter, and count the optimal moves.

    sweep: "exploration", or another field of the parameters that is a number; or "simulations", the budget. values:
    the values of that parameter; by default the exploration goes from -2 to 4 in steps of 0.1, the budget from 100 to
    2000 in steps of 100. simulations: of each search, 50,000 by default, unless they are swept. runs: searches for each
    value.

    optimal: the optimal columns; by default those with the best exact score, which `solve` computes, in half a minute
    for the empty 7 x 6 board. It must be given for boards of more than 64 bits, width * (height + 1).

    seed, executor, progress, checkpoint: as for all experiments (docs/guide/study.md).

    Raises TypeError or ValueError naming the argument, CheckpointError, GameOverError, OSError.
    """
    board, params, runs = unfinished(board), search_params(params), job_count("runs", runs)
    points = _values(sweep, values, params)
    budget = _simulations(sweep, simulations)
    if optimal is not None:
        optimal = validation.columns("optimal", optimal, board)
    elif not fits_word(board.rules):
        raise ValueError(f"optimal must be given: a board of {board.rules} is too large to be solved")
    jobs: list[Job] = [partial(_scores, board, optimal is None)]  # the first one, since it can take the longest
    for value in points.tolist():
        settings = params if sweep == BUDGET else _changed(params, sweep, value)
        jobs += [partial(_choose, board, settings, value if budget is None else budget)] * runs
    arguments = {
        "board": board.to_fen(),
        "params": asdict(params),
        "sweep": sweep,
        "values": points.tolist(),
        "simulations": budget,
        "runs": runs,
        "optimal": optimal,
    }
    (scores, *chosen), seed = perform(
        jobs, "optimality", arguments, seed=seed, executor=executor, progress=progress, checkpoint=checkpoint
    )
    width = board.rules.width
    counts = np.array([np.bincount(row, minlength=width) for row in np.reshape(chosen, (len(points), runs))])
    best, keeping = (optimal, optimal) if optimal is not None else _best(scores)
    scores = None if scores is None else tuple(scores)
    return Optimality(board, params, seed, sweep, points, budget, runs, counts, scores, best, keeping)


def _values(sweep: str, values: Iterable[float] | None, params: SearchParams) -> npt.NDArray[Any]:
    """What to set the swept number to, each value once, ascending."""
    numeric = [field.name for field in fields(params) if type(getattr(params, field.name)) in (int, float)]
    sweep = word("sweep", sweep, (BUDGET, *numeric))
    if values is None:
        if sweep not in VALUES:
            raise ValueError(f"values must be given for a sweep of {sweep!r}")
        values = VALUES[sweep]
    if sweep == BUDGET:
        return validation.counts("values", values)
    given = validation.listed("values", values, "number")
    try:
        set_to = np.unique([getattr(_changed(params, sweep, value), sweep) for value in given])
    except (TypeError, ValueError) as error:
        raise type(error)(f"values: {error}") from None
    if not np.isfinite(set_to).all():
        raise ValueError(f"values must be finite, not {set_to.tolist()}")
    return set_to


def _changed(params: SearchParams, name: str, value: Any) -> SearchParams:
    """The parameters with one of them set to a value. TypeError or ValueError for a wrong value."""
    changes: dict[str, Any] = {name: value}
    return replace(params, **changes)


def _simulations(sweep: str, simulations: int | None) -> int | None:
    """The simulations of each search; None if they are swept."""
    if sweep != BUDGET:
        return SIMULATIONS if simulations is None else positive("simulations", simulations)
    if simulations is not None:
        raise ValueError(f"simulations are swept: give values instead of simulations={shown(simulations)}")
    return None


def _best(scores: list[int | None]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The columns with the best score, and those with the same outcome as the best."""
    known = [(column, score) for column, score in enumerate(scores) if score is not None]
    best = max(score for _, score in known)
    optimal = tuple(column for column, score in known if score == best)
    return optimal, tuple(column for column, score in known if np.sign(score) == np.sign(best))


def _scores(board: Board, wanted: bool, seed: np.random.SeedSequence, check: Check) -> list[int | None] | None:
    """The exact scores of all columns; None if they are not wanted."""
    if not wanted:
        return None
    solved = solve(board, on_progress=check).columns
    assert solved is not None
    return list(solved)


def _choose(board: Board, params: SearchParams, simulations: int, seed: np.random.SeedSequence, check: Check) -> int:
    """Run one search; return its column."""
    return Engine(params, seed=seed).search(board, simulations=simulations, on_progress=check).column


def _listed(columns: tuple[int, ...]) -> str:
    return f"column{'s' if len(columns) > 1 else ''} {', '.join(map(str, columns))}"

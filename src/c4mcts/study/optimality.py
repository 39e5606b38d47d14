"""Experiment: how often searches choose an optimal move, by exploration factor, budget or another parameter."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from .._validation import positive, shown, word
from ..board.board import Board
from ..executors.background import Check, job_count
from ..executors.jobs import Job, WorkOptions
from ..search.params import SearchParams
from . import plots, validation
from .result import PositionResult, wilson
from .starts import (
    AnyPosition,
    BoardStart,
    Position,
    Start,
    best_columns,
    require_solvable,
    scores_of,
    start_of,
    unknown,
)
from .validation import PLAIN, run_jobs

BUDGET = "simulations"
SIMULATIONS = 50_000  # default of each search, unless they are swept
MAX_LINES = 31  # of the table that print shows
VALUES = {
    "exploration": np.linspace(-2.0, 4.0, 60, endpoint=False).round(1),
    BUDGET: np.arange(100, 2000, 100),
}
AXES = {"exploration": "exploration factor c", BUDGET: "simulations per search"}


@dataclass(frozen=True, eq=False, repr=False)
class Optimality(PositionResult):
    """The moves that searches of one position chose, for several values of one parameter.

    The plot has the shares of optimal moves, and of moves that keep the outcome, with their 95 % intervals. The CSV
    file has one row per value: these shares, and how often each move was chosen.
    """

    board: Position
    params: SearchParams
    seed: int
    sweep: str  # "simulations", or a field of the parameters
    values: npt.NDArray[Any]  # (points,)
    simulations: int | None  # of each search; None where they are swept
    runs: int  # searches per point
    counts: npt.NDArray[np.int64]  # (points, moves): how often each move was chosen; on a Board: each column
    scores: tuple[int | None, ...] | None  # exact, by column (see solve); None if `optimal` was given
    optimal: tuple[int, ...]  # columns with the best score, or the places of the moves that were given
    keeping: tuple[int, ...]  # columns that keep the outcome under perfect play, or as `optimal`

    @property
    def frequency(self) -> npt.NDArray[np.float64]:
        """Share of the searches that chose an optimal move: (points,)."""
        return self._share(self.optimal)

    @property
    def keeping_frequency(self) -> npt.NDArray[np.float64]:
        """Share of the searches whose move keeps the outcome under perfect play: (points,)."""
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

    def _table(self) -> Iterator[tuple[Any, ...]]:
        shares = ["optimal", "low", "high", "keeping", "keeping_low", "keeping_high"]
        moves = [f"{self._start.noun}_{label}" for label in self._start.labels(first=0)]
        yield self.sweep, "runs", *shares, *moves
        parts = (self.frequency, *self.interval, self.keeping_frequency, *self.keeping_interval)
        for i, value in enumerate(self.values.tolist()):
            yield value, self.runs, *(float(part[i]) for part in parts), *self.counts[i].tolist()

    def _draw(self, ax: "plots.Axes", title: str | None) -> None:
        start = self._start
        if self.keeping != self.optimal:
            words = f"keeps the outcome: {start.listed(self.keeping)}"
            self._draw_line(ax, self.keeping_frequency, self.keeping_interval, plots.COLOURS[1], "s--", words)
        words = f"optimal: {start.listed(self.optimal)}"
        self._draw_line(ax, self.frequency, self.interval, plots.COLOURS[0], "o-", words)
        budget = "" if self.simulations is None else f" of {self.simulations:,} simulations"
        plots.frame(ax, AXES.get(self.sweep, self.sweep), "chosen")
        own = f"Optimal {start.noun} chosen: {start.title}, {self._preset()}"
        note = f"{self.runs} searches{budget} per point, 95 % intervals, seed {self.seed}"
        plots.title(ax, title, own, note)
        ax.set_ylim(-0.03, 1.03)
        if self.sweep == BUDGET:
            plots.scale(ax, self.values)
        plots.plain(ax.xaxis)
        plots.percents(ax)
        ax.legend(framealpha=0.8, fontsize="small")

    def _preset(self) -> str:
        """The parameters in words, without the one that is swept."""
        return plots.named(self.params, without=self.sweep)

    def _draw_line(
        self,
        ax: "plots.Axes",
        share: npt.NDArray[np.float64],
        interval: npt.NDArray[np.float64],
        colour: str,
        style: str,
        words: str,
    ) -> None:
        ax.fill_between(self.values, *interval, color=colour, alpha=0.15, linewidth=0)
        ax.plot(self.values, share, style, color=colour, markersize=3.5, label=words)

    def as_text(self, first: int = 0) -> str:
        """A summary, and a line for each value; of many values only every n-th.

        first: the number of the first column.
        """
        lines = [self._head(first), "", f"{self.sweep:>12}  optimal      95 %       keeping"]
        table = zip(self.values.tolist(), self.frequency, *self.interval, self.keeping_frequency, strict=True)
        for value, share, low, high, keeping in list(table)[:: -(-len(self.values) // MAX_LINES)]:
            lines.append(f"{value:12,}  {share:7.0%}  {low:4.0%} - {high:4.0%}  {keeping:7.0%}")
        return "\n".join(lines)

    def _searches(self) -> str:
        return f"{self.sweep} from {self.values[0]} to {self.values[-1]}, {self.runs} searches per point"

    def _head(self, first: int = 0) -> str:
        where = f"{self._searches()} on {self._start.text}, {self._preset()}"
        return f"{where}, optimal: {self._start.listed(self.optimal, first)}, seed {self.seed}"


def optimality(
    board: AnyPosition,
    params: SearchParams = PLAIN,
    *,
    sweep: str = "exploration",
    values: Iterable[float] | None = None,
    simulations: int | None = None,
    runs: int = 50,
    optimal: Collection[Any] | None = None,
    **options: Unpack[WorkOptions],
) -> Optimality:
    """Search a position with several values of one parameter, and count the optimal moves.

    board: a Board, or any Game (see games), which GameSearch searches. sweep: "exploration", or another field of
    the parameters that is a number; or "simulations", the budget. values: the values of that parameter; by default the
    exploration goes from -2 to 4 in steps of 0.1, the budget from 100 to 2000 in steps of 100. simulations: of each
    search, 50,000 by default, unless they are swept. runs: searches for each value.

    optimal: the optimal moves; by default the columns with the best exact score, which `solve` computes. They must be
    given for another Game, and for boards of more than 64 bits, width * (height + 1).

    seed, executor, progress, checkpoint: as for all experiments
    (https://github.com/c4mcts/c4mcts/blob/main/docs/guide/study.md).

    Raises TypeError or ValueError naming the argument, CheckpointError, GameOverError, OSError.
    """
    start = start_of(board)
    params, runs = start.params(params), job_count("runs", runs)
    points = _values(sweep, values, params)
    budget = _simulations(sweep, simulations)
    given = None if optimal is None else validation.places("optimal", optimal, start)
    # the scores come first, since they can take the longest
    jobs: list[Job] = [unknown if given is not None else partial(scores_of, _solvable(start), None)]
    for value in points.tolist():
        settings = params if sweep == BUDGET else start.params(_changed(params, sweep, value))
        jobs += [partial(_choose, start, settings, value if budget is None else budget)] * runs
    swept = {"sweep": sweep, "values": points, "simulations": budget, "runs": runs, "optimal": given}
    (scores, *chosen), seed = run_jobs(optimality, jobs, options, board=start, params=params, **swept)
    number = len(start.moves)
    counts = (np.reshape(chosen, (len(points), runs, 1)) == np.arange(number)).sum(axis=1)
    best, keeping = (given, given) if given is not None else best_columns(scores)
    scores = None if scores is None else tuple(scores)
    return Optimality(start.position, params, seed, sweep, points, budget, runs, counts, scores, best, keeping)


def _solvable(start: Start) -> Board:
    """The board, if its exact scores can be computed. ValueError."""
    if not isinstance(start, BoardStart):
        raise ValueError("optimal must be given: the solver knows a Board only")
    require_solvable(start.position, "optimal", "be given")
    return start.position


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
    return params.changed(**{name: value})


def _simulations(sweep: str, simulations: int | None) -> int | None:
    """The simulations of each search; None if they are swept."""
    if sweep != BUDGET:
        return SIMULATIONS if simulations is None else positive("simulations", simulations)
    if simulations is not None:
        raise ValueError(f"simulations are swept: give values instead of simulations={shown(simulations)}")
    return None


def _choose(start: Start, params: SearchParams, simulations: int, seed: np.random.SeedSequence, check: Check) -> int:
    """Run one search; return the place of its move."""
    (found,) = start.measure(params, [simulations], seed, check)
    return found.chosen

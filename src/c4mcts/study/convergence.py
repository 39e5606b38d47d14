"""Experiment: how the values of the moves converge while a search grows."""

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .._files import StrPath
from ..board.board import Board
from ..board.validation import unfinished
from ..executors.background import Check, job_count
from ..executors.jobs import perform
from ..executors.progress import Progress
from ..search.engine import Engine
from ..search.params import SearchParams, search_params
from . import plots
from .csv_files import write_csv
from .validation import PLAIN, count, counts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 100  # default number of measurements in a search
FIRST_POINT = 10  # simulations before the first of them: earlier values are noise


@dataclass(frozen=True, eq=False, repr=False)
class Convergence(plots.ShownAsPlot):
    """Values and visits of every column of a position, measured several times while searches grow.

    q: mean rewards for the player to move, on the scale of params.rewards; the exact reward where a column is proven.
    """

    board: Board
    params: SearchParams
    seed: int
    simulations: npt.NDArray[np.int64]  # (points,), ascending: when the searches were measured
    q: npt.NDArray[np.float64]  # (runs, points, width); NaN without visits, as for full columns
    visits: npt.NDArray[np.int64]  # (runs, points, width)

    @property
    def runs(self) -> int:
        """Number of searches."""
        return len(self.q)

    def to_csv(self, path: StrPath) -> None:
        """Write one line per run, point and legal column. OSError."""
        write_csv(path, ("run", "simulations", "column", "visits", "q"), self._rows())

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        for run in range(self.runs):
            for point, simulations in enumerate(self.simulations.tolist()):
                for column in self.board.legal_columns:
                    at = (run, point, column)
                    yield run, simulations, column, int(self.visits[at]), float(self.q[at])

    def plot(self, ax: "Axes | None" = None, *, title: str | None = None) -> "Axes":
        """Draw the mean Q of each column over the simulations, with a band that holds the middle 80 % of the runs.

        There are no bands for more than seven columns. title: replaces the default one.
        """
        ax = plots.axes(ax)
        columns = self.board.legal_columns
        shades = plots.colours(len(columns))
        bands = self.runs > 1 and len(columns) <= len(plots.COLOURS)
        for column, colour in zip(columns, shades, strict=True):
            seen = ~np.isnan(self.q[:, :, column]).all(axis=0)
            values = self.q[:, seen, column]
            ax.plot(self.simulations[seen], np.nanmean(values, axis=0), color=colour, label=str(column))
            if bands:
                low, high = np.nanpercentile(values, (10, 90), axis=0)
                ax.fill_between(self.simulations[seen], low, high, color=colour, alpha=0.15, linewidth=0)
        many = "1 search" if self.runs == 1 else f"{self.runs} searches, mean{' and middle 80 %' if bands else ''}"
        own = f"Value of every column, {plots.place(self.board)}"
        plots.label(ax, title, own, f"{many}, seed {self.seed}", "simulations", self._unit())
        ax.set_xscale("log")
        plots.plain(ax.xaxis)
        plots.column_legend(ax, columns, shades)
        return ax

    def _unit(self) -> str:
        win, _, loss = self.params.rewards
        return f"mean reward Q ({loss:g} loss, {win:g} win)"

    def __str__(self) -> str:
        """A summary, and a line with the final value of each column."""
        lines = [self._head(), "", "column   visits       Q   (at the end, mean of the runs)"]
        for column in self.board.legal_columns:
            values, visits = self.q[:, -1, column], self.visits[:, -1, column].mean()
            tried = values[~np.isnan(values)]
            q = f"{tried.mean():7.3f}" if len(tried) else "      -"
            lines.append(f"{column:6} {visits:8,.0f} {q}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<c4mcts.study.Convergence {self._head()}>"

    def _head(self) -> str:
        return f"{self.runs} x {self.simulations[-1]:,} simulations on {self.board.to_fen()}, seed {self.seed}"


def convergence(
    board: Board,
    params: SearchParams = PLAIN,
    *,
    simulations: int | Iterable[int] = 5000,
    runs: int = 10,
    seed: int | None = None,
    executor: Executor | None = None,
    progress: Progress = False,
    checkpoint: StrPath | None = None,
) -> Convergence:
    """Measure the values of all columns of a position while searches grow.

    simulations: of each search, measured at about a hundred points at equal ratios; or the points at which to measure.
    runs: number of independent searches, each with one growing tree. A search ends when its outcome is proven; its
    later points repeat the last values.

    seed, executor, progress, checkpoint: as for all experiments (docs/guide/study.md).

    Raises TypeError or ValueError naming the argument, CheckpointError, GameOverError, OSError.
    """
    board, params, runs = unfinished(board), search_params(params), job_count("runs", runs)
    points = counts("simulations", simulations) if isinstance(simulations, Iterable) else spread(simulations)
    results, seed = perform(
        [partial(_grow, board, params, points.tolist())] * runs,
        "convergence",
        {"board": board.to_fen(), "params": asdict(params), "simulations": points.tolist(), "runs": runs},
        seed=seed,
        executor=executor,
        progress=progress,
        checkpoint=checkpoint,
    )
    q = np.full((runs, len(points), board.rules.width), np.nan)
    visits = np.zeros(q.shape, dtype=np.int64)
    win, _, loss = params.rewards
    legal = board.legal_columns
    for run, (values, numbers) in enumerate(results):
        q[run][:, legal] = loss + (win - loss) * np.array(values, dtype=np.float64)  # None becomes NaN
        visits[run][:, legal] = numbers
    return Convergence(board, params, seed, points, q, visits)


def spread(simulations: object) -> npt.NDArray[np.int64]:
    """About POINTS whole numbers from FIRST_POINT to `simulations`, at equal ratios."""
    last = count("simulations", simulations)
    return np.unique(np.geomspace(min(FIRST_POINT, last), last, POINTS).round().astype(np.int64))


def _grow(
    board: Board, params: SearchParams, points: list[int], seed: np.random.SeedSequence, check: Check
) -> tuple[list[list[float | None]], list[list[int]]]:
    """Run one search; return the values in [0, 1] and the visits of the legal columns at each point."""
    engine = Engine(params.changed(keep_tree=True), seed=seed)  # one search, measured at several points
    values, visits, done = [], [], 0
    for point in points:
        moves = engine.search(board, simulations=point - done, on_progress=check).moves
        values.append([move.value for move in moves])
        visits.append([move.visits for move in moves])
        done = point
    return values, visits

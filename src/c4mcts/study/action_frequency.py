"""Experiment: how often independent searches choose each column, and how long they take."""

import time
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .._files import StrPath
from .._validation import positive
from ..board.board import Board
from ..board.validation import unfinished
from ..executors.background import Check, job_count
from ..executors.jobs import perform
from ..executors.progress import Progress
from ..search.engine import Engine
from ..search.params import SearchParams, search_params
from . import plots
from .csv_files import write_csv
from .intervals import wilson
from .validation import PLAIN

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class ActionFrequency(plots.ShownAsPlot):
    """The moves that independent searches of one position chose. The arrays have the shape (runs,).

    The seconds cover a new engine and its search. wall_seconds includes waiting for the other searches: to time single
    searches, pass an executor with one worker.
    """

    board: Board
    params: SearchParams
    seed: int
    simulations: int  # of each search
    columns: npt.NDArray[np.int64]
    cpu_seconds: npt.NDArray[np.float64]
    wall_seconds: npt.NDArray[np.float64]

    @property
    def runs(self) -> int:
        """Number of searches."""
        return len(self.columns)

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """How often each column was chosen: (width,)."""
        return np.bincount(self.columns, minlength=self.board.rules.width)

    @property
    def interval(self) -> npt.NDArray[np.float64]:
        """95 % intervals (Wilson) of each column's share, lower ends first: (2, width); 0 for full columns."""
        legal = np.zeros(self.board.rules.width, dtype=bool)
        legal[self.board.legal_columns] = True
        return wilson(self.counts, self.runs) * legal

    def to_csv(self, path: StrPath) -> None:
        """Write one line per search. OSError."""
        write_csv(path, ("run", "column", "cpu_seconds", "wall_seconds"), self._rows())

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        parts = (self.columns.tolist(), self.cpu_seconds.tolist(), self.wall_seconds.tolist())
        return zip(range(self.runs), *parts, strict=True)

    def plot(self, ax: "Axes | None" = None, *, title: str | None = None) -> "Axes":
        """Draw one bar per column with its 95 % interval. title: replaces the default one."""
        width = self.board.rules.width
        ax = plots.axes(ax, self._width)
        share, (low, high) = self.counts / self.runs, self.interval
        places = np.arange(width)
        ax.bar(places, share, width=0.8, color=plots.COLOURS[0])
        ax.errorbar(places, share, [share - low, high - share], fmt="none", color="0.25", elinewidth=1, capsize=2)
        own = f"Column chosen by {self.runs} searches of {self.simulations:,} simulations, {plots.place(self.board)}"
        note = f"95 % intervals, {self._times()}, seed {self.seed}"
        plots.label(ax, title, own, note, "column", "chosen")
        ax.set_xticks(places, [str(column) for column in places], fontsize="medium" if width <= 20 else "small")
        ax.set_xlim(-0.6, width - 0.4)
        ax.grid(False, axis="x")
        plots.percents(ax)
        return ax

    @property
    def _width(self) -> float:
        return max(plots.SIZE[0], self.board.rules.width / 4)

    def _times(self) -> str:
        cpu, wall = self.cpu_seconds.mean(), self.wall_seconds.mean()
        return f"a search takes {duration(cpu)} of CPU, {duration(wall)} of wall time"

    def __str__(self) -> str:
        """A summary, and a line for each column that was chosen."""
        lines = [self._head(), self._times(), "", "column   times"]
        lines += [f"{column:6} {times:7,}" for column, times in enumerate(self.counts) if times]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<c4mcts.study.ActionFrequency {self._head()}>"

    def _head(self) -> str:
        return f"{self.runs} searches of {self.simulations:,} simulations on {self.board.to_fen()}, seed {self.seed}"


def action_frequency(
    board: Board,
    params: SearchParams = PLAIN,
    *,
    simulations: int = 100,
    runs: int = 100,
    seed: int | None = None,
    executor: Executor | None = None,
    progress: Progress = False,
    checkpoint: StrPath | None = None,
) -> ActionFrequency:
    """Search a position repeatedly, each time with a new engine, and count which columns are chosen.

    simulations: of each search. runs: number of searches.

    seed, executor, progress, checkpoint: as for all experiments (docs/guide/study.md).

    Raises TypeError or ValueError naming the argument, CheckpointError, GameOverError, OSError.
    """
    board, params = unfinished(board), search_params(params)
    simulations, runs = positive("simulations", simulations), job_count("runs", runs)
    results, seed = perform(
        [partial(_search, board, params, simulations)] * runs,
        "action_frequency",
        {"board": board.to_fen(), "params": asdict(params), "simulations": simulations, "runs": runs},
        seed=seed,
        executor=executor,
        progress=progress,
        checkpoint=checkpoint,
    )
    columns, cpu, wall = zip(*results, strict=True)
    return ActionFrequency(board, params, seed, simulations, np.array(columns), np.array(cpu), np.array(wall))


def _search(
    board: Board, params: SearchParams, simulations: int, seed: np.random.SeedSequence, check: Check
) -> tuple[int, float, float]:
    """Run one search; return its column, CPU seconds and wall seconds."""
    wall, cpu = time.perf_counter(), time.thread_time()
    column = Engine(params, seed=seed).search(board, simulations=simulations, on_progress=check).column
    return column, time.thread_time() - cpu, time.perf_counter() - wall


def duration(seconds: float) -> str:
    """Seconds with three digits and a unit: 12.3 ms."""
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"

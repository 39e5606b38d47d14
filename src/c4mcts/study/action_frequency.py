"""Experiment: how often independent searches choose each move, and how long they take."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from .._validation import positive
from ..executors.background import Check, job_count
from ..executors.jobs import WorkOptions
from ..search.params import SearchParams
from . import plots
from .result import PositionResult, wilson
from .starts import AnyPosition, Position, Start, start_of
from .validation import PLAIN, run_jobs


@dataclass(frozen=True, eq=False, repr=False)
class ActionFrequency(PositionResult):
    """The moves that independent searches of one position chose. The arrays have the shape (runs,).

    The plot has one bar per move with its 95 % interval, the CSV file one row per search.

    The seconds cover a new engine and its search. wall_seconds includes waiting for the other searches: to time single
    searches, pass an executor with one worker.
    """

    board: Position
    params: SearchParams
    seed: int
    simulations: int  # of each search
    columns: npt.NDArray[np.int64]  # of another Game: the places of the moves among the legal ones
    cpu_seconds: npt.NDArray[np.float64]
    wall_seconds: npt.NDArray[np.float64]

    @property
    def runs(self) -> int:
        """Number of searches."""
        return len(self.columns)

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """How often each move was chosen: (moves,)."""
        found: npt.NDArray[np.int64] = (self.columns[:, None] == np.arange(len(self.moves))).sum(axis=0)
        return found

    @property
    def interval(self) -> npt.NDArray[np.float64]:
        """95 % intervals (Wilson) of each move's share, lower ends first: (2, moves); 0 for full columns."""
        legal = np.zeros(len(self.moves), dtype=bool)
        legal[self._start.legal] = True
        return wilson(self.counts, self.runs) * legal

    def _table(self) -> Iterator[tuple[Any, ...]]:
        yield "run", self._start.noun, "cpu_seconds", "wall_seconds"
        labels = self._start.labels(first=0)
        chosen = [labels[place] for place in self.columns]
        yield from zip(range(self.runs), chosen, self.cpu_seconds.tolist(), self.wall_seconds.tolist(), strict=True)

    def _draw(self, ax: "plots.Axes", title: str | None) -> None:
        number, start = len(self.moves), self._start
        share, (low, high) = self.counts / self.runs, self.interval
        places = np.arange(number)
        ax.bar(places, share, width=0.8, color=plots.COLOURS[0])
        ax.errorbar(places, share, [share - low, high - share], fmt="none", color="0.25", elinewidth=1, capsize=2)
        own = f"{start.noun.capitalize()} chosen: {start.title}, {plots.named(self.params)}"
        many = f"{self.runs:,} searches of {self.simulations:,} simulations, 95 % intervals"
        plots.frame(ax, start.noun, "chosen")
        plots.title(ax, title, own, f"{many}, {duration(self.cpu_seconds.mean())} of CPU each, seed {self.seed}")
        ax.set_xticks(places, start.labels(), fontsize="medium" if number <= 20 else "small")
        ax.set_xlim(-0.6, number - 0.4)
        ax.grid(False, axis="x")
        plots.percents(ax)

    @property
    def _size(self) -> tuple[float, float]:
        return max(plots.SIZE[0], len(self.moves) / 4), plots.SIZE[1]

    def _times(self) -> str:
        cpu, wall = self.cpu_seconds.mean(), self.wall_seconds.mean()
        return f"a search takes {duration(cpu)} of CPU, {duration(wall)} of wall time"

    def as_text(self, first: int = 0) -> str:
        """A summary, and a line for each move that was chosen. first: the number of the first column."""
        labels = self._start.labels(first)
        width = max(map(len, [self._start.noun, *labels]))
        lines = [self._head(), self._times(), "", f"{self._start.noun:>{width}}   times"]
        lines += [f"{labels[place]:>{width}} {times:7,}" for place, times in enumerate(self.counts) if times]
        return "\n".join(lines)

    def _searches(self) -> str:
        return f"{self.runs} searches of {self.simulations:,} simulations"


def action_frequency(
    board: AnyPosition,
    params: SearchParams = PLAIN,
    *,
    simulations: int = 100,
    runs: int = 100,
    **options: Unpack[WorkOptions],
) -> ActionFrequency:
    """Search a position repeatedly, each time with a new engine, and count which moves are chosen.

    board: a Board, or any Game (see games), which GameSearch searches. simulations: of each search. runs: number
    of searches.

    seed, executor, progress, checkpoint: as for all experiments
    (https://github.com/c4mcts/c4mcts/blob/main/docs/guide/study.md).

    Raises TypeError or ValueError naming the argument, CheckpointError, GameOverError, OSError.
    """
    start = start_of(board)
    params = start.params(params)
    simulations, runs = positive("simulations", simulations), job_count("runs", runs)
    jobs = [partial(_search, start, params, simulations)] * runs
    results, seed = run_jobs(
        action_frequency, jobs, options, board=start, params=params, simulations=simulations, runs=runs
    )
    chosen, cpu, wall = zip(*results, strict=True)
    return ActionFrequency(start.position, params, seed, simulations, np.array(chosen), np.array(cpu), np.array(wall))


def _search(
    start: Start, params: SearchParams, simulations: int, seed: np.random.SeedSequence, check: Check
) -> tuple[int, float, float]:
    """Run one search; return the place of its move, CPU seconds and wall seconds."""
    list(start.measure(params, [1], np.random.SeedSequence(0), check))  # the first search of a process loads modules
    wall, cpu = time.perf_counter(), time.thread_time()
    (found,) = start.measure(params, [simulations], seed, check)
    return found.chosen, time.thread_time() - cpu, time.perf_counter() - wall


def duration(seconds: float) -> str:
    """Seconds with three digits and a unit: 12.3 ms."""
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"

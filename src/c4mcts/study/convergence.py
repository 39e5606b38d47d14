"""Experiment: how the values of the moves converge while a search grows."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from .._validation import positive
from ..board.board import Board
from ..executors.background import job_count
from ..executors.jobs import Job, WorkOptions
from ..rules import fits_solver
from ..search.params import SearchParams
from . import plots
from .result import PositionResult, TwoPanelResult
from .starts import QUICK, AnyPosition, Position, Start, grow, rewards_of, scores_of, start_of
from .validation import MAX_POINTS, PLAIN, count, counts, run_jobs

POINTS = 100  # default number of measurements in a search
FIRST_POINT = 10  # simulations before the first of them: earlier values are noise


@dataclass(frozen=True, eq=False, repr=False)
class Convergence(PositionResult, TwoPanelResult):
    """Values and visits of every move of a position, measured several times while searches grow.

    q: mean rewards for the player to move, on the scale of params.rewards; the exact reward where a move is proven.
    The last dimension of the arrays has a place for each column of a Board, for each legal move of another Game.

    The plot has the mean Q of each move over the simulations, and the single runs thin behind it. The move that most
    searches choose at the end is bold. Mirrored columns share a colour, those on the right dashed; a dotted line is the
    exact value of the position. A new figure has the visits in a second panel. The horizontal axis is linear if
    the points of measurement have equal distances, else logarithmic. The CSV file has one row per run, point and legal
    move.
    """

    board: Position
    params: SearchParams
    seed: int
    simulations: npt.NDArray[np.int64]  # (points,), ascending: when the searches were measured
    q: npt.NDArray[np.float64]  # (runs, points, moves); NaN without visits, as for full columns
    visits: npt.NDArray[np.int64]  # (runs, points, moves)
    chosen: npt.NDArray[np.int64]  # (runs, points): the place of the move that the search would play
    exact: npt.NDArray[np.float64] | None  # (moves,): exact rewards, NaN for full columns; None if they are not known

    @property
    def runs(self) -> int:
        """Number of searches."""
        return len(self.q)

    @property
    def favourite(self) -> int:
        """The place of the move that most of the searches choose at the end."""
        return int((self.chosen[:, -1:] == np.arange(len(self.moves))).sum(axis=0).argmax())

    def _table(self) -> Iterator[tuple[Any, ...]]:
        start = self._start
        yield "run", "simulations", start.noun, "visits", "q"
        labels = start.labels(first=0)
        for run in range(self.runs):
            for point, simulations in enumerate(self.simulations.tolist()):
                for place in start.legal:
                    at = (run, point, place)
                    yield run, simulations, labels[place], int(self.visits[at]), float(self.q[at])

    def plot_visits(self, ax: "plots.Axes | None" = None, *, title: str | None = None) -> "plots.Axes":
        """Draw the mean share of the visits of each move over the simulations, as `plot` draws values."""
        ax = plots.axes(ax)
        self._draw_more(ax)
        plots.title(ax, title, f"Visits: {self._place()}", f"{self._lines()}, seed {self.seed}")
        return ax

    def _draw(self, ax: "plots.Axes", title: str | None) -> None:
        start = self._start
        looks = self._draw_lines(ax, self.q)
        if self.exact is not None:
            value = float(np.nanmax(self.exact))
            ax.axhline(value, color=plots.GREY, linestyle=":", linewidth=plots.USUAL, label="_exact")
        plots.frame(ax, "simulations", self._unit())
        plots.title(ax, title, f"Value of every {start.noun}: {self._place()}", self._note())
        plots.legend(ax, start, looks)

    def _draw_more(self, ax: "plots.Axes") -> None:
        total = np.maximum(self.visits.sum(axis=2, keepdims=True), 1)  # none if the book knows the position
        self._draw_lines(ax, self.visits / total)
        plots.frame(ax, "simulations", "share of visits")
        plots.percents(ax)

    def _draw_lines(self, ax: "plots.Axes", values: npt.NDArray[np.float64]) -> list[plots.Line]:
        """Draw a line for each legal move; return the looks of all moves. values: (runs, points, moves)."""
        start, favourite = self._start, self.favourite
        labels, looks = start.labels(), plots.lines(start)
        for place in start.legal:
            plots.runs(
                ax,
                self.simulations,
                values[:, :, place],
                looks[place],
                label=labels[place],
                bold=place == favourite,
                thin=len(start.legal) <= plots.LEGEND,
            )
        plots.scale(ax, self.simulations)
        return looks

    def _place(self) -> str:
        return f"{self._start.title}, {plots.named(self.params)}"

    def _lines(self) -> str:
        bold = self._start.listed([self.favourite])
        return f"{plots.number_of_searches(self.runs)}, bold: {bold}, chosen at the end"

    def _note(self) -> str:
        exact = "" if self.exact is None else f", dotted: exact value {np.nanmax(self.exact):g}"
        return f"{self._lines()}{exact}, seed {self.seed}"

    def _unit(self) -> str:
        win, _, loss = self.params.rewards
        return f"mean reward Q ({loss:g} loss, {win:g} win)"

    def as_text(self, first: int = 0) -> str:
        """A summary, and a line with the final value of each move. first: the number of the first column."""
        start = self._start
        labels = start.labels(first)
        width = max(map(len, [start.noun, *labels]))
        exact = "" if self.exact is None else "   exact"
        head = f"{start.noun:>{width}}   visits       Q{exact}   (at the end, mean of the runs)"
        lines = [self._head(), "", head]
        for place in start.legal:
            values, visits = self.q[:, -1, place], self.visits[:, -1, place].mean()
            tried = values[~np.isnan(values)]
            q = f"{tried.mean():7.3f}" if len(tried) else "      -"
            known = "" if self.exact is None else f" {self.exact[place]:7g}"
            lines.append(f"{labels[place]:>{width}} {visits:8,.0f} {q}{known}")
        return "\n".join(lines)

    def _searches(self) -> str:
        return f"{self.runs} x {self.simulations[-1]:,} simulations"


def convergence(
    board: AnyPosition,
    params: SearchParams = PLAIN,
    *,
    simulations: int | Iterable[int] = 5000,
    runs: int = 10,
    **options: Unpack[WorkOptions],
) -> Convergence:
    """Measure the values of all moves of a position while searches grow.

    board: a Board, or any Game (see games), which GameSearch searches. simulations: of each search, measured at
    about a hundred points at equal ratios; or the points at which to measure. runs: number of independent searches,
    each with one growing tree. A search ends when its outcome is proven; its later points repeat the last values.

    The exact values come from the solver where it finds them with little work: always on 7 x 6 with up to 11 discs,
    and late in a game. They are not what a search converges to, and so not given, with opponent="random" or a discount.

    seed, executor, progress, checkpoint: as for all experiments
    (https://github.com/c4mcts/c4mcts/blob/main/docs/guide/study.md).

    Raises TypeError or ValueError naming the argument, CheckpointError, GameOverError, OSError.
    """
    start = start_of(board)
    params, runs = start.params(params), job_count("runs", runs)
    points = counts("simulations", simulations) if isinstance(simulations, Iterable) else spread(simulations)
    jobs: list[Job] = [partial(grow, start, params, points.tolist())] * runs
    position = start.position
    is_comparable = params.opponent == "minimax" and params.discount == 1
    if isinstance(position, Board) and fits_solver(position.rules) and is_comparable:
        jobs.append(partial(scores_of, position, QUICK))
    results, seed = run_jobs(convergence, jobs, options, board=start, params=params, simulations=points, runs=runs)
    scores = results[runs] if len(results) > runs else None
    exact = None if scores is None else rewards_of(scores, params)
    return Convergence(position, params, seed, points, *_arrays(start, params, results[:runs]), exact)


def _arrays(
    start: Start, params: SearchParams, grown: list[Any]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The fields q, visits and chosen from the measurements of all runs."""
    q = np.full((len(grown), len(grown[0]), len(start.moves)), np.nan)
    visits = np.zeros(q.shape, dtype=np.int64)
    chosen = np.array([[place for place, _, _ in points] for points in grown])
    win, _, loss = params.rewards
    for run, points in enumerate(grown):
        for point, (_, values, numbers) in enumerate(points):
            q[run, point, start.legal] = loss + (win - loss) * np.array(values, dtype=np.float64)  # None becomes NaN
            visits[run, point, start.legal] = numbers
    return q, visits, chosen


def spread(simulations: object, points: int = POINTS, *, linear: bool = False) -> npt.NDArray[np.int64]:
    """About `points` whole numbers up to `simulations`: from FIRST_POINT at equal ratios, or at equal distances."""
    last = count("simulations", simulations)
    points = positive("points", points, MAX_POINTS)
    if linear:
        return np.unique(np.linspace(0, last, points + 1).round().astype(np.int64)[1:].clip(1))
    return np.unique(np.geomspace(min(FIRST_POINT, last), last, points).round().astype(np.int64))

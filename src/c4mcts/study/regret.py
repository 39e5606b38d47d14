"""Experiment: what searches lose, compared with always trying the best move, while they grow."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from ..board.board import Board
from ..board.positions import AnyBoard, unfinished
from ..executors.background import job_count
from ..executors.jobs import Job, WorkOptions
from ..search.params import SearchParams, search_params
from . import plots
from .convergence import spread
from .result import PositionResult, TwoPanelResult
from .starts import BoardStart, grow, require_solvable, rewards_of, scores_of
from .validation import PLAIN, counts, run_jobs


@dataclass(frozen=True, eq=False, repr=False)
class Regret(PositionResult, TwoPanelResult):
    """What searches of one position have lost by the number of simulations, in rewards (see SearchParams.rewards).

    The regret of a move is the exact reward of the best move less its own, under perfect play. (Auer, Cesa-Bianchi and
    Fischer 2002 define the cumulative regret of a bandit, Bubeck, Munos and Stoltz 2009 the simple one.)

    The plot has the mean cumulative regret over the simulations, and the single runs thin behind it. A dotted line is
    the regret of trying all columns equally often. A new figure has the simple regret in a second panel. The horizontal
    axis is linear if the points of measurement have equal distances, else logarithmic. The CSV file has one row per run
    and point.
    """

    board: Board
    params: SearchParams
    seed: int
    simulations: npt.NDArray[np.int64]  # (points,), ascending: when the searches were measured
    scores: tuple[int | None, ...]  # exact, by column (see solve)
    cumulative: npt.NDArray[np.float64]  # (runs, points): the sum over all simulations, by the column that they tried
    simple: npt.NDArray[np.float64]  # (runs, points): of the column that the search would play

    @property
    def runs(self) -> int:
        """Number of searches."""
        return len(self.simple)

    def _table(self) -> Iterator[tuple[Any, ...]]:
        yield "run", "simulations", "cumulative", "simple"
        for run in range(self.runs):
            parts = self.simulations.tolist(), self.cumulative[run].tolist(), self.simple[run].tolist()
            for simulations, cumulative, simple in zip(*parts, strict=True):
                yield run, simulations, cumulative, simple

    def _draw(self, ax: "plots.Axes", title: str | None) -> None:
        plots.runs(ax, self.simulations, self.cumulative, plots.Line(plots.COLOURS[0]), label="search", bold=True)
        top = ax.get_ylim()[1]
        equal = self.simulations * self._losses().mean()
        ax.plot(self.simulations, equal, color=plots.GREY, linestyle=":", label="all columns equally often")
        ax.set_ylim(0, top)
        plots.frame(ax, "simulations", "cumulative regret")
        own = f"Regret: {self._start.title}, {plots.named(self.params)}"
        plots.title(ax, title, own, f"{plots.number_of_searches(self.runs)}, seed {self.seed}")
        plots.scale(ax, self.simulations)
        plots.plain(ax.yaxis)
        ax.legend(fontsize="small", framealpha=0.8, loc="upper left")

    def _draw_more(self, ax: "plots.Axes") -> None:
        ax.plot(self.simulations, self.simple.mean(axis=0), color=plots.COLOURS[1], linewidth=plots.BOLD)
        plots.frame(ax, "simulations", "simple regret, mean")
        ax.set_ylim(bottom=0)

    def _losses(self) -> npt.NDArray[np.float64]:
        """The regrets of the legal columns."""
        return losses_of(self.scores, self.params)[self.board.legal_columns]

    def as_text(self, first: int = 0) -> str:
        """A summary, and a line for about ten of the points: means of the runs."""
        lines = [self._head(), "", "simulations  cumulative  simple   (means of the runs)"]
        shown = np.unique(np.linspace(0, len(self.simulations) - 1, 10).round().astype(int))
        for point in shown.tolist():
            cumulative, simple = self.cumulative[:, point].mean(), self.simple[:, point].mean()
            lines.append(f"{self.simulations[point]:11,}  {cumulative:10,.2f}  {simple:6.3f}")
        return "\n".join(lines)

    def _searches(self) -> str:
        return f"{self.runs} x {self.simulations[-1]:,} simulations"


def regret(
    board: AnyBoard,
    params: SearchParams = PLAIN,
    *,
    simulations: int | Iterable[int] = 5000,
    runs: int = 20,
    **options: Unpack[WorkOptions],
) -> Regret:
    """Measure what searches lose on moves that are worse than the best one.

    simulations, runs: as for convergence. The exact rewards come from `solve`, with the book of the package on 7 x 6; a
    board must have at most 64 bits, width * (height + 1).

    seed, executor, progress, checkpoint: as for all experiments
    (https://github.com/c4mcts/c4mcts/blob/main/docs/guide/study.md).

    Raises TypeError or ValueError naming the argument, CheckpointError, GameOverError, OSError.
    """
    board, params, runs = unfinished(board), search_params(params), job_count("runs", runs)
    points = counts("simulations", simulations) if isinstance(simulations, Iterable) else spread(simulations)
    require_solvable(board, "board", "have at most 64 bits")
    start = BoardStart(board)
    jobs: list[Job] = [partial(scores_of, board, None), *[partial(grow, start, params, points.tolist())] * runs]
    (scores, *grown), seed = run_jobs(regret, jobs, options, board=start, params=params, simulations=points, runs=runs)
    losses = losses_of(scores, params)
    cumulative = np.array([[losses[start.legal] @ visits for _, _, visits in search] for search in grown])
    simple = np.array([[losses[chosen] for chosen, _, _ in search] for search in grown])
    return Regret(board, params, seed, points, tuple(scores), cumulative, simple)


def losses_of(scores: Iterable[int | None], params: SearchParams) -> npt.NDArray[np.float64]:
    """The regret of each column: (width,), NaN for full ones."""
    rewards = rewards_of(tuple(scores), params)
    return np.asarray(np.nanmax(rewards) - rewards)

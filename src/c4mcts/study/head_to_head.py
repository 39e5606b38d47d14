"""Experiment: how sets of parameters do against each other, by their budget."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Unpack

import numpy as np
import numpy.typing as npt

from ..executors.background import job_count
from ..executors.jobs import WorkOptions
from ..search.params import SearchParams
from . import plots
from .result import GamesResult, ends_of
from .starts import AnyPosition, Position, start_of
from .validation import counts, named, run_jobs

BUDGETS = (10, 30, 100, 300, 1000)


@dataclass(frozen=True, eq=False, repr=False)
class HeadToHead(GamesResult):
    """Results of games between every two sets of parameters, with equal budgets.

    The arrays have the shape (pairs, budgets); wins, draws and losses are those of the first of the two. The plot has
    the score of the first of each pair over the budgets, with 95 % intervals. Its vertical axis always goes from 0 to
    100 %. The CSV file has one row per point.
    """

    board: Position
    sets: dict[str, SearchParams]
    pairs: tuple[tuple[str, str], ...]
    budgets: npt.NDArray[np.int64]  # (budgets,), ascending: simulations per move, of both
    games: int  # for each pair and budget
    seed: int
    ends: npt.NDArray[np.int64]  # wins, draws, losses, each in the shape above

    NAMES = ("first", "second", "score")

    @property
    def score(self) -> npt.NDArray[np.float64]:
        """Mean of 1 for a win of the first, 0.5 for a draw, 0 for a loss."""
        return self._share

    def _points(self) -> npt.NDArray[np.float64]:
        return np.asarray(self.wins + 0.5 * self.draws)

    def _names(self, at: tuple[int, ...]) -> tuple[str, ...]:
        return self.pairs[at[0]]

    def _label(self, at: tuple[int, ...]) -> str:
        return " against ".join(self._names(at))

    def _draw(self, ax: "plots.Axes", title: str | None) -> None:
        ax.axhline(0.5, color=plots.GREY, linewidth=0.8, label="_even")
        plots.frame(ax, "simulations per move, of both", "score")
        own = self._label((0,)) if len(self.pairs) == 1 else "Scores at equal budgets"
        note = f"{self.games} games per point, 95 % intervals, first moves alternate, seed {self.seed}"
        plots.title(ax, title, f"{own}: {start_of(self.board).title}", note)
        self._draw_lines(ax)

    def _head(self) -> str:
        names, where = ", ".join(self.sets), start_of(self.board).text
        return f"{names} on {where}, {self.games} games per pair and budget, first moves alternate, seed {self.seed}"


def head_to_head(
    board: AnyPosition,
    sets: Mapping[str, SearchParams],
    *,
    budgets: Iterable[int] = BUDGETS,
    games: int = 100,
    **options: Unpack[WorkOptions],
) -> HeadToHead:
    """Play games between every two of several sets of parameters, with equal numbers of simulations.

    board: the start position of all games, a Board or any Game (see games). sets: two or more, by name. budgets:
    simulations per move; the tree is kept during a game. games: for each pair and budget; the first of the pair moves
    first in games 0, 2, 4, ...

    For ratings of many players, other opponents and openings: play.tournament.

    seed, executor, progress, checkpoint: as for all experiments
    (https://github.com/c4mcts/c4mcts/blob/main/docs/guide/study.md).

    Raises TypeError or ValueError naming the argument, CheckpointError, GameOverError, OSError.
    """
    start = start_of(board)
    known: dict[str, SearchParams] = {
        name: start.params(params, "sets") for name, params in named("sets", sets, "search").items()
    }
    if len(known) < 2:
        raise ValueError(f"sets must be at least two, not {', '.join(known)}")
    numbers, games = counts("budgets", budgets), job_count("games", games)
    pairs = tuple(combinations(known, 2))
    jobs = [
        partial(
            start.play,
            partial(start.searcher, known[one], budget),
            partial(start.searcher, known[other], budget),
            game % 2 == 0,
        )
        for one, other in pairs
        for budget in numbers.tolist()
        for game in range(games)
    ]
    results, seed = run_jobs(head_to_head, jobs, options, board=start, sets=known, budgets=numbers, games=games)
    ends = ends_of(results, (len(pairs), len(numbers), games))
    return HeadToHead(start.position, known, pairs, numbers, games, seed, ends)

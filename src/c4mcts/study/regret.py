"""Experiment: what searches lose, compared with always trying the best move, while they grow."""

from collections.abc import Iterable
from functools import partial
from typing import Unpack

import numpy as np
import numpy.typing as npt

from ..board.positions import AnyBoard, unfinished
from ..executors.background import job_count
from ..executors.jobs import Job, WorkOptions
from ..search.params import SearchParams, search_params
from . import plots
from .convergence import SIMULATIONS, searches, spread
from .experiment import PLAIN, counts, require_solvable, rewards_of, run_jobs, scores_of, start_of
from .plots import Panel, Series, View
from .result import Result


def regret(
    board: AnyBoard,
    params: SearchParams = PLAIN,
    *,
    simulations: int | Iterable[int] = SIMULATIONS,
    runs: int = 20,
    **options: Unpack[WorkOptions],
) -> Result:
    """Measure what searches lose on moves that are worse than the best one.

    The regret of a move is the exact reward of the best move less its own, under perfect play, in rewards (see
    SearchParams.rewards). The result has the `cumulative` regret, the sum over all simulations, by the column that they
    tried, and the `simple` one, of the column that the search would play: (runs, points). (Auer, Cesa-Bianchi and
    Fischer 2002 define the cumulative regret of a bandit, Bubeck, Munos and Stoltz 2009 the simple one.) `scores` are
    the exact scores of the columns, as from `solve`.

    The plot has the mean cumulative regret over the simulations, and the single runs thin behind it; a dotted line is
    the regret of trying all columns equally often. A second panel has the simple regret.

    simulations, runs: as for convergence. The exact rewards come from `solve`, with the book of the package on 7 x 6; a
    board must have at most 64 bits, width * (height + 1).

    options: see c4mcts.study.
    """
    board, params, runs = unfinished(board), search_params(params), job_count("runs", runs)
    points = counts("simulations", simulations) if isinstance(simulations, Iterable) else spread(simulations)
    require_solvable(board, "board", "have at most 64 bits")
    start = start_of(board)
    jobs: list[Job] = [partial(scores_of, board, None), *[partial(start.measure, params, points.tolist())] * runs]
    given = {"board": start, "params": params, "simulations": points, "runs": runs}
    (scores, *grown), about = run_jobs(regret, jobs, options, **given)
    losses = _losses_of(scores, params)
    cumulative = np.array([[losses[start.legal] @ visits for _, _, visits in search] for search in grown])
    simple = np.array([[losses[chosen] for chosen, _, _ in search] for search in grown])
    axes = {"run": range(runs), "simulations": points.tolist()}
    about |= {"scores": tuple(scores)}
    return Result(regret.__name__, axes, {"cumulative": cumulative, "simple": simple}, about, _view)


def _view(found: Result, first: int) -> View:
    points, losses = found.simulations, _losses_of(found.scores, found.params)[found.board.legal_columns]
    search = Series.of_runs("search", found.cumulative, width=plots.BOLD)
    equal = Series("all columns equally often", points * losses.mean(), colour=plots.GREY, dashes=":")
    simple = Series("", found.simple.mean(axis=0), colour=plots.COLOURS[1], width=plots.BOLD)
    title = f"Regret: {start_of(found.board).title}, {plots.named(found.params)}"
    top = 1.05 * found.cumulative.max() or None
    panels = [
        Panel(title, points, "simulations", "cumulative regret", [search, equal], limits=(0, top)),
        Panel(title, points, "simulations", "simple regret, mean", [simple], limits=(0, None)),
    ]
    return View(panels, f"{searches(found)}, seed {found.seed}")


def _losses_of(scores: Iterable[int | None], params: SearchParams) -> npt.NDArray[np.float64]:
    """The regret of each column: (width,), NaN for full ones."""
    rewards = rewards_of(tuple(scores), params)
    return np.asarray(np.nanmax(rewards) - rewards)

"""Experiments on growing searches: how the values of the moves converge, and what is lost on worse moves."""

from collections.abc import Iterable
from functools import partial
from typing import Unpack

import numpy as np
import numpy.typing as npt

from .._validation import counted, positive
from ..board.arguments import AnyBoard, unfinished
from ..executors.executor import MAX_JOBS
from ..executors.work import SeededJob, WorkOptions
from ..rules import fits_solver
from ..search.params import SearchParams, search_params
from . import experiment, plots
from .experiment import PLAIN, AnyPosition, Start, counts, require_solvable, rewards_of, run_jobs, scores_of
from .plots import Panel, Series, View
from .result import Result

SIMULATIONS = 5000  # default of each search
POINTS = 100  # default number of measurements in a search
FIRST_POINT = 10  # simulations before the first of them: earlier values are noise


def convergence(
    board: AnyPosition,
    params: SearchParams = PLAIN,
    *,
    simulations: int | Iterable[int] = SIMULATIONS,
    runs: int = 10,
    **options: Unpack[WorkOptions],
) -> Result:
    """Measure the values of all moves of a position while searches grow.

    board: a Board, or any Game (see games), which GameSearch searches. simulations: of each search, measured at
    about a hundred points at equal ratios; or the points at which to measure. runs: number of independent searches,
    each with one growing tree. A search ends when its outcome is proven; its later points repeat the last values.

    The result has `visits` and `q`: (runs, points, moves), with a place for each column of a Board, for each legal move
    of another Game. q are mean rewards for the player to move, on the scale of params.rewards; the exact reward where a
    move is proven, NaN without visits. `chosen` are the places of the moves that the searches would play: (runs,
    points). `favourite` belongs to the move that most searches choose at the end. `exact` are the exact rewards:
    (moves,), NaN for full columns; or None. `simulations` are the points.

    The plot has the mean q of each move over the simulations, and the single runs thin behind it. The favourite is
    bold. Mirrored columns share a colour, and the right one is dashed; a dotted line is the exact value of the
    position. A second panel has the shares of the visits. The horizontal axis is linear if the points have equal
    distances, else logarithmic.

    The exact values come from the solver where it finds them with little work: always on 7 x 6 with up to 11 discs,
    and late in a game. With opponent="random" or a discount a search does not converge to them: they are not given.

    options: see c4mcts.study.
    """
    start = Start(board)
    params, runs = start.params(params), positive("runs", runs, MAX_JOBS)
    points = counts("simulations", simulations) if isinstance(simulations, Iterable) else spread(simulations)
    jobs: list[SeededJob] = [partial(start.measure, params, points.tolist())] * runs
    is_comparable = params.opponent == "minimax" and params.discount == 1
    if start.is_board and fits_solver(start.position.rules) and is_comparable:
        jobs.append(partial(scores_of, start.position, experiment.QUICK))
    arguments = {"board": start, "params": params, "simulations": points, "runs": runs}
    results, about = run_jobs(convergence, jobs, options, **arguments)
    scores = results[runs] if len(results) > runs else None
    exact = None if scores is None else rewards_of(scores, params)
    grown = results[:runs]
    chosen = np.array([[place for place, _, _ in search] for search in grown])
    visits = np.zeros((runs, len(points), len(start.moves)), dtype=np.int64)
    visits[:, :, start.legal] = [[numbers for _, _, numbers in search] for search in grown]
    q = np.full(visits.shape, np.nan)
    win, _, loss = params.rewards
    values = np.array([[means for _, means, _ in search] for search in grown], dtype=np.float64)  # None becomes NaN
    q[:, :, start.legal] = loss + (win - loss) * values
    favourite = max(range(len(start.moves)), key=chosen[:, -1].tolist().count)
    axes = {"run": range(runs), "simulations": points.tolist(), start.noun: start.moves}
    about |= {"chosen": chosen, "favourite": favourite, "exact": exact}
    return Result(convergence.__name__, axes, {"visits": visits, "q": q}, about, _view_of_values)


def _view_of_values(result: Result, first: int) -> View:
    start, points = Start(result.board), result.simulations
    labels, lines_of = start.labels(first), plots.move_looks(start)
    where = f"{start.title}, {plots.named(result.params)}"
    favourite = f"{start.noun} {labels[result.favourite]}"

    def lines(values: npt.NDArray[np.float64]) -> list[Series]:
        widths = {result.favourite: plots.BOLD}
        return [
            Series.of_runs(labels[i], values[:, :, i], width=widths.get(i, plots.USUAL), **lines_of[i])
            for i in start.legal
        ]

    note, looks = searches(result), [f"bold: {favourite}, chosen at the end"]
    exact = None if result.exact is None else float(np.nanmax(result.exact))
    if exact is not None:
        note += f", exact value {exact:g}"
        looks.append("dotted: exact value")
    win, _, loss = result.params.rewards
    unit = f"mean reward Q ({loss:g} loss, {win:g} win)"
    value = Panel(f"Value of every {start.noun}: {where}", points, "simulations", unit, lines(result.q), level=exact)
    total = np.maximum(result.visits.sum(axis=2, keepdims=True), 1)  # none if the book knows the position
    share = lines(result.visits / total)
    visits = Panel(f"Visits: {where}", points, "simulations", "share of visits", share, percent=True)
    panels = [panel._replace(legend=start.noun) for panel in (value, visits)]
    return View(panels, f"{note}, seed {result.seed}", looks)


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
    board, params, runs = unfinished(board), search_params(params), positive("runs", runs, MAX_JOBS)
    points = counts("simulations", simulations) if isinstance(simulations, Iterable) else spread(simulations)
    require_solvable(board, "board", "have at most 64 bits")
    start = Start(board)
    jobs: list[SeededJob] = [partial(scores_of, board, None), *[partial(start.measure, params, points.tolist())] * runs]
    arguments = {"board": start, "params": params, "simulations": points, "runs": runs}
    (scores, *grown), about = run_jobs(regret, jobs, options, **arguments)
    losses = _losses_of(scores, params)
    cumulative = np.array([[losses[start.legal] @ visits for _, _, visits in search] for search in grown])
    simple = np.array([[losses[chosen] for chosen, _, _ in search] for search in grown])
    axes = {"run": range(runs), "simulations": points.tolist()}
    about |= {"scores": tuple(scores)}
    return Result(regret.__name__, axes, {"cumulative": cumulative, "simple": simple}, about, _view_of_regret)


def _view_of_regret(result: Result, first: int) -> View:
    points, losses = result.simulations, _losses_of(result.scores, result.params)[result.board.legal_columns]
    search = Series.of_runs("search", result.cumulative, width=plots.BOLD)
    equal = Series("all columns equally often", points * losses.mean(), colour=plots.GREY, dashes=":")
    simple = Series("", result.simple.mean(axis=0), colour=plots.COLOURS[1], width=plots.BOLD)
    title = f"Regret: {Start(result.board).title}, {plots.named(result.params)}"
    top = 1.05 * result.cumulative.max() or None
    panels = [
        Panel(title, points, "simulations", "cumulative regret", [search, equal], limits=(0, top)),
        Panel(title, points, "simulations", "simple regret, mean", [simple], limits=(0, None)),
    ]
    return View(panels, f"{searches(result)}, seed {result.seed}")


def _losses_of(scores: Iterable[int | None], params: SearchParams) -> npt.NDArray[np.float64]:
    """The regret of each column: (width,), NaN for full ones."""
    rewards = rewards_of(tuple(scores), params)
    return np.asarray(np.nanmax(rewards) - rewards)


def searches(result: Result) -> str:
    """How many searches there were, in words."""
    mean = "mean of " if result.runs > 1 else ""
    budget = counted(result.simulations[-1], "simulation")
    return f"{mean}{counted(result.runs, 'search', 'searches')} of {budget}"


def spread(simulations: object, points: int = POINTS, *, linear: bool = False) -> npt.NDArray[np.int64]:
    """About `points` whole numbers up to `simulations`: from FIRST_POINT at equal ratios, or at equal distances."""
    last = positive("simulations", simulations, experiment.MAX_COUNT)
    points = positive("points", points, experiment.MAX_POINTS)
    if linear:
        return np.unique(np.linspace(0, last, points + 1).round().astype(np.int64)[1:].clip(1))
    return np.unique(np.geomspace(min(FIRST_POINT, last), last, points).round().astype(np.int64))

"""Experiments on the moves that searches choose: how often each of them, and how often one that is optimal."""

import time
from collections.abc import Collection, Iterable
from dataclasses import fields
from functools import partial
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from .._validation import brief, counted, members, naming, positive, word
from ..executors.cancellation import Cancellation
from ..executors.executor import MAX_JOBS
from ..executors.work import SeededJob, WorkOptions
from ..search.params import SearchParams
from . import plots
from .experiment import MAX_POINTS, PLAIN, AnyPosition, Start, counts, require_solvable, run_jobs, scores_of
from .plots import Panel, Series, View
from .result import Result, shares

BUDGET = "simulations"
FEW = 100  # simulations of each search by default, to count moves
SIMULATIONS = 50_000  # the same for a sweep of another parameter
VALUES = {
    "exploration": np.linspace(-2.0, 4.0, 60, endpoint=False).round(1),
    BUDGET: np.arange(100, 2000, 100),
}
AXES = {"exploration": "exploration factor c", BUDGET: "simulations per search"}


def action_frequency(
    board: AnyPosition,
    params: SearchParams = PLAIN,
    *,
    simulations: int | None = None,
    runs: int = 100,
    **options: Unpack[WorkOptions],
) -> Result:
    """Search a position repeatedly, each time with a new engine, and count which moves are chosen.

    board: a Board, or any Game (see games), which GameSearch searches. simulations: of each search, by default
    100; with the choice "ucb_short_win" one for each column that is not full, as in the program of the preset
    "no-diagonals". runs: number of searches.

    The result has, by move, `counts`, its `share` of the searches, and the 95 % `interval` of the share, 0 for full
    columns: (moves,). The plot shows the shares. By search, it has the `columns` that were chosen (of another Game the
    places of the moves among the legal ones), `cpu_seconds` and `wall_seconds`: (runs,). The times include
    making the engine; wall_seconds includes waiting for the other searches: to time single searches, pass an
    executor with one worker.

    options: see c4mcts.study.
    """
    start = Start(board)
    params = start.params(params)
    runs = positive("runs", runs, MAX_JOBS)
    if simulations is None:
        simulations = len(start.legal) if params.choice == "ucb_short_win" else FEW
    simulations = positive("simulations", simulations)
    jobs = [partial(_search, start, params, simulations)] * runs
    arguments = {"board": start, "params": params, "simulations": simulations, "runs": runs}
    results, about = run_jobs(action_frequency, jobs, options, **arguments)
    chosen, cpu, wall = (np.array(each) for each in zip(*results, strict=True))
    counts = np.array([np.count_nonzero(chosen == place) for place in range(len(start.moves))])
    legal = np.isin(np.arange(len(counts)), start.legal)
    arrays: dict[str, Any] = {"counts": counts}
    arrays |= {name: part * legal for name, part in shares("share", counts, runs).items()}
    about |= {"columns": chosen, "cpu_seconds": cpu, "wall_seconds": wall}
    return Result(action_frequency.__name__, {start.noun: start.moves}, arrays, about, _view_of_frequency)


def _view_of_frequency(result: Result, first: int) -> View:
    start, runs = Start(result.board), result.runs
    title = f"{start.noun.capitalize()} chosen: {start.title}, {plots.named(result.params)}"
    chosen = Series("", result.share, result.interval)
    panel = Panel(title, start.labels(first), start.noun, "chosen", [chosen], percent=True)
    times = f"{1e3 * result.cpu_seconds.mean():,.2f} ms of CPU each"
    what = f"{counted(runs, 'search', 'searches')} of {counted(result.simulations, 'simulation')}"
    return View([panel], f"{what}, 95 % intervals, {times}, seed {result.seed}")


def _search(
    start: Start, params: SearchParams, simulations: int, seed: np.random.SeedSequence, check: Cancellation
) -> tuple[int, float, float]:
    """Run one search; return the place of its move, CPU seconds and wall seconds."""
    start.measure(params, [1], np.random.SeedSequence(0), check)  # the first search of a process loads modules
    wall, cpu = time.perf_counter(), time.thread_time()
    ((chosen, _, _),) = start.measure(params, [simulations], seed, check)
    return chosen, time.thread_time() - cpu, time.perf_counter() - wall


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
) -> Result:
    """Search a position with several values of one parameter, and count the optimal moves.

    board: a Board, or any Game (see games), which GameSearch searches. sweep: "exploration", or another field of
    the parameters that is a number; or "simulations", the budget. values: the values of that parameter; by default the
    exploration goes from -2 to 4 in steps of 0.1, the budget from 100 to 2000 in steps of 100. simulations: of each
    search, 50,000 by default, unless they are swept. runs: searches for each value.

    optimal: the optimal moves; by default the columns with the best exact score, which `solve` computes. They must be
    given for another Game, and for boards of more than 64 bits, width * (height + 1).

    The result has, by value, the `frequency` of optimal moves and its 95 % `interval`, and the `keeping_frequency` of
    moves that keep the outcome under perfect play, from `keeping_low` to `keeping_high`: (values,). `counts` says how
    often each move was chosen: (values, moves), with a place for each column of a Board, for each legal move of another
    Game. `optimal` and `keeping` are the columns, or places, that are counted. `scores` are the exact scores by column
    (see solve), None if `optimal` was given. The plot shows both frequencies.

    options: see c4mcts.study.
    """
    start = Start(board)
    params, runs = start.params(params), positive("runs", runs, MAX_JOBS)
    points = _values(sweep, values, params)
    if sweep == BUDGET and simulations is not None:
        raise ValueError(f"simulations are swept: give values instead of simulations={brief(simulations)}")
    budget = None if sweep == BUDGET else positive("simulations", SIMULATIONS if simulations is None else simulations)
    chosen_places = None if optimal is None else _places(optimal, start)
    jobs: list[SeededJob] = [partial(start.measure, params, [])]  # instead of the scores, which can take the longest
    if chosen_places is None:
        if not start.is_board:
            raise ValueError("optimal must be given: the solver knows a Board only")
        require_solvable(start.position, "optimal", "be given")
        jobs = [partial(scores_of, start.position, None)]
    for value in points.tolist():
        settings = params if sweep == BUDGET else start.params(params.changed(**{sweep: value}))
        jobs += [partial(start.measure, settings, [value if budget is None else budget])] * runs
    swept = {"sweep": sweep, "values": points, "simulations": budget, "runs": runs, "optimal": chosen_places}
    (scores, *searches), about = run_jobs(optimality, jobs, options, board=start, params=params, **swept)
    places = np.reshape([place for ((place, _, _),) in searches], (len(points), runs, 1))
    chosen = (places == np.arange(len(start.moves))).sum(axis=1)
    best = keeping = () if chosen_places is None else chosen_places
    if chosen_places is None:
        open_scores = [(column, score) for column, score in enumerate(scores) if score is not None]
        highest = max(score for _, score in open_scores)
        best = tuple(column for column, score in open_scores if score == highest)
        keeping = tuple(column for column, score in open_scores if np.sign(score) == np.sign(highest))
    about |= {"counts": chosen, "scores": tuple(scores) or None, "optimal": best, "keeping": keeping}
    arrays = {"runs": np.array(runs)}
    for prefix, each in (("", best), ("keeping_", keeping)):
        arrays |= shares("frequency", chosen[:, list(each)].sum(axis=1), runs, prefix)
    arrays |= {f"{start.noun}_{label}": chosen[:, place] for place, label in enumerate(start.labels(0))}
    return Result(optimality.__name__, {sweep: points.tolist()}, arrays, about, _view_of_optimality)


def _view_of_optimality(result: Result, first: int) -> View:
    start = Start(result.board)
    text = f"optimal: {start.listed(result.optimal, first)}"
    lines = [Series(text, result.frequency, result.interval, marker="o")]
    if result.keeping != result.optimal:
        text = f"keeps the outcome: {start.listed(result.keeping, first)}"
        interval = np.stack([result.keeping_low, result.keeping_high])
        share = result.keeping_frequency
        lines.append(Series(text, share, interval, colour=plots.COLOURS[1], dashes="--", marker="s"))
    title = f"Optimal {start.noun} chosen: {start.title}, {plots.named(result.params, without=result.sweep)}"
    axis = AXES.get(result.sweep, result.sweep)
    panel = Panel(title, result.values, axis, "chosen", lines, percent=True, limits=plots.WHOLE)
    what = counted(result.runs, "search", "searches")
    what += "" if result.simulations is None else f" of {counted(result.simulations, 'simulation')}"
    return View([panel], f"{what} per point, 95 % intervals, seed {result.seed}")


def _values(sweep: str, values: Iterable[float] | None, params: SearchParams) -> npt.NDArray[Any]:
    numeric = [field.name for field in fields(params) if type(getattr(params, field.name)) in (int, float)]
    sweep = word("sweep", sweep, (BUDGET, *numeric))
    if values is None:
        if sweep not in VALUES:
            raise ValueError(f"values must be given for a sweep of {sweep!r}")
        values = VALUES[sweep]
    if sweep == BUDGET:
        return counts("values", values)
    items = members("values", values, "numbers", MAX_POINTS, least=1)
    with naming("values: "):
        set_to = np.unique([getattr(params.changed(**{sweep: value}), sweep) for value in items])
    if not np.isfinite(set_to).all():
        raise ValueError(f"values must be finite, not {set_to.tolist()}")
    return set_to


def _places(optimal: object, start: Start) -> tuple[int, ...]:
    """The places of the optimal moves, in order. TypeError, ValueError."""
    legal = {place: start.moves[place] for place in start.legal}
    moves = members("optimal", optimal, f"{start.noun}s", MAX_POINTS, least=1)
    for move in moves:
        if move not in legal.values():
            raise ValueError(f"optimal: {start.noun} {brief(move)} can't be played on {brief(start.position)}")
    return tuple(place for place, move in legal.items() if move in moves)

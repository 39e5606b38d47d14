"""Experiment: how often independent searches choose each move, and how long they take."""

import time
from functools import partial
from typing import Any, Unpack

import numpy as np

from .._validation import positive
from ..executors.background import Cancellation, job_count
from ..executors.jobs import WorkOptions
from ..search.params import SearchParams
from . import plots
from .experiment import PLAIN, AnyPosition, Start, run_jobs, start_of
from .plots import Panel, Series, View
from .result import Result, shares

SIMULATIONS = 100  # default of each search


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
    places of the moves among the legal ones), `cpu_seconds` and `wall_seconds`: (runs,). The times are those of a new
    engine and its search; wall_seconds includes waiting for the other searches: to time single searches, pass an
    executor with one worker.

    options: see c4mcts.study.
    """
    start = start_of(board)
    params = start.params(params)
    runs = job_count("runs", runs)
    if simulations is None:
        simulations = len(start.legal) if params.choice == "ucb_short_win" else SIMULATIONS
    simulations = positive("simulations", simulations)
    jobs = [partial(_search, start, params, simulations)] * runs
    given = {"board": start, "params": params, "simulations": simulations, "runs": runs}
    results, about = run_jobs(action_frequency, jobs, options, **given)
    chosen, cpu, wall = (np.array(each) for each in zip(*results, strict=True))
    counts = np.array([np.count_nonzero(chosen == place) for place in range(len(start.moves))])
    legal = np.isin(np.arange(len(counts)), start.legal)
    arrays: dict[str, Any] = {"counts": counts}
    arrays |= {name: part * legal for name, part in shares("share", counts, runs).items()}
    about |= {"columns": chosen, "cpu_seconds": cpu, "wall_seconds": wall}
    return Result(action_frequency.__name__, {start.noun: start.moves}, arrays, about, _view)


def _view(found: Result, first: int) -> View:
    start, runs = start_of(found.board), found.runs
    title = f"{start.noun.capitalize()} chosen: {start.title}, {plots.named(found.params)}"
    chosen = Series("", found.share, found.interval)
    panel = Panel(title, start.labels(first), start.noun, "chosen", [chosen], percent=True)
    times = f"{1e3 * found.cpu_seconds.mean():,.2f} ms of CPU each"
    what = f"{runs:,} searches of {found.simulations:,} simulations"
    return View([panel], f"{what}, 95 % intervals, {times}, seed {found.seed}")


def _search(
    start: Start, params: SearchParams, simulations: int, seed: np.random.SeedSequence, check: Cancellation
) -> tuple[int, float, float]:
    """Run one search; return the place of its move, CPU seconds and wall seconds."""
    start.measure(params, [1], np.random.SeedSequence(0), check)  # the first search of a process loads modules
    wall, cpu = time.perf_counter(), time.thread_time()
    (found,) = start.measure(params, [simulations], seed, check)
    return found.chosen, time.thread_time() - cpu, time.perf_counter() - wall

"""Experiment: how often independent searches choose each move, and how long they take."""

import time
from functools import partial
from typing import Unpack

import numpy as np

from .._validation import positive
from ..executors.background import Check, job_count
from ..executors.jobs import WorkOptions
from ..search.params import SearchParams
from . import plots
from .plots import Panel, Series
from .result import Result, View, wilson
from .starts import AnyPosition, Start, start_of
from .validation import PLAIN, run_jobs


def action_frequency(
    board: AnyPosition,
    params: SearchParams = PLAIN,
    *,
    simulations: int = 100,
    runs: int = 100,
    **options: Unpack[WorkOptions],
) -> Result:
    """Search a position repeatedly, each time with a new engine, and count which moves are chosen.

    board: a Board, or any Game (see games), which GameSearch searches. simulations: of each search. runs: number
    of searches.

    The result has, by move, `counts`, its `share` of the searches, and the 95 % `interval` of the share, 0 for full
    columns: (moves,). The plot shows the shares. By search, it has the `columns` that were chosen (of another Game the
    places of the moves among the legal ones), `cpu_seconds` and `wall_seconds`: (runs,). The times are those of a new
    engine and its search; wall_seconds includes waiting for the other searches: to time single searches, pass an
    executor with one worker.

    seed, executor, progress, checkpoint: as for all experiments
    (https://github.com/c4mcts/c4mcts/blob/main/docs/guide/study.md).

    Raises TypeError or ValueError naming the argument, CheckpointError, GameOverError, OSError.
    """
    start = start_of(board)
    params = start.params(params)
    simulations, runs = positive("simulations", simulations), job_count("runs", runs)
    jobs = [partial(_search, start, params, simulations)] * runs
    given = {"board": start, "params": params, "simulations": simulations, "runs": runs}
    results, about = run_jobs(action_frequency, jobs, options, **given)
    chosen, cpu, wall = (np.array(each) for each in zip(*results, strict=True))
    counts = np.bincount(chosen, minlength=len(start.moves))
    legal = np.isin(np.arange(len(counts)), start.legal)
    low, high = wilson(counts, runs) * legal
    about |= {"columns": chosen, "cpu_seconds": cpu, "wall_seconds": wall}
    arrays = {"counts": counts, "share": counts / runs, "low": low, "high": high}
    return Result(action_frequency.__name__, {start.noun: start.labels(0)}, arrays, about, _view)


def _view(found: Result, first: int) -> View:
    """A bar for each move, with its interval."""
    start, runs = start_of(found.board), found.runs
    title = f"{start.noun.capitalize()} chosen: {start.title}, {plots.named(found.params)}"
    chosen = Series("", found.share, found.interval)
    panel = Panel(title, start.labels(first), start.noun, "chosen", [chosen], percent=True)
    times = f"{duration(found.cpu_seconds.mean())} of CPU each ({duration(found.wall_seconds.mean())} elapsed)"
    what = f"{runs:,} searches of {found.simulations:,} simulations"
    return View([panel], f"{what}, 95 % intervals, {times}, seed {found.seed}")


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

"""Experiment: what other sizes of the board and other lengths of a winning line change for a search."""

import time
from collections.abc import Iterable
from functools import partial
from typing import Unpack

import numpy as np
import numpy.typing as npt

from .._layout import ROOT
from .._validation import an_instance, counted, members, positive
from ..board.board import Board
from ..executors.cancellation import Cancellation
from ..executors.executor import MAX_JOBS
from ..executors.work import WorkOptions
from ..rules import Rules
from ..search.engine import Engine
from ..search.params import SearchParams, UctParams, uct_params
from ..search.random_games import rollouts
from . import plots
from .experiment import MAX_POINTS, PLAIN, run_jobs
from .plots import Panel, Series, View
from .result import Result

GAMES = 2000  # random games, whose mean length is measured for each search
SIZES = ((7, 6, 4), (7, 12, 4), (7, 40, 4), (11, 6, 4), (20, 14, 4), (7, 6, 5), (20, 14, 6))
RULES = tuple(Rules(*sides) for sides in SIZES)
MEASURES = {
    "branching": "moves of a position",
    "depth": "depth of the tree",
    "plies": "plies of a rollout",
    "seconds": "CPU time of a simulation",
}


def rules_change(
    rules: Iterable[Rules] = RULES,
    params: SearchParams = PLAIN,
    *,
    simulations: int = 10_000,
    runs: int = 10,
    **options: Unpack[WorkOptions],
) -> Result:
    """Search empty boards of several sizes and winning lengths, and measure what the rules change.

    Measured are the moves of a position and the depth of the tree that such a search grows, the length of a rollout,
    and the CPU time of a simulation. rules: plots compare the others with the first. simulations: of each search. runs:
    number of searches for each of the rules.

    The result has, of each search, the `branching`, the mean number of moves of an expanded position of the tree, the
    `depth` of its deepest visited node in plies, the mean length of a rollout in `plies`, and the `seconds` of CPU time
    of a simulation: (rules, runs). The plot has a bar for each of the rules and measures, relative to the first rules,
    with the mean of the runs at its end.

    CPU times include waiting for memory, which searches that run at the same time share: to time single searches, pass
    an executor with one worker.

    options: see c4mcts.study.
    """
    sets = members("rules", rules, "rule sets", MAX_POINTS, least=1)
    rule_sets = tuple(an_instance("rules", each, Rules, "Rules") for each in sets)
    params = uct_params(params)
    simulations, runs = positive("simulations", simulations), positive("runs", runs, MAX_JOBS)
    jobs = [partial(_measure, each, params, simulations) for each in rule_sets for _ in range(runs)]
    arguments = {"params": params, "rules": rule_sets, "simulations": simulations, "runs": runs}
    results, about = run_jobs(rules_change, jobs, options, **arguments)
    arrays = dict(
        zip(MEASURES, np.moveaxis(np.reshape(results, (len(rule_sets), runs, len(MEASURES))), -1, 0), strict=True)
    )
    axes = {"rules": [str(each) for each in rule_sets], "run": range(runs)}
    return Result(rules_change.__name__, axes, arrays, about, _view)


def _view(result: Result, first: int) -> View:
    names = [str(rules) for rules in result.rules]
    series = []
    for (name, message), colour in zip(MEASURES.items(), plots.COLOURS, strict=False):
        means = result.arrays[name].mean(axis=1)
        texts = [f"{1e6 * mean:.2f} µs" if name == "seconds" else f"{mean:.1f}" for mean in means]
        series.append(Series(message, means / means[0], texts=texts, colour=colour))
    title = f"Empty boards of other rules: {plots.named(result.params)}"
    searches, budget = counted(result.runs, "search", "searches"), counted(result.simulations, "simulation")
    note = f"{searches} of {budget} each, seed {result.seed}"
    return View([Panel(title, names, "rules", f"compared with {names[0]}", series)], note)


def _measure(
    rules: Rules, params: UctParams, simulations: int, seed: np.random.SeedSequence, check: Cancellation
) -> tuple[float, float, float, float]:
    """Run one search: branching, depth, plies, seconds."""
    board = Board(rules)
    seeds = seed.spawn(2)
    Engine(params, seed=0).search(board, simulations=1)  # the first search of a process loads modules
    engine = Engine(params, seed=seeds[0])
    start = time.thread_time()
    count = engine.search(board, simulations=simulations, on_progress=check, columns=False).simulations
    seconds = time.thread_time() - start
    tree = engine.tree()
    sizes = tree["size"][tree["size"] > 0]
    branching = float(sizes.mean()) if len(sizes) else 0.0
    plies = rollouts(board, GAMES, seed=seeds[1], policy=params.rollout).mean_plies
    return branching, float(_depth(tree)), plies, seconds / max(count, 1)


def _depth(tree: npt.NDArray[np.void]) -> int:
    """Plies from the root to the deepest visited node; `tree` as Engine.tree() returns it."""
    visits, first, size = (tree[field].tolist() for field in ("visits", "children", "size"))
    depth, nodes = 0, [ROOT]
    while True:
        blocks = {first[node]: size[node] for node in nodes}  # of children, which nodes may share
        nodes = [child for block in blocks for child in range(block, block + blocks[block]) if visits[child]]
        if not nodes:
            return depth
        depth += 1

"""Experiment: what other sizes of the board and other lengths of a winning line change for a search."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, ClassVar, Unpack

import numpy as np
import numpy.typing as npt

from .._layout import ROOT
from .._validation import an_instance, members, positive
from ..board.board import Board
from ..executors.background import Check, job_count
from ..executors.jobs import WorkOptions
from ..rules import Rules
from ..search.engine import Engine
from ..search.params import SearchParams, UctParams, uct_params
from ..search.random_games import rollouts
from . import plots
from .result import StudyResult
from .validation import PLAIN, run_jobs

GAMES = 2000  # random games, whose mean length is measured for each search
MAX_RULES = 1000
SIZES = ((7, 6, 4), (7, 12, 4), (7, 40, 4), (11, 6, 4), (20, 14, 4), (7, 6, 5), (20, 14, 6))
RULES = tuple(Rules(*sides) for sides in SIZES)


@dataclass(frozen=True, eq=False, repr=False)
class RulesChange(StudyResult):
    """How searches of empty boards differ by the rules. The arrays have the shape (rules, runs).

    The plot has a bar for each rule set and measure, relative to the first rule set, with the mean of the runs at its
    end. The CSV file has one row per rule set and run.
    """

    rules: tuple[Rules, ...]
    params: UctParams
    seed: int
    simulations: int  # of each search
    branching: npt.NDArray[np.float64]  # moves of an expanded position of the tree, mean
    depth: npt.NDArray[np.float64]  # plies of the deepest visited node of the tree below its root
    plies: npt.NDArray[np.float64]  # length of a rollout from the empty board, mean
    seconds: npt.NDArray[np.float64]  # CPU time of a simulation

    MEASURES: ClassVar = {
        "branching": "moves of a position",
        "depth": "depth of the tree",
        "plies": "plies of a rollout",
        "seconds": "CPU time of a simulation",
    }

    @property
    def runs(self) -> int:
        """Number of searches for each of the rules."""
        return len(self.plies[0])

    def _table(self) -> Iterator[tuple[Any, ...]]:
        yield "width", "height", "connect", "diagonals", "run", *self.MEASURES
        for i, rules in enumerate(self.rules):
            for run in range(self.runs):
                found = (float(getattr(self, name)[i, run]) for name in self.MEASURES)
                yield rules.width, rules.height, rules.connect, rules.diagonals, run, *found

    def _draw(self, ax: "plots.Axes", title: str | None) -> None:
        height = 0.8 / len(self.MEASURES)
        for k, (name, words) in enumerate(self.MEASURES.items()):
            means = self._means(name)
            places = np.arange(len(self.rules)) + (k - (len(self.MEASURES) - 1) / 2) * height
            bars = ax.barh(places, means / means[0], height=0.9 * height, color=plots.COLOURS[k], label=words)
            ax.bar_label(bars, [figure(name, mean) for mean in means], padding=3, fontsize="x-small", color=plots.GREY)
        plots.frame(ax, f"compared with {self.rules[0]}", "")
        note = f"{self.runs} searches of {self.simulations:,} simulations each, seed {self.seed}"
        plots.title(ax, title, f"Empty boards of other rules: {plots.named(self.params)}", note)
        ax.set_yticks(range(len(self.rules)), [str(rules) for rules in self.rules])
        ax.invert_yaxis()
        ax.grid(False, axis="y")
        ax.margins(x=0.12)
        ax.axvline(1, color=plots.GREY, linewidth=0.8)
        ax.legend(fontsize="small", framealpha=0.8)

    @property
    def _size(self) -> tuple[float, float]:
        return plots.SIZE[0], max(plots.SIZE[1], 0.75 * len(self.rules) + 1)

    def _means(self, name: str) -> npt.NDArray[np.float64]:
        found: npt.NDArray[np.float64] = getattr(self, name).mean(axis=1)
        return found

    def as_text(self, first: int = 0) -> str:
        """A summary, and a line of means for each of the rules."""
        width = max(len(str(rules)) for rules in self.rules)
        heads = [*self.MEASURES.values()]
        lines = [self._head(), "", " " * width + "".join(f"  {head}" for head in heads)]
        for i, rules in enumerate(self.rules):
            cells = [figure(name, self._means(name)[i]).rjust(len(head)) for name, head in self.MEASURES.items()]
            lines.append(f"{rules!s:<{width}}" + "".join(f"  {cell}" for cell in cells))
        return "\n".join(lines)

    def _head(self) -> str:
        what = f"{len(self.rules)} rules, {self.runs} x {self.simulations:,} simulations each"
        return f"{what}, {plots.named(self.params)}, seed {self.seed}"


def figure(name: str, mean: float) -> str:
    return f"{1e6 * mean:.2f} µs" if name == "seconds" else f"{mean:.1f}"


def rules_change(
    rules: Iterable[Rules] = RULES,
    params: SearchParams = PLAIN,
    *,
    simulations: int = 10_000,
    runs: int = 10,
    **options: Unpack[WorkOptions],
) -> RulesChange:
    """Search empty boards of several sizes and winning lengths, and measure what the rules change.

    Measured are the moves of a position and the depth of the tree that such a search grows, the length of a rollout,
    and the CPU time of a simulation. rules: plots compare the others with the first. simulations: of each search. runs:
    number of searches for each of the rules.

    CPU times include waiting for memory, which searches that run at the same time share: to time single searches, pass
    an executor with one worker.

    seed, executor, progress, checkpoint: as for all experiments
    (https://github.com/c4mcts/c4mcts/blob/main/docs/guide/study.md).

    Raises TypeError or ValueError naming the argument, CheckpointError, OSError.
    """
    listed = members("rules", rules, "a list of Rules", MAX_RULES)
    given = tuple(an_instance("rules", each, Rules, "Rules") for each in listed)
    if not 1 <= len(given) <= MAX_RULES:
        raise ValueError(f"rules must be 1 to {MAX_RULES}, not {len(given)}")
    params = uct_params(params)
    simulations, runs = positive("simulations", simulations), job_count("runs", runs)
    jobs = [partial(_measure, each, params, simulations) for each in given for _ in range(runs)]
    facts = {"rules": [asdict(each) for each in given], "simulations": simulations, "runs": runs}
    results, seed = run_jobs(rules_change, jobs, options, params=params, **facts)
    arrays = np.moveaxis(np.array(results).reshape(len(given), runs, 4), -1, 0)
    return RulesChange(given, params, seed, simulations, *arrays)


def _measure(
    rules: Rules, params: UctParams, simulations: int, seed: np.random.SeedSequence, check: Check
) -> tuple[float, float, float, float]:
    """Run one search: branching, depth, plies, seconds."""
    board = Board(rules)
    seeds = seed.spawn(2)
    Engine(params, seed=0).search(board, simulations=1)  # the first search of a process loads modules
    engine = Engine(params, seed=seeds[0])
    start = time.thread_time()
    made = engine.search(board, simulations=simulations, on_progress=check, columns=False).simulations
    seconds = time.thread_time() - start
    tree = engine.tree()
    sizes = tree["size"][tree["size"] > 0]
    branching = float(sizes.mean()) if len(sizes) else 0.0
    plies = rollouts(board, GAMES, seed=seeds[1], policy=params.rollout).mean_plies
    return branching, float(_depth(tree)), plies, seconds / max(made, 1)


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

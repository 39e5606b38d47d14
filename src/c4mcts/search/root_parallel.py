"""Root parallelisation: several independent searches of one position, added up.

Chaslot, Winands and van den Herik, "Parallel Monte-Carlo tree search" (2008), section 3.2.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Unpack

import numpy as np

from .._backend import Backend, BackendName, load
from .._hints import check_keywords
from .._layout import Settings
from .._validation import positive
from ..board.arguments import AnyBoard, unfinished
from ..board.board import Board
from ..executors.cancellation import Cancellation
from ..executors.executor import AnyExecutor, an_executor, as_done
from ..seeds import Seed, generator_state
from .engine import Engine
from .evaluation import Evaluator
from .limits import LimitOptions, Limits, check_budget
from .params import SearchParams, UctParams, search_params
from .results import SearchResult, decided
from .root_moves import MoveStats, RootMoves, exact_value

MAX_TREES = 1 << 16  # each has a seed, a job and a result


def search_ensemble(
    board: AnyBoard,
    params: SearchParams | None = None,
    *,
    trees: int = 4,
    seed: Seed = None,
    executor: AnyExecutor | None = None,
    backend: BackendName = "auto",
    evaluator: Evaluator | None = None,
    **limits: Unpack[LimitOptions],
) -> SearchResult:
    """Search a position in several trees at once and add up their results.

    trees: how many. Each has its own seed, drawn from `seed`. limits: as for Engine.search, for each tree. params,
    backend, evaluator: as for Engine. executor: runs the searches, a concurrent.futures.Executor or one like it
    (processes, dask); by default one thread for every processor, which suits native trees, since they run without the
    GIL. With limits in simulations or nodes the result depends on trees and seed, not on the executor or its workers.

    In the result visits, simulations and nodes are sums, values are means weighted by visits, proofs are the best
    that any tree has, and seconds measure the whole call.

    Raises as Engine and Engine.search do, and anything the search of a tree raises.
    """
    trees = positive("trees", trees, MAX_TREES)
    params = UctParams() if params is None else search_params(params)
    board, executor = unfinished(board), an_executor(executor)
    check_keywords(search_ensemble, limits, LimitOptions)
    ends = Limits(**limits)
    check_budget(params, ends.simulations)
    start = time.monotonic()
    root = np.random.SeedSequence(generator_state(seed))
    new_engine = partial(Engine, params, backend=backend, evaluator=evaluator)
    jobs = [partial(_search, new_engine, board, ends, child) for child in root.spawn(trees)]
    done = dict(as_done(jobs, executor))
    results = [done[i] for i in range(trees)]
    (random_bits,), _ = load("pure").numbers.stream(generator_state(root), 1)
    return _combined(results, params, load(backend), random_bits, time.monotonic() - start)


def _search(
    new_engine: Callable[..., Engine], board: Board, limits: Limits, seed: np.random.SeedSequence, check: Cancellation
) -> SearchResult:
    with new_engine(seed=seed).begin(board, limits, check.is_cancelled) as run:
        run.finish()
        return run.result()


def _combined(
    results: list[SearchResult], params: SearchParams, backend: Backend, random_bits: int, seconds: float
) -> SearchResult:
    board, settings = results[0].board, params.settings
    root = RootMoves(backend, board, checks=params.checks)
    for result in results:
        for move in result.moves:
            root.narrow(move.column, (move.lower, move.upper))
    moves = tuple(
        _combined_move([result.moves[i] for result in results], move, settings) for i, move in enumerate(root.moves())
    )
    for move in moves:
        root.set_statistics(move)
    valued = [(result.simulations, result.root_value) for result in results if result.root_value is not None]
    total = sum(simulations for simulations, _ in valued)
    return decided(
        board,
        root,
        moves,
        settings,
        random_bits,
        root_value=sum(simulations * value for simulations, value in valued) / total if total else None,
        simulations=sum(result.simulations for result in results),
        nodes=sum(result.nodes for result in results),
        seconds=seconds,
    )


def _combined_move(moves: list[MoveStats], bounds: MoveStats, settings: Settings) -> MoveStats:
    """The statistics of one column in all trees together. bounds: its bounds, by their proofs together."""
    visits, value = sum(move.visits for move in moves), None
    if visits:
        value = sum(move.visits * move.value for move in moves if move.value is not None) / visits
    if bounds.proof is not None:
        value = exact_value(bounds.proof, settings)
    # the principal variation of a tree that has this proof; among those, of the one with the most visits
    source = max(moves, key=lambda move: (move.verdict.score == bounds.verdict.score, move.visits))
    weights = [move.weight for move in moves if move.weight is not None]
    return bounds._replace(
        visits=visits,
        value=value,
        pv=source.pv if source.verdict.score == bounds.verdict.score else bounds.pv,
        short_win=min((move.short_win for move in moves if move.short_win is not None), default=None),
        weight=sum(weights) if weights else None,
    )

"""Several independent searches of one position, added up: root parallelization.

Chaslot, Winands and van den Herik, "Parallel Monte-Carlo tree search" (2008), section 3.2.
"""

import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .._backend import BackendName, load
from .._validation import positive
from ..board.board import Board
from ..board.validation import an_executor, search_params, unfinished
from ..executors.background import Check, as_done
from ..seeds import Seed, generator_state
from .engine import REPORT_EVERY, Engine
from .evaluators import Evaluator
from .limits import Limits
from .move_selection import choose, exact_value
from .params import SearchParams
from .results import MoveStats, SearchResult
from .root_bounds import Narrowing

if TYPE_CHECKING:
    from concurrent.futures import Executor

MAX_TREES = 1 << 16  # each has a seed, a job and a result


def search_ensemble(
    board: Board,
    params: SearchParams | None = None,
    *,
    trees: int = 4,
    seed: Seed = None,
    executor: "Executor | None" = None,
    backend: BackendName = "auto",
    evaluator: Evaluator | None = None,
    **limits: Any,
) -> SearchResult:
    """Search a position in several trees at once and add up what they say.

    trees: how many; each has its own seed, drawn from `seed`, and the limits of Engine.search for itself. params,
    backend, evaluator: as for Engine. executor:
    where they grow, a concurrent.futures.Executor or one like it (processes, dask); by default a thread for every
    processor, which is what native trees need, since they run without the GIL. With limits in simulations or nodes the
    result depends on the trees and the seed, not on the executor or its workers.

    In the result visits, simulations and nodes are sums, values are means weighted by visits, proofs are the best
    that any tree has, and seconds are those of the whole.

    Raises as Engine and Engine.search do, and what a tree raises.
    """
    trees = positive("trees", trees, MAX_TREES)
    params = SearchParams() if params is None else search_params(params)
    board, executor = unfinished(board), an_executor(executor)
    Limits(**limits)
    start = time.monotonic()
    root = np.random.SeedSequence(generator_state(seed))
    jobs = [partial(_search, params, child, backend, evaluator, board, limits) for child in root.spawn(trees)]
    done = dict(as_done(jobs, executor))
    results = [done[i] for i in range(trees)]
    (word,), _ = load("pure").rng.stream(generator_state(root), 1)
    return _sum(results, params, word, time.monotonic() - start)


def _search(
    params: SearchParams,
    seed: np.random.SeedSequence,
    backend: BackendName,
    evaluator: Evaluator | None,
    board: Board,
    limits: dict[str, Any],
    check: Check,
) -> SearchResult:
    """One tree. By on_progress, which is called more rarely, its check would end it later."""
    engine = Engine(params, seed=seed, backend=backend, evaluator=evaluator)
    return engine._search(unfinished(board), Limits(**limits), None, REPORT_EVERY, lambda: check.unwanted)


def _sum(results: list[SearchResult], params: SearchParams, word: int, seconds: float) -> SearchResult:
    board = results[0].board
    narrowing = Narrowing(board)
    for result in results:
        for move in result.moves:
            narrowing.add_proof(move.column, move.proof, move.distance)
    moves = tuple(
        _sum_of_moves(column, [result.moves[i] for result in results], narrowing, params)
        for i, column in enumerate(board.legal_columns)
    )
    best = choose(moves, narrowing, params, word)
    proof, distance = narrowing.proof()
    return SearchResult(
        board=board,
        column=best.column,
        value=best.value,
        proof=proof,
        distance=distance,
        simulations=sum(result.simulations for result in results),
        nodes=sum(result.nodes for result in results),
        seconds=seconds,
        pv=best.pv,
        moves=moves,
    )


def _sum_of_moves(column: int, moves: list[MoveStats], narrowing: Narrowing, params: SearchParams) -> MoveStats:
    """What all trees say of one column."""
    visits = sum(move.visits for move in moves)
    value = None
    if visits:
        value = sum(move.visits * move.value for move in moves if move.value is not None) / visits
    proof, distance = narrowing.proof(column)
    if proof is not None:
        value = exact_value(proof, params)
    # the line of the tree that knows most: one with the proof, else the one with the most visits
    speaker = max(moves, key=lambda move: (move.proof == proof and move.distance == distance, move.visits))
    short_win = min((move.short_win for move in moves if move.short_win is not None), default=None)
    return MoveStats(column, visits, value, None, proof, distance, speaker.pv, short_win)

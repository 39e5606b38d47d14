"""search_many: searches with an evaluator from many positions, whose leaves are evaluated in one batch."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._backend import BackendName, load
from ..rules import Rules
from ..search.evaluators import Evaluator, fitting
from ..search.params import SearchParams, search_params
from ..seeds import generator_state, root_seed
from ..solver.bulk import given_positions
from ..solver.positions import Positions
from .batches import BatchParams, Group, groups_of
from .play_params import PlayParams, play_settings
from .pooled_games import single_precision
from .records import position_type


class Searches(NamedTuple):
    """What the searches of n positions have found: the arrays of SelfPlay with these names, a row for each position."""

    column: npt.NDArray[np.int8]  # (n,): the move that an Engine would choose
    policy: npt.NDArray[np.float32]  # (n, width)
    visits: npt.NDArray[np.int32]  # (n, width)
    q: npt.NDArray[np.float32]  # (n, width)
    prior: npt.NDArray[np.float32]  # (n, width)
    raw_value: npt.NDArray[np.float32]  # (n,)
    value: npt.NDArray[np.float32]  # (n,)
    proof: npt.NDArray[np.int8]  # (n,)
    simulations: npt.NDArray[np.int32]  # (n,)


def search_many(
    boards: Any,
    evaluator: Evaluator,
    params: SearchParams | None = None,
    *,
    simulations: int,
    concurrent: int = 256,
    rules: Rules | None = None,
    seed: int | None = 0,
    backend: BackendName = "auto",
) -> Searches:
    """Search many positions, each with a tree of its own, and evaluate their leaves together.

    boards, rules: as for solve_many, but no finished games. evaluator: as for Engine; it always gets `concurrent`
    positions at once, those of as many searches, and its arrays are used again for the next batch. params: as for Pool,
    by default the preset "alphazero" without noise. simulations: for each position, fewer where the outcome is proven.

    seed: search i is that of an Engine with the i-th child of its SeedSequence and `batch_size=1`, for an evaluator
    whose answer for a position does not depend on the others in the batch.

    Raises TypeError or ValueError naming the argument, and what the evaluator raises.
    """
    params = SearchParams.preset("alphazero", root_noise=None) if params is None else search_params(params)
    options = play_settings(params, PlayParams(temperature=0.0, temperature_plies=0), simulations)
    batches = BatchParams(concurrent=concurrent)
    fitting(evaluator, params, threads=1)
    positions = given_positions(boards, rules)
    over = np.flatnonzero(positions.are_over())
    if len(over):
        raise ValueError(f"boards[{over[0]}]: the game is over")
    rules = positions.rules
    settings = params.settings()._replace(batch_size=1)
    pool = load(backend).gamepool.GamePool(rules, settings, options, batches.slots(), 1, 0)
    shape = (rules.height, rules.width, 1) if settings.signed_planes else (2, rules.height, rules.width)
    (batch,) = groups_of(batches, shape, rules.width)
    return _searches(_records(pool, batch, positions, evaluator, root_seed(seed)))


def _records(pool: Any, batch: Group, positions: Positions, evaluator: Evaluator, seed: int) -> npt.NDArray[np.void]:
    """What the searches of all positions have found. pool: a GamePool with a slot for each row of the batch."""
    slots = len(batch.rows)
    flat = batch.planes.reshape(-1), batch.legal.reshape(-1).view(np.uint8), batch.rows
    found = np.empty(len(positions), position_type(positions.rules.width))
    left = iter(range(len(positions)))
    idle, busy = list(range(slots)), dict[int, int]()  # slots; slots that search, and the indices of their positions
    while True:
        for slot, i in zip(idle, left, strict=False):
            state = generator_state(np.random.SeedSequence(seed, spawn_key=(i,)))
            pool.start(slot, i, int(positions.own[i]), int(positions.mask[i]), *state, 0)
            busy[slot] = i
        if not busy:
            return found
        count = pool.gather(0, slots, *flat, [])
        # A slot plays on after its search, as games do. What it does then, for one batch or until the end, is dropped.
        records = {slot: pool.game(slot).positions() for slot in busy}
        idle = [slot for slot, data in records.items() if data]
        for slot in idle:
            found[busy.pop(slot)] = np.frombuffer(records[slot], found.dtype, 1)[0]
        if count:
            pool.complete(0, slots, *single_precision(evaluator(batch.planes, batch.legal), slots))


def _searches(found: npt.NDArray[Any]) -> Searches:
    """The fields of the records, without gaps between them."""
    fields = {name: np.ascontiguousarray(found[name]) for name in Searches._fields}
    return Searches(**{**fields, "column": fields["column"].astype(np.int8)})

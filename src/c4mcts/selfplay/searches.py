"""search_many: searches with an evaluator from many positions, whose leaves are evaluated in one batch."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import _layout
from .._backend import BackendName, load
from ..rules import Rules
from ..search.evaluators import Evaluator, fitting
from ..search.params import SearchParams, search_params
from ..seeds import generator_state, root_seed
from ..solver.bulk import given_positions
from .batches import groups_of
from .play_params import PlayParams, play_settings
from .pool import slot_count
from .pooled_games import single_precision


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
    options = play_settings(params, PlayParams(), simulations, temperature=0.0, temperature_plies=0)
    slots, _ = slot_count(concurrent, 1)
    fitting(evaluator, True, threads=1)
    positions = given_positions(boards, rules)
    over = np.flatnonzero(positions.are_over())
    if len(over):
        raise ValueError(f"boards[{over[0]}]: the game is over")
    entropy, board = root_seed(seed), positions.rules
    settings = params.settings()._replace(batch_size=1)
    shape = (board.height, board.width, 1) if settings.signed_planes else (2, board.height, board.width)
    (batch,) = groups_of(slots, 1, 1, shape, board.width, None)
    flat = batch.planes.reshape(-1), batch.legal.reshape(-1).view(np.uint8), batch.rows
    pool = load(backend).gamepool.GamePool(board, settings, options, slots, 1, 0)
    columns = [(name, kind, (board.width,)) for name, kind in _layout.COLUMN_FIELDS]
    record = np.dtype([*_layout.POSITION_FIELDS, *columns])
    found = np.empty(len(positions), record)
    left = iter(range(len(positions)))
    idle, busy = list(range(slots)), dict[int, int]()  # slots; slots that search, and the indices of their positions
    while True:
        for slot, i in zip(idle, left, strict=False):
            state = generator_state(np.random.SeedSequence(entropy, spawn_key=(i,)))
            pool.start(slot, i, int(positions.own[i]), int(positions.mask[i]), *state, 0)
            busy[slot] = i
        if not busy:
            return _searches(found)
        count = pool.gather(0, slots, *flat, [])
        # A slot plays on after its search, as games do. What it does then, for one batch or until the end, is dropped.
        records = {slot: pool.game(slot).positions() for slot in busy}
        idle = [slot for slot, data in records.items() if data]
        for slot in idle:
            found[busy.pop(slot)] = np.frombuffer(records[slot], record, 1)[0]
        if count:
            pool.complete(0, slots, *single_precision(evaluator(batch.planes, batch.legal), slots))


def _searches(found: npt.NDArray[Any]) -> Searches:
    """The fields of the records, without gaps between them."""
    fields = {name: np.ascontiguousarray(found[name]) for name in Searches._fields}
    return Searches(**{**fields, "column": fields["column"].astype(np.int8)})

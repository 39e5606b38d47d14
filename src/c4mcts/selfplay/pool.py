"""Pool and search_many: many games, or many searches, at the same time, whose leaves are evaluated in one batch."""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from .._backend import BackendName, load_native, thread_count
from .._hints import with_hints
from .._layout import MAX_ROWS
from .._validation import an_instance, between, counted, members, must_be, nothing, positive
from ..board.arguments import AnyBoard, unfinished
from ..board.board import Board
from ..executors.executor import MAX_JOBS
from ..executors.threads import unlocked
from ..rules import Rules
from ..search.evaluation import Evaluator, pair_of, suitable_evaluator
from ..search.params import SearchParams, search_params
from ..seeds import generator_state, root_seed
from ..solver.bitboards import Positions
from ..solver.bulk import checked_positions
from .batches import (
    Batch,
    BatchParams,
    Group,
    checked_answer,
    fitted,
    fixed,
    groups_of,
    shape_of_planes,
    with_memory_of,
)
from .play_params import PlayParams, check_openings, opening_of, play_settings
from .records import GameRecord, Searched, searched_type

LAST_GAME = 2**31 - 1  # the highest number of a game
AT_WORK = "this pool is at work in another thread: use one pool per thread"


class Pool:
    """Many games of self-play at the same time, whose leaves are evaluated in one batch.

        pool = Pool(params, games=1000, simulations=64, batches=BatchParams(concurrent=512), seed=1)
        while (batch := pool.gather()) is not None:
            priors, values = network(batch.planes, batch.legal)     # float32, (n, width) and (n,)
            pool.complete(priors, values)
        records = dict(pool.finished())     # or now and then, and at the end

    params: PuctParams with temperature=0, or GumbelParams; by default the preset "alphazero". games: how many, numbered
    from 0; or the numbers of the games to play. simulations: for each move, at most 1,000,000; a proven position needs
    fewer. start: the position at which each game starts; by default the empty 7 x 6 board. play: openings, moves that
    are drawn, fast searches, resignation, and what a proof ends; see PlayParams. batches: how many games are played at
    the same time, and how their leaves become batches; see BatchParams.

    seed: None, or an int of at least 0. Game i gets the i-th child of its SeedSequence, and nothing else has an
    influence on it: games are the same for any number of games at once, of groups and of threads. At each position an
    Engine with that child as its seed grows the same tree, for an evaluator whose answer for a position does not depend
    on the others in the batch.

    Calls run without the GIL. A pool serves one call at a time: a second one in the meantime raises RuntimeError.

    Raises GameOverError, MemoryError; ValueError for the pure backend, which has no pools.
    """

    def __init__(
        self,
        params: SearchParams | None = None,
        *,
        games: int | Sequence[int],
        simulations: int,
        start: AnyBoard | None = None,
        play: PlayParams | None = None,
        batches: BatchParams | None = None,
        seed: int | None = None,
        backend: BackendName = "auto",
    ) -> None:
        native = load_native(backend, "a Pool", "generate plays the games with Engines")
        params = SearchParams.preset("alphazero") if params is None else search_params(params)
        self._play = PlayParams() if play is None else an_instance("play", play, PlayParams, "a PlayParams")
        options = play_settings(params, self._play, simulations)
        batches = BatchParams() if batches is None else an_instance("batches", batches, BatchParams, "a BatchParams")
        self._batches = batches
        self._numbers = _game_numbers(games)
        self._start = Board() if start is None else unfinished(start, "start")
        check_openings(self._play, self._start)
        self._seed = root_seed(seed)
        settings = params.settings._replace(batch_size=batches.leaves_per_tree)
        rules = self._start.rules
        self._groups = groups_of(batches, shape_of_planes(params, rules), rules.width, native)
        arrays, threads = [group.arrays for group in self._groups], thread_count(batches.threads or 1, native)
        more = self._play.temperatures(), arrays, threads, batches.cache
        self._pool = native.gamepool.GamePool(rules, settings, options, *more)
        self._next = 0  # index of the next number of a game
        self._turn = 0  # the group whose turn it is
        self._waiting: deque[Group] = deque()  # those whose batches wait, the oldest first
        self._finished: dict[int, bytes] = {}  # records by number
        self._lock = threading.Lock()

    @property
    def seed(self) -> int:
        """The seed; a drawn one if None was given."""
        return self._seed

    @property
    def groups(self) -> int:
        """How many batches may wait at once."""
        return len(self._groups)

    @property
    def waiting(self) -> list[Batch]:
        """The batches that wait for `complete`, the oldest first; for example after Ctrl-C during `gather`."""
        return [group.batch for group in self._waiting]

    def gather(self) -> Batch | None:
        """The next batch: play on in the games of a group, until each has a leaf that needs an evaluation.

        None if no games are left except those whose leaves are already waiting. ValueError if all batches wait.
        """
        with unlocked(self._lock, AT_WORK):
            if len(self._waiting) == len(self._groups):
                raise ValueError("gather needs a free batch: complete the one that waits first")
            for _ in range(len(self._groups)):
                group = self._groups[self._turn]
                self._turn = (self._turn + 1) % len(self._groups)
                if group not in self._waiting and (count := self._fill(group)):
                    batch = group.batch_of(count, self._batches.pad)
                    self._waiting.append(group)
                    return batch
            return None

    def complete(self, priors: npt.NDArray[np.floating[Any]], values: npt.NDArray[np.floating[Any]]) -> None:
        """Give the answers for the oldest batch that waits, in its order.

        priors: floats of shape (n, width), finite and not negative in legal columns; they are divided by their sum
        there, and other columns are ignored. values: floats of shape (n,), in [-1, 1], for the player to move. n is
        the size of the batch, padding included, whose answers are ignored. Arrays of float32 are read in place, others
        are converted; they may be read-only, and views with any strides.

        Raises TypeError or ValueError naming the row and the value of the first wrong answer, ValueError if no batch
        waits. Nothing has changed then: the same batch still waits.
        """
        with unlocked(self._lock, AT_WORK):
            if not self._waiting:
                raise ValueError("complete needs a batch that waits: call gather first")
            group = self._waiting[0]
            n, width = group.batch.legal.shape
            answer = checked_answer("priors", priors, (n, width)), checked_answer("values", values, (n,))
            if self._pool.waiting(group.number):  # else a call was interrupted between these two lines
                self._pool.complete(group.number, *answer)
            self._waiting.popleft()

    def finished(self) -> list[tuple[int, GameRecord]]:
        """Number and record of each game that has ended since the last call; games end in `gather`, even the last."""
        width = self._start.rules.width
        return [(number, GameRecord.from_bytes(data, width)) for number, data in self.ended()]

    def ended(self) -> list[tuple[int, bytes]]:
        """Number and record of each game that has ended since the last call, as bytes: see GameRecord.from_bytes."""
        with unlocked(self._lock, AT_WORK):
            finished, self._finished = self._finished, {}
            return list(finished.items())

    def clear_cache(self) -> None:
        """Forget the answers that are kept: call it when the evaluator has changed, for instance its weights."""
        with unlocked(self._lock, AT_WORK):
            self._pool.clear_cache()

    def _fill(self, group: Group) -> int:
        """Fill the batch of a group; returns how many leaves it has, 0 if no games are left.

        Ctrl-C may come between any two steps; what is repeated then does nothing, or plays a game twice.
        """
        count: int = self._pool.waiting(group.number)
        while not count:
            while group.idle and self._next < len(self._numbers):
                slot, number = next(reversed(group.idle)), self._numbers[self._next]
                self._begin(slot, number)
                del group.idle[slot]
                self._next += 1
            if len(group.idle) == group.last - group.first:  # no games are left
                return 0
            count = self._pool.gather(group.number, group.ended)
            while group.ended:
                slot, number, self._finished[number] = group.ended[-1]
                group.idle[slot] = None
                group.ended.pop()
        return count

    def _begin(self, slot: int, number: int) -> None:
        state = self._state(number)
        board, drawn = opening_of(self._play, self._start, number, state)
        moves = bytes(board.moves[len(self._start.moves) :])
        self._pool.start(slot, number, board.own, board.mask, *state, moves, drawn)

    def _state(self, number: int) -> tuple[int, int]:
        return generator_state(np.random.SeedSequence(self._seed, spawn_key=(number,)))

    def __repr__(self) -> str:
        playing = sum(group.last - group.first - len(group.idle) for group in self._groups)
        return f"<c4mcts.selfplay.Pool, {self._next - playing:,} of {counted(len(self._numbers), 'game')} finished>"


def _game_numbers(games: object) -> Sequence[int]:
    if not isinstance(games, Sequence | np.ndarray):
        return range(between("games", games, 1, MAX_JOBS))
    requirement = "an integer, or a sequence of different ones"
    numbers = [between("games", number, 0, LAST_GAME) for number in members("games", games, requirement, MAX_JOBS)]
    if len(numbers) > MAX_JOBS or len(set(numbers)) < len(numbers):
        raise ValueError(must_be("games", requirement, games))
    return numbers


def games_of(pool: Pool, evaluator: Evaluator, check: Callable[[], object] = nothing) -> Iterator[tuple[int, bytes]]:
    """Play the games of a pool with an evaluator, and yield number and record of each as it ends, as `Pool.ended` does.
    check: called for each batch.

    With `evaluator.submit` and several groups the next batch is gathered while the evaluator works on one.
    """
    submit = getattr(evaluator, "submit", None) if pool.groups > 1 else None
    groups = 1 if submit is None else pool.groups
    waiting: deque[Callable[[], Any]] = deque()  # calls for the answers, one for each batch that waits
    while True:
        check()
        batch = pool.gather() if len(waiting) < groups else None
        yield from pool.ended()
        if batch is not None:
            leaves = batch.planes, batch.legal
            waiting.append(partial(evaluator, *leaves) if submit is None else submit(*leaves).result)
        if batch is None or len(waiting) == groups:
            if not waiting:
                return
            pool.complete(*pair_of(waiting.popleft()()))


@dataclass(frozen=True, slots=True, eq=False)
class Searches(Searched):
    """Results of the searches of n positions; `column` is the move that an Engine would choose."""

    searched: npt.NDArray[np.void]  # (n,): its fields are the arrays of Searched


@with_hints
def search_many(
    boards: Any,
    evaluator: Evaluator,
    params: SearchParams | None = None,
    *,
    simulations: int,
    concurrent: int | None = None,
    rules: Rules | None = None,
    seed: int | None = 0,
    backend: BackendName = "auto",
) -> Searches:
    """Search many positions, each with its own tree, and evaluate their leaves together.

    boards, rules: as for solve_many, but no finished games. evaluator: as for Engine; it always gets the same number of
    positions at once, and its arrays are used again for the next batch. concurrent: how many searches run at the same
    time; by default 256, or as many as the evaluator wants, in two groups if it has `submit`. params: as for Pool,
    by default the preset "alphazero" without noise. simulations: for each position, fewer where the outcome is proven.

    seed: search i equals one of an Engine with the i-th child of its SeedSequence and `batch_size=1`, for an evaluator
    whose answer for a position does not depend on the others in the batch.

    Raises ValueError for the pure backend, and what the evaluator raises.
    """
    load_native(backend, "search_many", "search each position with an Engine")
    params = SearchParams.preset("alphazero", root_noise=None) if params is None else search_params(params)
    positions = checked_positions(boards, rules)
    suitable_evaluator(evaluator, params, threads=1, rules=positions.rules)
    nodes = 1 + positions.rules.width * positive("simulations", simulations)
    batches = BatchParams(concurrent=concurrent)
    evaluator = fixed(evaluator, batches)
    batches = fitted(batches, evaluator, MAX_ROWS, nodes, 256)
    over = np.flatnonzero(positions.are_over())
    if len(over):
        raise ValueError(f"boards[{over[0]}]: the game is over")
    results = np.zeros(len(positions), searched_type(positions.rules.width))
    if len(positions):
        batches = with_memory_of(evaluator, batches, params, positions.rules)
        pool = _SearchPool(positions, params, simulations=simulations, batches=batches, seed=seed)
        for number, data in games_of(pool, evaluator):
            results[number] = GameRecord.from_bytes(data, positions.rules.width).searched[0]
    return Searches(results)


class _SearchPool(Pool):
    """Searches of many positions: each begins a game, in which the player to move resigns after the first search."""

    def __init__(self, positions: Positions, params: SearchParams, **options: Any) -> None:
        play = PlayParams(temperature_plies=0, resign_value=1, resign_moves=1, never_resign=0, after_proof="stop")
        super().__init__(params, games=len(positions), start=Board(positions.rules), play=play, **options)
        self._positions = positions

    def _begin(self, slot: int, number: int) -> None:
        own, mask = int(self._positions.own[number]), int(self._positions.mask[number])
        self._pool.start(slot, number, own, mask, *self._state(number), b"", 0)

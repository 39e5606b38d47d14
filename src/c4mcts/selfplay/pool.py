"""Pool and search_many: many games, or many searches, at the same time, whose leaves are evaluated in one batch."""

import threading
from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._backend import BackendName, load_native, thread_count
from .._validation import between, members, refused
from ..board.board import Board
from ..board.positions import AnyBoard, unfinished
from ..executors.background import MAX_JOBS
from ..rules import Rules
from ..search.evaluation import Evaluator, suitable_evaluator
from ..search.params import SearchParams, search_params
from ..seeds import generator_state, root_seed
from ..solver.bulk import given_positions
from ..solver.positions import Positions
from .batches import Batch, BatchParams, Group, batch_params, checked_answer, groups_of, single_precision
from .play_params import PlayParams, check_openings, opening_of, play_params, play_settings
from .records import SEARCHED, Ending, GameRecord, position_type

LAST_GAME = 2**31 - 1  # the highest number of a game


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
    influence on it: games are the same for any number of games at once, of groups and of threads.
    At each position an Engine with that child as its seed grows the same tree, for an evaluator whose answer for a
    position does not depend on the others in the batch.

    Calls run without the GIL. A pool serves one call at a time: a second one in the meantime raises RuntimeError.

    Raises TypeError or ValueError naming the argument, GameOverError, MemoryError; ValueError for the pure backend,
    which has no pools.
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
        self._play = play_params(play)
        options = play_settings(params, self._play, simulations)
        self._batches = batches = batch_params(batches)
        self._numbers = _game_numbers(games)
        self._start = Board() if start is None else unfinished(start, "start")
        check_openings(self._play, self._start)
        self._seed = root_seed(seed)
        settings = params.settings._replace(batch_size=batches.leaves_per_tree)
        rules = self._start.rules
        shape = (rules.height, rules.width, 1) if settings.signed_planes else (2, rules.height, rules.width)
        self._groups = groups_of(batches, shape, rules.width, native)
        self._pool = native.gamepool.GamePool(
            rules,
            settings,
            options,
            [group.arrays for group in self._groups],
            thread_count(batches.threads, native),
            batches.cache,
        )
        self._position = position_type(rules.width)
        self._next = 0  # index of the next number of a game
        self._turn = 0  # the group whose turn it is
        self._waiting: deque[Group] = deque()  # those whose batches wait, the oldest first
        self._finished: dict[int, GameRecord] = {}  # by number
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
        with self._alone():
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
        that of the batch, padding included, whose answers are ignored. Arrays of float32 are read in place, others are
        converted; they may be read-only, and views with any strides.

        Raises TypeError or ValueError naming the row and the value of the first wrong answer, ValueError if no batch
        waits. Nothing has changed then: the same batch still waits.
        """
        with self._alone():
            if not self._waiting:
                raise ValueError("complete needs a batch that waits: call gather first")
            group = self._waiting[0]
            n, width = group.batch.legal.shape
            checked_priors = checked_answer("priors", priors, (n, width))
            checked_values = checked_answer("values", values, (n,))
            if self._pool.waiting(group.number):  # else a call was interrupted between these two lines
                self._pool.complete(group.number, checked_priors, checked_values)
            self._waiting.popleft()

    def finished(self) -> list[tuple[int, GameRecord]]:
        """Number and record of each game that has ended since the last call; games end in `gather`, even the last."""
        with self._alone():
            finished, self._finished = self._finished, {}
            return list(finished.items())

    def clear_cache(self) -> None:
        """Forget the answers that are kept: call it when the evaluator has changed, for instance its weights."""
        with self._alone():
            self._pool.clear_cache()

    def _fill(self, group: Group) -> int:
        """Fill the batch of a group; returns how many leaves it has, 0 if no games are left.

        Ctrl-C may come between any two steps; what is repeated then does nothing, or plays a game twice.
        """
        count: int = self._pool.waiting(group.number)
        while not count:
            self._start_games(group)
            if group.is_idle():
                return 0
            count = self._pool.gather(group.number, group.ended)
            while group.ended:
                slot, number, winner, ending, drawn, positions = group.ended[-1]
                self._finished[number] = self._record(number, winner, ending, drawn, positions)
                group.idle[slot] = None
                group.ended.pop()
        return count

    def _start_games(self, group: Group) -> None:
        while group.idle and self._next < len(self._numbers):
            slot, number = next(reversed(group.idle)), self._numbers[self._next]
            state = self._state(number)
            board, drawn = opening_of(self._play, self._start, number, state)
            self._pool.start(slot, number, board.own, board.mask, *state, drawn)
            del group.idle[slot]
            self._next += 1

    def _state(self, number: int) -> tuple[int, int]:
        return generator_state(np.random.SeedSequence(self._seed, spawn_key=(number,)))

    def _record(self, number: int, winner: int, ending: int, drawn: bytes, positions: bytes) -> GameRecord:
        """The record of a game. drawn: the moves of its opening from the raw policy. positions: as bytes."""
        opening = [*drawn]
        if self._play.has_openings:
            board, _ = opening_of(self._play, self._start, number, self._state(number))
            opening = [*board.moves[len(self._start.moves) :], *drawn]
        rows = np.frombuffer(positions, self._position)
        arrays = {name: rows[name].astype(kind) for name, (kind, _) in SEARCHED.items() if name != "weight"}
        weight = np.where(rows["is_full"], 1, self._play.fast_weight).astype(np.float32)
        columns = [*opening, *rows["column"].tolist()]
        return GameRecord(
            columns, len(opening), None if winner < 0 else winner, Ending(ending), **arrays, weight=weight
        )

    def _alone(self) -> threading.Lock:
        """The lock to hold during a call. RuntimeError if it is held."""
        if self._lock.locked():
            raise RuntimeError("this pool is at work in another thread: use one pool per thread")
        return self._lock

    def __repr__(self) -> str:
        playing = sum(group.last - group.first - len(group.idle) for group in self._groups)
        return f"<c4mcts.selfplay.Pool, {self._next - playing:,} of {len(self._numbers):,} games finished>"


def _game_numbers(games: object) -> Sequence[int]:
    """The numbers of the games. TypeError, ValueError."""
    if not isinstance(games, Sequence | np.ndarray):
        return range(between("games", games, 1, MAX_JOBS))
    wanted = "an integer, or a sequence of different ones"
    numbers = [between("games", number, 0, LAST_GAME) for number in members("games", games, wanted, MAX_JOBS)]
    if len(numbers) > MAX_JOBS or len(set(numbers)) < len(numbers):
        raise ValueError(refused("games", wanted, games))
    return numbers


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
    """Search many positions, each with its own tree, and evaluate their leaves together.

    boards, rules: as for solve_many, but no finished games. evaluator: as for Engine; it always gets `concurrent`
    positions at once, those of as many searches, and its arrays are used again for the next batch. params: as for Pool,
    by default the preset "alphazero" without noise. simulations: for each position, fewer where the outcome is proven.

    seed: search i is that of an Engine with the i-th child of its SeedSequence and `batch_size=1`, for an evaluator
    whose answer for a position does not depend on the others in the batch.

    Raises TypeError or ValueError naming the argument, ValueError for the pure backend, and what the evaluator raises.
    """
    native = load_native(backend, "search_many", "search each position with an Engine")
    params = SearchParams.preset("alphazero", root_noise=None) if params is None else search_params(params)
    options = play_settings(params, PlayParams(temperature=0.0, temperature_plies=0), simulations)
    batches = BatchParams(concurrent=concurrent)
    suitable_evaluator(evaluator, params, threads=1)
    positions = given_positions(boards, rules)
    over = np.flatnonzero(positions.are_over())
    if len(over):
        raise ValueError(f"boards[{over[0]}]: the game is over")
    rules = positions.rules
    settings = params.settings._replace(batch_size=1)
    shape = (rules.height, rules.width, 1) if settings.signed_planes else (2, rules.height, rules.width)
    (batch,) = groups_of(batches, shape, rules.width, native)
    pool = native.gamepool.GamePool(rules, settings, options, [batch.arrays], 1, 0)
    return _searches(_records(pool, batch, positions, evaluator, root_seed(seed)))


def _records(pool: Any, batch: Group, positions: Positions, evaluator: Evaluator, seed: int) -> npt.NDArray[np.void]:
    """What the searches of all positions have found. pool: a GamePool with a slot for each row of the batch."""
    slots = len(batch.rows)
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
        count = pool.gather(0, [])
        # A slot plays on after its search, as games do. What it does then, for one batch or until the end, is dropped.
        records = {slot: pool.game(slot).positions() for slot in busy}
        idle = [slot for slot, data in records.items() if data]
        for slot in idle:
            found[busy.pop(slot)] = np.frombuffer(records[slot], found.dtype, 1)[0]
        if count:
            priors, values = single_precision(evaluator(batch.planes, batch.legal), slots)
            checked_priors = checked_answer("priors", priors, batch.legal.shape)
            pool.complete(0, checked_priors, checked_answer("values", values, (slots,)))


def _searches(found: npt.NDArray[Any]) -> Searches:
    """The fields of the records, without gaps between them."""
    fields = {name: np.ascontiguousarray(found[name]) for name in Searches._fields}
    return Searches(**{**fields, "column": fields["column"].astype(np.int8)})

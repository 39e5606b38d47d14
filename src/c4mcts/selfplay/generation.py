"""Plays the games of self-play, continues those of a folder, and writes them."""

from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Unpack

from .._backend import backend, thread_count
from .._backend import load as load_backend
from .._files import StrPath, path_of
from .._validation import an_instance, check_keywords
from ..board.board import Board
from ..board.positions import AnyBoard, unfinished
from ..errors import CheckpointError
from ..executors.background import an_executor, job_count
from ..executors.jobs import JobOptions, JobSet, completed
from ..executors.store import Facts, Store, facts_of, require_equal
from ..search.evaluation import Evaluator, suitable_evaluator, weights_of
from ..search.limits import LimitOptions, Limits
from ..search.params import SearchParams, UctParams, search_params
from . import folder
from .batches import CONCURRENT, BatchParams
from .dataset import SelfPlay, load
from .folder import KIND
from .game_tasks import Games
from .play_params import PlayParams, check_openings, play_settings
from .records import GameRecord
from .rows import Rows, rows_of

CONCURRENT_IN_A_JOB = 64  # games that a job of an executor plays at the same time, by default


class GenerateOptions(LimitOptions, JobOptions, total=False):
    """The limits of each search, and how the games are distributed."""


def generate(
    games: int,
    params: SearchParams | None = None,
    *,
    start: AnyBoard | None = None,
    play: PlayParams | None = None,
    evaluator: Evaluator | None = None,
    batches: BatchParams | None = None,
    out: StrPath | None = None,
    **options: Unpack[GenerateOptions],
) -> SelfPlay:
    """Let an engine play games against itself, and record every position that it searches.

    params: by default the preset "strong". start: by default the empty 7 x 6 board. play: openings, moves that are
    drawn, fast searches, resignation, and what a proof ends; see PlayParams. Fast searches and openings from the policy
    need an evaluator.

    simulations, nodes, seconds: the limits of the search for each move, as for Engine.search; seconds make games
    irreproducible. With an evaluator simulations alone.

    evaluator: as for Engine, but for the games of a Pool, which says which parameters it takes. Its arrays are reused
    for the next batch: copy what you keep. One with a method `submit` works while the next batch is gathered. batches:
    how many games are played at the same time, and so how many positions the evaluator gets at once; see BatchParams.

    seed: game i gets the i-th child of its SeedSequence, so that games don't depend on the executor; drawn at random if
    None. executor, progress: as for experiments (https://github.com/c4mcts/c4mcts/blob/main/docs/guide/study.md). With
    an evaluator the default is one thread, which plays all games; in an executor each job is a separate pool with up to
    eight games per slot, and processes get a pickled copy of the evaluator. The pure backend has no pools: each game
    then has an Engine, without fast searches and openings from the policy.

    out: a folder for `load`. It keeps each game as soon as it has ended: after Ctrl-C, a crash or kill -9 the same call
    continues from there. A folder that has some of the games already, made by the same arguments, gets the others; one
    that has them all is read instead of playing again. Games of other arguments are refused, and those of a network
    with other weights, if the evaluator has a `fingerprint`.

    Raises TypeError or ValueError naming the argument, CheckpointError, GameOverError, SaveError, OSError.
    """
    check_keywords(generate, options, GenerateOptions)
    games, executor = job_count("games", games), an_executor(options.get("executor"))
    params = UctParams() if params is None else search_params(params)
    board = Board() if start is None else unfinished(start, "start")
    suitable_evaluator(evaluator, params, threads=1)
    limits = Limits(**{name: options.get(name) for name in LimitOptions.__annotations__})  # type: ignore[arg-type]
    play = PlayParams() if play is None else an_instance("play", play, PlayParams, "a PlayParams")
    check_openings(play, board)
    if evaluator is not None:
        batches = BatchParams() if batches is None else an_instance("batches", batches, BatchParams, "a BatchParams")
        _check_for_pools(params, play, limits, batches)
        usual = CONCURRENT if executor is None else CONCURRENT_IN_A_JOB
        batches = _fitted(batches, usual, games, hasattr(evaluator, "submit"))
        params = params.changed(batch_size=batches.leaves_per_tree)
    elif batches is not None:
        raise ValueError("batches needs an evaluator: without one each game has its own engine")
    if evaluator is None or backend() == "pure":
        _check_without_pools(play, "an evaluator" if evaluator is None else "the native backend")
        batches = None
    arguments = {
        "board": board.to_fen(),
        "params": params.to_dict(),
        "play": asdict(play),
        "limits": asdict(limits),
        "evaluator": None if evaluator is None else _name(evaluator),
        "weights": None if evaluator is None else weights_of(evaluator),
    }
    task = Games(params, board, play, limits, evaluator, batches)
    run, progress = partial(task.run, executor), options.get("progress", False)

    def played(numbers: range, store: Store) -> Rows:
        records = completed(store, JobSet(KIND, arguments), run, numbers, progress)
        return rows_of([GameRecord.from_bytes(each, board.rules.width) for each in records], board, numbers.start)

    target = None if out is None else Path(path_of("out", out))
    return _continued(games, arguments, options.get("seed"), target, played)


def _continued(
    games: int, arguments: Facts, seed: int | None, out: Path | None, play: Callable[[range, Store], Rows]
) -> SelfPlay:
    """The games of a folder and those that it still lacks, which are added to it; without a folder all games.

    play: plays the games of these numbers, except for those in the store.
    """
    facts = facts_of(KIND, arguments)
    if out is None:
        with Store(None, KIND, arguments, seed) as store:
            return SelfPlay(({**facts, "seed": store.seed, "games": games},), (play(range(games), store),))
    known = folder.sources_in(out)
    data = _begun(out, facts, games, seed) if known else None
    if data is not None and data.games == games and not folder.is_unfinished(out):
        return data  # only read: the folder may be where nothing can be written
    store = Store(out / folder.UNFINISHED, KIND, arguments, seed if data is None else data.seed)
    folder.begin(out)
    with store:
        if folder.sources_in(out) != known:
            raise CheckpointError(f"the folder {out} is in use, by another process or call")
        if data is None or data.games < games:
            old, done = ((), 0) if data is None else (data.shards, data.games)
            new = play(range(done, games), store)
            data = SelfPlay(({**facts, "seed": store.seed, "games": games},), (*old, new))
            folder.write(out, data.sources, data.rows())
        folder.sweep(out)
        store.remove()
    return data


def _begun(path: Path, facts: Facts, games: int, seed: int | None) -> SelfPlay:
    """The games in a folder. CheckpointError if other arguments made them, or there are too many."""
    data = load(path)
    if len(data.sources) > 1:
        raise CheckpointError(
            f"the folder {path} holds games joined from {len(data.sources)} calls, which can't be continued"
        )
    wanted = {**facts, "seed": data.seed if seed is None else seed, "games": min(games, data.games)}
    require_equal(data.about, wanted, f"the folder {path} holds other games")
    return data


def _check_for_pools(params: SearchParams, play: PlayParams, limits: Limits, batches: BatchParams) -> None:
    """TypeError or ValueError for arguments that don't suit games with an evaluator."""
    for name in ("seconds", "nodes"):
        if getattr(limits, name) is not None:
            raise ValueError(f"{name} does not go with an evaluator, which needs simulations= alone")
    if batches.buffers is not None:
        raise ValueError("buffers are for your own Pool: generate makes its pools itself")
    play_settings(params, play, limits.simulations)
    thread_count(batches.threads, load_backend("auto"))


def _check_without_pools(play: PlayParams, needed: str) -> None:
    """ValueError for what only a pool can do."""
    if play.fast_simulations is not None:
        raise ValueError(f"fast_simulations needs {needed}: without a pool all searches have the same limits")
    if play.opening_moves == "policy":
        raise ValueError(f"opening_moves='policy' needs {needed}: only a pool draws moves from a raw policy")


def _fitted(batches: BatchParams, usual: int, games: int, is_asynchronous: bool) -> BatchParams:
    """The batches of each pool, for this number of games; two groups for an asynchronous evaluator. ValueError."""
    slots, groups = batches.slots(usual), batches.groups
    if groups == 1 and is_asynchronous and min(slots, games) % 2 == 0:
        groups = 2
    needed = -(-games // groups) * groups  # no more slots than games, in equal groups
    return replace(batches, concurrent=min(slots, needed), groups=groups)


def _name(evaluator: Evaluator) -> str:
    """The full name of a function, or of the class of an object."""
    named = evaluator if hasattr(evaluator, "__qualname__") else type(evaluator)
    return f"{named.__module__}.{named.__qualname__}"

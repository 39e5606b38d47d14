"""Pools of games whose batches get hostile answers: one clear error, or the games that were to be expected."""

import gc
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import numpy as np
from evaluators import fingerprint
from pools import new_pool

from c4mcts import Board, PuctParams, Rules
from c4mcts.search.params import PuctNodeParams
from c4mcts.selfplay import Pool

from .files import one_line
from .target import Target
from .values import VALUES

PUCT = PuctParams.preset("alphazero")
OPTIONS: list[dict[str, Any]] = [
    {},
    {"params": PuctNodeParams(max_nodes=30), "concurrent": 4, "groups": 2},
    {"params": PUCT.changed(tie_break="random"), "leaves_per_tree": 4, "pad": False},
    {"start": Board.from_moves([1, 1], Rules(9, 8, 3)), "simulations": 6},
]
Change = Callable[[Any, Random], Any]


def placed(number: float) -> Change:
    """A function that puts a number into a random place, which may be one that does not matter."""

    def change(array: Any, chance: Random) -> Any:
        copy = array.copy()
        copy.flat[chance.randrange(copy.size)] = number
        return copy

    return change


def unaligned(array: Any, _: Random) -> Any:
    memory = np.frombuffer(b"\0" + array.tobytes(), np.uint8)
    return memory[1:].view(np.float32).reshape(array.shape)


def strided(array: Any, _: Random) -> Any:
    wide = np.full([3 * side for side in array.shape], np.nan, np.float32)
    part = wide[tuple(slice(None, None, -3) for _ in array.shape)]
    part[...] = array
    return part


def read_only(array: Any, _: Random) -> Any:
    array.flags.writeable = False
    return array


class Alive(np.ndarray):
    """A subclass whose operators lie."""

    def __array_finalize__(self, _: Any) -> None:
        gc.collect(0)

    def __eq__(self, _: object) -> Any:
        return True

    __hash__ = None


SAME: dict[str, Change] = {  # numbers that are the same, in other memory
    "unaligned": unaligned,
    "strided": strided,
    "read-only": read_only,
    "columns first": lambda array, _: np.asfortranarray(array),
    "a subclass": lambda array, _: array.view(Alive),
    "masked": lambda array, _: np.ma.masked_array(array, array > 0),
    "of bytes": lambda array, _: np.frombuffer(bytearray(array.tobytes()), np.float32).reshape(array.shape),
}
OTHER: dict[str, Change] = {
    **{str(number): placed(number) for number in (np.nan, np.inf, -np.inf, -0.5, -1e-45, 1e38, 7.0)},
    "another order of bytes": lambda array, _: array.astype(">f4"),
    "doubles": lambda array, _: array.astype(np.float64),
    "halves": lambda array, _: array.astype(np.float16),
    "integers": lambda array, _: array.view(np.int32),
    "structured": lambda array, _: array.view([("x", np.float32)]),
    "objects": lambda array, _: array.astype(object),
    "one row less": lambda array, _: array[:-1],
    "one row more": lambda array, _: np.concatenate([array, array[:1]]),
    "no rows": lambda array, _: array[:0],
    "turned": lambda array, _: array.T[..., None],
    "one number": lambda array, _: np.broadcast_to(array.flat[0], array.shape),
    "one number for a vast array": lambda array, _: np.broadcast_to(array.flat[0], (2**20, 2**20)),
    "a list": lambda array, _: array.tolist(),
    "a memoryview": lambda array, _: memoryview(array),
    **{name: lambda array, _, value=value: value() for name, value in VALUES.items()},
}


def make(chance: Random) -> list[Any]:
    """[index of the options, threads, seed, changes of priors, of values]; a change a batch, over and over."""
    changes = [*SAME, *SAME, *OTHER, "none", "none", "none"]
    return [
        chance.randrange(len(OPTIONS)),
        chance.choice([1, 3]),
        chance.randrange(2**30),
        *([chance.choice(changes) for _ in range(chance.randint(1, 9))] for _ in range(2)),
    ]


def pool_of(index: int, threads: int) -> Pool:
    options = {"params": PUCT, "start": Board(Rules(5, 4)), "simulations": 9, "concurrent": 2, **OPTIONS[index]}
    return new_pool(games=3, seed=7, threads=threads, **options)


def right(batch: Any) -> list[Any]:
    """Exact answers."""
    return [part.astype(np.float32) for part in fingerprint(batch.planes, batch.legal)]


@cache
def expected(index: int) -> dict[int, bytes]:
    """The games when nobody does harm."""
    pool = pool_of(index, 1)
    while (batch := pool.gather()) is not None:
        pool.complete(*right(batch))
    return {number: record.to_bytes() for number, record in pool.finished()}


def check(case: list[Any]) -> None:
    """What was refused changes nothing; the games of right answers are the same in any kind of memory."""
    index, threads, seed, *changes = case
    chance, steps, spoilt = Random(seed), 0, False
    pool = pool_of(index, threads)
    while (batch := pool.gather()) is not None:
        names = [each[steps % len(each)] for each in changes]
        answer = [changed(name, array, chance) for name, array in zip(names, right(batch), strict=True)]
        steps += 1
        try:
            pool.complete(*answer)
            spoilt = spoilt or any(name in OTHER for name in names)
        except (TypeError, ValueError) as error:
            one_line(error)
            if all(name in SAME or name == "none" for name in names) or len(pool.waiting) != 1:
                raise
            pool.complete(*right(batch))
    found = {number: record.to_bytes() for number, record in pool.finished()}
    assert found == expected(index) if not spoilt else found.keys() == expected(index).keys()


def changed(name: str, array: Any, chance: Random) -> Any:
    change = SAME.get(name) or OTHER.get(name)
    return array if change is None else change(array, chance)


TARGETS = {"pool": Target(make, check, 20)}

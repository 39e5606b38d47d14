"""Seeds: turns the argument `seed=` into the state of the search's random number generator."""

import secrets
from typing import TypeAlias

import numpy as np

from ._validation import must_be, whole_number

SIGNATURE = "3a2ae4dd9ee6ec50"  # printed by `c4mcts info --signature`; it changes if the results of any seed change

Seed: TypeAlias = "int | np.random.SeedSequence | np.random.Generator | None"


def generator_state(seed: Seed) -> tuple[int, int]:
    """The state of the search's generator: two 64-bit integers, not both zero.

    None: fresh entropy. int (at least 0) or SeedSequence: always the same state. Generator: a state drawn from it.
    """
    if isinstance(seed, np.random.Generator):
        a, b = seed.integers(0, 2**64, size=2, dtype=np.uint64).tolist()
    else:
        a, b = sequence(seed).generate_state(2, np.uint64).tolist()
    return (a, b) if a or b else (0, 1)


def sequence(seed: object) -> np.random.SeedSequence:
    """A SeedSequence from an int, from fresh entropy for None, or a copy without children. TypeError, ValueError."""
    if isinstance(seed, np.random.SeedSequence):
        return np.random.SeedSequence(seed.entropy, spawn_key=seed.spawn_key, pool_size=seed.pool_size)
    if type(seed) is bool or not isinstance(seed, int | np.integer | None):
        raise TypeError(must_be("seed", "None, an int, a SeedSequence or a Generator", seed))
    return np.random.SeedSequence(None if seed is None else root_seed(seed))


def root_seed(seed: object) -> int:
    """The seed of many jobs as an int, which results can show; drawn at random for None. TypeError, ValueError."""
    if seed is None:
        return secrets.randbits(32)  # short enough for the title of a plot
    number = whole_number("seed", seed)
    if number < 0:
        raise ValueError(must_be("seed", "at least 0", number))
    return number

"""Seeds: what users pass as `seed=` becomes the state of the engines' generator."""

import secrets

import numpy as np

from ._validation import refused, whole_number

SIGNATURE = "7941a1abee4dfa95"  # what `c4mcts signature` prints: it changes with what any seed leads to

Seed = int | np.random.SeedSequence | np.random.Generator | None


def generator_state(seed: Seed) -> tuple[int, int]:
    """Two 64-bit words, not both zero, for the generator of the engines.

    None: fresh entropy. int (at least 0) or SeedSequence: always the same words. Generator: two words drawn from it.
    Raises TypeError or ValueError naming the value.
    """
    if isinstance(seed, np.random.Generator):
        a, b = (int(word) for word in seed.integers(0, 2**64, size=2, dtype=np.uint64))
    else:
        a, b = (int(word) for word in sequence(seed).generate_state(2, np.uint64))
    return (a, b) if a or b else (0, 1)


def sequence(seed: object) -> np.random.SeedSequence:
    """The SeedSequence of an int, or of chance for None; or what is one already. TypeError, ValueError."""
    if isinstance(seed, np.random.SeedSequence):
        return seed
    if type(seed) is bool or not isinstance(seed, int | np.integer | None):
        raise TypeError(refused("seed", "None, an int, a SeedSequence or a Generator", seed))
    return np.random.SeedSequence(None if seed is None else root_seed(seed))


def root_seed(seed: object) -> int:
    """The seed of many jobs: an int that can be written down, drawn by chance for None. TypeError, ValueError."""
    if seed is None:
        return secrets.randbits(32)  # short enough for a title
    number = whole_number("seed", seed)
    if number < 0:
        raise ValueError(refused("seed", "at least 0", number))
    return number

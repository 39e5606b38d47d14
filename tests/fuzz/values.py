"""Hostile values, as JSON that stands for them, and random changes of JSON."""

import itertools
import math
from random import Random

import numpy as np

SCALARS = {"numpy " + np.dtype(code).name: np.ones((), code)[()] for code in "?bBhHiIlLqQefdgFDGSUOV"}
SCALARS["numpy datetime64"], SCALARS["numpy timedelta64"] = np.datetime64("2026-01-01"), np.timedelta64(1, "s")
VALUES = {
    "None": lambda: None,
    "True": lambda: True,
    "nan": lambda: math.nan,
    "inf": lambda: math.inf,
    "minus inf": lambda: -math.inf,
    "huge": lambda: 10**5000,
    "minus huge": lambda: -(10**5000),
    "2**31": lambda: 2**31,
    "2**32": lambda: 2**32,
    "2**63": lambda: 2**63,
    "2**64": lambda: 2**64,
    "-1": lambda: -1,
    "0": lambda: 0,
    "1": lambda: 1,
    "1.5": lambda: 1.5,
    "denormal": lambda: 5e-324,
    "-0.0": lambda: -0.0,
    "empty": lambda: "",
    "word": lambda: "strong",
    "columns": lambda: "columns",
    "long": lambda: "x" * 10**5,
    "surrogate": lambda: "\ud800",
    "nul": lambda: "a\0b",
    "bytes": lambda: b"44",
    "list": lambda: [1, 2],
    "nested": lambda: [[[]]],
    "tuple": lambda: (0, 0.5, 1),
    "dict": lambda: {"a": 1},
    "set": lambda: {1},
    "range": lambda: range(10**12),
    "endless": lambda: itertools.repeat(1),
    "generator": lambda: (i for i in range(3)),
    "function": lambda: lambda *_: 3,
    "type": lambda: int,
    "object": object,
    "array": lambda: np.arange(6),
    "array of objects": lambda: np.array([None, "x"], dtype=object),
    "array without dimensions": lambda: np.array(3),
    "vast array": lambda: np.broadcast_to(np.int8(1), (2**20, 2**20)),
    "memoryview": lambda: memoryview(b"123"),
    **{name: (lambda scalar=scalar: scalar) for name, scalar in SCALARS.items()},
}


def mutated_text(text: str, chance: Random) -> str:
    """A few characters inserted, deleted, doubled or replaced."""
    letters = list(text)
    for _ in range(chance.randint(0, 3)):
        place = chance.randrange(len(letters) + 1)
        letter = chance.choice("0123456789xoXO/- .,;abz\n\t\0é\uff14\u2013" + text)
        letters[place : place + chance.choice([0, 1, 2])] = [letter] * chance.choice([0, 1, 1, 1, 2, 30])
    return "".join(letters)

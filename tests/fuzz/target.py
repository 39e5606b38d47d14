"""What is attacked: random cases, and the check that each of them must pass."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

Case = Any  # bytes, or JSON types
# Sanitizers reserve terabytes, so addresses can't be limited.
SANITIZED = "ASAN_OPTIONS" in os.environ or "TSAN_OPTIONS" in os.environ


class Target(NamedTuple):
    """make: a random case. check: raises if it does harm. quick: cases that the tests try, in about a second."""

    make: Callable[[Random], Case]
    check: Callable[[Case], object]
    quick: int

    def case(self, seed: int, number: int) -> Case:
        """The case with this number, the same whenever it is made."""
        return self.make(Random(f"{seed}/{number}"))


def write(folder: Path, name: str, case: Case) -> Path:
    """Keep a case as a file named after its target, as binary or JSON."""
    binary = isinstance(case, bytes)
    number = 1
    while list(folder.glob(f"{name}-{number}.*")):
        number += 1
    path = folder / f"{name}-{number}{'.bin' if binary else '.json'}"
    if binary:
        path.write_bytes(case)
    else:
        path.write_text(json.dumps(case) + "\n", encoding="utf-8")
    return path


def read(path: Path) -> tuple[str, Case]:
    """The name of the target, and the case."""
    name = path.stem.rpartition("-")[0]
    return name, path.read_bytes() if path.suffix == ".bin" else json.loads(path.read_text(encoding="utf-8"))

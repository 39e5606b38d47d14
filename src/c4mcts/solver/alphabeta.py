"""Solvers of the backends, which search by alpha-beta, and the sizes of their tables."""

from typing import Any

from .._backend import Backend
from ..rules import Rules

POLL_EVERY = {"native": 1 << 12, "pure": 1 << 8}  # at most so many nodes between two calls of `poll`: about 1 ms, 15 ms
INFINITY = 1 << 12  # larger than every score


def new_solver(backend: Backend, rules: Rules, table_bits: int, threads: int = 1) -> Any:
    """A solver of a backend. table_bits: logarithm of the bytes of its table (native). threads: see solve."""
    return backend.solver.AlphaBetaSolver(rules, table_bits, POLL_EVERY[backend.name], threads)


def table_bits(empty: int) -> int:
    """Logarithm of the bytes of the table for so many empty cells.

    Measured: larger tables save few nodes and lose more in cache misses.
    """
    for max_empty, bits in ((24, 16), (30, 20), (34, 22), (36, 24), (38, 26)):
        if empty <= max_empty:
            return bits
    return 28

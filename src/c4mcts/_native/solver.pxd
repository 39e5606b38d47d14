"""Exact scores by alpha-beta: null windows, forced moves played out, bounds, a transposition table."""

from libc.stdint cimport uint64_t

from .bitboard cimport MAX_SIDE, Geometry
from .table cimport Table


cdef struct Task:
    # A search under way: its rules, its memory and its limits.
    Geometry geometry
    Table table
    int centre[64]          # for the bit of each cell: how near it is to the middle, columns counting twice
    int best                # score of the best move so far, and its column, while search_moves looks for them
    int column
    uint64_t nodes          # searched so far
    uint64_t budget         # nodes after which to stop
    uint64_t pause          # nodes after which to look up from the work
    uint64_t stride         # nodes from one look to the next
    void* solver            # the Solver, whose `poll` is called then
    bint stopped


cdef class Solver:
    # Solves positions of one rule set, with one table.
    cdef Task task
    cdef object poll        # true stops the search
    cdef object error       # what poll has raised

"""The searcher: one tree, grown by simulations, and what is done with it between them."""

from cpython.pythread cimport PyThread_type_lock
from libc.stdint cimport uint32_t, uint64_t

from .alphabeta cimport Task
from .bitboard cimport Bits, Geometry, Lines, Standard
from .polling cimport Poll
from .pool cimport LONGEST_PATH, Node, Pool
from .rng cimport Generator
from .selection cimport Settings
from .simulation cimport Quota
from .solver cimport Solver


cdef union Board:
    # One position in the kernel of the geometry.
    Standard standard
    Bits bits
    Lines lines


cdef struct Worker:
    # What a thread has of its own while it grows the tree.
    Generator generator
    Board position                  # the position at the current node
    uint32_t path[LONGEST_PATH]     # nodes from the root to the current one
    Task* task                      # for probes, or NULL
    Task own_task                   # of a thread that is not the caller's; the table is shared
    uint64_t made                   # simulations
    void* searcher
    PyThread_type_lock busy         # held while such a thread is at work: for the caller to wait for
    uint32_t finished               # released after all that the thread has written


cdef class Searcher:
    # One tree, its root position and its workers.
    cdef Geometry geometry
    cdef Settings settings
    cdef Solver solver              # for probes, or None
    cdef Poll poll
    cdef Pool pool
    cdef Board root
    cdef Worker* workers            # the first is the caller's thread
    cdef int threads
    cdef Node[::1] nodes            # the pool's, while the workers are at work
    cdef Quota quota

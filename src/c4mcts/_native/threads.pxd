"""The team: the threads that grow one tree together.

The first is the caller's. The others are C from end to end, started for a stretch of simulations; the interpreter never
hears of them.
"""

from cpython.pythread cimport PyThread_type_lock
from libc.stdint cimport uint32_t, uint64_t

from .alphabeta cimport Task
from .bitboard cimport Bits, Geometry, Lines, Standard
from .poll cimport Poll
from .pool cimport LONGEST_PATH, Node, Pool
from .rng cimport Generator
from .selection cimport Settings
from .simulation cimport Quota


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
    void* team
    PyThread_type_lock busy         # held while such a thread is at work: for the caller to wait for
    uint32_t finished               # released after all that the thread has written


cdef class Team:
    # What it works on belongs to its searcher.
    cdef Pool pool
    cdef Poll poll
    cdef const Settings* settings
    cdef const Geometry* geometry
    cdef const Board* root
    cdef Worker* workers            # the first is the caller's thread
    cdef uint32_t threads
    cdef Node[::1] nodes            # the pool's, during a stretch
    cdef Quota quota


cdef int prepare(Team team, Task* task) except -1
cdef uint64_t make(Team team, uint64_t count, uint64_t enough) except? 0

"""The threads that grow one tree together.

The first is the caller's. The others run only C code and are started for one call of `run_threads`; the interpreter
does not know them.
"""

from libc.stdint cimport uint32_t, uint64_t

from .bitboard cimport AnyPosition
from .launch cimport Launch
from .poll cimport Poll
from .pool cimport Tree
from .prober cimport Prober
from .simulation cimport Quota, Worker


cdef struct Thread:
    # One of the threads, with its private state.
    Worker worker
    uint64_t done                   # simulations that it has run
    void* group                     # the ThreadGroup
    Launch launch                   # of a thread that is not the caller's


cdef class ThreadGroup:
    # The searcher sets `tree`, `root` and `poll`, and keeps them alive.
    cdef Tree tree
    cdef const AnyPosition* root    # the position of the tree's root
    cdef Poll poll
    cdef Thread* threads            # the first is the caller's
    cdef uint32_t size              # number of threads
    cdef Quota quota                # of the current call of run_threads


cdef int prepare(ThreadGroup group, Prober prober) except -1
cdef uint64_t run_threads(ThreadGroup group, uint64_t count, uint64_t max_nodes) except? 0

"""The search's interface to a solver, of either width: bounds of the score of a node's position."""

from libc.stdint cimport uint32_t, uint64_t

from .poll cimport Poll


cdef struct Probe:
    # A question about a node of a tree, for the solver.
    uint64_t own[2]         # discs of the player to move at the node, the low word first
    uint64_t mask[2]        # all discs
    uint32_t node           # its index
    int guaranteed          # see proofs.probe
    uint64_t budget         # solver nodes that the answer may take; 0: no question


cdef struct ProbeTask:
    # What a thread of the search needs to ask the solver.
    void* prober            # the Prober, which other objects keep alive; NULL without probes
    uint32_t thread         # number of the thread
    Probe suspended         # the largest-budget probe interrupted for other threads; resumed by resume_probe


cdef class Prober:
    # A solver that several threads of a search may ask at once. Its subclass is AlphaBetaSolver.
    cdef object rules       # a private copy
    cdef uint32_t threads   # number of threads that may ask
    cdef int begin_probes(self, Poll poll, const uint32_t* others_wait) except -1
    cdef bint answer(self, uint32_t thread, Probe* probe, int* lower, int* upper) noexcept nogil
    cdef void end_probes(self) noexcept

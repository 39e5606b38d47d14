"""The search's interface to a solver, of either width: bounds of the score of a node's position."""


cdef class Prober:

    cdef int begin_probes(self, Poll poll, const uint32_t* others_wait) except -1:
        """Before the probes of one search. poll: can stop them. others_wait: see alphabeta.Task."""
        raise NotImplementedError

    cdef bint answer(self, uint32_t thread, Probe* probe, int* lower, int* upper) noexcept nogil:
        """Find bounds of the score of a position, for its player to move; False if the search is halted.

        The budget of the probe becomes what is left of it if other threads have interrupted it, otherwise 0.
        """
        return False

    cdef void end_probes(self) noexcept:
        """After the probes of one search: count the nodes of all threads."""

"""UCT: select, expand, rollout, backup. One pass is a simulation.

Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (2006); the names of the four steps are those of Browne et
al., "A survey of Monte Carlo tree search methods" (2012), section III.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from .alphabeta cimport Task
from .atomics cimport add32
from .bitboard cimport Geometry, Position
from .pool cimport Node, Pool
from .rng cimport Generator
from .selection cimport Settings

cdef enum:
    TAKEN_AT_ONCE = 16      # simulations that a thread takes from the quota


cdef struct Quota:
    # What the threads that grow a tree are to do together.
    uint64_t count          # simulations
    uint64_t taken          # of them, by threads; more than `count` when none are left
    uint64_t enough         # nodes in the tree that end it
    const uint32_t* halted  # the poll's word


cdef inline uint32_t arrive(Node[::1] nodes, const Settings* settings, uint32_t node) noexcept nogil:
    """Count a visit; returns how many there were before.

    It counts from the moment a simulation comes by. Until the simulation brings its reward back, the visit is a loss
    that has not happened, which sends other threads elsewhere: the virtual loss of Chaslot, Winands and van den Herik,
    "Parallel Monte-Carlo tree search" (2008), section 3.3.
    """
    return add32(&nodes[node].visits, 1, settings.shared)


cdef bint is_cramped(Pool pool, const Settings* settings, const Geometry* geometry) noexcept nogil

cdef uint64_t run(
    Pool pool, Node[::1] nodes, const Settings* settings, const Geometry* geometry, Generator* generator, Task* task,
    const Position* root, Position* position, uint32_t* path, Quota* quota, uint64_t most,
) noexcept nogil

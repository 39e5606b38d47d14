"""UCT: select, expand, rollout, backup. One pass is a simulation.

Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (2006); the four steps are named as in Browne et
al., "A survey of Monte Carlo tree search methods" (2012), section III.
"""

from libc.stdint cimport uint32_t, uint64_t

from .atomics cimport add32
from .bitboard cimport AnyPosition, Position
from .numbers cimport Generator
from .pool cimport LONGEST_PATH, AnySettings, Node, Tree
from .prober cimport ProbeTask
from .settings cimport Settings

cdef enum:
    CHUNK = 16              # simulations that a thread takes from the quota at once


cdef struct Quota:
    # The joint task of the threads that grow a tree.
    uint64_t count          # simulations to run
    uint64_t taken          # the number that threads have taken; more than `count` once none remain
    uint64_t max_nodes      # nodes in the tree at which to stop
    const uint32_t* halted  # Poll.halted


cdef struct Worker:
    # The state of one thread that runs simulations.
    Generator generator
    ProbeTask task                  # for probes
    AnyPosition position            # at the current node
    uint32_t path[LONGEST_PATH]     # indices of the nodes from the root to the current one


cdef inline uint32_t add_visit(Node[::1] nodes, const AnySettings* settings, uint32_t node) noexcept nogil:
    """Count a visit; returns the number before it.

    The visit counts as soon as a simulation passes through the node. Until the simulation adds its reward, the visit
    looks like a loss and makes other threads prefer other nodes: the virtual loss of Chaslot, Winands and van den
    Herik, "Parallel Monte-Carlo tree search" (2008), section 3.3.
    """
    return add32(&nodes[node].visits, 1, settings.shared)


cdef bint needs_memory(Tree tree) noexcept nogil

cdef uint64_t run(
    Tree tree, Worker* worker, const Position* root, Position* position, Quota* quota, uint64_t max_simulations,
) noexcept nogil

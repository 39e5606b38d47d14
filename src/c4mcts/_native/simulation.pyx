"""UCT: select, expand, rollout, backup; simulation.pxd holds the picture."""

from c4mcts import _layout

from .atomics cimport acquire32, add32, add64, read16, read32, release32, replace16, replace32, write16, write32
from .bitboard cimport completes, copy, drop, free_cell, is_open
from .blocks cimport CLAIMED, NO_CHILDREN, Entry, claim, grant, must_widen
from .pool cimport take
from .proofs cimport (
    DISTANCE_MASK, DRAW, DRAWN, LOSS, UNKNOWN, WIN, WON,
    foresee, is_proven, lower_of, mark, probe, settle, take_up, upper_of,
)
from .rollout cimport careful_rollout, rollout
from .selection cimport draw, select
from .threats cimport update_threats

cdef int RANDOM = _layout.RANDOM
cdef int SAFE = _layout.SAFE
cdef uint32_t ROOT = _layout.ROOT
cdef uint32_t FIRST_PROBE = _layout.FIRST_PROBE
cdef uint64_t PROBE_NODES = _layout.PROBE_NODES
cdef uint64_t NEAR_PROBE_NODES = _layout.NEAR_PROBE_NODES


cdef inline bint expand(
    Pool pool, Node[::1] nodes, const Settings* settings, const Position* position, const Geometry* geometry,
    uint32_t node,
) noexcept nogil:
    """Give a leaf a child for every open column; False if there is none, or no room for them.

    Also if another thread is at it.
    """
    cdef uint32_t size = 0
    cdef uint32_t first
    cdef int column
    for column in range(geometry.width):
        size += is_open(position, geometry, column)
    if size == 0 or not replace32(&nodes[node].children, NO_CHILDREN, CLAIMED, settings.shared):
        return False
    first = block_of(pool, nodes, settings, position, geometry, size)
    if first != NO_CHILDREN:
        nodes[node].size = <uint8_t>size
    release32(&nodes[node].children, first)
    return first != NO_CHILDREN


cdef inline uint32_t block_of(
    Pool pool, Node[::1] nodes, const Settings* settings, const Position* position, const Geometry* geometry,
    uint32_t size,
) noexcept nogil:
    """Index of the first of a position's children, made unless it has some; NO_CHILDREN if there is no room.

    Also if another thread is at it.
    """
    cdef Entry* entry = NULL
    cdef uint32_t first, child
    cdef int column
    if settings.transpositions:
        entry = claim(pool.blocks, position, geometry, size <= pool.capacity - read32(&pool.used))
        if entry == NULL:
            return NO_CHILDREN
        first = acquire32(&entry.first)
        if first != CLAIMED:
            return first
    first = take(pool, size)
    if first != NO_CHILDREN:
        child = first
        for column in range(geometry.width):
            if is_open(position, geometry, column):
                nodes[child] = Node(0, 0, NO_CHILDREN, UNKNOWN, <uint8_t>column, 0)
                child += 1
        if settings.proofs:
            mark(nodes, position, geometry, first, size)
    if entry != NULL:
        grant(pool.blocks, entry, first)
    return first


cdef inline void inspect(
    Node[::1] nodes, const Settings* settings, const Position* position, const Geometry* geometry, uint32_t node,
) noexcept nogil:
    """Mark a node that is reached for the first time if the game is over there, or will be in two plies.

    Without proofs only what the rules say is known: the end of the game.
    """
    if settings.proofs:
        foresee(nodes, position, geometry, node)
    elif position.ply == geometry.cells:
        write16(&nodes[node].proof, DRAWN)


cdef inline bint is_milestone(uint32_t visits) noexcept nogil:
    """Whether a node with so many visits is to be probed: at powers of two."""
    return visits >= FIRST_PROBE and visits & (visits - 1) == 0


cdef inline void reward(Node[::1] nodes, const Settings* settings, uint32_t node, uint32_t amount) noexcept nogil:
    """Add a reward for the player who moved into a node; nothing is not worth the cache line of another processor."""
    if amount or not settings.shared:
        add32(&nodes[node].value_sum, amount, settings.shared)


cdef inline void backup(
    Node[::1] nodes, const Settings* settings, const uint32_t* path, int depth, int result,
) noexcept nogil:
    """Reward every node of the path for a result: 1, 0 or -1 for the player to move at its last node.

    From a node on that gets proven on the way, what is proven takes the place of the result.
    """
    # rewards of the player who moved into the last node, and of the other
    cdef uint32_t mover = 0 if result > 0 else settings.win if result < 0 else settings.draw
    cdef uint32_t other = settings.win if result > 0 else 0 if result < 0 else settings.draw
    cdef bint changed = settings.proofs and read16(&nodes[path[depth]].proof) != UNKNOWN
    cdef uint32_t node
    cdef int outcome
    reward(nodes, settings, path[depth], mover)
    while depth > 0:
        depth -= 1
        node = path[depth]
        mover, other = other, mover
        changed = changed and settle(nodes, node)
        if changed and is_proven(read16(&nodes[node].proof)):
            outcome = lower_of(read16(&nodes[node].proof))
            mover = settings.win if outcome == WIN else settings.draw if outcome == DRAW else 0
            other = settings.win if outcome == LOSS else settings.draw if outcome == DRAW else 0
        reward(nodes, settings, node, mover)


cdef inline void note_win(Pool pool, int column, uint16_t plies) noexcept nogil:
    """Take note of a simulation that the root's player has won through a column, so many plies after the root."""
    cdef uint16_t known = read16(&pool.short_wins[column])
    while known == 0 or plies < known:
        if replace16(&pool.short_wins[column], known, plies, True):
            return
        known = read16(&pool.short_wins[column])


cdef inline void simulate(
    Pool pool, Node[::1] nodes, const Settings* settings, const Geometry* geometry, Generator* generator, Task* task,
    const Position* root, Position* position, uint32_t* path,
) noexcept nogil:
    """One pass from the root to a leaf, to the end of a game, and back."""
    cdef uint32_t node = ROOT
    cdef int depth = 0
    cdef uint32_t first, visits
    cdef int result, floor, plies
    cdef uint64_t cell, budget
    cdef bint fresh
    copy(position, root, geometry)
    path[0] = ROOT
    visits = arrive(nodes, settings, ROOT)
    while not is_proven(read16(&nodes[node].proof)):
        # the first visit of a node is a rollout of its own; it gets children when it is reached again
        if visits == 0 and (node != ROOT or settings.roll_root):
            break
        first = acquire32(&nodes[node].children)
        if (first == NO_CHILDREN or first == CLAIMED) and not expand(pool, nodes, settings, position, geometry, node):
            break
        if settings.proofs:
            settle(nodes, node)
            if is_proven(read16(&nodes[node].proof)):   # by this thread or by another
                break
        floor = WIN - upper_of(read16(&nodes[node].proof))
        if settings.random_opponent and depth & 1:
            node = draw(nodes, generator, node)
        else:
            node = select(nodes, settings, generator, node, visits)
        depth += 1
        path[depth] = node
        cell = free_cell(position, geometry, nodes[node].column)
        # before the visit counts: other threads take a node that has one for looked at
        fresh = acquire32(&nodes[node].visits) == 0
        if fresh and not settings.proofs and completes(position, geometry, cell):
            write16(&nodes[node].proof, WON)
        drop(position, geometry, cell)
        if settings.rollout != RANDOM or settings.proofs:
            update_threats(position, geometry, cell)
        if fresh and read16(&nodes[node].proof) == UNKNOWN:
            inspect(nodes, settings, position, geometry, node)
        visits = arrive(nodes, settings, node)
        if settings.probes and is_milestone(visits):
            budget = visits * (NEAR_PROBE_NODES if depth == 1 else PROBE_NODES)
            probe(nodes, task, position, node, floor, budget)
    if is_proven(read16(&nodes[node].proof)):
        result = 1 - lower_of(read16(&nodes[node].proof))
    elif settings.rollout == RANDOM:
        result = rollout(position, geometry, generator)
    else:
        result = careful_rollout(position, geometry, generator, settings.rollout == SAFE)
    if settings.short_wins and depth > 0 and result == (-1 if depth & 1 else 1):
        # a proven end has not been played
        if is_proven(read16(&nodes[node].proof)):
            plies = depth + (read16(&nodes[node].proof) & DISTANCE_MASK)
        else:
            plies = position.ply - root.ply
        note_win(pool, nodes[path[1]].column, <uint16_t>plies)
    backup(nodes, settings, path, depth, result)


cdef bint is_cramped(Pool pool, const Settings* settings, const Geometry* geometry) noexcept nogil:
    """Whether the tree can't grow by another block before it gets more memory, and may ask for it."""
    return (
        pool.capacity - read32(&pool.used) < <uint32_t>geometry.width and pool.capacity < pool.limit
        or settings.transpositions and must_widen(pool.blocks)
    ) and not pool.refused


cdef uint64_t run(
    Pool pool, Node[::1] nodes, const Settings* settings, const Geometry* geometry, Generator* generator, Task* task,
    const Position* root, Position* position, uint32_t* path, Quota* quota, uint64_t most,
) noexcept nogil:
    """Simulations until the quota is made, this thread has made `most`, the search is halted, the tree has enough
    nodes, is proven, or needs more memory.

    A probe that was interrupted because others were waiting is taken up again.

    Returns how many this thread has made.
    """
    cdef uint64_t made = 0
    cdef uint64_t next = 0
    cdef uint64_t end = 0
    if settings.probes:
        take_up(nodes, task)
    while made < most and not is_proven(read16(&nodes[ROOT].proof)):
        if next == end:
            next = add64(&quota.taken, TAKEN_AT_ONCE, settings.shared)
            end = min(next + TAKEN_AT_ONCE, quota.count)
            if next >= end:
                break
        if read32(&pool.cramped) or is_cramped(pool, settings, geometry):
            write32(&pool.cramped, True)    # so that all leave
            break
        simulate(pool, nodes, settings, geometry, generator, task, root, position, path)
        next += 1
        made += 1
        if read32(&pool.used) >= quota.enough or read32(quota.halted):
            break
    return made

"""UCT: select, expand, rollout, backup; simulation.pxd describes the structs."""

from c4mcts import _layout

from libc.stdint cimport uint8_t, uint16_t

from .atomics cimport acquire32, add32, add64, read16, read32, release32, replace16, replace32, write16, write32
from .bitboard cimport MAX_SIDE, Geometry, Lines, completes, copy, drop, free_cell, open_columns
from .network cimport evaluate_moves, evaluate_value
from .pool cimport (
    CLAIMED, NETWORK, NO_CHILDREN, Entry, NodeEstimate, NodePool, PlainSettings, claim, must_widen, publish, take,
)
from .proofs cimport (
    DISTANCE_MASK, DRAW, DRAWN, LOSS, UNKNOWN, WIN, WON,
    is_proven, lower_of, mark_by_book, mark_by_lookahead, mark_children, probe, resume_probe, update_bounds, upper_of,
)
from .rollout cimport careful_rollout, rollout
from .selection cimport FIRST, random_child, select, select_by_prior
from .threats cimport update_threats

cdef int RANDOM = _layout.RANDOM
cdef int UCB1 = _layout.UCB1
cdef int SAFE = _layout.SAFE
cdef uint32_t ROOT = _layout.ROOT
cdef uint32_t FIRST_PROBE = _layout.FIRST_PROBE
cdef uint64_t PROBE_NODES = _layout.PROBE_NODES
cdef uint64_t NEAR_PROBE_NODES = _layout.NEAR_PROBE_NODES
cdef int PROBE_REACH = _layout.PROBE_REACH


cdef inline bint expand(Tree tree, Node[::1] nodes, const Position* position, uint32_t node) noexcept nogil:
    """Give a leaf a child for every open column, of the root's only those it may play; False if there is none, or if
    the pool is full.

    Also False if another thread is doing it.
    """
    cdef const Geometry* geometry = &tree.geometry
    cdef uint64_t columns = open_columns(position, geometry)
    cdef uint32_t size = 0
    cdef uint32_t first
    cdef int column
    if node == ROOT:
        columns &= tree.root_columns
    for column in range(geometry.width):
        size += columns >> column & 1
    if size == 0 or not replace32(&nodes[node].children, NO_CHILDREN, CLAIMED, tree.settings.shared):
        return False
    first = children_of(tree, nodes, position, columns, size)
    if first != NO_CHILDREN:
        nodes[node].size = <uint8_t>size
    release32(&nodes[node].children, first)
    return first != NO_CHILDREN


cdef inline uint32_t children_of(
    Tree tree, Node[::1] nodes, const Position* position, uint64_t columns, uint32_t size,
) noexcept nogil:
    """Index of the first child of a position; makes its children if it has none. NO_CHILDREN if the pool is full.

    columns: that may be played, a bit for each. size: how many these are.

    Also NO_CHILDREN if another thread is making them.
    """
    cdef const Geometry* geometry = &tree.geometry
    cdef Entry* entry = NULL
    cdef uint32_t first, child
    cdef int column
    if tree.settings.transpositions:
        entry = claim(tree.pool.blocks, position, geometry, size <= tree.pool.capacity - read32(&tree.pool.used))
        if entry == NULL:
            return NO_CHILDREN
        first = acquire32(&entry.first)
        if first != CLAIMED:
            return first
    first = take(tree.pool, size)
    if first != NO_CHILDREN:
        child = first
        for column in range(geometry.width):
            if columns >> column & 1:
                nodes[child] = Node(
                    visits=0, value_sum=0, children=NO_CHILDREN, proof=UNKNOWN, column=<uint8_t>column, size=0
                )
                child += 1
        if tree.settings.proofs:
            mark_children(nodes, position, geometry, first, size)
        if tree.settings.rollout == NETWORK:
            write_priors(tree, position, geometry, first, size)
    if entry != NULL:
        publish(tree.pool.blocks, entry, first)
    return first


cdef void write_priors(
    Tree tree, const Position* position, const Geometry* geometry, uint32_t first, uint32_t size,
) noexcept nogil:
    """Write the priors of new children."""
    cdef double priors[MAX_SIDE]
    cdef uint32_t child
    evaluate_moves(tree.network, position, geometry, priors)
    for child in range(first, first + size):
        tree.pool.estimates[child] = NodeEstimate(value=0.0, prior=priors[tree.pool.nodes[child].column])


cdef inline void mark_if_decided(
    Node[::1] nodes, const AnySettings* settings, const Position* position, const Geometry* geometry, uint32_t node,
) noexcept nogil:
    """Mark a node at its first visit if the game is over there or, with proofs, is decided within two plies."""
    if AnySettings is Settings and settings.proofs:
        mark_by_lookahead(nodes, position, geometry, node)
    elif position.ply == geometry.cells:
        write16(&nodes[node].proof, DRAWN)


cdef inline bint is_probe_due(uint32_t visits) noexcept nogil:
    """Whether a node with `visits` visits is probed: at powers of two, from FIRST_PROBE on."""
    return visits >= FIRST_PROBE and visits & (visits - 1) == 0


cdef inline bint is_in_reach(
    const Position* position, const Geometry* geometry, uint32_t visits, uint64_t budget,
) noexcept nogil:
    """Whether a probe may find something.

    On boards of more than 64 bits, hardly any probe does before the game is near its end, except for the first one of a
    node, which costs little. The others wait until there are so few empty cells that the budget may be enough.
    """
    cdef int beyond
    if Position is Lines:
        beyond = min(max(geometry.cells - position.ply - PROBE_REACH, 0), 63)
        return visits == FIRST_PROBE or budget >> beyond != 0
    return True


cdef inline void reward(Node[::1] nodes, const AnySettings* settings, uint32_t node, uint32_t amount) noexcept nogil:
    """Add a reward for the player who moved into a node.

    Several threads skip a reward of 0: even adding 0 would take the cache line away from other processors.
    """
    if amount or not settings.shared:
        add32(&nodes[node].value_sum, amount, settings.shared)


cdef inline void backup(
    Node[::1] nodes, const AnySettings* settings, const uint32_t* path, int depth, uint32_t mover, uint32_t other,
) noexcept nogil:
    """Add rewards to every node of the path: for the player who moved into its last node, and for the other.

    Once a node on the way up is proven, the rewards of its proven outcome replace them for it and the nodes above it.
    """
    cdef bint changed = False
    cdef uint32_t node
    cdef int outcome
    if AnySettings is Settings and settings.proofs:
        changed = read16(&nodes[path[depth]].proof) != UNKNOWN
    reward(nodes, settings, path[depth], mover)
    while depth > 0:
        depth -= 1
        node = path[depth]
        mover, other = other, mover
        changed = changed and update_bounds(nodes, node)
        if changed and is_proven(read16(&nodes[node].proof)):
            outcome = lower_of(read16(&nodes[node].proof))
            mover = settings.win if outcome == WIN else settings.draw if outcome == DRAW else 0
            other = settings.win if outcome == LOSS else settings.draw if outcome == DRAW else 0
        reward(nodes, settings, node, mover)


cdef inline uint32_t discounted(Tree tree, int outcome, int plies) noexcept nogil:
    """The reward of an outcome for a player, `plies` plies before the end of the game."""
    if outcome == DRAW:
        return tree.settings.draw
    plies = min(plies, <int>tree.geometry.cells)
    return tree.wins[plies] if outcome == WIN else tree.losses[plies]


cdef void backup_discounted(
    Tree tree, Node[::1] nodes, const uint32_t* path, int depth, int result, int plies,
) noexcept nogil:
    """Like `backup`, with rewards that depend on the plies from a node to the end of the game.

    plies: from the last node of the path; of a proven outcome, by the proof.
    """
    cdef const Settings* settings = &tree.settings
    cdef int outcome = 1 - result   # for the player who moved into a node
    cdef bint changed = settings.proofs and read16(&nodes[path[depth]].proof) != UNKNOWN
    cdef uint32_t node
    reward(nodes, settings, path[depth], discounted(tree, outcome, plies))
    while depth > 0:
        depth -= 1
        node = path[depth]
        outcome = WIN - outcome
        plies += 1
        changed = changed and update_bounds(nodes, node)
        if changed and is_proven(read16(&nodes[node].proof)):
            outcome = lower_of(read16(&nodes[node].proof))
            plies = read16(&nodes[node].proof) & DISTANCE_MASK
        reward(nodes, settings, node, discounted(tree, outcome, plies))


cdef inline void record_win(NodePool pool, int column, uint16_t plies) noexcept nogil:
    """Record that the root's player has won a simulation through a column, `plies` plies after the root."""
    cdef uint16_t known = read16(&pool.short_wins[column])
    while known == 0 or plies < known:
        if replace16(&pool.short_wins[column], known, plies, True):
            return
        known = read16(&pool.short_wins[column])


cdef inline bint has_moves(
    Tree tree, Node[::1] nodes, const AnySettings* settings, const Position* position, uint32_t node, uint32_t visits,
) noexcept nogil:
    """Whether a simulation that has come to a node goes on to one of its children; makes them if there are none.

    visits: of the node before. At the first there is only a rollout; it gets children at the second.
    """
    cdef uint32_t first
    if is_proven(read16(&nodes[node].proof)) or visits == 0 and (node != ROOT or settings.roll_root):
        return False
    first = acquire32(&nodes[node].children)
    if (first == NO_CHILDREN or first == CLAIMED) and not expand(tree, nodes, position, node):
        return False
    if AnySettings is Settings and settings.proofs:
        update_bounds(nodes, node)
        return not is_proven(read16(&nodes[node].proof))    # by this thread or by another
    return True


cdef inline uint32_t enter(
    Tree tree, Node[::1] nodes, const AnySettings* settings, Position* position, uint32_t node,
) noexcept nogil:
    """Play the move into a node, and count the visit; marks what its first one shows. Returns its earlier visits."""
    cdef const Geometry* geometry = &tree.geometry
    cdef uint64_t cell = free_cell(position, geometry, nodes[node].column)
    # marked before the visit is counted: other threads expect a visited node to be marked
    cdef bint fresh = acquire32(&nodes[node].visits) == 0
    if fresh and (AnySettings is PlainSettings or not settings.proofs) and completes(position, geometry, cell):
        write16(&nodes[node].proof, WON)
    drop(position, geometry, cell)
    if AnySettings is Settings and (settings.rollout != RANDOM or settings.proofs):
        update_threats(position, geometry, cell)
    if fresh and read16(&nodes[node].proof) == UNKNOWN:
        mark_if_decided(nodes, settings, position, geometry, node)
    if AnySettings is Settings and fresh and position.ply <= tree.book_plies:
        mark_by_book(nodes, tree.book, position, geometry, node)
    return add_visit(nodes, settings, node)


cdef inline int descend(
    Tree tree, Node[::1] nodes, const AnySettings* settings, Worker* worker, Position* position,
) noexcept nogil:
    """Select moves from the root, where `position` is, down to a leaf. Writes the path; returns the leaf's depth."""
    cdef uint32_t* path = worker.path
    cdef uint32_t node = ROOT
    cdef int depth = 0
    cdef uint32_t visits = add_visit(nodes, settings, ROOT)
    cdef int guaranteed
    cdef uint64_t budget
    path[0] = ROOT
    while has_moves(tree, nodes, settings, position, node, visits):
        guaranteed = WIN - upper_of(read16(&nodes[node].proof))
        if AnySettings is Settings and settings.random_opponent and depth & 1:
            node = random_child(nodes, &worker.generator, node)
        elif AnySettings is Settings and settings.rollout == NETWORK:
            node = select_by_prior(tree, nodes, &worker.generator, node, visits)
        else:
            node = select(nodes, settings, &worker.generator, node, visits)
        depth += 1
        path[depth] = node
        visits = enter(tree, nodes, settings, position, node)
        if AnySettings is Settings and settings.probes and is_probe_due(visits):
            budget = visits * (NEAR_PROBE_NODES if depth == 1 else PROBE_NODES)
            if is_in_reach(position, &tree.geometry, visits, budget):
                probe(nodes, &worker.task, position, &tree.geometry, node, guaranteed, budget)
    return depth


cdef inline void simulate(
    Tree tree, Node[::1] nodes, const AnySettings* settings, Worker* worker, const Position* root, Position* position,
) noexcept nogil:
    """One simulation: from the root to a leaf, a rollout to the end of the game, and backup. Overwrites `position`."""
    cdef const Geometry* geometry = &tree.geometry
    cdef uint32_t* path = worker.path
    cdef uint32_t node, mover, other
    cdef int depth, result, plies
    copy(position, root, geometry)
    depth = descend(tree, nodes, settings, worker, position)
    node = path[depth]
    if AnySettings is Settings and settings.rollout == NETWORK and not is_proven(read16(&nodes[node].proof)):
        other = <uint32_t>(settings.win * evaluate_value(tree.network, position, geometry) + 0.5)
        backup(nodes, settings, path, depth, settings.win - other, other)
        return
    if is_proven(read16(&nodes[node].proof)):
        result = 1 - lower_of(read16(&nodes[node].proof))
        plies = read16(&nodes[node].proof) & DISTANCE_MASK  # from the node to the end of the game
    else:
        if AnySettings is PlainSettings or settings.rollout == RANDOM:
            result = rollout(position, geometry, &worker.generator)
        else:
            result = careful_rollout(position, geometry, &worker.generator, settings.rollout == SAFE)
        plies = position.ply - root.ply - depth
    if AnySettings is Settings and settings.short_wins and depth > 0 and result == (-1 if depth & 1 else 1):
        record_win(tree.pool, nodes[path[1]].column, <uint16_t>(depth + plies))
    if AnySettings is Settings and settings.discount < 1.0:
        backup_discounted(tree, nodes, path, depth, result, plies)
    else:
        mover = 0 if result > 0 else settings.win if result < 0 else settings.draw
        other = settings.win if result > 0 else 0 if result < 0 else settings.draw
        backup(nodes, settings, path, depth, mover, other)


cdef bint needs_memory(Tree tree) noexcept nogil:
    """Whether the pool must, and may, be enlarged before the tree can get another block of children."""
    return (
        tree.pool.capacity - read32(&tree.pool.used) < <uint32_t>tree.geometry.width
        and tree.pool.capacity < tree.pool.limit
        or tree.settings.transpositions and must_widen(tree.pool.blocks)
    ) and not tree.pool.memory_refused


cdef uint64_t grow(
    Tree tree, Node[::1] nodes, const AnySettings* settings, Worker* worker, const Position* root, Position* position,
    Quota* quota, uint64_t max_simulations,
) noexcept nogil:
    """One thread's simulations; returns their number. They end when

    - the quota is used up, or this thread has run `max_simulations` (which a multiple of CHUNK uses up exactly);
    - the search is halted, the tree has quota.max_nodes, or its root is proven;
    - the pool must be enlarged.

    A probe that was suspended because other threads were waiting is resumed first.
    """
    cdef uint64_t done = 0
    cdef uint64_t next = 0
    cdef uint64_t end = 0
    if AnySettings is Settings and settings.probes:
        resume_probe(nodes, &worker.task, &tree.geometry)
    while done < max_simulations and not is_proven(read16(&nodes[ROOT].proof)):
        if next == end:
            next = add64(&quota.taken, CHUNK, settings.shared)
            end = min(next + CHUNK, quota.count)
            if next >= end:
                break
        if read32(&tree.pool.memory_needed) or needs_memory(tree):
            write32(&tree.pool.memory_needed, True)     # so that all threads stop
            break
        simulate(tree, nodes, settings, worker, root, position)
        next += 1
        done += 1
        if read32(&tree.pool.used) >= quota.max_nodes or read32(quota.halted):
            break
    return done


cdef bint is_plain(const Settings* settings) noexcept nogil:
    """Whether everything that PlainSettings leave out is off."""
    return (
        settings.selection == UCB1
        and settings.rollout == RANDOM
        and settings.discount == 1.0
        and not settings.proofs
        and not settings.probes
        and not settings.transpositions
        and not settings.random_opponent
        and settings.ties == FIRST
        and not settings.short_wins
    )


cdef uint64_t run(
    Tree tree, Worker* worker, const Position* root, Position* position, Quota* quota, uint64_t max_simulations,
) noexcept nogil:
    """`grow`, in the code for the settings of the tree."""
    cdef const Settings* settings = &tree.settings
    cdef PlainSettings plain
    if is_plain(settings):
        plain = PlainSettings(
            win=settings.win,
            draw=settings.draw,
            exploration=settings.exploration,
            first_play=settings.first_play,
            roll_root=settings.roll_root,
            shared=settings.shared,
        )
        return grow(tree, tree.pool.nodes, &plain, worker, root, position, quota, max_simulations)
    return grow(tree, tree.pool.nodes, settings, worker, root, position, quota, max_simulations)

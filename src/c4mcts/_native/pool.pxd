"""The node pool: all nodes of one tree in one array, the children of a node next to each other.

    index   0      1   2   3   4   5   6   7      8   9  10  ...
          root  |  its children, by column    |  children of node 4 | ...

A table finds the block of children of a position, for transpositions. Childs, Brodeur and Kocsis, "Transpositions and
move groups in Monte Carlo tree search" (2008): nodes of the same position share one block of children, with statistics
for (position, column); each node keeps its own visits and rewards. The table uses open addressing. A position of at
most 64 bits is its own key; the key of a larger one is a hash of 96 bits: among 10**13 positions the chance that two of
them have the same is one in a thousand.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from .atomics cimport acquire32, add32, read32, release32, replace32
from .bitboard cimport MAX_SIDE, Geometry, Lines, Position
from .book_reader cimport BookReader
from .network cimport Network
from .numbers cimport mix
from .settings cimport Settings

cdef enum:
    LONGEST_PATH = 64 * 64 + 1  # nodes from the root to the end of the longest game, both included
    # the sentinels of _layout, which the import compares
    NO_CHILDREN = 0
    CLAIMED = 0xFFFFFFFF
    PUCT = 2                # likewise
    NETWORK = 3


cdef struct PlainSettings:
    # The settings of plain UCT (simulation.is_plain): those that it reads, all others being off.
    uint32_t win
    uint32_t draw
    double exploration
    double first_play
    bint roll_root
    bint shared


# A function written for the fused type is compiled once for each, so that plain UCT tests nothing else at every node.
ctypedef fused AnySettings:
    PlainSettings
    Settings


cdef struct Node:
    # One node, 16 bytes; proof and rewards are from the point of view of the player who moved into it. Where several
    # threads grow a tree, `column` and `size` are written before the release store that makes the node or its children
    # visible to others, and never again.
    uint32_t visits         # simulations that have passed through this node, including those under way
    uint32_t value_sum      # sum of their rewards, in reward units above a loss; with an evaluator see puct.pxd
    uint32_t children       # index of the first child; NO_CHILDREN (0) for a leaf; CLAIMED while they are being made
    uint16_t proof          # a code in the upper 3 bits (see _layout), plies to the end of the game in the lower 13
    uint8_t column          # the move that leads here, 0-based; NO_COLUMN (255) at the root
    uint8_t size            # number of children


cdef struct NodeEstimate:
    # The evaluation of a node.
    double value            # mean of the evaluations below, in [-1, 1], for the player who moved into the node
    double prior            # probability of the move that leads here, among its siblings


cdef struct Entry:
    uint64_t key            # of the position; valid, and never changed, while the entry is neither empty nor claimed
    uint32_t check          # 32 more bits of the key for boards of more than 64 bits, otherwise 0
    uint32_t first          # index of the first child; NO_CHILDREN: empty entry; CLAIMED: the children are being made


cdef class Blocks:
    # Index of the first child by position.
    cdef Entry[::1] entries
    cdef uint32_t limit     # limit of the positions in the table
    cdef uint32_t capacity  # number of entries, a power of two; 0 until the first position is entered
    cdef uint32_t used      # number of entries that are not empty
    cdef bint shared        # whether several threads use the table


cdef class NodePool:
    # The nodes 0 to used - 1. Functions called often get the views as arguments: a local variable would count a
    # reference, which takes two atomic operations.
    cdef Node[::1] nodes
    cdef NodeEstimate[::1] estimates    # one for each node if there is an evaluator or a network, otherwise None
    cdef double[::1] raw_values     # by node: its own evaluation, for the player to move; None if they are not kept
    cdef void* node_memory      # what these are views of; the pool owns it, and `reserve` may move it
    cdef void* estimate_memory
    cdef void* value_memory
    cdef uint32_t capacity      # nodes for which there is memory
    cdef uint32_t used          # nodes of the tree
    cdef uint32_t limit         # nodes that the tree may have
    cdef uint16_t short_wins[MAX_SIDE]  # by column of the root: plies to the soonest win of a simulation; 0: none
    cdef bint shared            # whether several threads grow the tree
    cdef uint32_t memory_needed     # set by the thread that found the memory full: all stop, so that it can be enlarged
    cdef bint memory_refused    # the system had no more memory: for a while the tree counts as full
    cdef Blocks blocks          # by position: its block of children, with transpositions


cdef class Tree:
    # The data about the tree that every function of a search needs.
    cdef NodePool pool          # the nodes
    cdef Settings settings      # the settings of the search
    cdef Geometry geometry      # of the board
    cdef BookReader book        # its positions are proven at their first visit; None without a book
    cdef int book_plies         # no position of the book has more discs; -1 without a book
    cdef uint64_t root_columns  # the columns that the root may play, a bit for each
    cdef Network network        # evaluates positions instead of rollouts; None without
    cdef const unsigned int[::1] wins       # discounted reward of a win by plies to the end of the game
    cdef const unsigned int[::1] losses     # of a loss


cdef inline bint has_means(const Settings* settings) noexcept nogil:
    """Whether the means of nodes are kept as estimates, in [-1, 1], and not as sums of rewards."""
    return settings.selection == PUCT and settings.rollout != NETWORK


cdef inline void set_key(Entry* entry, const Position* position, const Geometry* geometry) noexcept nogil:
    """Set the key of an entry to a position's."""
    cdef const uint64_t* columns
    cdef uint64_t check = 0
    cdef int i
    entry.check = 0
    if Position is Lines:
        columns = &position.lines[2 * geometry.height]
        entry.key = 0
        for i in range(2 * geometry.width):
            entry.key = mix(entry.key ^ columns[i])
            check = mix(check + entry.key ^ columns[i] * 0x9E3779B97F4A7C15ULL)
        entry.check = <uint32_t>(check >> 32)
    else:
        entry.key = position.own | position.mask + geometry.bottom


cdef inline Entry* find_entry(Blocks blocks, const Entry* target, uint32_t* first) noexcept nogil:
    """The entry with the key of `target`, or the empty one where it belongs; `first` is set to its first child.

    first is CLAIMED if another thread is filling an entry on the way: its key is not known yet, so the search ends.
    """
    cdef uint32_t i = <uint32_t>mix(target.key) & blocks.capacity - 1
    cdef Entry* entry = &blocks.entries[i]
    first[0] = acquire32(&entry.first)
    while first[0] != NO_CHILDREN and first[0] != CLAIMED:
        if entry.key == target.key and entry.check == target.check:
            break
        i = i + 1 & blocks.capacity - 1
        entry = &blocks.entries[i]
        first[0] = acquire32(&entry.first)
    return entry


cdef void forget(Blocks blocks) noexcept nogil
cdef int widen(Blocks blocks) except -1
cdef int relocate(Blocks blocks, const uint32_t[::1] moved) except -1


cdef inline bint must_widen(Blocks blocks) noexcept nogil:
    """Whether the table must be widened before another position is entered."""
    cdef uint64_t used = read32(&blocks.used)
    return 4 * used >= 3 * <uint64_t>blocks.capacity and used < blocks.limit


cdef inline uint32_t find(Blocks blocks, const Position* position, const Geometry* geometry) noexcept nogil:
    """Index of the first child of a position; NO_CHILDREN if it is not in the table."""
    cdef Entry target
    cdef uint32_t first
    if blocks.capacity == 0:
        return NO_CHILDREN
    set_key(&target, position, geometry)
    find_entry(blocks, &target, &first)
    return first


cdef inline Entry* claim(
    Blocks blocks, const Position* position, const Geometry* geometry, bint has_space,
) noexcept nogil:
    """The entry of a position. A new entry is CLAIMED, and the caller must `publish` it.

    has_space: whether the pool has room for its children. NULL if it is a new position and pool or table are full, or
    if another thread is making its children.
    """
    cdef Entry target
    cdef Entry* entry
    cdef uint32_t first, used
    if blocks.capacity == 0:
        return NULL
    set_key(&target, position, geometry)
    entry = find_entry(blocks, &target, &first)
    if first == CLAIMED:
        return NULL
    if first != NO_CHILDREN:
        return entry
    if not has_space:
        return NULL
    # `used` is raised before the entry is taken, so that an empty entry always remains, where searches end
    used = add32(&blocks.used, 1, blocks.shared)
    if used >= blocks.limit or 4 * <uint64_t>used >= 3 * <uint64_t>blocks.capacity or not replace32(
        &entry.first, NO_CHILDREN, CLAIMED, blocks.shared
    ):
        add32(&blocks.used, <uint32_t>-1, blocks.shared)
        return NULL
    entry.key = target.key
    entry.check = target.check
    return entry


cdef inline void publish(Blocks blocks, Entry* entry, uint32_t first) noexcept nogil:
    """Set the first child of a claimed entry; NO_CHILDREN removes the entry."""
    release32(&entry.first, first)
    if first == NO_CHILDREN:
        add32(&blocks.used, <uint32_t>-1, blocks.shared)


cdef void clear(NodePool pool) noexcept nogil
cdef int reserve(NodePool pool, uint32_t capacity) except -1
cdef int estimate(NodePool pool) except -1
cdef int keep_raw_values(NodePool pool) except -1


cdef inline uint32_t take(NodePool pool, uint32_t size) noexcept nogil:
    """Index of the first of `size` adjacent nodes, for the caller to fill; NO_CHILDREN if the pool is full."""
    cdef uint32_t first = read32(&pool.used)
    while size <= pool.capacity - first:
        if replace32(&pool.used, first, first + size, pool.shared):
            return first
        first = read32(&pool.used)
    return NO_CHILDREN


cdef void compact(NodePool pool, uint32_t node, uint32_t* moved) noexcept nogil
cdef int keep_subtree(NodePool pool, uint32_t node) except -1
cdef uint32_t most_visits(NodePool pool) noexcept
cdef bytes rows(NodePool pool, uint32_t first, uint32_t count)
cdef bytes estimates(NodePool pool, uint32_t first, uint32_t count)
cdef bint set_estimates(NodePool pool, bytes data) except -1

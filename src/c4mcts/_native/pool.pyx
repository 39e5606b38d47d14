"""The memory of the node pool and of the table of blocks; pool.pxd describes their layout."""

import numpy as np

from c4mcts import _layout
from c4mcts._validation import between

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memmove, memset

from .atomics cimport acquire32, read16

cdef extern from *:
    """
    /* Let a view show `count` items of other memory. A new view could be refused, after the old memory has gone. */
    #define C4_SHOW(view, memory, count) ((view).data = (char *)(memory), (view).shape[0] = (Py_ssize_t)(count))
    """
    void show_nodes "C4_SHOW"(Node[::1] view, void* memory, uint32_t count) noexcept
    void show_estimates "C4_SHOW"(NodeEstimate[::1] view, void* memory, uint32_t count) noexcept
    void show_values "C4_SHOW"(double[::1] view, void* memory, uint32_t count) noexcept

assert (<uint32_t>NO_CHILDREN, <uint32_t>CLAIMED) == (_layout.NO_CHILDREN, _layout.CLAIMED)
assert (<int>PUCT, <int>NETWORK) == (_layout.PUCT, _layout.NETWORK)

cdef uint8_t NO_COLUMN = _layout.NO_COLUMN
cdef uint16_t UNKNOWN = _layout.UNKNOWN
cdef uint32_t ROOT = _layout.ROOT
cdef uint32_t FIRST_CAPACITY = 4096
cdef uint32_t FIRST_ENTRIES = 64
ENTRY = np.dtype([("key", np.uint64), ("check", np.uint32), ("first", np.uint32)])
NODE = np.dtype(_layout.NODE_FIELDS)
ESTIMATE = np.dtype(_layout.ESTIMATE_FIELDS)


cdef class Blocks:

    def __cinit__(self, uint32_t nodes):
        """nodes: limit of the nodes in the tree."""
        self.limit = max(1, nodes // <uint32_t>_layout.NODES_PER_BLOCK)


cdef class NodePool:

    def __cinit__(self, limit):
        self.limit = between("max_nodes", limit, 1, _layout.MAX_NODES)
        self.blocks = Blocks(self.limit)
        self.nodes = np.empty(1, NODE)  # Cython compares the fields
        self.estimates = self.raw_values = None
        reserve(self, min(self.limit, FIRST_CAPACITY))
        clear(self)

    def __dealloc__(self):
        free(self.node_memory)
        free(self.estimate_memory)
        free(self.value_memory)


cdef class Tree:
    pass


cdef void forget(Blocks blocks) noexcept nogil:
    """Remove all positions; the memory is kept."""
    if blocks.capacity:
        memset(&blocks.entries[0], 0, blocks.capacity * sizeof(Entry))
    blocks.used = 0


cdef int widen(Blocks blocks) except -1:
    """Double the number of entries. MemoryError leaves the table as it was."""
    cdef Blocks wider = Blocks(0)
    cdef uint32_t first
    cdef uint32_t i
    wider.capacity = 2 * blocks.capacity if blocks.capacity else FIRST_ENTRIES
    wider.entries = np.zeros(wider.capacity, ENTRY)
    for i in range(blocks.capacity):
        if blocks.entries[i].first:
            find_entry(wider, &blocks.entries[i], &first)[0] = blocks.entries[i]
    blocks.entries, blocks.capacity = wider.entries, wider.capacity
    return 0


cdef int relocate(Blocks blocks, const uint32_t[::1] moved) except -1:
    """Update the table after keep_subtree has moved blocks, and remove the positions of dropped ones.

    moved: the new index by index of a first child, 0 if it is dropped.
    """
    cdef Blocks kept = Blocks(0)
    cdef Entry entry
    cdef uint32_t first
    cdef uint32_t i
    if blocks.capacity == 0:
        return 0
    kept.capacity = blocks.capacity
    kept.entries = np.zeros(kept.capacity, ENTRY)
    for i in range(blocks.capacity):
        entry = blocks.entries[i]
        if entry.first and moved[entry.first]:
            entry.first = moved[entry.first]
            find_entry(kept, &entry, &first)[0] = entry
            kept.used += 1
    blocks.entries, blocks.used = kept.entries, kept.used
    return 0


cdef void clear(NodePool pool) noexcept nogil:
    """Drop all nodes but a new root without visits; the memory is kept."""
    pool.nodes[ROOT] = Node(visits=0, value_sum=0, children=NO_CHILDREN, proof=UNKNOWN, column=NO_COLUMN, size=0)
    pool.used = 1
    if pool.estimates is not None:
        pool.estimates[ROOT] = NodeEstimate(value=0.0, prior=1.0)
    memset(pool.short_wins, 0, sizeof(pool.short_wins))
    forget(pool.blocks)


cdef void* resized(void* memory, uint32_t count, size_t size) except NULL:
    """Memory for `count` items of this size, with the contents of the old, which is freed; new ones are not cleared.

    MemoryError: the old memory is as it was. The pages of a large block are moved, not copied, where the system can.
    """
    cdef void* larger = NULL
    if count <= <size_t>-1 // size:     # addresses may have 32 bits
        larger = realloc(memory, count * size)
    if larger == NULL:
        raise MemoryError(f"no memory for {count} nodes")
    return larger


cdef int reserve(NodePool pool, uint32_t capacity) except -1:
    """Enlarge the memory to `capacity` nodes; only while no thread uses the tree. MemoryError leaves it as it was."""
    pool.node_memory = resized(pool.node_memory, capacity, sizeof(Node))
    show_nodes(pool.nodes, pool.node_memory, capacity)
    if pool.estimates is not None:
        pool.estimate_memory = resized(pool.estimate_memory, capacity, sizeof(NodeEstimate))
        show_estimates(pool.estimates, pool.estimate_memory, capacity)
    if pool.raw_values is not None:
        pool.value_memory = resized(pool.value_memory, capacity, sizeof(double))
        show_values(pool.raw_values, pool.value_memory, capacity)
    pool.capacity = capacity
    return 0


cdef int estimate(NodePool pool) except -1:
    """Allocate estimates for a tree that has only a root. MemoryError leaves it as it was."""
    cdef NodeEstimate[::1] estimates = np.empty(1, ESTIMATE)
    pool.estimate_memory = resized(pool.estimate_memory, pool.capacity, sizeof(NodeEstimate))
    pool.estimates = estimates
    show_estimates(pool.estimates, pool.estimate_memory, pool.capacity)
    pool.estimates[ROOT] = NodeEstimate(value=0.0, prior=1.0)
    return 0


cdef int keep_raw_values(NodePool pool) except -1:
    """Allocate raw values for a tree that has only a root. MemoryError leaves it as it was."""
    cdef double[::1] raw_values = np.empty(1)
    pool.value_memory = resized(pool.value_memory, pool.capacity, sizeof(double))
    pool.raw_values = raw_values
    show_values(pool.raw_values, pool.value_memory, pool.capacity)
    pool.raw_values[ROOT] = 0.0
    return 0


cdef void mark_reachable(const Node[::1] nodes, uint32_t* moved, uint32_t node) noexcept nogil:
    """For every block of children below a node: moved[index of its first child] = its size."""
    cdef uint32_t path[LONGEST_PATH]
    cdef uint8_t next_child[LONGEST_PATH]   # by level of the path: how many children have been visited
    cdef uint32_t child
    cdef int level = 0
    path[0] = node
    next_child[0] = 0
    if nodes[node].size:
        moved[nodes[node].children] = nodes[node].size
    while level >= 0:
        node = path[level]
        if next_child[level] == nodes[node].size:
            level -= 1
            continue
        child = nodes[node].children + next_child[level]
        next_child[level] += 1
        if nodes[child].size and moved[nodes[child].children] == 0:
            moved[nodes[child].children] = nodes[child].size
            level += 1
            path[level] = child
            next_child[level] = 0


cdef void compact(NodePool pool, uint32_t node, uint32_t* moved) noexcept nogil:
    """Move the nodes below `node`, which becomes the root, to the front; all others are dropped.

    moved: zeros, one for each node; by index of a first child it then holds where the block is now, 0 if it is dropped.
    A pointer, since the threads of self-play can't make a view: that needs the interpreter.
    """
    cdef Node[::1] nodes = pool.nodes
    cdef Node root
    cdef uint32_t used = 1
    cdef uint32_t first, size
    cdef uint32_t i
    mark_reachable(nodes, moved, node)
    root = nodes[node]
    root.column = NO_COLUMN
    root.proof = UNKNOWN    # the proof of a root must follow from its children
    if pool.estimates is not None:
        pool.estimates[ROOT] = pool.estimates[node]
    if pool.raw_values is not None:
        pool.raw_values[ROOT] = pool.raw_values[node]
    for first in range(1, pool.used):
        size = moved[first]
        if size:
            moved[first] = used
            memmove(&nodes[used], &nodes[first], size * sizeof(Node))
            if pool.estimates is not None:
                memmove(&pool.estimates[used], &pool.estimates[first], size * sizeof(NodeEstimate))
            if pool.raw_values is not None:
                memmove(&pool.raw_values[used], &pool.raw_values[first], size * sizeof(double))
            used += size
    nodes[ROOT] = root
    for i in range(used):
        if nodes[i].size:
            nodes[i].children = moved[nodes[i].children]
    pool.used = used
    memset(pool.short_wins, 0, sizeof(pool.short_wins))


cdef int keep_subtree(NodePool pool, uint32_t node) except -1:
    """Make `node` the root and drop every node that is not below it; the others move up and keep their order.

    After a MemoryError the pool must be cleared.
    """
    cdef uint32_t[::1] moved = np.zeros(pool.used, np.uint32)
    with nogil:
        compact(pool, node, &moved[0])
    relocate(pool.blocks, moved)
    return 0


cdef uint32_t most_visits(NodePool pool) noexcept:
    """Visits of the node that has the most; where children are shared, it need not be the root."""
    cdef uint32_t most = 0
    cdef uint32_t i
    for i in range(pool.used):
        most = max(most, pool.nodes[i].visits)
    return most


cdef bytes rows(NodePool pool, uint32_t first, uint32_t count):
    """Copies of `count` nodes from index `first` on, as raw bytes; other threads may change them meanwhile."""
    cdef uint32_t used = read32(&pool.used)
    cdef bytes copies
    cdef Node* copied   # most calls ask for few rows, and a view takes longer to make than those
    cdef const Node* node
    cdef uint32_t i
    if count > used or first > used - count:
        raise IndexError(f"nodes {first} to {first} + {count} of {used}")
    copies = PyBytes_FromStringAndSize(NULL, count * <Py_ssize_t>sizeof(Node))
    copied = <Node*>PyBytes_AsString(copies)
    with nogil:
        for i in range(count):
            node = &pool.nodes[first + i]
            copied[i].children = acquire32(&node.children)
            if copied[i].children == CLAIMED:
                copied[i].children = NO_CHILDREN
            copied[i].size = node.size if copied[i].children != NO_CHILDREN else 0
            # a thread adds a visit before its reward: read in this order, no reward is without its visit
            copied[i].value_sum = acquire32(&node.value_sum)
            copied[i].visits = read32(&node.visits)
            copied[i].proof = read16(&node.proof)
            copied[i].column = node.column
    return copies


cdef bytes estimates(NodePool pool, uint32_t first, uint32_t count):
    """Values and priors of `count` nodes from index `first` on, as raw float64: value, prior, value, prior, ..."""
    if pool.estimates is None:
        raise ValueError("there are no estimates: there is no evaluator")
    if count > pool.used or first > pool.used - count:
        raise IndexError(f"nodes {first} to {first} + {count} of {pool.used}")
    return PyBytes_FromStringAndSize(<const char*>&pool.estimates[first], count * <Py_ssize_t>sizeof(NodeEstimate))


cdef bint set_estimates(NodePool pool, bytes data) except -1:
    """Set all estimates from bytes as `estimates` gives them; False, and nothing is changed, if the size differs."""
    if pool.estimates is None:
        raise ValueError("there are no estimates: there is no evaluator")
    if <size_t>len(data) != pool.used * sizeof(NodeEstimate):
        return False
    memcpy(pool.estimate_memory, PyBytes_AsString(data), len(data))
    return True

"""The memory of the node pool; pool.pxd describes its layout."""

from c4mcts import _layout
from c4mcts._validation import between

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memmove, memset

from .atomics cimport acquire32, read16
from .blocks cimport CLAIMED, Blocks, forget, relocate

cdef uint8_t NO_COLUMN = _layout.NO_COLUMN
cdef uint16_t UNKNOWN = _layout.UNKNOWN
cdef uint32_t ROOT = _layout.ROOT
cdef uint32_t FIRST_CAPACITY = 4096


cdef class NodePool:

    def __cinit__(self, limit):
        self.limit = between("max_nodes", limit, 1, _layout.MAX_NODES)
        self.blocks = Blocks(self.limit)
        reserve(self, min(self.limit, FIRST_CAPACITY))
        clear(self)

    def __dealloc__(self):
        free(self.nodes)
        free(self.estimates)
        free(self.raw_values)


cdef class Tree:
    pass


cdef void clear(NodePool pool) noexcept nogil:
    """Drop all nodes but a new root without visits; the memory is kept."""
    memset(&pool.nodes[ROOT], 0, sizeof(Node))
    pool.nodes[ROOT].column = NO_COLUMN
    pool.used = 1
    if pool.estimates != NULL:
        pool.estimates[ROOT] = NodeEstimate(value=0.0, prior=1.0)
    memset(pool.short_wins, 0, sizeof(pool.short_wins))
    forget(pool.blocks)


cdef bint resize(NodePool pool, uint32_t capacity) noexcept nogil:
    """Change the memory to `capacity` nodes, at least those in use; False, with the old memory intact, if there is
    none.

    realloc moves the pages of a large block instead of copying it where the system can.
    """
    cdef Node* nodes = <Node*>realloc(pool.nodes, capacity * sizeof(Node))
    cdef NodeEstimate* estimates
    cdef double* raw_values
    if nodes == NULL:
        return False
    pool.nodes = nodes
    if pool.estimates != NULL:
        estimates = <NodeEstimate*>realloc(pool.estimates, capacity * sizeof(NodeEstimate))
        if estimates == NULL:
            return False
        pool.estimates = estimates
    if pool.raw_values != NULL:
        raw_values = <double*>realloc(pool.raw_values, capacity * sizeof(double))
        if raw_values == NULL:
            return False
        pool.raw_values = raw_values
    pool.capacity = capacity
    return True


cdef int reserve(NodePool pool, uint32_t capacity) except -1:
    """Like `resize`; raises MemoryError if there is no memory."""
    if not resize(pool, capacity):
        raise MemoryError(f"no memory for {capacity} nodes")
    return 0


cdef int estimate(NodePool pool) except -1:
    """Allocate estimates for a tree that has only a root."""
    pool.estimates = <NodeEstimate*>calloc(pool.capacity, sizeof(NodeEstimate))
    if pool.estimates == NULL:
        raise MemoryError(f"no memory for {pool.capacity} estimates")
    pool.estimates[ROOT].prior = 1.0
    return 0


cdef int keep_raw_values(NodePool pool) except -1:
    """Allocate raw values for a tree that has only a root."""
    pool.raw_values = <double*>calloc(pool.capacity, sizeof(double))
    if pool.raw_values == NULL:
        raise MemoryError(f"no memory for {pool.capacity} values")
    return 0


cdef void mark_reachable(const Node* nodes, uint32_t* moved, uint32_t node) noexcept nogil:
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
    """
    cdef Node* nodes = pool.nodes
    cdef Node root
    cdef uint32_t used = 1
    cdef uint32_t first, size
    cdef uint32_t i
    mark_reachable(nodes, moved, node)
    root = nodes[node]
    root.column = NO_COLUMN
    root.proof = UNKNOWN    # the proof of a root must follow from its children
    if pool.estimates != NULL:
        pool.estimates[ROOT] = pool.estimates[node]
    if pool.raw_values != NULL:
        pool.raw_values[ROOT] = pool.raw_values[node]
    for first in range(1, pool.used):
        size = moved[first]
        if size:
            moved[first] = used
            memmove(&nodes[used], &nodes[first], size * sizeof(Node))
            if pool.estimates != NULL:
                memmove(&pool.estimates[used], &pool.estimates[first], size * sizeof(NodeEstimate))
            if pool.raw_values != NULL:
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
    cdef uint32_t* moved = <uint32_t*>calloc(pool.used, sizeof(uint32_t))
    if moved == NULL:
        raise MemoryError(f"no memory to move {pool.used} nodes")
    with nogil:
        compact(pool, node, moved)
    try:
        relocate(pool.blocks, moved)
    finally:
        free(moved)
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
    cdef Node* copied
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
    if pool.estimates == NULL:
        raise ValueError("there are no estimates: there is no evaluator")
    if count > pool.used or first > pool.used - count:
        raise IndexError(f"nodes {first} to {first} + {count} of {pool.used}")
    return (<char*>pool.estimates)[first * sizeof(NodeEstimate) : (first + count) * sizeof(NodeEstimate)]


cdef bint set_estimates(NodePool pool, bytes data) except -1:
    """Set all estimates from bytes as `estimates` gives them; False, and nothing is changed, if the size differs."""
    if pool.estimates == NULL:
        raise ValueError("there are no estimates: there is no evaluator")
    if <size_t>len(data) != pool.used * sizeof(NodeEstimate):
        return False
    memcpy(pool.estimates, <const char*>data, pool.used * sizeof(NodeEstimate))
    return True

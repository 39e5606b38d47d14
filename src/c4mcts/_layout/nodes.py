"""The node of a tree: its fields, its sentinels, the codes of its proof, its faults, its memory.

A node is 16 bytes. The children of a node are adjacent, in one block and in column order, so a child is also the edge
that leads to it. The fields of a node are from the point of view of the player who *moved into* it.
"""

from enum import IntEnum
from struct import Struct

NODE_FIELDS = [
    ("visits", "u4"),  # simulations that have passed through this node
    ("value_sum", "u4"),  # sum of their rewards, in reward units above a loss, for the player who moved into it
    ("children", "u4"),  # index of the first child; NO_CHILDREN for a leaf
    ("proof", "u2"),  # a code in the upper bits, see UNKNOWN; plies to the end of the game in the lower
    ("column", "u1"),  # the move that leads here, 0-based; NO_COLUMN at the root
    ("size", "u1"),  # number of children
]

ESTIMATE_FIELDS = [  # with an evaluator; value_sum then counts the visits whose evaluation has been backed up
    ("value", "f8"),  # mean of the evaluations below, in [-1, 1], for the player who moved into the node
    ("prior", "f8"),  # probability of the move that leads here, among its siblings
]

# Nodes and estimates as bytes, in the order of this machine.
PACKED_NODE = Struct("=" + "".join({"u1": "B", "u2": "H", "u4": "I"}[kind] for _, kind in NODE_FIELDS))
PACKED_ESTIMATE = Struct("=dd")

ROOT = 0  # the root is always the first node of the pool
NO_CHILDREN = 0  # the root is never a child, so its index can stand for "none"
CLAIMED = 2**32 - 1  # instead of an index of children: one of several threads is making them
NO_COLUMN = 255

DISTANCE_BITS = 13  # distances reach 4096 plies, the end of a 64 x 64 board
DISTANCE_MASK = (1 << DISTANCE_BITS) - 1
# Codes of the proof of a node, for the player who moved into it. WON and LOST are stored with a distance: the winner
# can force the game to end within this number of plies. A draw ends with the full board.
UNKNOWN, WON, DRAWN, LOST, NOT_LOST, NOT_WON = (code << DISTANCE_BITS for code in range(6))

LOSS, DRAW, WIN = range(3)  # outcomes for a player; the higher, the better
# Lower and upper bounds of the outcome by code, and the code by bounds.
LOWERS = (LOSS, WIN, DRAW, LOSS, DRAW, LOSS)
UPPERS = (WIN, WIN, DRAW, LOSS, WIN, DRAW)
CODES = tuple(
    next(code for code in range(6) if (LOWERS[code], UPPERS[code]) == (lower, upper)) << DISTANCE_BITS
    if lower <= upper
    else UNKNOWN
    for lower in range(3)
    for upper in range(3)
)  # index: 3 * lower + upper

MIN_LINE_VISITS = 2  # a principal variation ends at an unproven node with fewer

MAX_NODES = 2**32 - 1  # CLAIMED is not an index
MAX_VALUE_SUM = 2**32 - 1
NODES_PER_BLOCK = 4  # with transpositions the table has room for max_nodes / NODES_PER_BLOCK positions
# Bytes of memory of the native backend for each node of max_nodes: the node, and its new index while the tree is
# compacted. With transpositions also the table: 16 bytes per entry, up to 8/3 as many entries as blocks, twice while
# the tree is compacted.
NODE_BYTES = 16 + 4
SHARED_NODE_BYTES = NODE_BYTES + -(-2 * 16 * 8 // (3 * NODES_PER_BLOCK))
ESTIMATE_BYTES = 16  # more for each node with an evaluator
RAW_VALUE_BYTES = 8  # and more where the node's own evaluation is kept


class Fault(IntEnum):
    """The faults for which `check` refuses a tree; 0 stands for none."""

    BLOCK, AFTER_END, COLUMNS, PROOF, SHARED_BLOCK = range(1, 6)


NO_FAULT = 0
FAULT_MESSAGES: dict[int, str] = {
    Fault.BLOCK: "its children lie outside the tree, or overlap others",
    Fault.AFTER_END: "the game is over there, but a search would continue",
    Fault.COLUMNS: "its children are not the open columns, in order",
    Fault.PROOF: "it has an impossible proof",
    Fault.SHARED_BLOCK: "it shares children with another position",
}

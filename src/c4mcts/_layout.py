"""What both engines must agree on to the bit: the node, its sentinels, the limits and the table of logarithms.

A node is 16 bytes. The children of a node lie side by side in one block, in column order, so a child slot is also the
edge that leads to it. The fields of a node are from the point of view of the player who *moved into* it.
"""

from array import array
from typing import NamedTuple

NODE_FIELDS = [
    ("visits", "u4"),  # simulations that went through this node
    ("value_sum", "u4"),  # their rewards, in reward units above a loss, of the player who moved into it
    ("children", "u4"),  # index of the first child; NO_CHILDREN for a leaf
    ("proof", "u2"),  # what is known for certain: a code in the upper bits, plies to the end in the lower
    ("column", "u1"),  # the move that leads here, 0-based; NO_COLUMN at the root
    ("size", "u1"),  # number of children
]

ESTIMATE_FIELDS = [  # where there is an evaluator; value_sum then counts the visits whose evaluation is known
    ("value", "f8"),  # mean of the evaluations below, in [-1, 1], for the player who moved into the node
    ("prior", "f8"),  # share of the move that leads here
]

ROOT = 0  # the root is always the first node of the pool
NO_CHILDREN = 0  # the root is nobody's child, so its index can say "none"
CLAIMED = 2**32 - 1  # in place of an index: the children are being made, by one of several threads
NO_COLUMN = 255

DISTANCE_BITS = 13  # distances reach 4096 plies, the end of a 64 x 64 board
DISTANCE_MASK = (1 << DISTANCE_BITS) - 1
# What is known of a node, for the player who moved into it. Distances are stored with WON and LOST: the game can be
# forced to end within so many plies; a draw ends with the full board.
UNKNOWN, WON, DRAWN, LOST, NOT_LOST, NOT_WON = (code << DISTANCE_BITS for code in range(6))

LOSS, DRAW, WIN = range(3)  # outcomes, the better the higher
# Bounds of the outcome by code, and the code by bounds.
LOWERS = (LOSS, WIN, DRAW, LOSS, DRAW, LOSS)
UPPERS = (WIN, WIN, DRAW, LOSS, WIN, DRAW)
CODES = tuple(
    next(code for code in range(6) if (LOWERS[code], UPPERS[code]) == (lower, upper)) << DISTANCE_BITS
    if lower <= upper
    else UNKNOWN
    for lower in range(3)
    for upper in range(3)
)  # at 3 * lower + upper

FIRST_PROBE = 64  # visits at which a node is probed first; then at each power of two
PROBE_NODES = 1  # solver's nodes for each visit
NEAR_PROBE_NODES = 16  # the same for the children of the root

MAX_SIDE = 64  # columns, rows
MAX_NODES = 2**32 - 1  # the nodes that an index of 32 bits can name, but for CLAIMED
MAX_THREADS = 256
MAX_BATCH = 1 << 16  # positions that an evaluator gets at once
MAX_TABLE_BITS = 40  # logarithm of the bytes of a solver's table
MAX_VALUE_SUM = 2**32 - 1
NODES_PER_BLOCK = 4  # a tree with shared children has one position for so many nodes of max_nodes, at most
# Bytes of the native engine for each node of max_nodes: the node, and its new place while a tree moves; where children
# are shared, 16 bytes an entry for a block, up to 8/3 as many entries as blocks, twice while a tree moves.
NODE_BYTES = 16 + 4
SHARED_NODE_BYTES = NODE_BYTES + -(-2 * 16 * 8 // (3 * NODES_PER_BLOCK))
ESTIMATE_BYTES = 16  # beside a node that an evaluator has seen
PROBE_TABLE_BITS = 22  # 4 MB: measured best, larger tables lose more to the cache

RANDOM, DECISIVE, SAFE = range(3)  # rollout policies, in the order of params.Rollout
UCB1, UCB1_TUNED, PUCT = range(3)  # selection rules, in the order of params.Selection

# What `check` may find wrong with a node, by number.
FAULTS = (
    "",
    "its children lie outside the tree, or overlap others",
    "it has children, though the game is over there",
    "its children are not the open columns, in order",
    "it has children, but fewer visits than they",
    "it has more rewards than visits",
    "it has a proof that it can't have",
    "it shares children with another position",
    "a node is nobody's child",
    "the game is over there, but it has no proof of that",
    "its children don't bear out its proof",
)

LOG_BITS = 12
LN2 = 0.6931471805599453


class Settings(NamedTuple):
    """SearchParams in the units of the node pool; `params.py` makes it, both engines read it."""

    selection: int  # the rule: UCB1, UCB1_TUNED or PUCT
    random_opponent: bool  # where the root's player is not to move, a child is drawn at random
    win: int  # reward units of a win, for the player who moved; a loss is 0
    draw: int
    exploration: float  # the exploration factor in reward units; with an evaluator on its scale, [-1, 1]
    first_play: float  # value of a child without visits on the same scale; may be infinite
    random_ties: bool  # among equal scores draw one at random, or take the first in column order
    roll_root: bool  # a fresh root is rolled out itself before it gets children
    rollout: int  # the policy: RANDOM, DECISIVE or SAFE
    proofs: bool  # back up exact results
    probes: bool  # hand nodes that have earned it to the solver
    transpositions: bool  # positions reached by several ways share their children
    short_wins: bool  # remember how soon a simulation has won through each column of the root
    max_nodes: int
    virtual_loss: float  # what a simulation under way counts for, in losses; with an evaluator
    noise: float  # share of the noise in the priors of the root's children
    batch_size: int  # positions that an evaluator gets at once, at most
    signed_planes: bool  # one plane of 1 and -1 instead of two
    threads: int  # that grow one tree; the pure engine has one


def log_table() -> "array[float]":
    """Natural logarithms of 1 .. 2**LOG_BITS - 1; entry 0 is unused.

    Made of additions, multiplications and divisions alone, in a fixed order, so that every platform has the same
    bits (the C library's log differs in the last one): ln n = ln(n/2) + ln 2 for even n, and
    ln n = ln(n-1) + 2 artanh(1 / (2n-1)) for odd n, the series cut where it no longer matters.
    """
    table = array("d", [0.0]) * (1 << LOG_BITS)
    for n in range(2, 1 << LOG_BITS):
        if n % 2 == 0:
            table[n] = table[n // 2] + LN2
            continue
        x = 1.0 / (2 * n - 1)
        power, series, k = x, 0.0, 1
        while power > 1e-18:
            series += power / k
            power *= x * x
            k += 2
        table[n] = table[n - 1] + 2.0 * series
    return table

"""The definitions on which both backends must agree to the bit: the node, its sentinels, limits, the table of
logarithms.

A node is 16 bytes. The children of a node are adjacent, in one block and in column order, so a child is also the edge
that leads to it. The fields of a node are from the point of view of the player who *moved into* it.
"""

from array import array
from enum import IntEnum
from itertools import accumulate
from struct import Struct
from typing import NamedTuple

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

FIRST_PROBE = 64  # visits at which a node is probed for the first time; then at each power of two
PROBE_NODES = 1  # solver nodes that a probe may take, for each visit of the node
NEAR_PROBE_NODES = 16  # the same for the children of the root
# Beyond 64 bits a later probe with more empty cells must have a budget of 2 ** (empty cells - PROBE_REACH) nodes.
PROBE_REACH = 30

UNLIMITED = 2**64 - 1  # simulations, nodes of a tree or of the solver, milliseconds: no limit
MAX_SIDE = 64  # columns, rows
ALL_COLUMNS = (1 << MAX_SIDE) - 1  # a bit for each column
MAX_NODES = 2**32 - 1  # CLAIMED is not an index
MAX_THREADS = 256
MAX_BATCH = 1 << 16  # positions that an evaluator gets at once
GROWN_BATCH = 64  # positions of a batch that grows with the tree, at most
MAX_TABLE_BITS = 40  # logarithm of the bytes of a solver's table
MAX_VALUE_SUM = 2**32 - 1
NODES_PER_BLOCK = 4  # with transpositions the table has room for max_nodes / NODES_PER_BLOCK positions
# Bytes of memory of the native backend for each node of max_nodes: the node, and its new index while the tree is
# compacted. With transpositions also the table: 16 bytes per entry, up to 8/3 as many entries as blocks, twice while
# the tree is compacted.
NODE_BYTES = 16 + 4
SHARED_NODE_BYTES = NODE_BYTES + -(-2 * 16 * 8 // (3 * NODES_PER_BLOCK))
ESTIMATE_BYTES = 16  # more for each node with an evaluator
RAW_VALUE_BYTES = 8  # and more where the node's own evaluation is kept
PROBE_TABLE_BITS = 22  # 4 MB: measured best, larger tables lose more to cache misses

RANDOM, DECISIVE, SAFE, NETWORK = range(4)  # rollout policies; NETWORK: a network in their place
ROLLOUTS = {"random": RANDOM, "decisive": DECISIVE, "safe": SAFE}  # by their names in UctParams
UCB1, UCB1_TUNED, PUCT = range(3)  # selection rules
SELECTIONS = {"ucb1": UCB1, "ucb1_tuned": UCB1_TUNED}  # by their names in UctParams
VISITS, VISITS_ONLY, VALUE, SECURE, UCB_SHORT_WIN, HALVING = range(6)  # rules for the move that is played
CHOICES = {  # by their names in UctParams; HALVING is for GumbelParams
    "visits": VISITS,
    "visits_only": VISITS_ONLY,
    "value": VALUE,
    "secure": SECURE,
    "ucb_short_win": UCB_SHORT_WIN,
}
FIRST, ANY, LAST_ADDED = range(3)  # rules for ties between children
TIES = {"first": FIRST, "random": ANY, "last_added": LAST_ADDED}  # by their names in SearchParams
FULL, FAST, STOP = range(3)  # how a game of a pool continues once its outcome is proven
AFTER_PROOF = {"full": FULL, "fast": FAST, "stop": STOP}  # by their names in PlayParams
PLAYED_OUT, PROVEN, RESIGNED = range(3)  # how a game of a pool ended


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

WINDOW = 32  # bits of the table of a static function, twice for each bit of a code word
SEED_BITS = 4  # of the number that describes a shard; the others are its size in bits
MAX_LENGTH = 30  # bits of a code word

LOG_BITS = 12
LN2 = 0.6931471805599453


class Settings(NamedTuple):
    """SearchParams in the units of the node pool; params.py makes it, both backends read it.

    Settings that only some algorithms have are off by default. setup.py turns the fields, with their comments, into a
    struct for the native backend.
    """

    selection: int  # the rule: UCB1, UCB1_TUNED or PUCT
    win: int  # reward units of a win, for the player who moved into a node; a loss is 0
    draw: int  # reward units of a draw
    ties: int  # which of several best children is selected: FIRST, ANY or LAST_ADDED
    proofs: bool  # whether exact outcomes are backed up
    checks: bool  # whether an immediate win is played, and an immediate threat answered
    max_nodes: int  # nodes that the tree may have
    exploration: float = 0.0  # the exploration factor, in reward units; with an evaluator on its scale, [-1, 1]
    exploration_base: float = 0.0  # above 0: exploration grows with the visits of a node, the slower the higher this is
    first_play: float = 0.0  # score of a child without visits, on the same scale; may be infinite
    from_parent: bool = False  # with an evaluator: whether it is the mean of the parent instead, less the reduction
    reduction: float = 0.0  # for each unit of sqrt(sum of the priors of the visited children)
    random_opponent: bool = False  # whether the moves of the root player's opponent are drawn at random
    discount: float = 1.0  # share of its difference from a draw that a result keeps per ply to the end, in (0, 1]
    roll_root: bool = False  # whether the first simulation of a tree is a rollout from its root
    rollout: int = RANDOM  # the policy: RANDOM, DECISIVE or SAFE; NETWORK: a network in their place
    probes: bool = False  # whether nodes with many visits are handed to the solver
    transpositions: bool = False  # whether nodes of the same position share their children
    prove_draws: bool = True  # whether draws are backed up as proofs, too; with an evaluator only
    mean_backup: bool = False  # whether a node averages in the new mean of its child, or the leaf's value; likewise
    equal_start: bool = False  # whether the children of a node score the same until one has been visited; likewise
    short_wins: bool = False  # whether the soonest win of a simulation is recorded for each column of the root
    virtual_loss: float = 1.0  # losses that a simulation under way counts for; with an evaluator only
    alpha: float = 0.0  # concentration of the noise in the priors of the root's children; 0 for no noise
    noise: float = 0.0  # weight of that noise, in [0, 1]
    root_temperature: float = 1.0  # of these priors, before the noise
    forced_visits: float = 0.0  # above 0: a visited child of the root gets at least sqrt(this * prior * visits of all)
    gumbel: bool = False  # whether the search is Gumbel AlphaZero's instead of PUCT
    considered: int = 0  # moves that sequential halving starts with, at most
    gumbel_scale: float = 0.0  # factor of the noise in their scores
    maxvisit_init: float = 0.0  # added to the visits of the most visited child in the factor of its value
    value_scale: float = 0.0  # factor of values in scores
    batch_size: int = 1  # positions that an evaluator gets at once, at most; 0: see grown_batch
    signed_planes: bool = False  # whether it gets one plane of 1 and -1, or two of 1
    choice: int = VISITS  # the rule for the move that is played: VISITS, VALUE and so on
    temperature: float = 0.0  # above 0: it is drawn in proportion to visits ** (1 / temperature)
    threads: int = 1  # that grow one tree; the pure backend runs one
    shared: bool = False  # whether there are several: the native backend tests it for each node that it changes
    salt: int = 0  # of a tree, with LAST_ADDED: a random number that decides the order in which children are added


class PlaySettings(NamedTuple):
    """How the games of a pool are played; selfplay.play_params makes it, the native game pool reads it."""

    simulations: int  # of a full search
    fast_simulations: int  # of a fast search
    full_share: float  # probability that a search is a full one
    fast_weight: float  # of the positions of the others, in training
    after_proof: int  # how a game continues once its outcome is proven: FULL, FAST or STOP
    resign_value: float  # a player whose value is lower may resign; -inf: nobody does
    resign_moves: int  # for this many consecutive positions of that player
    never_resign: float  # probability of a game in which nobody may resign
    last_temperature: float  # of the moves after those with temperatures of their own; 0: none is drawn
    keep_tree: bool  # whether the search of the next position starts from its subtree


# A searched position of a game: POSITION_FIELDS, then COLUMN_FIELDS, each for all columns. Values are in [-1, 1] for
# the player to move.
POSITION_FIELDS = [
    ("column", "i1"),  # the move that was played
    ("proof", "i1"),  # the proven outcome: 1 a win, 0 a draw, -1 a loss; NO_PROOF
    ("ply", "i2"),  # discs on the board
    ("simulations", "i4"),  # of the search
    ("raw_value", "f4"),  # of the evaluator for the position itself
    ("value", "f4"),  # of the position after the search
    ("weight", "f4"),  # in training
]
COLUMN_FIELDS = [
    ("policy", "f4"),  # its share
    ("visits", "i4"),
    ("q", "f4"),  # its mean or exact value; NaN without visits or a proof
    ("prior", "f4"),  # without noise; NaN in a tree without children
]
NO_PROOF = -128
# A game as bytes: this head, the moves before the first search, the searched positions.
GAME_HEAD = Struct("<HHbB")  # number of moves, how many of them are before the first search, winner or -1, ending
MAX_ROWS = 1 << 20  # leaves of a pool's batch
MAX_ANSWERS = 1 << 36  # that a pool keeps
NO_GAME = -1  # instead of the number of a game
# Numbers of a game's streams of random numbers; those from 1 up are for the noise of its roots.
DRAWN_MOVES, CHANCES, OPENING = 0, 1 << 32, 1 << 33


def discounted_rewards(win: int, draw: int, discount: float, plies: int) -> "tuple[array[int], array[int]]":
    """Reward units of a win and of a loss by plies to the end, from 0 to `plies`: draw + (win - draw) discount ** n.

    Computed by multiplication, which every platform rounds alike; to whole units, halves up.
    """
    wins, losses = array("I"), array("I")
    kept = 1.0
    for _ in range(plies + 1):
        wins.append(draw + int((win - draw) * kept + 0.5))
        losses.append(draw - int(draw * kept + 0.5))
        kept *= discount
    return wins, losses


def grown_batch(visits: int) -> int:
    """Positions that an evaluator gets at once by default, by the visits of the root: measured by bench/batches.py."""
    return min(1 + visits // 32, GROWN_BATCH)


def win_score(cells: int, end: int) -> int:
    """Score of a win that leaves `end` discs on a board of `cells` cells, on Pons' scale: at least 1."""
    return (cells + 2 - end) // 2


def bucket_bits(key_bits: int, size_bits: int) -> int:
    """Logarithm of the number of buckets of a solver's table with 2**size_bits bytes, for keys of key_bits bits.

    A bucket has two entries of 8 bytes with 40 bits of a key each; for keys of more than 64 bits, of 16 bytes with 103
    bits. The index of the bucket stands for other bits; if that does not make up the whole key, each entry has 8 more
    bytes.
    """
    is_wide = key_bits > 64
    entry_bits = 103 if is_wide else 40  # of a key
    bits = max(1, min(size_bits - (5 if is_wide else 4), key_bits - 1))  # no more buckets than keys
    return bits if key_bits - bits <= entry_bits else max(1, bits - 1)


def log_table() -> "array[float]":
    """Natural logarithms of 1 .. 2**LOG_BITS - 1; entry 0 is unused.

    Computed only with additions, multiplications and divisions, in a fixed order, so that every platform gets the same
    bits (the log of C libraries differs in the last one): ln n = ln(n/2) + ln 2 for even n, and
    ln n = ln(n-1) + 2 artanh(1 / (2n-1)) for odd n, whose series ends where its terms no longer matter.
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


def count_lengths(lengths: memoryview, size: int) -> list[int]:
    """By length: how many code words of a static function have it. ValueError unless they belong to a sorted,
    complete code.
    """
    counts = [0] * (max(lengths, default=0) + 1)
    for length in lengths:
        counts[length] += 1
    # Kraft's sum of 2**-length, times 2**MAX_LENGTH
    kraft = sum(count << MAX_LENGTH - length for length, count in enumerate(counts) if length <= MAX_LENGTH)
    is_complete = len(counts) <= MAX_LENGTH + 1 and kraft == 1 << MAX_LENGTH
    if len(lengths) != size or not is_complete or list(lengths) != sorted(lengths):
        raise ValueError(f"there must be {size} lengths of code words, sorted, of a complete prefix code")
    return counts


def read_shards(shards: memoryview) -> tuple[list[int], list[int]]:
    """The seed of each shard of a static function, and where it starts in the table; at the end the number of bits of
    all. ValueError.
    """
    sizes = [shard >> SEED_BITS for shard in shards]
    if not sizes:
        raise ValueError("there must be at least one shard")
    if min(sizes) < WINDOW:
        raise ValueError(f"a shard must have at least {WINDOW} bits, not {min(sizes)}")
    return [shard & (1 << SEED_BITS) - 1 for shard in shards], list(accumulate(sizes, initial=0))


# The network: see _pure/network.py. Its arrays by name, with their shapes; all but the biases hold signed bytes.
LINE_ROWS = 6 * 3 * 256  # direction and parity; whose discs; states of the four cells
WINDOW_ROWS = 5  # cells of a column whose threats are seen, from the free one upwards
COLUMN_ROWS = 2 << 2 * WINDOW_ROWS  # parity; threats of either player
HIDDEN, SECOND = 32, 16  # numbers of the first layer and of the second, both for the value and for the moves
NETWORK_ARRAYS = {
    "lines": (LINE_ROWS, 2 * HIDDEN),  # for the value, then for the moves
    "columns": (COLUMN_ROWS, 2 * HIDDEN),
    "bias": (2 * HIDDEN,),
    "value_second": (SECOND, HIDDEN),
    "value_second_bias": (SECOND,),
    "value": (SECOND,),
    "value_bias": (1,),
    "through": (LINE_ROWS, HIDDEN),
    "above": (LINE_ROWS, HIDDEN),
    "landing": (COLUMN_ROWS, HIDDEN),
    "move_second": (SECOND, HIDDEN),
    "move_second_bias": (SECOND,),
    "move": (SECOND,),
}
NETWORK_VERSION = 2
UNIT_BITS = 6  # a weight of 1 is stored as 1 << UNIT_BITS; so is a number of a layer
MAX_NUMBER = 255  # of a layer; it is at least 0
MAX_BIAS = 1 << 20
EXP_BITS = 5  # of the sums of the last layers, in steps of 2**-12, that the table of exponentials drops
EXP_SIZE = 2048  # of its entries: down to e**-16


def exp_table() -> "array[float]":
    """e**(-i / 128) for i from 0 to EXP_SIZE - 1: by multiplication, which every platform rounds alike."""
    factor, table = 0.9922179382602435, array("d", [1.0])  # e**(-1 / 128)
    while len(table) < EXP_SIZE:
        table.append(table[-1] * factor)
    return table

"""Settings of searches and of games of a pool, in the units of the backends, their limits, and the numbers of names."""

from typing import NamedTuple

UNLIMITED = 2**64 - 1  # simulations, nodes of a tree or of the solver, milliseconds: no limit
MAX_SIDE = 64  # columns, rows
ALL_COLUMNS = (1 << MAX_SIDE) - 1  # a bit for each column
MAX_THREADS = 256
MAX_BATCH = 1 << 16  # positions that an evaluator gets at once
GROWN_BATCH = 64  # positions of a batch that grows with the tree, at most

FIRST_PROBE = 64  # visits at which a node is probed for the first time; then at each power of two
PROBE_NODES = 1  # solver nodes that a probe may take, for each visit of the node
NEAR_PROBE_NODES = 16  # the same for the children of the root
# Beyond 64 bits a later probe with more empty cells must have a budget of 2 ** (empty cells - PROBE_REACH) nodes.
PROBE_REACH = 30

RANDOM, DECISIVE, SAFE, NETWORK = range(4)  # rollout policies; NETWORK: a network instead
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
    rollout: int = RANDOM  # the policy: RANDOM, DECISIVE or SAFE; NETWORK: a network instead
    probes: bool = False  # whether nodes with many visits are handed to the solver
    transpositions: bool = False  # whether nodes of the same position share their children
    prove_draws: bool = True  # whether draws are backed up as proofs, too; with an evaluator only
    mean_backup: bool = False  # whether a node averages in the new mean of its child, or the leaf's value; as above
    equal_start: bool = False  # whether the children of a node score the same until one has been visited; as above
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


def grown_batch(visits: int) -> int:
    """Positions that an evaluator gets at once by default, by the visits of the root: measured by bench/batches.py."""
    return min(1 + visits // 32, GROWN_BATCH)

"""A game of self-play: its positions are searched one after the other, and what the searches find is recorded.

A game may be played in any number of steps: `advance` plays on until leaves wait for their evaluation, `complete_game`
takes the evaluations. Only its own seed decides how it goes.
"""

from math import nan
from struct import Struct

from .._layout import DRAW, NO_GAME, NO_PROOF, POSITION_FIELDS, ROOT
from .bitboard import completes, free_cell, open_columns, play
from .moves import Move, choose, draw, list_moves, outcome_of, value_of_outcome, weigh
from .noise import dirichlet, gumbel
from .pool import clear, compact
from .proofs import is_proven
from .puct import PuctSearcher, complete_leaf, gather_leaves
from .rng import Generator, next64, substream
from .search import child_of
from .threats import find_threats

STEPS = 1000  # simulations that need no evaluation after which `advance` returns
HEAD = Struct(
    "=" + "".join({"u1": "B", "i1": "b", "u2": "H", "i4": "i", "f4": "f"}[kind] for _, kind in POSITION_FIELDS)
)


def begin_root(game):
    """Prepare the search of a new position: its noise is the same as that of an Engine with the same seed."""
    options = game.options
    settings = game.tree.settings
    game.roots += 1
    game.done = 0
    game.planned = options.simulations
    game.mixed = []
    generator = substream(game.seed[0], game.seed[1], game.roots)
    size = open_columns(game.root, game.tree.geometry).bit_count()
    if options.alpha > 0.0:
        game.noise = [0.0] * size
        dirichlet(generator, options.alpha, size, game.noise)
    elif settings.gumbel and settings.gumbel_scale > 0.0:
        game.noise = [0.0] * size
        gumbel(generator, settings.gumbel_scale, size, game.noise)


def move_root(game, position, column):
    """Play a move, and keep its subtree or start a new tree."""
    pool = game.tree.pool
    geometry = game.tree.geometry
    node = child_of(pool, ROOT, column)
    if game.options.keep_tree and node != ROOT and pool.nodes[node].visits:
        compact(pool, node, [0] * pool.used)
    else:
        clear(pool)
    play(position, geometry, column)
    find_threats(position, geometry)
    begin_root(game)


def record(game, size, outcome, weights, column):
    """Record the position that has been searched. outcome: what is proven of it. weights: of the policy."""
    tree = game.tree
    width = tree.geometry.width
    policy = [0.0] * width
    visits = [0] * width
    values = [nan] * width
    priors = [0.0 if tree.pool.nodes[ROOT].size else nan] * width
    total = 0.0
    value = -tree.pool.estimates[ROOT].value
    for i in range(size):
        total += weights[i]
    for i in range(size):
        move = game.moves[i]
        policy[move.column] = weights[i] / total
        visits[move.column] = move.visits
        values[move.column] = 2.0 * move.share - 1.0 if move.share >= 0.0 else nan
        if tree.pool.nodes[ROOT].size:
            priors[move.column] = move.prior
    if outcome >= 0:
        value = 2.0 * value_of_outcome(tree.settings, outcome) - 1.0
    game.history += HEAD.pack(
        column, NO_PROOF if outcome < 0 else outcome - DRAW, 0, game.done, tree.pool.raw_values[ROOT], value
    )
    game.history += Struct(f"={width}f{width}i{width}f{width}f").pack(*policy, *visits, *values, *priors)


def finish_search(game, position):
    """Choose the move after a search, record the position, and play the move."""
    tree = game.tree
    geometry = tree.geometry
    settings = tree.settings
    options = game.options
    generator = Generator(game.worker.generator.a, game.worker.generator.b)
    weights = [0.0] * geometry.width
    size = list_moves(game, position, options.checks, game.moves)
    chosen = played = choose(game.moves, size, settings, options.choice, next64(generator))
    if game.plies < options.temperature_plies:
        weigh(game.moves, size, chosen, options.temperature, weights)
        played = draw(weights, size, next64(game.draws))
    weigh(game.moves, size, chosen, 1.0, weights)
    column = game.moves[played].column
    record(game, size, outcome_of(game.moves, size), weights, column)
    game.plies += 1
    if completes(position, geometry, free_cell(position, geometry, column)):
        game.winner = position.ply & 1
    game.over = game.winner >= 0 or position.ply + 1 == geometry.cells
    if not game.over:
        move_root(game, position, column)


def advance(game, planes):
    """Play on until leaves wait, whose planes are then painted, or the game is over, or for about STEPS simulations."""
    options = game.options
    steps = 0
    while not game.over and steps < STEPS:
        nodes = game.tree.pool.nodes
        if game.done < options.simulations and not is_proven(nodes[ROOT].proof):
            game.made = gather_leaves(game, min(options.simulations - game.done, game.tree.settings.batch_size), planes)
            if game.waiting:
                return
            game.done += game.made
            steps += game.made
        else:
            finish_search(game, game.root)


def complete_game(game, priors, values):
    """Take the evaluations of the leaves that wait: rows of priors and values, which are for the player to move."""
    for i in range(game.waiting):
        value = max(-1.0, min(1.0, float(values[game.row + i])))
        complete_leaf(game, i, priors[game.row + i].tolist(), value)
    game.done += game.made
    game.waiting = 0


class Game(PuctSearcher):
    """One game after the other, with the tree of the current position and the record of the positions before it."""

    def prepare(self, options):
        """Once, before the first game: how it is played, a _layout.PlaySettings."""
        self.tree.pool.raw_values = [0.0]
        self.options = options
        self.moves = [Move() for _ in range(self.tree.geometry.width)]  # at the root, after a search
        self.history = bytearray()  # the positions of the game, as _layout.POSITION_FIELDS says
        self.number = NO_GAME
        self.over = True  # whether no position remains to be searched
        self.winner = -1  # the player who has won; -1: nobody
        self.seed = (0, 1)  # the state of the generator at the start
        self.draws = Generator(0, 1)  # for the moves that are drawn
        self.roots = 0  # how many positions have been the root; each has its own noise
        self.plies = 0  # since the start of the game
        self.done = 0  # simulations of the current search that are finished
        self.made = 0  # simulations of the batch that waits
        self.row = 0  # of the batch: the first leaf that waits

    def start(self, number, own, mask, a, b):
        """Start a game at an unfinished position, with the generator's state (a, b)."""
        self.number = NO_GAME
        self.over = True
        self.set_root(own, mask)
        self.worker.generator = Generator(a, b)
        self.seed = (a, b)
        self.draws = substream(a, b, 0)
        self.waiting = 0
        self.roots = 0
        self.plies = 0
        self.winner = -1
        self.history = bytearray()
        begin_root(self)
        self.number = number
        self.over = False

    def positions(self):
        """The record of the game's positions so far, as bytes: see _layout.POSITION_FIELDS."""
        return bytes(self.history)

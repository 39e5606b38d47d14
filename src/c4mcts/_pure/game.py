"""A game of self-play: its positions are searched one after the other, and the results of the searches are recorded.

A game may be played in any number of steps: `advance` plays until leaves wait for their evaluation, and continues when
their answers have been taken. The game depends only on its own seed.
"""

from math import nan
from struct import Struct

from .._layout import (
    CHANCES,
    DRAW,
    DRAWN_MOVES,
    FAST,
    LOSS,
    MAX_SIDE,
    NO_GAME,
    NO_PROOF,
    PLAYED_OUT,
    POSITION_FIELDS,
    PROVEN,
    RESIGNED,
    ROOT,
    STOP,
    WIN,
)
from .._validation import between
from .answers import Key, find, set_key
from .bitboard import completes, copy, free_cell, is_open, open_columns, play
from .moves import Move, choose, draw, list_moves, outcome_of, value_of_outcome, weigh
from .numbers import Generator, chance, dirichlet, gumbel, next64, substream
from .pool import clear, compact
from .proofs import is_proven
from .puct import PuctSearcher, complete_leaf, gather_leaves
from .search import child_of
from .threats import find_threats

STEPS = 1000  # number of simulations without an evaluation from outside after which `advance` returns
KNOWN, UNPLACED = -1, -2  # instead of the row of a leaf: its answer is in `known`; it has no row yet
SINGLE = Struct("=f")
HEAD = Struct(
    "=" + "".join({"u1": "B", "i1": "b", "u2": "H", "i4": "i", "f4": "f"}[kind] for _, kind in POSITION_FIELDS)
)


def begin_root(game):
    """Prepare the search of a new position: its noise is the same as that of an Engine with the same seed."""
    options = game.options
    game.roots += 1
    game.done = 0
    game.is_full = not (game.opening_left or (game.proven and options.after_proof == FAST))
    if game.is_full and options.full_share < 1.0:
        game.is_full = chance(game.chances, options.full_share)
    game.planned = options.simulations if game.is_full else 1 if game.opening_left else options.fast_simulations
    game.tree.settings = game.full_settings if game.is_full else game.fast_settings
    game.mixed = []
    game.noise = []
    generator = substream(game.seed[0], game.seed[1], game.roots)
    size = open_columns(game.root, game.tree.geometry).bit_count()
    if game.tree.settings.alpha > 0.0 and game.is_full:
        game.noise = [0.0] * size
        dirichlet(generator, game.tree.settings.alpha, size, game.noise)
    elif game.tree.settings.gumbel and game.tree.settings.gumbel_scale > 0.0:
        game.noise = [0.0] * size
        gumbel(generator, game.tree.settings.gumbel_scale, size, game.noise)


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


def play_opening(game, position):
    """Draw a move of the opening by the priors, among those that do not end the game, and play it.

    If there is none, the opening ends here. The game then starts as if this were its first position.
    """
    root = game.tree.pool.nodes[ROOT]
    geometry = game.tree.geometry
    child = root.children
    allowed = [0.0] * geometry.width
    priors = [0.0] * geometry.width
    choices = 0
    total = 0.0
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            cell = free_cell(position, geometry, column)
            if not completes(position, geometry, cell) and position.ply + 1 < geometry.cells:
                allowed[column] = 1.0
                priors[column] = game.tree.pool.estimates[child].prior if root.size else 0.0
                choices += 1
                total += priors[column]
            child += 1
    game.roots = 0
    if choices:
        column = draw(priors if total > 0.0 else allowed, geometry.width, next64(game.chances))
        game.opening.append(column)
        game.opening_left -= 1
        move_root(game, position, column)
    else:
        game.opening_left = 0
        clear(game.tree.pool)
        begin_root(game)


def record(game, size, outcome, weights, column):
    """Record the position that has been searched, and return its value in single precision.

    outcome: its proven outcome. weights: of the policy.
    """
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
        column, NO_PROOF if outcome < 0 else outcome - DRAW, game.is_full, game.done, tree.pool.raw_values[ROOT], value
    )
    game.history += Struct(f"={width}f{width}i{width}f{width}f").pack(*policy, *visits, *values, *priors)
    return SINGLE.unpack(SINGLE.pack(value))[0]


def end_game(game, position, column, outcome, value):
    """End the game if the player to move resigns, if the move does it, or if a proof is enough.

    column: the move. outcome: the proven outcome of the position. value: of the position.
    """
    geometry = game.tree.geometry
    options = game.options
    player = position.ply & 1
    game.over = True
    game.low[player] = game.low[player] + 1 if value < options.resign_value else 0
    if game.may_resign and game.low[player] >= options.resign_moves:
        game.ending = RESIGNED
        game.winner = 1 - player
    elif completes(position, geometry, free_cell(position, geometry, column)):
        game.winner = player
    elif outcome >= 0 and options.after_proof == STOP:
        game.ending = PROVEN
        game.winner = player if outcome == WIN else 1 - player if outcome == LOSS else -1
    else:
        game.over = position.ply + 1 == geometry.cells


def finish_search(game, position):
    """Choose the move after a search, record the position, and play the move."""
    tree = game.tree
    geometry = tree.geometry
    settings = tree.settings
    options = game.options
    generator = Generator(game.worker.generator.a, game.worker.generator.b)
    weights = [0.0] * geometry.width
    size = list_moves(game, position, game.moves)
    outcome = outcome_of(game.moves, size)
    chosen = played = choose(game.moves, size, settings, next64(generator))
    if game.plies < options.temperature_plies:
        weigh(game.moves, size, outcome >= 0, chosen, options.temperature, weights)
        played = draw(weights, size, next64(game.draws))
    weigh(game.moves, size, outcome >= 0, chosen, 1.0, weights)
    column = game.moves[played].column
    value = record(game, size, outcome, weights, column)
    game.plies += 1
    game.proven = game.proven or outcome >= 0
    end_game(game, position, column, outcome, value)
    if not game.over:
        move_root(game, position, column)


def look_up(game, i, root, position):
    """Look for the answer for leaf number i; returns whether it is known, in which case it has been taken."""
    geometry = game.tree.geometry
    nodes = game.tree.pool.nodes
    copy(position, root, geometry)
    for level in range(1, game.leaves[i].depth + 1):
        play(position, geometry, nodes[game.paths[i][level]].column)
    set_key(game.keys[i], position, geometry)
    answer = find(game.answers, game.keys[i])
    if answer is None:
        return False
    game.known[i] = answer
    return True


def look_up_all(game):
    """Look for the answers for all waiting leaves; returns whether all are known."""
    waiting = 0
    for i in range(game.waiting):
        game.places[i] = KNOWN if look_up(game, i, game.root, game.worker.position) else UNPLACED
        waiting += game.places[i] == UNPLACED
    return waiting == 0


def go_on(game, position):
    """Play the next move: one of the opening, or the one found by the search."""
    if game.opening_left:
        play_opening(game, position)
    else:
        finish_search(game, position)


def advance(game, planes, answers):
    """Play until leaves wait, whose planes are then painted, or the game is over, or for about STEPS simulations.

    If leaves wait already, their answers have come, and their simulations are finished first: here, where the tree is
    needed anyway, and not when the answers come, after which other games drive it out of the processor's cache.
    answers: by row of the batch: priors for all columns, and then the value.
    """
    steps = 0
    if game.waiting:
        complete_game(game, answers)
    while not game.over and steps < STEPS:
        nodes = game.tree.pool.nodes
        if game.done < game.planned and not is_proven(nodes[ROOT].proof):
            game.made = gather_leaves(game, min(game.planned - game.done, game.tree.settings.batch_size), planes)
            if game.waiting and (game.answers is None or not look_up_all(game)):
                return
            steps += game.made
            complete_game(game, answers)
        else:
            go_on(game, game.root)


def complete_game(game, answers):
    """Finish the simulations of the batch, all of whose answers have come. answers: see advance."""
    for i in range(game.waiting):
        *priors, value = game.known[i] if game.places[i] == KNOWN else answers[game.places[i]]
        complete_leaf(game, i, priors, max(-1.0, min(1.0, value)))
    game.done += game.made
    game.waiting = 0


class SelfPlayGame(PuctSearcher):
    """One game after the other, with the tree of the current position and the record of the positions before it."""

    def prepare(self, options, answers):
        """Once, before the first game: the rules of play, a _layout.PlaySettings; and the pool's Answers, or None."""
        leaves = self.tree.settings.batch_size
        if answers is not None and answers.width != self.tree.geometry.width:
            raise ValueError("the answers are for another board")
        self.tree.pool.raw_values = [0.0]
        self.options = options
        self.full_settings = self.tree.settings
        # fast searches explore nothing at the root
        self.fast_settings = self.tree.settings._replace(root_temperature=1.0, forced_visits=0.0, gumbel_scale=0.0)
        self.answers = answers
        self.moves = [Move() for _ in range(self.tree.geometry.width)]  # at the root, after a search
        self.history = bytearray()  # the positions of the game, as defined by _layout.POSITION_FIELDS
        self.number = NO_GAME
        self.over = True  # whether no position remains to be searched
        self.winner = -1  # the player who has won; -1: nobody
        self.seed = (0, 1)  # the state of the generator at the start
        self.draws = Generator(0, 1)  # for the moves that are drawn
        self.chances = Generator(0, 1)  # for the opening, for the permission to resign, and for which searches are full
        self.opening = bytearray()  # the moves before the first search
        self.opening_left = 0  # number of moves still to be drawn from the priors
        self.roots = 0  # number of positions that have been the root; each has its own noise
        self.plies = 0  # that have been searched
        self.proven = False  # whether the outcome of one of them was
        self.may_resign = False  # whether a player may
        self.low = [0, 0]  # by player: consecutive positions, up to the last one, with a low value
        self.ending = PLAYED_OUT  # _layout.PLAYED_OUT, PROVEN or RESIGNED
        self.is_full = True  # whether the current search is a full one
        self.done = 0  # simulations of the current search that are finished
        self.made = 0  # those of the batch that waits
        self.keys = [Key() for _ in range(leaves)]  # by waiting leaf: its position; only with answers
        self.places = [KNOWN] * leaves  # by waiting leaf: its row in the batch, KNOWN or UNPLACED
        self.known = [[]] * leaves  # by waiting leaf: its answer, if it was known; only with answers

    def start(self, number, own, mask, a, b, opening):
        """Start a game at an unfinished position, with the generator's state (a, b).

        opening: number of moves before the first search, drawn from the priors.
        """
        between("opening", opening, 0, MAX_SIDE**2)
        self.number = NO_GAME
        self.over = True
        self.set_root(own, mask)
        self.worker.generator = Generator(a, b)
        self.seed = (a, b)
        self.draws = substream(a, b, DRAWN_MOVES)
        self.chances = substream(a, b, CHANCES)
        self.may_resign = not chance(self.chances, self.options.never_resign)
        self.opening = bytearray()
        self.opening_left = opening
        self.waiting = 0
        self.roots = 0
        self.plies = 0
        self.proven = False
        self.low = [0, 0]
        self.ending = PLAYED_OUT
        self.winner = -1
        self.history = bytearray()
        begin_root(self)
        self.number = number
        self.over = False

    def gather(self, count):
        """ValueError: the pool does this."""
        raise ValueError("the leaves of a game are gathered by its pool")

    def opening_moves(self):
        """The moves before the first search, as bytes."""
        return bytes(self.opening)

    def positions(self):
        """The record of the game's positions so far, as bytes: see _layout.POSITION_FIELDS."""
        return bytes(self.history)

"""A game of self-play; game.pxd describes it."""

from math import nan

from c4mcts import _layout

from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from .bitboard cimport (
    BITS, MAX_SIDE, STANDARD, AnyPosition, Geometry, Position, completes, free_cell, open_columns, play,
)
from .bounds cimport count_bits
from .moves cimport Move, choose, draw, list_moves, outcome_of, value_of_outcome, weigh
from .noise cimport dirichlet, gumbel
from .pool cimport Settings, clear, compact, keep_raw_values
from .proofs cimport DRAW, is_proven
from .puct cimport PuctSearcher, complete_leaf, gather_leaves
from .rng cimport Generator, next64, substream
from .search cimport child_of
from .threats cimport find_threats

cdef uint32_t ROOT = _layout.ROOT
cdef int NO_GAME = _layout.NO_GAME
cdef int NO_PROOF = _layout.NO_PROOF
cdef float NONE = nan

cdef enum:
    STEPS = 1000    # simulations that need no evaluation after which `advance` returns


cdef void begin_root(Game game) noexcept nogil:
    """Prepare the search of a new position: its noise is the same as that of an Engine with the same seed."""
    cdef const Options* options = &game.options
    cdef const Settings* settings = &game.tree.settings
    cdef const AnyPosition* root = &game.root
    cdef const Geometry* geometry = &game.tree.geometry
    cdef Generator generator
    cdef uint64_t columns
    game.roots += 1
    game.done = 0
    game.planned = options.simulations
    game.is_mixed = False
    generator = substream(game.seed[0], game.seed[1], game.roots)
    if geometry.kernel == STANDARD:
        columns = open_columns(&root.standard, geometry)
    elif geometry.kernel == BITS:
        columns = open_columns(&root.bits, geometry)
    else:
        columns = open_columns(&root.lines, geometry)
    if options.alpha > 0.0:
        dirichlet(&generator, options.alpha, count_bits(columns), game.noise)
        game.noisy = True
    elif settings.gumbel and settings.gumbel_scale > 0.0:
        gumbel(&generator, settings.gumbel_scale, count_bits(columns), game.noise)
        game.noisy = True


cdef void move_root(Game game, Position* position, int column) noexcept nogil:
    """Play a move, and keep its subtree or start a new tree."""
    cdef const Geometry* geometry = &game.tree.geometry
    cdef uint32_t node = child_of(game.tree.pool, ROOT, column)
    cdef uint32_t* moved = NULL
    if game.options.keep_tree and node != ROOT and game.tree.pool.nodes[node].visits:
        moved = <uint32_t*>calloc(game.tree.pool.used, sizeof(uint32_t))
    if moved != NULL:
        compact(game.tree.pool, node, moved)
        free(moved)
    else:
        clear(game.tree.pool)
    play(position, geometry, column)
    find_threats(position, geometry)
    begin_root(game)


cdef void record(Game game, int size, int outcome, const double* weights, int column) noexcept nogil:
    """Record the position that has been searched. outcome: what is proven of it. weights: of the policy."""
    cdef int width = game.tree.geometry.width
    cdef char* place = game.history + game.plies * game.position_size
    cdef Head* head = <Head*>place
    cdef float* policy = <float*>(place + sizeof(Head))
    cdef int32_t* visits = <int32_t*>(policy + width)
    cdef float* values = <float*>(visits + width)
    cdef float* priors = values + width
    cdef double total = 0.0
    cdef double value = -game.tree.pool.estimates[ROOT].value
    cdef const Move* move
    cdef int i
    for i in range(width):
        policy[i] = 0.0
        visits[i] = 0
        values[i] = NONE
        priors[i] = 0.0 if game.tree.pool.nodes[ROOT].size else NONE
    for i in range(size):
        total += weights[i]
    for i in range(size):
        move = &game.moves[i]
        policy[move.column] = <float>(weights[i] / total)
        visits[move.column] = <int32_t>move.visits
        values[move.column] = <float>(2.0 * move.share - 1.0) if move.share >= 0.0 else NONE
        if game.tree.pool.nodes[ROOT].size:
            priors[move.column] = <float>move.prior
    if outcome >= 0:
        value = 2.0 * value_of_outcome(&game.tree.settings, outcome) - 1.0
    head[0] = Head(
        column=<uint8_t>column,
        proof=<int8_t>(NO_PROOF if outcome < 0 else outcome - DRAW),
        unused=0,
        simulations=game.done,
        raw_value=<float>game.tree.pool.raw_values[ROOT],
        value=<float>value,
    )


cdef void finish_search(Game game, Position* position) noexcept nogil:
    """Choose the move after a search, record the position, and play the move."""
    cdef const Geometry* geometry = &game.tree.geometry
    cdef const Options* options = &game.options
    cdef Generator generator = game.group.threads[0].worker.generator
    cdef double weights[MAX_SIDE]
    cdef int size = list_moves(game, position, options.checks, game.moves)
    cdef int chosen = choose(game.moves, size, &game.tree.settings, options.choice, next64(&generator))
    cdef int played = chosen
    cdef int column
    if game.plies < options.temperature_plies:
        weigh(game.moves, size, chosen, options.temperature, weights)
        played = draw(weights, size, next64(&game.draws))
    weigh(game.moves, size, chosen, 1.0, weights)
    column = game.moves[played].column
    record(game, size, outcome_of(game.moves, size), weights, column)
    game.plies += 1
    if completes(position, geometry, free_cell(position, geometry, column)):
        game.winner = position.ply & 1
    game.over = game.winner >= 0 or position.ply + 1 == geometry.cells
    if not game.over:
        move_root(game, position, column)


cdef void advance(Game game, float* planes) noexcept nogil:
    """Play on until leaves wait, whose planes are then painted, or the game is over, or for about STEPS simulations."""
    cdef const Options* options = &game.options
    cdef AnyPosition* root = &game.root
    cdef int steps = 0
    while not game.over and steps < STEPS:
        if game.done < options.simulations and not is_proven(game.tree.pool.nodes[ROOT].proof):
            game.made = gather_leaves(game, min(options.simulations - game.done, game.batch_size), planes)
            if game.waiting:
                return
            game.done += game.made
            steps += game.made
        elif game.tree.geometry.kernel == STANDARD:
            finish_search(game, &root.standard)
        elif game.tree.geometry.kernel == BITS:
            finish_search(game, &root.bits)
        else:
            finish_search(game, &root.lines)


cdef void complete_game(Game game, const float[:, :] priors, const float[:] values) noexcept nogil:
    """Take the evaluations of the leaves that wait: rows of priors and values, which are for the player to move."""
    cdef double shares[MAX_SIDE]
    cdef double value
    cdef int i, column
    for i in range(game.waiting):
        value = max(-1.0, min(1.0, <double>values[game.row + i]))
        for column in range(game.tree.geometry.width):
            shares[column] = priors[game.row + i, column]
        complete_leaf(game, i, shares, value)
    game.done += game.made
    game.waiting = 0


cdef class Game(PuctSearcher):

    def __dealloc__(self):
        free(self.history)

    def prepare(self, options):
        """Once, before the first game: how it is played, a _layout.PlaySettings."""
        cdef size_t positions = self.tree.geometry.cells
        if self.history != NULL:
            raise ValueError("the game has been prepared before")
        self.position_size = sizeof(Head) + 4 * sizeof(float) * self.tree.geometry.width
        self.options = Options(
            simulations=options.simulations,
            temperature=options.temperature,
            temperature_plies=options.temperature_plies,
            alpha=options.alpha,
            choice=options.choice,
            checks=options.checks,
            keep_tree=options.keep_tree,
        )
        self.number = NO_GAME
        self.over = True
        if self.tree.pool.raw_values == NULL:
            keep_raw_values(self.tree.pool)
        self.history = <char*>malloc(positions * self.position_size)
        if self.history == NULL:
            raise MemoryError(f"no memory for {positions} positions")

    def start(self, number, own, mask, uint64_t a, uint64_t b):
        """Start a game at an unfinished position, with the generator's state (a, b)."""
        if self.history == NULL:
            raise ValueError("the game must be prepared first")
        self.number = NO_GAME
        self.over = True
        self.set_root(own, mask)
        self.group.threads[0].worker.generator = Generator(a=a, b=b)
        self.seed[0] = a
        self.seed[1] = b
        self.draws = substream(a, b, 0)
        self.waiting = 0
        self.roots = 0
        self.plies = 0
        self.winner = -1
        begin_root(self)
        self.number = number
        self.over = False

    def positions(self):
        """The record of the game's positions so far, as bytes: see _layout.POSITION_FIELDS."""
        return self.history[: self.plies * self.position_size] if self.history != NULL else b""

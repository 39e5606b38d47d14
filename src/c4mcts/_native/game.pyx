"""A game of self-play; game.pxd describes it."""

from math import nan

import numpy as np

from c4mcts import _layout
from c4mcts._validation import between

from .answers import KEY

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from .answers cimport Answers, find, set_key
from .bitboard cimport (
    BITS, MAX_SIDE, STANDARD, AnyPosition, Geometry, Position,
    completes, copy, free_cell, is_open, open_columns, play,
)
from .cells cimport count_cells
from .moves cimport Move, choose, draw, list_moves, outcome_of, value_of_outcome, weigh
from .numbers cimport Generator, chance, dirichlet, gumbel, next64, substream
from .pool cimport Node, clear, compact, keep_raw_values
from .proofs cimport DRAW, LOSS, WIN, is_proven
from .puct cimport PuctSearcher, complete_leaf, gather_leaves
from .search cimport child_of
from .settings cimport PlaySettings, Settings
from .threats cimport find_threats

cdef uint32_t ROOT = _layout.ROOT
cdef int NO_GAME = _layout.NO_GAME
cdef int NO_PROOF = _layout.NO_PROOF
cdef int FAST = _layout.FAST
cdef int STOP = _layout.STOP
cdef int PLAYED_OUT = _layout.PLAYED_OUT
cdef int PROVEN = _layout.PROVEN
cdef int RESIGNED = _layout.RESIGNED
cdef uint64_t DRAWN_MOVES = _layout.DRAWN_MOVES
cdef uint64_t CHANCES = _layout.CHANCES
cdef float NONE = nan

cdef void begin_root(SelfPlayGame game) noexcept nogil:
    """Prepare the search of a new position: its noise is the same as an Engine's with the same seed."""
    cdef const PlaySettings* options = &game.options
    cdef const Settings* settings = &game.tree.settings
    cdef const AnyPosition* root = &game.root
    cdef const Geometry* geometry = &game.tree.geometry
    cdef Generator generator
    cdef uint64_t columns
    game.roots += 1
    game.done = 0
    game.is_full = not (game.opening_left or (game.proven and options.after_proof == FAST))
    if game.is_full and options.full_share < 1.0:
        game.is_full = chance(&game.chances, options.full_share)
    game.planned = options.simulations if game.is_full else 1 if game.opening_left else options.fast_simulations
    game.tree.settings = game.full_settings if game.is_full else game.fast_settings
    game.is_mixed = False
    game.noisy = False
    generator = substream(game.seed[0], game.seed[1], game.roots)
    if geometry.kernel == STANDARD:
        columns = open_columns(&root.standard, geometry)
    elif geometry.kernel == BITS:
        columns = open_columns(&root.bits, geometry)
    else:
        columns = open_columns(&root.lines, geometry)
    if game.tree.settings.alpha > 0.0 and game.is_full:
        dirichlet(&generator, game.tree.settings.alpha, count_cells(columns), game.noise)
        game.noisy = True
    elif settings.gumbel and settings.gumbel_scale > 0.0:
        gumbel(&generator, settings.gumbel_scale, count_cells(columns), game.noise)
        game.noisy = True


cdef void move_root(SelfPlayGame game, Position* position, int column) noexcept nogil:
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


cdef void play_opening(SelfPlayGame game, Position* position) noexcept nogil:
    """Draw a move of the opening by the priors, among those that do not end the game, and play it.

    If there is none, the opening ends here. The game then starts as if this were its first position.
    """
    cdef Node root = game.tree.pool.nodes[ROOT]
    cdef const Geometry* geometry = &game.tree.geometry
    cdef uint32_t child = root.children
    cdef double allowed[MAX_SIDE]
    cdef double priors[MAX_SIDE]
    cdef int choices = 0
    cdef double total = 0.0
    cdef uint64_t cell
    cdef int column
    for column in range(geometry.width):
        allowed[column] = 0.0
        priors[column] = 0.0
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
        column = draw(&priors[0] if total > 0.0 else &allowed[0], geometry.width, next64(&game.chances))
        game.opening[game.n_opening] = <uint8_t>column
        game.n_opening += 1
        game.opening_left -= 1
        move_root(game, position, column)
    else:
        game.opening_left = 0
        clear(game.tree.pool)
        begin_root(game)


cdef float record(
    SelfPlayGame game, int ply, int size, int outcome, const double* weights, int column,
) noexcept nogil:
    """Record the position that has been searched, and return its value in single precision.

    ply: discs on the board. outcome: the proven one. weights: of the policy.
    """
    cdef int width = game.tree.geometry.width
    cdef uint8_t* place = &game.history[game.plies * game.position_size]
    cdef Head* head = <Head*>place
    cdef float* policy = <float*>(place + sizeof(Head))
    cdef int32_t* visits = <int32_t*>(policy + width)
    cdef float* values = <float*>(visits + width)
    cdef float* priors = values + width
    cdef double total = 0.0
    cdef double value = 1.0 - game.tree.pool.estimates[ROOT].value - 1.0    # rounded as root_value of a SearchResult
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
        column=<int8_t>column,
        proof=<int8_t>(NO_PROOF if outcome < 0 else outcome - DRAW),
        ply=<int16_t>ply,
        simulations=game.done,
        raw_value=<float>game.tree.pool.raw_values[ROOT],
        value=<float>value,
        weight=1.0 if game.is_full else <float>game.options.fast_weight,
    )
    return head.value


cdef void end_game(SelfPlayGame game, const Position* position, int column, int outcome, float value) noexcept nogil:
    """End the game if the player to move resigns, if the move does it, or if a proof is enough.

    column: the move. outcome: the proven outcome of the position. value: of the position.
    """
    cdef const Geometry* geometry = &game.tree.geometry
    cdef const PlaySettings* options = &game.options
    cdef int player = position.ply & 1
    game.over = True
    game.low[player] = game.low[player] + 1 if <double>value < options.resign_value else 0
    if game.may_resign and game.low[player] >= options.resign_moves:
        game.ending = RESIGNED
        game.winner = 1 - player
    elif completes(position, geometry, free_cell(position, geometry, column)):
        game.winner = player
    elif position.ply + 1 < geometry.cells and outcome >= 0 and options.after_proof == STOP:
        game.ending = PROVEN
        game.winner = player if outcome == WIN else 1 - player if outcome == LOSS else -1
    else:
        game.over = position.ply + 1 == geometry.cells


cdef void finish_search(SelfPlayGame game, Position* position) noexcept nogil:
    """Choose the move after a search, record the position, and play the move."""
    cdef const PlaySettings* options = &game.options
    cdef Generator generator = game.group.threads[0].worker.generator
    cdef double weights[MAX_SIDE]
    cdef int size = list_moves(game, position, game.moves)
    cdef int outcome = outcome_of(game.moves, size)
    cdef int chosen = choose(game.moves, size, &game.tree.settings, next64(&generator))
    cdef int played = chosen
    cdef double temperature = options.last_temperature
    cdef int column
    cdef float value
    if game.plies < game.temperatures.shape[0]:
        temperature = game.temperatures[game.plies]
    if temperature > 0.0:
        weigh(game.moves, size, outcome >= 0, chosen, temperature, weights)
        played = draw(weights, size, next64(&game.draws))
    weigh(game.moves, size, outcome >= 0, chosen, 1.0, weights)
    column = game.moves[played].column
    value = record(game, position.ply, size, outcome, weights, column)
    game.plies += 1
    game.proven = game.proven or outcome >= 0
    end_game(game, position, column, outcome, value)
    if not game.over:
        move_root(game, position, column)


cdef bint look_up(SelfPlayGame game, int i, const Position* root, Position* position) noexcept nogil:
    """Look for the answer for leaf number i; returns whether it is known, in which case it has been taken."""
    cdef const Geometry* geometry = &game.tree.geometry
    cdef const float* answer
    cdef int level
    copy(position, root, geometry)
    for level in range(1, game.leaves[i].depth + 1):
        play(position, geometry, game.tree.pool.nodes[game.paths[i, level]].column)
    set_key(&game.keys[i], position, geometry)
    answer = find(game.answers, &game.keys[i])
    if answer == NULL:
        return False
    memcpy(&game.known[i, 0], answer, (geometry.width + 1) * sizeof(float))
    return True


cdef bint look_up_all(SelfPlayGame game) noexcept nogil:
    """Look for the answers for all waiting leaves; returns whether all are known."""
    cdef const AnyPosition* root = &game.root
    cdef AnyPosition* position = &game.group.threads[0].worker.position
    cdef int waiting = 0
    cdef bint known
    cdef int i
    for i in range(game.waiting):
        if game.tree.geometry.kernel == STANDARD:
            known = look_up(game, i, &root.standard, &position.standard)
        elif game.tree.geometry.kernel == BITS:
            known = look_up(game, i, &root.bits, &position.bits)
        else:
            known = look_up(game, i, &root.lines, &position.lines)
        game.places[i] = KNOWN if known else UNPLACED
        waiting += not known
    return waiting == 0


cdef void go_on(SelfPlayGame game, Position* position) noexcept nogil:
    """Play the next move: one of the opening, or the one found by the search."""
    if game.opening_left:
        play_opening(game, position)
    else:
        finish_search(game, position)


cdef void advance(SelfPlayGame game, float* planes, const float* answers) noexcept nogil:
    """Play until leaves wait, whose planes are then painted, or the game is over, or for about STEPS simulations.

    If leaves wait already, their answers have come, and their simulations are finished first: here, where the tree is
    needed anyway, and not when the answers come, after which other games drive it out of the processor's cache.
    answers: by row of the batch: priors for all columns, and then the value.
    """
    cdef AnyPosition* root = &game.root
    cdef int steps = 0
    if game.waiting:
        complete_game(game, answers)
    while not game.over and steps < STEPS:
        if game.done < <int>game.planned and not is_proven(game.tree.pool.nodes[ROOT].proof):
            game.made = gather_leaves(game, min(<int>game.planned - game.done, game.batch_size), planes)
            if game.waiting and (game.answers is None or not look_up_all(game)):
                return
            steps += game.made
            complete_game(game, answers)
        elif game.tree.geometry.kernel == STANDARD:
            go_on(game, &root.standard)
        elif game.tree.geometry.kernel == BITS:
            go_on(game, &root.bits)
        else:
            go_on(game, &root.lines)


cdef void complete_game(SelfPlayGame game, const float* answers) noexcept nogil:
    """Finish the simulations of the batch, all of whose answers have come. answers: see advance."""
    cdef int width = game.tree.geometry.width
    cdef double priors[MAX_SIDE]
    cdef const float* answer
    cdef int i, column
    for i in range(game.waiting):
        answer = answers + game.places[i] * (width + 1)
        if game.places[i] == KNOWN:
            answer = &game.known[i, 0]
        for column in range(width):
            priors[column] = answer[column]
        complete_leaf(game, i, priors, max(-1.0, min(1.0, <double>answer[width])))
    game.done += game.made
    game.waiting = 0


cdef class SelfPlayGame(PuctSearcher):

    def prepare(self, options, const double[::1] temperatures, answers):
        """Once, before the first game: the rules of play, a _layout.PlaySettings; the temperatures at which the first
        moves are drawn; and the pool's Answers, or None.
        """
        cdef size_t positions = self.tree.geometry.cells
        cdef size_t position_size = sizeof(Head) + 4 * sizeof(float) * self.tree.geometry.width
        if answers is not None and (<Answers?>answers).width != self.tree.geometry.width:
            raise ValueError("the answers are for another board")
        if self.position_size:
            raise ValueError("the game has been prepared before")
        self.options = options._asdict()
        self.temperatures = temperatures
        self.full_settings = self.tree.settings
        self.fast_settings = self.tree.settings
        self.fast_settings.root_temperature = 1.0
        self.fast_settings.forced_visits = 0.0
        self.fast_settings.gumbel_scale = 0.0
        self.answers = answers
        self.number = NO_GAME
        self.over = True
        if self.tree.pool.raw_values is None:
            keep_raw_values(self.tree.pool)
        self.keys = np.zeros(self.batch_size, KEY)
        self.places = np.zeros(self.batch_size, np.intc)
        self.known = np.zeros((self.batch_size, self.tree.geometry.width + 1), np.float32)
        self.opening = np.empty(positions, np.uint8)
        self.history = np.empty(positions * position_size, np.uint8)
        self.position_size = position_size

    def start(self, number, own, mask, uint64_t a, uint64_t b, const uint8_t[::1] moves, drawn):
        """Start a game at an unfinished position, with the generator's state (a, b).

        moves: of the opening, which led there. drawn: number of further ones that are drawn from the priors.
        """
        if not self.position_size:
            raise ValueError("the game must be prepared first")
        between("the number of moves", moves.shape[0], 0, self.tree.geometry.cells)
        between("drawn", drawn, 0, _layout.MAX_SIDE**2)
        between("discs", mask.bit_count(), 0, self.tree.geometry.cells - 1)     # a search chooses among the moves
        self.number = NO_GAME
        self.over = True
        self.set_root(own, mask)
        self.group.threads[0].worker.generator = Generator(a=a, b=b)
        self.seed[0] = a
        self.seed[1] = b
        self.draws = substream(a, b, DRAWN_MOVES)
        self.chances = substream(a, b, CHANCES)
        self.may_resign = not chance(&self.chances, self.options.never_resign)
        self.opening[: moves.shape[0]] = moves
        self.n_opening = <int>moves.shape[0]
        self.opening_left = drawn
        self.waiting = 0
        self.roots = 0
        self.plies = 0
        self.proven = False
        self.low[0] = self.low[1] = 0
        self.ending = PLAYED_OUT
        self.winner = -1
        begin_root(self)
        self.number = number
        self.over = False

    def gather(self, int count):
        """ValueError: the pool does this."""
        raise ValueError("the leaves of a game are gathered by its pool")

    def record(self):
        """The game so far as bytes: see _layout.GAME_HEAD. ValueError if it has not been prepared."""
        if not self.position_size:
            raise ValueError("the game must be prepared first")
        head = _layout.GAME_HEAD.pack(self.n_opening + self.plies, self.n_opening, self.winner, self.ending)
        return head + bytes(self.opening[: self.n_opening]) + bytes(self.history[: self.plies * self.position_size])

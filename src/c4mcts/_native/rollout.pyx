"""Single games, the games of the lanes, and the choice among the forms of lanes.h; the rest is in rollout.pxd."""

import os

import numpy as np

from c4mcts import _layout

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint64_t
from libc.string cimport memset

from .bitboard cimport (
    BITS, MAX_SIDE, STANDARD, Bits, Geometry, Lines, Position, Standard,
    above, completes, copy, drop, free_cell, geometry_of, is_open, is_top, load,
)
from .low_board cimport LOW_ROWS, LowBoard, drop_low, fits_low, lift, lower
from .numbers cimport Generator, mulhi, next64
from .poll cimport POLL_INTERVAL
from .threats cimport find_threat, find_threats, has_safe_cell, is_below_threat, update_threats

cdef extern from "portable.h" nogil:
    int count_bits "c4_count_bits" (uint64_t word)
    uint64_t milliseconds "c4_milliseconds" ()

cdef enum:
    PLIES_BETWEEN_CHECKS = 20_000   # plies between two looks at the clock (0.1 to 6 ms)
    # what is counted; the first three are a game's result + 1
    LOST = 0
    DRAWN = 1
    WON = 2
    PLIES = 3       # played in all
    COUNTS = 4      # number of these

cdef int RANDOM = _layout.RANDOM
cdef int SAFE = _layout.SAFE


cdef struct RandomBits:
    # 64 random bits that serve several choices; bits / 2**64 is a fraction.
    uint64_t bits
    int choices             # choices that can still be made


cdef inline int choose(RandomBits* random_bits, const Geometry* geometry, Generator* generator, int n) noexcept nogil:
    """A number in 0 .. n-1."""
    cdef int chosen
    if random_bits.choices == 0:
        random_bits.bits = next64(generator)
        random_bits.choices = geometry.choices_per_draw
    random_bits.choices -= 1
    # the fraction times n: its integer part is the choice, and the rest serves the next one
    chosen = <int>mulhi(random_bits.bits, n)
    random_bits.bits = random_bits.bits * n
    return chosen


cdef inline int find_cells(const Position* position, const Geometry* geometry, uint64_t* cells) noexcept nogil:
    """Write the free cells into a list, by column; returns their number."""
    cdef int n = 0
    cdef int column
    for column in range(geometry.width):
        if is_open(position, geometry, column):
            cells[n] = free_cell(position, geometry, column)
            n += 1
    return n


cdef inline int replace(
    const Position* position, const Geometry* geometry, uint64_t* cells, int index, int n,
) noexcept nogil:
    """Replace an occupied cell of the list by the one above it, or by the last of the list; returns its new length."""
    if is_top(position, geometry, cells[index]):
        n -= 1
        cells[index] = cells[n]
    else:
        cells[index] = above(position, cells[index])
    return n


cdef int rollout(Position* position, const Geometry* geometry, Generator* generator) noexcept nogil:
    """Play uniformly random moves to the end, changing the position.

    Returns 1 if the player to move at the start wins, -1 if the other does, 0 for a draw.
    """
    cdef uint64_t cells[MAX_SIDE]
    cdef uint64_t cell
    cdef RandomBits random_bits = RandomBits(bits=0, choices=0)
    cdef int start = position.ply
    cdef int n = find_cells(position, geometry, cells)
    cdef int index
    cdef bint won
    while n > 0:
        index = choose(&random_bits, geometry, generator, n)
        cell = cells[index]
        won = position.ply >= geometry.first_win and completes(position, geometry, cell)
        drop(position, geometry, cell)
        if won:
            return 1 if (position.ply - start) & 1 else -1
        n = replace(position, geometry, cells, index, n)
    return 0


cdef int careful_rollout(
    Position* position, const Geometry* geometry, Generator* generator, bint safe,
) noexcept nogil:
    """Like rollout, but play a winning move if there is one, otherwise block a threat or move at random; needs the
    threats.

    safe: a random move is never below a cell in which the opponent would win, unless all moves are.
    """
    cdef uint64_t cells[MAX_SIDE]
    cdef uint64_t cell
    cdef RandomBits random_bits = RandomBits(bits=0, choices=0)
    cdef int start = position.ply
    cdef int n = find_cells(position, geometry, cells)
    cdef int index, player
    cdef bint reject_unsafe
    while n > 0:
        player = position.ply & 1
        if find_threat(position, geometry, player, cells, n) >= 0:
            position.ply += 1     # the disc itself need not be placed: the game is over
            return 1 if (position.ply - start) & 1 else -1
        index = find_threat(position, geometry, 1 - player, cells, n)
        if index < 0:
            reject_unsafe = safe and has_safe_cell(position, geometry, 1 - player, cells, n)
            while index < 0 or reject_unsafe and is_below_threat(position, 1 - player, cells[index]):
                index = choose(&random_bits, geometry, generator, n)
        cell = cells[index]
        drop(position, geometry, cell)
        update_threats(position, geometry, cell)
        n = replace(position, geometry, cells, index, n)
    return 0


cdef int random_game(Position* position, const Geometry* geometry, Lane* lane, int start) noexcept nogil:
    """Play uniformly random moves to the end, changing the position; a full column is drawn in vain.

    After a draw the lane's fraction is used up. start: the ply at which the game began, since the position may lie in
    the middle of it. Returns 1 if the player to move at the start wins, -1 if the other does, 0 for a draw.
    """
    cdef uint64_t cell
    cdef int column
    cdef bint won
    while position.ply < geometry.cells:
        column = random_column(lane, geometry)
        if is_open(position, geometry, column):
            cell = free_cell(position, geometry, column)
            won = position.ply >= geometry.first_win and completes(position, geometry, cell)
            drop(position, geometry, cell)
            if won:
                return 1 if (position.ply - start) & 1 else -1
    lane.choices = 0
    return 0


cdef int random_low_game(
    const LowBoard* low_start, const Lines* start, Lines* position, const Geometry* geometry, Lane* lane,
    uint64_t* plies,
) noexcept nogil:
    """A random_game from the start position, on a LowBoard as long as it fits there, then on `position`.

    Adds the game's plies to `plies`.
    """
    cdef LowBoard low = low_start[0]
    cdef int rows = min(LOW_ROWS, geometry.height)
    cdef int column, result
    while low.ply < geometry.cells:
        column = random_column(lane, geometry)
        if low.heights[column] < rows:
            if drop_low(&low, geometry, column):
                plies[0] += low.ply - low_start.ply
                return 1 if (low.ply - low_start.ply) & 1 else -1
        elif rows < geometry.height:
            give_back(lane, geometry, column)
            copy(position, start, geometry)
            lift(position, geometry, &low)
            result = random_game(position, geometry, lane, start.ply)
            plies[0] += position.ply - start.ply
            return result
    plies[0] += low.ply - low_start.ply
    lane.choices = 0
    return 0


def rollouts(rules, own, mask, state, games, int policy, poll):
    """Play `games` rollouts from one unfinished position; `policy` is RANDOM, DECISIVE or SAFE.

    They are divided equally among the lanes, the first ones getting one more if necessary; the generator of `state`
    seeds one lane after the other. poll: called repeatedly, about every 10 ms; an exception in it ends the games.

    Returns (games won by the player to move, lost, drawn, plies played in all).
    """
    cdef Geometry geometry = geometry_of(rules)
    if geometry.kernel == STANDARD:
        return play_games(<Standard*>NULL, &geometry, own, mask, state, games, policy, poll)
    elif geometry.kernel == BITS:
        return play_games(<Bits*>NULL, &geometry, own, mask, state, games, policy, poll)
    return play_games(<Lines*>NULL, &geometry, own, mask, state, games, policy, poll)


cdef play_games(Position* kernel, const Geometry* geometry, own, mask, state, games, int policy, poll):
    """rollouts for one kernel; the pointer `kernel` only gives its type."""
    cdef Position start, position
    cdef Lane lanes[LANES]
    cdef uint64_t[::1] remaining = np.empty(LANES, np.uint64)   # games of each lane
    cdef Vectors vectors
    cdef Generator generator = Generator(a=state[0], b=state[1])
    cdef uint64_t[::1] counts = np.zeros(COUNTS, np.uint64)
    cdef bint side_by_side = Position is not Lines and FORM != SCALAR and policy == RANDOM
    cdef int i
    load(&start, geometry, own, mask)
    find_threats(&start, geometry)
    for i in range(LANES):
        seed_lane(&lanes[i], &generator)
        remaining[i] = games // LANES + (i < games % LANES)
    if side_by_side:
        play_side_by_side(&vectors, &start, geometry, lanes, remaining, counts, poll)
    for i in range(LANES):
        copy(&position, &start, geometry)
        if side_by_side:
            take_over(&position, &vectors, i)
        play_lane(&position, &start, geometry, &lanes[i], remaining[i], policy, counts, poll)
    return counts[WON], counts[LOST], counts[DRAWN], counts[PLIES]


cdef int play_lane(
    Position* position, const Position* start, const Geometry* geometry, Lane* lane, uint64_t games, int policy,
    uint64_t[::1] counts, poll,
) except -1:
    """Play the games of one lane, from a position of the first."""
    cdef uint64_t next_check, deadline
    cdef LowBoard low_start
    cdef bint is_low = False
    cdef int before, result
    if Position is Lines:
        is_low = policy == RANDOM and fits_low(geometry) and lower(&low_start, start, geometry)
    while games > 0:
        deadline = milliseconds() + POLL_INTERVAL   # until then Ctrl-C is not handled
        with nogil:
            while games > 0 and milliseconds() < deadline:
                next_check = counts[PLIES] + PLIES_BETWEEN_CHECKS
                if Position is Lines:
                    while is_low and games > 0 and counts[PLIES] < next_check:
                        result = random_low_game(&low_start, start, position, geometry, lane, &counts[PLIES])
                        counts[result + 1] += 1
                        games -= 1
                while games > 0 and counts[PLIES] < next_check:
                    before = position.ply
                    if policy == RANDOM:
                        result = random_game(position, geometry, lane, start.ply)
                    else:
                        result = careful_rollout(position, geometry, &lane.generator, policy == SAFE)
                    counts[result + 1] += 1
                    counts[PLIES] += position.ply - before
                    games -= 1
                    copy(position, start, geometry)
        answer(poll)
    return 0


cdef int play_side_by_side(
    Vectors* vectors, const Position* start, const Geometry* geometry, Lane* lanes, uint64_t[::1] remaining,
    uint64_t[::1] counts, poll,
) except -1:
    """Play games of all lanes in vectors, until few remain; not for Lines."""
    cdef LaneRules rules
    cdef uint64_t deadline
    cdef bint can_go_on = True
    cdef int i
    memset(vectors, 0, sizeof(vectors[0]))
    set_lane_rules(&rules, geometry)
    if Position is not Lines:
        vectors.start_own = start.own
        vectors.start_mask = start.mask
    for i in range(LANES):
        vectors.a[i] = lanes[i].generator.a
        vectors.b[i] = lanes[i].generator.b
        vectors.own[i] = vectors.start_own
        vectors.mask[i] = vectors.start_mask
        vectors.games[i] = remaining[i]
    while can_go_on:
        deadline = milliseconds() + POLL_INTERVAL
        with nogil:
            while can_go_on and milliseconds() < deadline:
                can_go_on = play(FORM, vectors, &rules)
        answer(poll)
    for i in range(LANES):
        lanes[i].generator = Generator(a=vectors.a[i], b=vectors.b[i])
        counts[LOST] += remaining[i] - vectors.games[i] - vectors.wins[i] - vectors.draws[i]
        counts[DRAWN] += vectors.draws[i]
        counts[WON] += vectors.wins[i]
        counts[PLIES] += vectors.plies[i]
        remaining[i] = vectors.games[i]
    return 0


cdef void take_over(Position* position, const Vectors* vectors, int lane) noexcept:
    """The position of the game that is under way in a lane; not for Lines."""
    if Position is not Lines:
        position.own = vectors.own[lane]
        position.mask = vectors.mask[lane]
        position.ply = count_bits(vectors.mask[lane])


cdef void set_lane_rules(LaneRules* rules, const Geometry* geometry) noexcept:
    """The geometry as lanes.h needs it."""
    cdef int i
    rules.is_standard = geometry.kernel == STANDARD
    rules.width = geometry.width
    rules.height = geometry.height
    rules.n_directions = geometry.n_directions
    for i in range(geometry.n_directions):
        rules.directions[i] = geometry.directions[i]
    rules.n_steps = geometry.n_steps
    for i in range(geometry.n_steps):
        rules.steps[i] = geometry.steps[i]
    rules.choices_per_draw = geometry.choices_per_draw
    rules.board = geometry.board
    rules.bottom = geometry.bottom


cdef int answer(poll) except -1:
    """Handle Ctrl-C, and call the poll."""
    PyErr_CheckSignals()
    poll()
    return 0


cdef int FORM = SCALAR


def forms():
    """The names of the forms in which this processor can play random games, the fastest first."""
    return [form_names[i].decode() for i in reversed(range(FORMS)) if has_form(i)]


def form():
    """The name of the form in use."""
    return form_names[FORM].decode()


def use_form(name):
    """Use a form for all random games from now on; RuntimeError if it is none of `forms`."""
    global FORM
    if name not in forms():
        raise RuntimeError(f"C4MCTS_SIMD must be one of {', '.join(forms())} here, not {name!r}")
    FORM = [form_names[i].decode() for i in range(FORMS)].index(name)


use_form(os.environ.get("C4MCTS_SIMD") or forms()[0])

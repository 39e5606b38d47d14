"""Rollouts: a game is played to its end with random moves."""

from c4mcts import _layout

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint64_t

from .bitboard cimport (
    BITS, MAX_SIDE, STANDARD, Bits, Geometry, Lines, Position, Standard,
    above, completes, copy, drop, free_cell, geometry_of, is_open, is_top, load,
)
from .poll cimport POLL_INTERVAL
from .rng cimport Generator, mulhi, next64
from .threats cimport is_below_threat, find_threat, find_threats, has_safe_cell, update_threats

cdef extern from "portable.h" nogil:
    uint64_t milliseconds "c4_milliseconds" ()

cdef enum:
    PLIES_BETWEEN_CHECKS = 20_000   # plies between two looks at the clock (0.1 to 6 ms)

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
    # the fraction times n: its whole part is the choice, and the rest serves the next one
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
    """As rollout, but play a winning move if there is one, else block a threat, else move at random; needs the threats.

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


def rollouts(rules, own, mask, state, games, int policy):
    """Play `games` rollouts from one unfinished position; `policy` is RANDOM, DECISIVE or SAFE.

    Returns (games won by the player to move, lost, drawn, plies played in all, state of the generator afterwards).
    """
    cdef Geometry geometry = geometry_of(rules)
    if geometry.kernel == STANDARD:
        return play_games(<Standard*>NULL, &geometry, own, mask, state, games, policy)
    elif geometry.kernel == BITS:
        return play_games(<Bits*>NULL, &geometry, own, mask, state, games, policy)
    return play_games(<Lines*>NULL, &geometry, own, mask, state, games, policy)


cdef play_games(Position* kernel, const Geometry* geometry, own, mask, state, games, int policy):
    """rollouts for one kernel; the pointer `kernel` only gives its type."""
    cdef Position start, position
    cdef Generator generator
    cdef uint64_t counts[3]     # by result + 1: losses, draws, wins
    cdef uint64_t remaining = games
    cdef uint64_t plies = 0
    cdef uint64_t next_check, deadline
    cdef int result
    counts[:] = [0, 0, 0]
    generator.a, generator.b = state
    load(&start, geometry, own, mask)
    find_threats(&start, geometry)
    while remaining > 0:
        deadline = milliseconds() + POLL_INTERVAL   # until then Ctrl-C goes unanswered
        with nogil:
            while remaining > 0 and milliseconds() < deadline:
                next_check = plies + PLIES_BETWEEN_CHECKS
                while remaining > 0 and plies < next_check:
                    copy(&position, &start, geometry)
                    if policy == RANDOM:
                        result = rollout(&position, geometry, &generator)
                    else:
                        result = careful_rollout(&position, geometry, &generator, policy == SAFE)
                    counts[result + 1] += 1
                    plies += position.ply - start.ply
                    remaining -= 1
        PyErr_CheckSignals()
    return counts[2], counts[0], counts[1], plies, (generator.a, generator.b)

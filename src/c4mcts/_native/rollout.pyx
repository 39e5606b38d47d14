"""Rollouts: one game played to its end by chance."""

from c4mcts import _layout

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint64_t

from .bitboard cimport (
    BITS, MAX_SIDE, STANDARD, Bits, Geometry, Lines, Position, Standard,
    above, completes, copy, drop, free_cell, geometry_of, is_open, is_top, load,
)
from .poll cimport PATIENCE
from .rng cimport Generator, mulhi, next64
from .threats cimport bears_threat, find_threat, find_threats, has_safe_cell, update_threats

cdef extern from "portable.h" nogil:
    uint64_t milliseconds "c4_milliseconds" ()

cdef enum:
    PLIES_BETWEEN_LOOKS = 20_000    # at the clock, 0.1 to 6 milliseconds

cdef int RANDOM = _layout.RANDOM
cdef int SAFE = _layout.SAFE


cdef struct Dice:
    # A word of the generator, which serves several choices: a fraction of 2**64.
    uint64_t word
    int draws               # choices left in it


cdef inline int roll(Dice* dice, const Geometry* geometry, Generator* generator, int n) noexcept nogil:
    """A number in 0 .. n-1."""
    cdef int chosen
    if dice.draws == 0:
        dice.word = next64(generator)
        dice.draws = geometry.draws
    dice.draws -= 1
    # of the fraction times n the whole part is the choice, and the rest serves the next one
    chosen = <int>mulhi(dice.word, n)
    dice.word = dice.word * n
    return chosen


cdef inline int find_cells(const Position* position, const Geometry* geometry, uint64_t* cells) noexcept nogil:
    """List the free cells, by column; returns how many there are."""
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
    """Put what is free now into the place of a cell that was taken; returns how many cells are left."""
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
    cdef Dice dice = Dice(0, 0)
    cdef int start = position.ply
    cdef int n = find_cells(position, geometry, cells)
    cdef int index
    cdef bint won
    while n > 0:
        index = roll(&dice, geometry, generator, n)
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
    """The same with eyes open: play a winning move, else answer a threat, else choose at random; needs the threats.

    safe: never put a disc under a cell in which the opponent would complete a line, as long as there is a choice.
    """
    cdef uint64_t cells[MAX_SIDE]
    cdef uint64_t cell
    cdef Dice dice = Dice(0, 0)
    cdef int start = position.ply
    cdef int n = find_cells(position, geometry, cells)
    cdef int index, player
    cdef bint choosy
    while n > 0:
        player = position.ply & 1
        if find_threat(position, geometry, player, cells, n) >= 0:
            position.ply += 1     # enough: nobody looks at the board of a finished game
            return 1 if (position.ply - start) & 1 else -1
        index = find_threat(position, geometry, 1 - player, cells, n)
        if index < 0:
            choosy = safe and has_safe_cell(position, geometry, 1 - player, cells, n)
            while index < 0 or choosy and bears_threat(position, 1 - player, cells[index]):
                index = roll(&dice, geometry, generator, n)
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
    """rollouts for one kernel; `kernel` only says which."""
    cdef Position start, position
    cdef Generator generator
    cdef uint64_t counts[3]     # by result + 1: losses, draws, wins
    cdef uint64_t left = games
    cdef uint64_t plies = 0
    cdef uint64_t pause, look
    cdef int result
    counts[:] = [0, 0, 0]
    generator.a, generator.b = state
    load(&start, geometry, own, mask)
    find_threats(&start, geometry)
    while left > 0:
        pause = milliseconds() + PATIENCE   # until then Ctrl-C goes unanswered
        with nogil:
            while left > 0 and milliseconds() < pause:
                look = plies + PLIES_BETWEEN_LOOKS
                while left > 0 and plies < look:
                    copy(&position, &start, geometry)
                    if policy == RANDOM:
                        result = rollout(&position, geometry, &generator)
                    else:
                        result = careful_rollout(&position, geometry, &generator, policy == SAFE)
                    counts[result + 1] += 1
                    plies += position.ply - start.ply
                    left -= 1
        PyErr_CheckSignals()
    return counts[2], counts[0], counts[1], plies, (generator.a, generator.b)

"""Rollouts: a game is played to its end with random moves."""

from libc.stdint cimport uint64_t

from .bitboard cimport (
    MAX_SIDE, Geometry, Position, above, completes, drop, free_cell, is_open, is_top,
)
from .rng cimport Generator, mulhi, next64
from .threats cimport is_below_threat, find_threat, has_safe_cell, update_threats


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

"""Rollouts: a game is played to its end with random moves.

Many games from one position are divided among lanes, which lanes.h plays in parallel. The games of a lane are played
one after the other with its own generator, so the order in which the lanes play does not matter.
"""

from libc.stdint cimport uint64_t

from .bitboard cimport Geometry, Position
from .numbers cimport Generator, next64

cdef extern from "lanes.h" nogil:
    enum:
        LANES "C4_LANES"
        FRACTION_BITS "C4_FRACTION_BITS"    # of a fraction that is multiplied by at most 64, the most columns
        SCALAR "C4_SCALAR"                  # the form that plays lane by lane, without lanes.h
        FORMS "C4_FORMS"                    # number of forms
    const char* form_names "c4_form_names"[]
    ctypedef struct LaneRules "c4_rules":
        int is_standard, width, height, n_directions, n_steps, choices_per_draw
        int directions[4]
        int steps[6]
        uint64_t board, bottom
    ctypedef struct Vectors "c4_lanes":
        uint64_t start_own, start_mask
        uint64_t a[LANES]
        uint64_t b[LANES]
        uint64_t own[LANES]
        uint64_t mask[LANES]
        uint64_t games[LANES]
        uint64_t wins[LANES]
        uint64_t draws[LANES]
        uint64_t plies[LANES]
    bint has_form "c4_has_form" (int form)
    bint play "c4_play" (int form, Vectors* lanes, const LaneRules* rules)


cdef struct Lane:
    # A stream of random columns, which the games of the lane share.
    Generator generator
    uint64_t fraction       # fraction / 2**FRACTION_BITS is a random number in [0, 1), up to the last choice
    int choices             # choices that it can still serve


cdef int rollout(Position* position, const Geometry* geometry, Generator* generator) noexcept nogil
cdef int careful_rollout(
    Position* position, const Geometry* geometry, Generator* generator, bint safe,
) noexcept nogil


cdef inline void seed_lane(Lane* lane, Generator* generator) noexcept nogil:
    """Start a lane with the next two numbers of a generator."""
    lane.generator.a = next64(generator)
    lane.generator.b = next64(generator)
    if lane.generator.a == 0 and lane.generator.b == 0:
        lane.generator.b = 1
    lane.choices = 0


cdef inline int random_column(Lane* lane, const Geometry* geometry) noexcept nogil:
    """Any column with equal probability, open or not."""
    cdef uint64_t product
    if lane.choices == 0:
        lane.fraction = next64(&lane.generator) >> (64 - FRACTION_BITS)
        lane.choices = geometry.choices_per_draw
    lane.choices -= 1
    # as in choose
    product = lane.fraction * geometry.width
    lane.fraction = product & (<uint64_t>1 << FRACTION_BITS) - 1
    return <int>(product >> FRACTION_BITS)


cdef inline void give_back(Lane* lane, const Geometry* geometry, int column) noexcept nogil:
    """Undo random_column, which has just returned the column."""
    lane.fraction = (<uint64_t>column << FRACTION_BITS | lane.fraction) / geometry.width
    lane.choices += 1

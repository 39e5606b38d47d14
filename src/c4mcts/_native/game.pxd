"""A game of self-play: its positions are searched one after the other, and the results of the searches are recorded.

A game may be played in any number of steps: `advance` plays until leaves wait for their evaluation, and continues when
their answers have been taken. The game depends only on its own seed.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint64_t

from .answers cimport Answers, Key
from .bitboard cimport MAX_SIDE
from .moves cimport Move
from .numbers cimport Generator
from .puct cimport PuctSearcher
from .settings cimport PlaySettings, Settings


cdef struct Head:
    # The fields of _layout.POSITION_FIELDS; after it come the numbers for each column.
    int8_t column
    int8_t proof
    int16_t ply
    int32_t simulations
    float raw_value
    float value
    float weight


cdef class SelfPlayGame(PuctSearcher):
    # One game after the other, with the tree of the current position and the record of the positions before it.
    cdef PlaySettings options
    cdef const double[::1] temperatures  # at which the first moves are drawn from the policy, by move; may be infinite
    cdef Move moves[MAX_SIDE]       # at the root, after a search
    cdef uint8_t[::1] history       # the positions of the game, as defined by _layout.POSITION_FIELDS
    cdef size_t position_size       # bytes of a position there; 0 before `prepare`
    cdef int number                 # of the game; NO_GAME
    cdef bint over                  # whether no position remains to be searched
    cdef int winner                 # the player who has won; -1: nobody
    cdef uint64_t seed[2]           # the state of the generator at the start
    cdef Generator draws            # for the moves that are drawn
    cdef Generator chances          # for the opening, for the permission to resign, and for which searches are full
    cdef uint8_t[::1] opening       # the moves before the first search
    cdef int n_opening              # their number
    cdef int opening_left           # number of moves still to be drawn from the priors
    cdef uint64_t roots             # number of positions that have been the root; each has its own noise
    cdef int plies                  # that have been searched
    cdef bint proven                # whether the outcome of one of them was
    cdef bint may_resign            # whether a player may
    cdef int low[2]                 # by player: consecutive positions, up to the last one, with a low value
    cdef int ending                 # _layout.PLAYED_OUT, PROVEN or RESIGNED
    cdef bint is_full               # whether the current search is a full one
    cdef Settings full_settings     # of full searches
    cdef Settings fast_settings     # of the others, which explore nothing at the root
    cdef int done                   # simulations of the current search that are finished
    cdef int made                   # in the batch that waits
    cdef Answers answers            # the pool's, or None
    cdef Key[::1] keys              # by waiting leaf: its position; only with answers
    cdef int[::1] places            # by waiting leaf: its row in the batch, KNOWN or UNPLACED
    cdef float[:, ::1] known        # by waiting leaf: its answer, if it was known; only with answers


cdef enum:
    STEPS = 1000    # number of simulations without an evaluation from outside after which `advance` returns
    KNOWN = -1      # instead of the row of a leaf: its answer is in `known`
    UNPLACED = -2   # it has no row yet


cdef void advance(SelfPlayGame game, float* planes, const float* answers) noexcept nogil
cdef void complete_game(SelfPlayGame game, const float* answers) noexcept nogil

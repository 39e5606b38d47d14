"""A game of self-play: its positions are searched one after the other, and what the searches find is recorded.

A game may be played in any number of steps: `advance` plays on until leaves wait for their evaluation, `complete_game`
takes the evaluations. Only its own seed decides how it goes.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint64_t

from .bitboard cimport MAX_SIDE
from .moves cimport Move
from .puct cimport PuctSearcher
from .rng cimport Generator


cdef struct Options:
    # The fields of _layout.PlaySettings.
    int simulations         # of the search of each position
    double temperature      # at which the first moves are drawn from the policy; may be infinite
    int temperature_plies   # how many moves of a game are drawn
    double alpha            # concentration of the noise in the priors of the root's children; 0 for no noise
    int choice              # of the other moves: _layout.VISITS, VISITS_ONLY or VALUE
    bint checks             # whether an immediate win is played, and an immediate threat answered
    bint keep_tree          # whether the search of the next position starts from what is known of it


cdef struct Head:
    # The fields of _layout.POSITION_FIELDS; after it come the numbers for each column.
    uint8_t column
    int8_t proof
    uint16_t unused
    int32_t simulations
    float raw_value
    float value


cdef class Game(PuctSearcher):
    # One game after the other, with the tree of the current position and the record of the positions before it.
    cdef Options options
    cdef Move moves[MAX_SIDE]       # at the root, after a search
    cdef char* history              # the positions of the game, as _layout.POSITION_FIELDS says
    cdef size_t position_size       # bytes of a position there
    cdef int number                 # of the game; NO_GAME
    cdef bint over                  # whether no position remains to be searched
    cdef int winner                 # the player who has won; -1: nobody
    cdef uint64_t seed[2]           # the state of the generator at the start
    cdef Generator draws            # for the moves that are drawn
    cdef uint64_t roots             # how many positions have been the root; each has its own noise
    cdef int plies                  # since the start of the game
    cdef int done                   # simulations of the current search that are finished
    cdef int made                   # simulations of the batch that waits
    cdef int row                    # of the batch: the first leaf that waits


cdef void advance(Game game, float* planes) noexcept nogil
cdef void complete_game(Game game, const float[:, :] priors, const float[:] values) noexcept nogil

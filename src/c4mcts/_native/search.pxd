"""The searcher: one tree, grown by simulations, and what is done with it between them."""

from .alphabeta cimport Task
from .bitboard cimport Geometry
from .poll cimport Poll
from .pool cimport Node, Pool
from .selection cimport Settings
from .solver cimport Solver
from .threads cimport Board, Team


cdef class Searcher:
    # One tree, its root position and who grows it.
    cdef Geometry geometry
    cdef Settings settings
    cdef Solver solver              # for probes, or None
    cdef Poll poll
    cdef Pool pool
    cdef Board root
    cdef Team team

"""The tables of the selection; the functions are in selection.pxd."""

import numpy as np

from c4mcts import _layout

# by n from 0 on; the memoryviews keep the memory of the tables alive
cdef double[::1] logs = _layout.log_table()
cdef double[::1] inverses = np.r_[0.0, 1.0 / np.arange(1, TABLE_SIZE)]
cdef double[::1] inverse_sqrts = np.r_[0.0, 1.0 / np.sqrt(np.arange(1, TABLE_SIZE))]

assert (LOG_BITS, UCB1_TUNED) == (_layout.LOG_BITS, _layout.UCB1_TUNED)
LOG = &logs[0]
INVERSES = &inverses[0]
INVERSE_SQRTS = &inverse_sqrts[0]

"""The tables of the selection; the functions are in selection.pxd."""

import numpy as np

from c4mcts import _layout

# by n from 0 on
LOG = _layout.log_table()
INVERSES = np.r_[0.0, 1.0 / np.arange(1, TABLE_SIZE)]
INVERSE_SQRTS = np.r_[0.0, 1.0 / np.sqrt(np.arange(1, TABLE_SIZE))]

assert (LOG_BITS, UCB1_TUNED) == (_layout.LOG_BITS, _layout.UCB1_TUNED)
assert (FIRST, ANY, LAST_ADDED) == (_layout.FIRST, _layout.ANY, _layout.LAST_ADDED)

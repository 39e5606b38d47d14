"""The functions are in proofs.pxd, so that the modules that use them can inline them."""

from c4mcts import _layout

assert (DISTANCE_BITS, UNKNOWN, WON, DRAWN, LOST) == (
    _layout.DISTANCE_BITS, _layout.UNKNOWN, _layout.WON, _layout.DRAWN, _layout.LOST,
)
assert (LOSS, DRAW, WIN) == (_layout.LOSS, _layout.DRAW, _layout.WIN)
assert [LOWERS >> 2 * code & 3 for code in range(6)] == list(_layout.LOWERS)
assert [UPPERS >> 2 * code & 3 for code in range(6)] == list(_layout.UPPERS)
assert [(CODES >> 3 * i & 7) << DISTANCE_BITS for i in (0, 1, 2, 4, 5, 8)] == [
    _layout.CODES[i] for i in (0, 1, 2, 4, 5, 8)
]

"""The constant of the functions in elementary.pxd."""

from c4mcts import _layout

LN2 = _layout.LN2

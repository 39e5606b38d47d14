"""The network of the package: its layers, and the table of exponentials; see _pure/network.py."""

from array import array
from collections.abc import Mapping, Sized

# Arrays by name, with their shapes; all but the biases hold signed bytes.
PARITIES = 2  # of rows of cells
PLACES = 4 * 6  # of cells on 7x6, mirror images joined: a network by places has rows for each, not for each parity
LINE_ROWS = 3 * PARITIES * 3 * 256  # direction and parity; whose discs; states of the four cells
WINDOW_ROWS = 5  # cells of a column whose threats are seen, from the free one upwards
COLUMN_ROWS = PARITIES << 2 * WINDOW_ROWS  # parity; threats of either player
HIDDEN, SECOND = 32, 16  # numbers of the first layer and of the second, both for the value and for the moves
NETWORK_ARRAYS = {
    "lines": (LINE_ROWS, 2 * HIDDEN),  # for the value, then for the moves
    "columns": (COLUMN_ROWS, 2 * HIDDEN),
    "bias": (2 * HIDDEN,),
    "value_second": (SECOND, HIDDEN),
    "value_second_bias": (SECOND,),
    "value": (SECOND,),
    "value_bias": (1,),
    "through": (LINE_ROWS, HIDDEN),
    "above": (LINE_ROWS, HIDDEN),
    "landing": (COLUMN_ROWS, HIDDEN),
    "move_second": (SECOND, HIDDEN),
    "move_second_bias": (SECOND,),
    "move": (SECOND,),
}
NETWORK_TABLES = ("lines", "columns", "through", "above", "landing")
NETWORK_VERSION = 2
UNIT_BITS = 6  # a weight of 1 is stored as 1 << UNIT_BITS; so is a number of a layer
MAX_NUMBER = 255  # of a layer; it is at least 0
MAX_BIAS = 1 << 20
EXP_BITS = 5  # of the sums of the last layers, in steps of 2**-12, that the table of exponentials drops
EXP_SIZE = 2048  # of its entries: down to e**-16


def network_shapes(by_place: bool) -> dict[str, tuple[int, ...]]:
    """The shapes of the arrays of a network, by name."""
    shapes: dict[str, tuple[int, ...]] = dict(NETWORK_ARRAYS)
    for name in NETWORK_TABLES if by_place else ():
        shapes[name] = NETWORK_ARRAYS[name][0] // PARITIES * PLACES, NETWORK_ARRAYS[name][1]
    return shapes


def is_by_place(weights: Mapping[str, Sized]) -> bool:
    """Whether arrays by name, flat, make a network by places."""
    return len(weights["landing"]) > COLUMN_ROWS * HIDDEN


def exp_table() -> "array[float]":
    """e**(-i / 128) for i from 0 to EXP_SIZE - 1: by multiplication, which every platform rounds alike."""
    factor, table = 0.9922179382602435, array("d", [1.0])  # e**(-1 / 128)
    while len(table) < EXP_SIZE:
        table.append(table[-1] * factor)
    return table

"""Files of weights: of the network, and of the order in which the solver searches moves."""

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _archives
from ._layout import NETWORK_ARRAYS, NETWORK_VERSION, ORDER_SHAPE, network_shapes

FOLDER = os.path.dirname(__file__)
NETWORK = os.path.join(FOLDER, "search", "network.npz")  # of the package
ORDER = os.path.join(FOLDER, "solver", "order.npz")
KIND = "network"


def type_of(name: str) -> npt.DTypeLike:
    """The type of the numbers in an array of a network, by the name of the array."""
    return np.int32 if "bias" in name else np.int8


def read_network(path: str) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a network in a file. SaveError for any other or damaged file, OSError."""
    with _archives.unpacked(path, f"{path} is not a network, or is damaged") as archive:
        archive.about(kind=KIND, version=NETWORK_VERSION)
        by_place = network_shapes(by_place=True)
        return {
            name: archive.array(name, type_of(name), ({shape[0], by_place[name][0]}, *shape[1:]))
            for name, shape in NETWORK_ARRAYS.items()
        }


def read_order() -> npt.NDArray[np.int16]:
    """The weights of the features by which the solver ranks moves on 7x6: see _pure.ordering."""
    with _archives.unpacked(ORDER, f"{ORDER} is damaged") as archive:
        return archive.array("weights", np.int16, ORDER_SHAPE)

"""A growing search tree as SVG: a picture for each of several numbers of simulations, with every node in a fixed place.

All have the layout of the last picture.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from .. import _layout
from .._backend import BackendName
from .._validation import between, numbers
from ..board.positions import AnyBoard, unfinished
from ..seeds import Seed
from .engine import Engine
from .params import SearchParams, UctParams, uct_params
from .tree_svg import Path, counted, places_of, tree_picture

MAX_SIMULATIONS = 500  # of the last picture: more nodes can't be told apart
MAX_PICTURES = 100


@dataclass(frozen=True, slots=True)
class TreePicture:
    """A tree after some simulations; shows itself in a notebook."""

    simulations: int
    svg: str = field(repr=False)

    def _repr_svg_(self) -> str:
        return self.svg


@dataclass(frozen=True, slots=True)
class Growth:
    """The pictures of a growing tree; shows itself in a notebook, one below the other."""

    pictures: tuple[TreePicture, ...]

    def _repr_html_(self) -> str:
        return "\n".join(f"<div>{picture.svg}</div>" for picture in self.pictures)


def growth(
    board: AnyBoard,
    params: SearchParams | None = None,
    *,
    simulations: Iterable[int] = (1, 7, 20, 100),
    seed: Seed = 1,
    backend: BackendName = "auto",
) -> Growth:
    """The tree of a search after each of these numbers of simulations.

    params: by default the preset "uct"; not one that needs an evaluator. simulations: increasing, up to 500. A search
    that proves its result ends earlier.

    Nodes are moves: a disc has the colour of its player and the number of its column, from 1, and its area grows with
    its visits. A blue rim marks the nodes that are new since the picture before.

    Raises GameOverError for a finished game, TypeError or ValueError naming the argument.
    """
    board = unfinished(board)
    params = UctParams.preset("uct") if params is None else uct_params(params)
    counts = [
        between(f"simulations[{i}]", count, 1, MAX_SIMULATIONS)
        for i, count in enumerate(numbers("simulations", simulations, "a list of counts", MAX_PICTURES))
    ]
    if not counts or any(later <= count for count, later in pairwise(counts)):
        raise ValueError(f"simulations must be increasing, and at least one, not {counts}")
    engine = Engine(params, seed=seed, backend=backend)
    trees, made = [], 0
    for count in counts:
        while made < count:
            done = engine.search(board, simulations=count - made, columns=False).simulations
            made += done
            if done == 0:  # proven
                break
        trees.append(_visits(engine.tree()))
    places = places_of(trees[-1])
    drawn: list[TreePicture] = []
    before: dict[Path, int] = {}
    for count, tree in zip(counts, trees, strict=True):
        title = counted(count, "simulation")
        note = f"{counted(len(tree) - 1, 'move')} tried" if len(tree) > 1 else "no move tried yet"
        svg = tree_picture(board, tree, places, title, note, tree.keys() - before.keys())
        drawn.append(TreePicture(count, svg))
        before = tree
    return Growth(tuple(drawn))


def _visits(tree: npt.NDArray[np.void]) -> dict[Path, int]:
    """The visits of all visited nodes by their path, parents before their children."""
    found: dict[Path, int] = {}
    waiting: list[tuple[Path, int]] = [((), _layout.ROOT)]
    while waiting:
        path, node = waiting.pop()
        found[path] = int(tree[node]["visits"])
        first = int(tree[node]["children"])
        for child in reversed(range(first, first + int(tree[node]["size"]))):
            if tree[child]["visits"]:
                waiting.append(((*path, int(tree[child]["column"])), child))
    return found

"""A search tree as it grows, as SVG: one picture for each of some numbers of simulations, with every node in its place.

The layout is that of the last picture, in which leaves have equal distances and a parent stands above the middle of its
children (Wetherell and Shannon, "Tidy drawings of trees", 1979, algorithm 2, without their corrections: nothing
overlaps, since no two nodes of a ply share a leaf).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from .. import _layout
from .._backend import BackendName
from .._validation import between, numbers
from ..board.board import Board
from ..board.validation import unfinished
from ..search.engine import Engine
from ..search.params import SearchParams, search_params
from ..seeds import Seed
from .result_svg import GROUND, INK, PALE_INK
from .svg import EDGES, FILLS, RING, opening

MAX_SIMULATIONS = 500  # of the last picture: more nodes can't be told apart
MAX_PICTURES = 100
WIDTH, MARGIN, TITLE, LEVEL = 760, 20, 40, 62  # units of the picture; LEVEL: from ply to ply
LARGEST, SMALLEST, LABELLED = 17.0, 4.0, 8.5  # radii: of all visits, of one, of the smallest disc with a number
LINE = "#9aa3b0"
TEXT = ("#1f2430", "#ffffff")  # on a disc of each player
NEW = "#2a66b8"  # rim of the nodes that the picture before did not have


@dataclass(frozen=True, slots=True)
class TreePicture:
    """A tree after so many simulations; shows itself in a notebook."""

    simulations: int
    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


@dataclass(frozen=True, slots=True)
class Growth:
    """The pictures of a growing tree; shows itself in a notebook, one below the other."""

    pictures: tuple[TreePicture, ...]

    def _repr_html_(self) -> str:
        return "\n".join(f"<div>{picture.svg}</div>" for picture in self.pictures)


def growth(
    board: Board,
    params: SearchParams | None = None,
    *,
    simulations: Iterable[int] = (1, 7, 20, 100),
    seed: Seed = 1,
    backend: BackendName = "auto",
) -> Growth:
    """The tree of a search after each of some numbers of simulations.

    params: by default the preset "uct"; not one that needs an evaluator. simulations: increasing, up to 500. A search
    that proves its result ends earlier.

    Nodes are moves: a disc has the colour of its player and the number of its column, from 1, and its area grows with
    its visits. A blue rim marks the nodes that are new since the picture before.

    Raises GameOverError for a finished game, TypeError or ValueError naming the argument.
    """
    board = unfinished(board)
    params = SearchParams.preset("uct") if params is None else search_params(params)
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
            done = engine.search(board, simulations=count - made).simulations
            made += done
            if done == 0:  # proven
                break
        trees.append(_visits(engine.tree()))
    places = _places(trees[-1])
    drawn: list[TreePicture] = []
    before: dict[Path, int] = {}
    for count, tree in zip(counts, trees, strict=True):
        drawn.append(TreePicture(count, _picture(board, count, tree, before, places)))
        before = tree
    return Growth(tuple(drawn))


Path = tuple[int, ...]  # columns from the root
Places = dict[Path, tuple[float, float]]


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


def _places(tree: dict[Path, int]) -> Places:
    """The centre of each node, in units of the picture."""
    parents = {path[:-1] for path in tree if path}
    leaves = [path for path in tree if path not in parents]
    across = {path: float(i) for i, path in enumerate(leaves)}
    children: dict[Path, list[Path]] = {}
    for path in reversed(tree):  # children before their parents
        if path not in across:
            ends = [across[child] for child in children[path]]
            across[path] = (ends[0] + ends[-1]) / 2
        children.setdefault(path[:-1], []).append(path)
    step = (WIDTH - 2 * MARGIN) / max(1, len(leaves) - 1)
    if len(leaves) == 1:
        return {path: (WIDTH / 2, TITLE + MARGIN + LEVEL * len(path)) for path in tree}
    return {path: (MARGIN + step * x, TITLE + MARGIN + LEVEL * len(path)) for path, x in across.items()}


def _picture(board: Board, count: int, tree: dict[Path, int], before: dict[Path, int], places: Places) -> str:
    """One picture; before: the tree of the one before."""
    height = max(y for _, y in places.values()) + 2 * MARGIN
    total = max(tree[()], 1)
    drawn = f"{len(tree) - 1} move{'s' * (len(tree) != 2)} tried" if len(tree) > 1 else "no move tried yet"
    parts = [
        opening(WIDTH, round(height), None),
        f"<title>A search tree after {_simulations(count)}: {drawn}</title>",
        f'<rect width="{WIDTH}" height="{height:.0f}" rx="12" fill="{GROUND}"/>',
        f'<g font-family="sans-serif" text-anchor="start" fill="{INK}">',
        f'<text x="{MARGIN}" y="26" font-size="16" font-weight="bold">{_simulations(count)}</text>',
        f'<text x="{WIDTH - MARGIN}" y="26" font-size="13" text-anchor="end" fill="{PALE_INK}">{drawn}</text>',
        "</g>",
    ]
    for path, visits in tree.items():
        if path:
            (x1, y1), (x2, y2) = places[path[:-1]], places[path]
            width = 1 + 4 * visits / total
            parts.append(
                f'<path d="M{x1:.1f} {y1:.1f}C{x1:.1f} {(y1 + y2) / 2:.1f} {x2:.1f} {(y1 + y2) / 2:.1f} '
                f'{x2:.1f} {y2:.1f}" fill="none" stroke="{LINE}" stroke-width="{width:.1f}"/>'
            )
    for path, visits in tree.items():
        player = (board.turn + len(path) - 1) % 2
        parts += _disc(path, player, _radius(path, visits, total), path not in before, places[path])
    return "\n".join([*parts, "</svg>"])


def _simulations(count: int) -> str:
    return f"{count} simulation{'s' * (count != 1)}"


def _radius(path: Path, visits: int, total: int) -> float:
    """Of a disc whose area grows with its share of the visits; the moves of the root have numbers."""
    return max(LABELLED if len(path) == 1 else SMALLEST, LARGEST * math.sqrt(visits / total))


def _disc(path: Path, player: int, radius: float, is_new: bool, place: tuple[float, float]) -> list[str]:
    """A node: the disc of the player who makes the move, with the column; the root is a square."""
    x, y = place
    if not path:
        return [f'<rect x="{x - 10:.1f}" y="{y - 10:.1f}" width="20" height="20" rx="4" fill="{INK}"/>']
    rim, width = (NEW, 2.5) if is_new else (EDGES[player], 1)
    parts = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{FILLS[player]}" stroke="{rim}" '
        f'stroke-width="{width}"/>'
    ]
    if radius >= LABELLED:
        size = min(14.0, 1.3 * radius)
        parts.append(
            f'<text x="{x:.1f}" y="{y + 0.36 * size:.1f}" font-family="sans-serif" font-size="{size:.1f}" '
            f'font-weight="bold" text-anchor="middle" fill="{TEXT[player]}">{path[-1] + 1}</text>'
        )
    elif player == 1:
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius / 2:.1f}" fill="none" stroke="{RING}"/>')
    return parts

"""Search trees as SVG: the top of a tree, and a growing tree, with every node in a fixed place.

Leaves have equal distances and a parent stands above the middle of its children (Wetherell and Shannon, "Tidy drawings
of trees", 1979, algorithm 2, without their corrections: nothing overlaps, since no two nodes of a ply share a leaf).
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from heapq import heappop, heappush
from itertools import pairwise
from types import MappingProxyType

from .._backend import BackendName, load
from .._layout import UNLIMITED
from .._validation import between, counted, members
from ..board.arguments import AnyBoard, unfinished
from ..board.board import Board
from ..board.svg import EDGES, FILLS, GROUND, INK, PALE_INK, RING, opening
from ..seeds import Seed, generator_state
from .params import SearchParams, UctParams, uct_params
from .tree import EngineTree
from .tree_reader import TreeNode

MAX_SIMULATIONS = 500  # of a growing tree: more nodes can't be told apart
MAX_PICTURES = 100
MAX_MOVES = 300  # of a picture: more can't be told apart
WIDTH, MARGIN, TITLE, LEVEL = 760, 20, 40, 62  # units of the picture; LEVEL: from ply to ply
LARGEST, SMALLEST, LABELLED = 17.0, 4.0, 8.5  # radii: of all visits, of one, of the smallest disc with a number
LETTER, GAP = 5.6, 6.0  # width of a character of a label at most, and between two labels
LINE = "#9aa3b0"
TEXT = ("#1f2430", "#ffffff")  # on a disc of each player
NEW = "#2a66b8"  # rim of the nodes that the picture before did not have

Path = tuple[int, ...]  # columns from the root
Places = dict[Path, tuple[float, float]]


def tree_svg(node: Callable[[Path], TreeNode], moves: int) -> str:
    """The most visited part of a tree as a picture, see Engine.tree_svg. node: gives the node at a path."""
    between("moves", moves, 1, MAX_MOVES)
    tree, is_whole = _most_visited(node, moves)
    note = counted(len(tree) - 1, "move") if is_whole else f"the {len(tree) - 1} most visited moves"
    note += "; below a move its value for the player, and its visits"
    places, title = places_of(tree), counted(tree[()], "simulation")
    return tree_picture(node(()).board, tree, places, title, note, labels=_labels(node, tree, places))


def _most_visited(node: Callable[[Path], TreeNode], moves: int) -> tuple[dict[Path, int], bool]:
    """The visits of the most visited nodes, parents before their children, and whether these are all."""
    tree: dict[Path, int] = {}
    waiting: list[tuple[int, Path]] = [(-node(()).visits, ())]
    while waiting and len(tree) <= moves:
        visits, path = heappop(waiting)
        tree[path] = -visits
        for child in node(path).children:
            if child.visits:
                heappush(waiting, (-child.visits, (*path, child.column)))
    return dict(sorted(tree.items())), not waiting


def _labels(node: Callable[[Path], TreeNode], tree: dict[Path, int], places: Places) -> dict[Path, tuple[str, str]]:
    """Values and visits of the moves, those with the most visits first, if they have space side by side."""
    labels: dict[Path, tuple[str, str]] = {}
    taken: dict[float, list[tuple[float, float]]] = {}  # from and to, by the height of the ply
    for path in sorted(filter(None, tree), key=lambda path: -tree[path]):
        (move,) = (child for child in node(path[:-1]).children if child.column == path[-1])
        label = move.proof or f"{move.value:.2f}", f"{move.visits:,}"
        (x, y), half = places[path], max(map(len, label)) * LETTER / 2
        if all(x + half + GAP < left or right < x - half - GAP for left, right in taken.setdefault(y, [])):
            taken[y].append((x - half, x + half))
            labels[path] = label
    return labels


def places_of(tree: dict[Path, int]) -> Places:
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
    left, step = WIDTH / 2, 0.0
    if len(leaves) > 1:
        left, step = MARGIN, (WIDTH - 2 * MARGIN) / (len(leaves) - 1)
    return {path: (left + step * x, TITLE + MARGIN + LEVEL * len(path)) for path, x in across.items()}


def tree_picture(
    board: Board,
    tree: dict[Path, int],
    places: Places,
    title: str,
    note: str,
    new: Collection[Path] = (),
    labels: Mapping[Path, tuple[str, str]] = MappingProxyType({}),
) -> str:
    """The drawing of a tree. title, note: the texts above it; new: the nodes with a rim; labels: lines below nodes."""
    height = max(y for _, y in places.values()) + 2 * MARGIN + (MARGIN if labels else 0)
    total = max(tree[()], 1)
    parts = [
        opening(WIDTH, round(height), None),
        f"<title>A search tree after {title}: {note}</title>",
        f'<rect width="{WIDTH}" height="{height:.0f}" rx="12" fill="{GROUND}"/>',
        f'<g font-family="sans-serif" text-anchor="start" fill="{INK}">',
        f'<text x="{MARGIN}" y="26" font-size="16" font-weight="bold">{title}</text>',
        f'<text x="{WIDTH - MARGIN}" y="26" font-size="13" text-anchor="end" fill="{PALE_INK}">{note}</text>',
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
        parts += _disc(path, player, visits / total, path in new, places[path])
    for path, label in labels.items():
        x, y = places[path]
        below = y + _radius(path, tree[path] / total)
        for number, (line, colour) in enumerate(zip(label, (INK, PALE_INK), strict=True), 1):
            parts.append(
                f'<text x="{x:.1f}" y="{below + 11 * number:.1f}" font-family="sans-serif" font-size="10" '
                f'text-anchor="middle" fill="{colour}" stroke="{GROUND}" stroke-width="3" paint-order="stroke">'
                f"{line}</text>"
            )
    return "\n".join([*parts, "</svg>"])


def _radius(path: Path, share: float) -> float:
    """The radius of a disc: its area grows with its share, and the moves of the root are large enough for a number."""
    return max(LABELLED if len(path) == 1 else SMALLEST, LARGEST * math.sqrt(share))


def _disc(path: Path, player: int, share: float, is_new: bool, place: tuple[float, float]) -> list[str]:
    """A node: the disc of the player who moves, with the column; the root is a square. share: of all visits."""
    x, y = place
    if not path:
        return [f'<rect x="{x - 10:.1f}" y="{y - 10:.1f}" width="20" height="20" rx="4" fill="{INK}"/>']
    radius = _radius(path, share)
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


class Growth(dict[int, str]):
    """The pictures of a growing tree, as SVG by simulations; shows itself in a notebook, one below the other."""

    def _repr_html_(self) -> str:
        return "\n".join(f"<div>{svg}</div>" for svg in self.values())

    def __repr__(self) -> str:
        return f"<c4mcts.view.Growth after {counted(', '.join(map(str, self)), 'simulation')}>"


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

    Raises GameOverError for a finished game.
    """
    board = unfinished(board)
    params = UctParams.preset("uct") if params is None else uct_params(params)
    counts = [
        between(f"simulations[{i}]", count, 1, MAX_SIMULATIONS)
        for i, count in enumerate(members("simulations", simulations, "a list of counts", MAX_PICTURES))
    ]
    if not counts or any(later <= count for count, later in pairwise(counts)):
        raise ValueError(f"simulations must be increasing, and at least one, not {counts}")
    grown = EngineTree(load(backend), params, 1, generator_state(seed))
    grown.set_position(board)
    trees = []
    for count in counts:
        left = count - grown.visits()
        if not grown.is_proven():
            grown.grow(left, left, UNLIMITED, bool, UNLIMITED)
        trees.append(_most_visited(grown.node, UNLIMITED)[0])
    places = places_of(trees[-1])
    pictures, before = Growth(), set[Path]()
    for count, tree in zip(counts, trees, strict=True):
        note = f"{counted(len(tree) - 1, 'move')} tried" if len(tree) > 1 else "no move tried yet"
        pictures[count] = tree_picture(board, tree, places, counted(count, "simulation"), note, tree.keys() - before)
        before = set(tree)
    return pictures

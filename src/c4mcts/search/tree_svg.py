"""The top of a search tree as SVG, and the drawing of any small tree of moves.

Leaves have equal distances and a parent stands above the middle of its children (Wetherell and Shannon, "Tidy drawings
of trees", 1979, algorithm 2, without their corrections: nothing overlaps, since no two nodes of a ply share a leaf).
"""

import math
from collections.abc import Callable, Collection
from heapq import heappop, heappush

from .._validation import between
from ..board.board import Board
from ..board.svg import EDGES, FILLS, GROUND, INK, PALE_INK, RING, opening
from .tree_reader import TreeNode

MAX_MOVES = 300  # of a picture: more can't be told apart
WIDTH, MARGIN, TITLE, LEVEL = 760, 20, 40, 62  # units of the picture; LEVEL: from ply to ply
LARGEST, SMALLEST, LABELLED = 17.0, 4.0, 8.5  # radii: of all visits, of one, of the smallest disc with a number
LINE = "#9aa3b0"
TEXT = ("#1f2430", "#ffffff")  # on a disc of each player
NEW = "#2a66b8"  # rim of the nodes that the picture before did not have

Path = tuple[int, ...]  # columns from the root
Places = dict[Path, tuple[float, float]]


def tree_svg(node: Callable[[Path], TreeNode], moves: int) -> str:
    """The most visited part of a tree as a picture, see Engine.tree_svg. node: gives the node at a path."""
    between("moves", moves, 1, MAX_MOVES)
    root = node(())
    tree: dict[Path, int] = {}
    waiting: list[tuple[int, Path]] = [(-root.visits, ())]
    while waiting and len(tree) <= moves:
        visits, path = heappop(waiting)
        tree[path] = -visits
        for child in node(path).children:
            if child.visits:
                heappush(waiting, (-child.visits, (*path, child.column)))
    tree = dict(sorted(tree.items()))
    note = f"the {len(tree) - 1} most visited moves" if waiting else counted(len(tree) - 1, "move")
    return tree_picture(root.board, tree, places_of(tree), counted(root.visits, "simulation"), note)


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
    step = (WIDTH - 2 * MARGIN) / max(1, len(leaves) - 1)
    if len(leaves) == 1:
        return {path: (WIDTH / 2, TITLE + MARGIN + LEVEL * len(path)) for path in tree}
    return {path: (MARGIN + step * x, TITLE + MARGIN + LEVEL * len(path)) for path, x in across.items()}


def tree_picture(
    board: Board, tree: dict[Path, int], places: Places, title: str, note: str, new: Collection[Path] = ()
) -> str:
    """The drawing of a tree. title, note: the texts above it; new: the nodes with a rim."""
    height = max(y for _, y in places.values()) + 2 * MARGIN
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
        parts += _disc(path, player, _radius(path, visits, total), path in new, places[path])
    return "\n".join([*parts, "</svg>"])


def counted(count: int, noun: str) -> str:
    """A number with its noun."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


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

"""The search tree as a picture: text in the DOT language, which Graphviz draws (see graphviz.py).

A node of the picture is a position, an edge a move. Positions that share their children in the tree are one node.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .. import _layout
from .._validation import positive
from ..board.notation import EMPTY_FIRST_SECOND
from ..board.validation import an_instance
from ..search.engine import Engine
from ..search.move_order import Proof, node_rank
from ..search.move_selection import exact_value
from ..search.params import SearchParams
from ..search.results import SearchResult
from .svg import EDGES, FILLS

NAMES = EMPTY_FIRST_SECOND[1:]  # of the players
INKS = ("#000000", "#ffffff")  # on their colours
DRAW = "#d5d9df"
FONT = 'fontname="Helvetica,Arial,sans-serif", fontsize=10'
STYLE = (
    f"graph [rankdir=LR, ranksep=0.3, nodesep=0.18, {FONT}];",
    f'node [style=filled, fillcolor="#ffffff", height=0.26, width=0.26, margin="0.07,0.02", {FONT}];',
    f'edge [arrowsize=0.5, color="#6b7280", {FONT}];',
)
SHARE = 100  # a move is drawn, unless told, from this part of the root's visits on
# Proofs as the tree stores them: for the player who moved into a node, and for the one to move there.
CODES: dict[Proof, int] = {"win": _layout.WON, "draw": _layout.DRAWN, "loss": _layout.LOST}
CODES_TO_MOVE: dict[Proof, int] = {"win": _layout.LOST, "draw": _layout.DRAWN, "loss": _layout.WON}


def tree_dot(
    engine: Engine, result: SearchResult, *, depth: int = 3, children: int = 3, visits: int | None = None
) -> str:
    """The top of an engine's tree, as text for Graphviz.

        result = engine.search(board, seconds=1)
        Path("tree.dot").write_text(tree_dot(engine, result))

    result: what the last search said; its line of play is drawn bold, and its proofs are shown. depth: plies from the
    root. children: so many moves of a position at most, those that look best to the player. visits: so many at least,
    by default a hundredth of the root's and at least 2; the line of play, and moves that are proven to win, need none.

    Raises TypeError or ValueError, naming the argument; ValueError if the result is not of the engine's root.
    """
    engine = an_instance("engine", engine, Engine, "an Engine")
    result = an_instance("result", result, SearchResult, "a SearchResult")
    depth, children = positive("depth", depth), positive("children", children)
    if visits is not None:
        visits = positive("visits", visits)
    tree, root = engine.tree(), engine.board
    if root != result.board:
        raise ValueError(f"result is of {result.board!r}, but the root of the engine's tree is {root!r}")
    if visits is None:
        visits = max(2, int(tree[_layout.ROOT]["visits"]) // SHARE)
    drawing = Drawing(tree, result, engine.params)
    drawing.grow(depth, children, visits)
    return drawing.text(
        "A move: player and column, value for that player, visits. Bold: the line of play.\n"
        f"Drawn: {depth} plies, at most {children} moves a position, with at least {visits:,} visits."
    )


@dataclass(frozen=True, slots=True)
class Move:
    """An edge between two positions, given by their names."""

    start: str
    end: str
    slot: int  # the node of the tree that holds its visits and value
    player: int
    on_line: bool  # the line of play


class Drawing:
    """What is to be drawn of a tree: first the root alone."""

    def __init__(self, tree: npt.NDArray[np.void], result: SearchResult, params: SearchParams) -> None:
        self._tree = tree
        self._result = result
        self._params = params
        self._root = self._name(_layout.ROOT)
        self._moves: list[Move] = []
        self._plies = {self._root: 0}  # from the root, of every position by name
        # What is certain of positions, in the tree's form. The result may know more than the tree: its second phase.
        self._proofs = {self._root: int(tree[_layout.ROOT]["proof"])}
        if result.proof is not None:
            self._proofs[self._root] = _stored(CODES_TO_MOVE[result.proof], result.distance)
        columns = {int(tree[slot]["column"]): self._name(slot) for slot in self._slots(_layout.ROOT)}
        for move in result.moves:
            if move.proof is not None and move.distance is not None and move.column in columns:
                self._proofs[columns[move.column]] = _stored(CODES[move.proof], move.distance - 1)

    def _slots(self, slot: int) -> range:
        """The children of a node, in column order."""
        first = int(self._tree[slot]["children"])
        return range(first, first + int(self._tree[slot]["size"]))

    def _name(self, slot: int) -> str:
        """What the position of a node is called: by its children, so that nodes that share them are one."""
        block = int(self._tree[slot]["children"])
        return f"n{slot}" if block == _layout.NO_CHILDREN else f"p{block}"

    def grow(self, depth: int, children: int, visits: int) -> None:
        """Add moves ply by ply."""
        here, line = {self._root: _layout.ROOT}, self._root
        for ply in range(depth):
            there: dict[str, int] = {}
            line_there = ""
            for start, slot in here.items():
                best = self._result.pv[ply] if start == line and ply < len(self._result.pv) else None
                for child in self._picked(slot, children, visits, best):
                    end, on_line = self._name(child), int(self._tree[child]["column"]) == best
                    self._moves.append(Move(start, end, child, self._turn(ply), on_line))
                    self._plies[end] = ply + 1
                    self._proofs[end] = _combined(
                        self._proofs.get(end, _layout.UNKNOWN), int(self._tree[child]["proof"])
                    )
                    there[end] = child
                    line_there = end if on_line else line_there
            here, line = there, line_there
            if not here:
                break  # whatever the depth that is asked for

    def _turn(self, ply: int) -> int:
        """The player to move so many plies from the root."""
        return (self._result.board.turn + ply) & 1

    def _picked(self, slot: int, children: int, visits: int, best: int | None) -> list[int]:
        """The children of a node to draw, in column order; best: a column that is drawn in any case."""
        ranks = {}
        for child in self._slots(slot):
            on_line = int(self._tree[child]["column"]) == best
            ranks[child] = on_line, *node_rank(int(self._tree["proof"][child]), int(self._tree["visits"][child]))
        drawn = []
        for child in sorted(ranks, key=lambda child: ranks[child], reverse=True)[:children]:
            on_line, rank, _ = ranks[child]
            if on_line or rank > 0 or self._visits(child) >= visits:  # proven wins have a rank above 0
                drawn.append(child)
        return sorted(drawn)

    def text(self, caption: str) -> str:
        """The whole of it."""
        lines = [
            *STYLE,
            f"label={_quoted(caption)};",
            *(f"{name} [{self._look(name)}];" for name in self._plies),
            *(f"{move.start} -> {move.end} [{self._move_look(move)}];" for move in self._moves),
        ]
        return "\n".join(["digraph tree {", *(f"  {line}" for line in lines), "}", ""])

    def _look(self, name: str) -> str:
        """Of a position: the board at the root, else a box with what is certain, else a disc of the player to move."""
        turn = self._turn(self._plies[name])
        said, winner, settled = _certain(self._proofs[name], 1 - turn)
        if name == self._root:
            facts = [f"{NAMES[turn]} to move", *([said] if said else []), f"{self._visits(_layout.ROOT):,} visits"]
            label = "\n".join([str(self._result.board), "", *facts])
            return f'shape=box, fontname="Courier,monospace", label={_quoted(label)}'
        if winner is not None:
            return f'shape=box, fillcolor="{FILLS[winner]}", fontcolor="{INKS[winner]}", label={_quoted(said)}'
        if said:
            look = f'fillcolor="{DRAW}"' if settled else 'style="filled,dashed"'
            return f"shape=box, {look}, label={_quoted(said)}"
        return (
            f'shape=circle, margin=0, peripheries={1 + turn}, color="{EDGES[turn]}", fillcolor="{FILLS[turn]}", '
            f'fontcolor="{INKS[turn]}", label={_quoted(NAMES[turn])}'
        )

    def _move_look(self, move: Move) -> str:
        column = int(self._tree[move.slot]["column"])
        said = f"{NAMES[move.player]} {column}  {self._value(move)}  {self._visits(move.slot):,}"
        return f'label=<<b>{said}</b>>, penwidth=2.5, color="#000000"' if move.on_line else f"label={_quoted(said)}"

    def _visits(self, slot: int) -> int:
        return int(self._tree[slot]["visits"])

    def _value(self, move: Move) -> str:
        """Of a move, for the player who makes it: what is certain, else the mean."""
        for proof, code in CODES.items():
            if _code(self._proofs[move.end]) == code:
                return f"{exact_value(proof, self._params):.2f}"
        visits = self._visits(move.slot)
        reward = int(self._tree[move.slot]["value_sum"])
        return f"{reward / (self._params.settings().win * visits):.2f}" if visits else "-"


def _code(proof: int) -> int:
    """A proof without its distance."""
    return proof & ~_layout.DISTANCE_MASK


def _stored(code: int, distance: int | None) -> int:
    """A proof in the tree's form; draws are kept without a distance there."""
    return code if code == _layout.DRAWN else code + (distance or 0)


def _combined(one: int, other: int) -> int:
    """What is certain of a position of which both of these are."""
    kinds = [proof >> _layout.DISTANCE_BITS for proof in (one, other)]
    lower, upper = max(_layout.LOWERS[kind] for kind in kinds), min(_layout.UPPERS[kind] for kind in kinds)
    code = _layout.CODES[3 * lower + upper]
    return code + min((proof & _layout.DISTANCE_MASK for proof in (one, other) if _code(proof) == code), default=0)


def _certain(proof: int, player: int) -> tuple[str, int | None, bool]:
    """What a proof says, who wins, and whether that settles it; player: who moved into the node that has the proof."""
    code, plies = _code(proof), proof & _layout.DISTANCE_MASK
    if code in (_layout.WON, _layout.LOST):
        winner = player if code == _layout.WON else 1 - player
        return (f"{NAMES[winner]} wins in {plies}" if plies else f"{NAMES[winner]} has won"), winner, True
    if code == _layout.DRAWN:
        return "draw", None, True
    if code == _layout.UNKNOWN:
        return "", None, False
    return f"{NAMES[player if code == _layout.NOT_LOST else 1 - player]} draws at least", None, False


def _quoted(text: str) -> str:
    """A string of DOT; nothing that is drawn has quotes or backslashes in it."""
    return '"' + text.replace("\n", "\\n") + '"'

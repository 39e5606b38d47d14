"""Describes the top of a search tree in the DOT language, and draws DOT with Graphviz, whose program must be installed.

In the picture nodes are positions and edges are moves. Nodes of the tree that share their children are drawn as one.
"""

import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from .. import _layout
from .._backend import load
from .._files import StrPath, path_of
from .._validation import an_instance, flag, members, positive, refused, shown, string
from ..board.board import Board
from ..board.notation import EMPTY_FIRST_SECOND, write_drawing
from ..board.positions import AnyBoard, a_board
from ..board.svg import EDGES, FILLS
from .engine import Engine
from .params import SearchParams, UctParams
from .results import SearchResult
from .root_moves import Bound, MoveStats, Proof, exact_value
from .tree_reader import FEWEST
from .verdicts import AT_MOST

NAMES = EMPTY_FIRST_SECOND[1:]  # by player
TEXT_COLOURS = ("#000000", "#ffffff")  # by player, on a shape in the player's colour
DRAW = "#d5d9df"
FONT = 'fontname="Helvetica,Arial,sans-serif", fontsize=10'
STYLE = (
    f"graph [rankdir=LR, ranksep=0.3, nodesep=0.18, {FONT}];",
    f'node [style=filled, fillcolor="#ffffff", height=0.26, width=0.26, margin="0.07,0.02", {FONT}];',
    f'edge [arrowsize=0.5, color="#6b7280", {FONT}];',
)
FORMATS = (".png", ".svg", ".pdf")
MISSING = (
    "Graphviz is needed to draw {}: no program dot is on the PATH (see https://graphviz.org/download). "
    "A .dot file can be written without it"
)
Rewards = tuple[float, float, float]
VALUES: Rewards = (1.0, 0.5, 0.0)  # values are mean rewards on this scale
SHARE = 100  # by default moves with at least 1 / SHARE of the visits of the root are drawn
# Proofs as the tree stores them, by proof from the view of the player who moved into a node, and of the one to move.
CODES: dict[Proof, int] = {"win": _layout.WON, "draw": _layout.DRAWN, "loss": _layout.LOST}
CODES_TO_MOVE: dict[Proof, int] = {"win": _layout.LOST, "draw": _layout.DRAWN, "loss": _layout.WON}


def tree_dot(
    engine: Engine,
    result: SearchResult,
    *,
    depth: int = 3,
    children: int = 3,
    visits: int | None = None,
    q: bool = False,
) -> str:
    """The top of an engine's tree as text in the DOT language.

        result = engine.search(board, seconds=1)
        Path("tree.dot").write_text(tree_dot(engine, result))

    result: of the last search; its principal variation is drawn bold, and its proofs are shown. depth: plies from the
    root. children: the maximum number of moves per position, the best for the player. visits: the minimum for a move,
    by default a hundredth of those of the root and at least 2, unless it wins or is in the principal variation. q: show
    mean rewards Q, on the scale of the parameters' rewards, instead of values from 0 to 1.

    Raises TypeError or ValueError, naming the argument; ValueError if the result is not of the engine's root.
    """
    engine = an_instance("engine", engine, Engine, "an Engine")
    result = an_instance("result", result, SearchResult, "a SearchResult")
    depth, children, q = positive("depth", depth), positive("children", children), flag("q", q)
    if visits is not None:
        visits = positive("visits", visits)
    tree, root = engine.tree(), engine.board
    if root != result.board:
        raise ValueError(f"result is of {result.board!r}, but the root of the engine's tree is {root!r}")
    if visits is None:
        visits = max(2, int(tree[_layout.ROOT]["visits"]) // SHARE)
    drawing = Drawing(tree, result, engine.params, q)
    drawing.grow(depth, children, visits)
    return drawing.text(
        f"A move: player and column, {'mean reward Q' if q else 'value'} for that player, visits. "
        "Bold: the principal variation.\n"
        f"Drawn: {depth} plies, at most {children} moves per position, with at least {visits:,} visits."
    )


@dataclass(frozen=True, slots=True)
class DrawnMove:
    """An edge between two positions, given by their names."""

    start: str
    end: str
    node: int  # the node of the tree that holds its visits and value
    player: int
    on_line: bool  # whether it is in the principal variation


class Drawing:
    """The positions and moves to draw; at first the root alone."""

    def __init__(self, tree: npt.NDArray[np.void], result: SearchResult, params: SearchParams, q: bool) -> None:
        self._tree = tree
        self._result = result
        self._params = params
        self._rewards = params.rewards if q else VALUES
        self._root = self._name(_layout.ROOT)
        self._moves: list[DrawnMove] = []
        self._plies = {self._root: 0}  # plies from the root, by name of the position
        # Proofs by name of the position, as stored in the tree. The result may know more proofs than the tree, from its
        # exact bounds on the moves of the root.
        self._proofs = {self._root: int(tree[_layout.ROOT]["proof"])}
        self._exact: set[str] = set()  # of these positions the distance is exact
        if result.proof is not None:
            self._know(self._root, CODES_TO_MOVE[result.proof], result.distance, result.bound)
        columns = {int(tree[node]["column"]): self._name(node) for node in self._children(_layout.ROOT)}
        for move in result.moves:
            if move.proof is not None and move.distance is not None and move.column in columns:
                self._know(columns[move.column], CODES[move.proof], move.distance - 1, move.bound)

    def _know(self, name: str, code: int, distance: int | None, bound: Bound | None) -> None:
        """Note what the result says of a position. code: the outcome for the player who moved into it."""
        self._proofs[name] = code if code == _layout.DRAWN else code + (distance or 0)  # draws have no distance there
        if bound == "exact":
            self._exact.add(name)

    def _children(self, node: int) -> range:
        """The children of a node, in column order."""
        first = int(self._tree[node]["children"])
        return range(first, first + int(self._tree[node]["size"]))

    def _name(self, node: int) -> str:
        """The name of a node's position, made from its block of children, which nodes of equal positions may share."""
        block = int(self._tree[node]["children"])
        return f"n{node}" if block == _layout.NO_CHILDREN else f"p{block}"

    def grow(self, depth: int, children: int, visits: int) -> None:
        """Add positions and moves ply by ply."""
        here, line = {self._root: _layout.ROOT}, self._root
        for ply in range(depth):
            there: dict[str, int] = {}
            line_there = ""
            for start, node in here.items():
                best = self._result.pv[ply] if start == line and ply < len(self._result.pv) else None
                for child in self._picked(node, children, visits, best):
                    end, on_line = self._name(child), int(self._tree[child]["column"]) == best
                    self._moves.append(DrawnMove(start, end, child, self._turn(ply), on_line))
                    self._plies[end] = ply + 1
                    self._proofs[end] = _combined(
                        self._proofs.get(end, _layout.UNKNOWN), int(self._tree[child]["proof"])
                    )
                    there[end] = child
                    line_there = end if on_line else line_there
            here, line = there, line_there
            if not here:
                break  # the tree ends before the requested depth

    def _turn(self, ply: int) -> int:
        return (self._result.board.turn + ply) & 1

    def _picked(self, node: int, children: int, visits: int, best: int | None) -> list[int]:
        """The children of a node to draw, in column order; best: a column that is always drawn."""
        rank, ranks = load("pure").proofs.rank, {}
        for child in self._children(node):
            on_line = int(self._tree[child]["column"]) == best
            ranks[child] = on_line, rank(int(self._tree["proof"][child]), self._visits(child))
        drawn = []
        for child in sorted(ranks, key=lambda child: ranks[child], reverse=True)[:children]:
            is_won = _code(int(self._tree["proof"][child])) == _layout.WON
            if ranks[child][0] or is_won or self._visits(child) >= visits:
                drawn.append(child)
        return sorted(drawn)

    def text(self, caption: str) -> str:
        lines = [
            *STYLE,
            f"label={quoted(caption)};",
            *(f"{name} [{self._attributes(name)}];" for name in self._plies),
            *(f"{move.start} -> {move.end} [{self._move_attributes(move)}];" for move in self._moves),
        ]
        return "\n".join(["digraph tree {", *(f"  {line}" for line in lines), "}", ""])

    def _attributes(self, name: str) -> str:
        """The attributes of a position: drawn as the board, as a box with the proof, or as a disc."""
        turn = self._turn(self._plies[name])
        text, winner, is_certain = _proof_text(self._proofs[name], 1 - turn, name in self._exact)
        if name == self._root:
            facts = ["", f"{NAMES[turn]} to move", *([text] if text else []), f"{self._visits(_layout.ROOT):,} visits"]
            return drawn(self._result.board, *facts)
        if is_certain:
            return box(text, winner)
        return f'shape=box, style="filled,dashed", label={quoted(text)}' if text else disc(turn)

    def _move_attributes(self, move: DrawnMove) -> str:
        column = int(self._tree[move.node]["column"])
        return edge(move.player, column, self._value(move), self._visits(move.node), move.on_line)

    def _visits(self, node: int) -> int:
        return int(self._tree[node]["visits"])

    def _value(self, move: DrawnMove) -> str:
        """The value of a move for the player who makes it: exact if it is proven, else the mean."""
        for proof, code in CODES.items():
            if _code(self._proofs[move.end]) == code:
                return value_text(exact_value(proof, self._params.settings), self._rewards)
        visits = self._visits(move.node)
        reward = int(self._tree[move.node]["value_sum"])
        value = reward / (self._params.settings.win * visits) if visits else None
        return value_text(value, self._rewards)


def drawn(board: Board, *facts: str) -> str:
    """The attributes of a position that is shown as a board, with lines of text below it."""
    label = "\n".join([write_drawing(board.to_array().tolist(), first=1), *facts])
    return f'shape=box, fontname="Courier,monospace", label={quoted(label)}'


def disc(turn: int) -> str:
    """The attributes of a position without a proof: a disc of the player to move."""
    return (
        f'shape=circle, margin=0, peripheries={1 + turn}, color="{EDGES[turn]}", fillcolor="{FILLS[turn]}", '
        f'fontcolor="{TEXT_COLOURS[turn]}", label={quoted(NAMES[turn])}'
    )


def box(text: str, winner: int | None) -> str:
    """The attributes of a position whose result is certain: a box in the colour of the winner, or that of a draw."""
    if winner is None:
        return f'shape=box, fillcolor="{DRAW}", label={quoted(text)}'
    return f'shape=box, fillcolor="{FILLS[winner]}", fontcolor="{TEXT_COLOURS[winner]}", label={quoted(text)}'


def edge(player: int, column: int, value: str, visits: int, is_bold: bool) -> str:
    text = f"{NAMES[player]} {column + 1}  {value}  {visits:,}"
    return f'label=<<b>{text}</b>>, penwidth=2.5, color="#000000"' if is_bold else f"label={quoted(text)}"


def value_text(value: float | None, rewards: Rewards) -> str:
    """A value in [0, 1] as a mean reward; a dash for None. rewards: (win, draw, loss)."""
    if value is None:
        return "-"
    win, _, loss = rewards
    return f"{round(loss + (win - loss) * value, 2) + 0.0:.2f}"  # 0.0: no minus sign before a zero


def _code(proof: int) -> int:
    """A proof without its distance."""
    return proof & ~_layout.DISTANCE_MASK


def _combined(one: int, other: int) -> int:
    """The proof that follows from two proofs of the same position."""
    kinds = [proof >> _layout.DISTANCE_BITS for proof in (one, other)]
    lower, upper = max(_layout.LOWERS[kind] for kind in kinds), min(_layout.UPPERS[kind] for kind in kinds)
    code = _layout.CODES[3 * lower + upper]
    return code + min((proof & _layout.DISTANCE_MASK for proof in (one, other) if _code(proof) == code), default=0)


def _proof_text(proof: int, player: int, is_exact: bool) -> tuple[str, int | None, bool]:
    """A proof in words, the winner, and whether the outcome is certain.

    player: who moved into the node. is_exact: whether the distance is; the fewest plies always are.
    """
    code, plies = _code(proof), proof & _layout.DISTANCE_MASK
    if code in (_layout.WON, _layout.LOST):
        winner = player if code == _layout.WON else 1 - player
        fewest = FEWEST["win" if code == _layout.WON else "loss"]
        return _win_text(winner, plies, is_exact or plies <= fewest), winner, True
    if code == _layout.DRAWN:
        return "draw", None, True
    if code == _layout.UNKNOWN:
        return "", None, False
    return f"{NAMES[player if code == _layout.NOT_LOST else 1 - player]}: at least a draw", None, False


def _win_text(winner: int, plies: int, is_exact: bool) -> str:
    """A win in words, in ASCII."""
    if not plies:
        return f"{NAMES[winner]} has won"
    return f"{NAMES[winner]} wins in {plies if is_exact else f'{AT_MOST} {plies}'}"


def quoted(text: str) -> str:
    """A string of DOT; nothing that is drawn has quotes or backslashes in it."""
    return '"' + text.replace("\n", "\\n") + '"'


def render(dot: str, path: StrPath) -> None:
    """Draw text in the DOT language to a .png, .svg or .pdf file.

    ValueError for another suffix, FileNotFoundError if Graphviz is missing, RuntimeError with the message of Graphviz
    if it fails, OSError if the file can't be written.
    """
    text = string("dot", dot).encode(errors="replace")
    program = require_dot(path)
    done = subprocess.run([program, f"-T{Path(path).suffix.lower()[1:]}"], input=text, capture_output=True)
    if done.returncode:
        message = done.stderr.decode(errors="replace").strip() or f"exit code {done.returncode}"
        raise RuntimeError(f"Graphviz could not draw {os.fspath(path)}: {message}")
    Path(path).write_bytes(done.stdout)


def require_dot(path: StrPath) -> str:
    """The path of the program `dot`; raises as `render` does if it is missing, or for a file of another suffix."""
    if Path(path_of("path", path)).suffix.lower() not in FORMATS:
        raise ValueError(
            f"a picture must be a {', '.join(FORMATS[:-1])} or {FORMATS[-1]} file, not {shown(os.fspath(path))}"
        )
    program = shutil.which("dot")
    if program is None:
        raise FileNotFoundError(MISSING.format(os.fspath(path)))
    return program


STRAIGHT = "weight=9"  # of the moves of the game: Graphviz draws heavy edges straight
CAPTION = (
    "A move: player and column, {} for that player, visits. Bold: the moves of the game.\n"
    "Next to them at most {} others of each search."
)


def game_dot(
    board: AnyBoard, results: Iterable[SearchResult], *, children: int = 3, rewards: Rewards | None = None
) -> str:
    """The tree of a game as text in the DOT language, which dot.render draws.

        player = EnginePlayer(SearchParams.preset("report-minimax"), simulations=1000)
        game = play_game(player, RandomPlayer(), seed=1).game
        Path("game.dot").write_text(game_dot(game, player.results))

    board: the game, with its moves; it need not be over. results: of searches of its positions, of one player or both.
    The moves of the game are bold. Where there is a result, the move has its value for the player who makes it and its
    visits, and at most `children` of the other moves are drawn next to it, the most visited ones. rewards: the (win,
    draw, loss) of the searches, to show mean rewards Q on that scale instead of values from 0 to 1.

    Raises TypeError or ValueError naming the argument; ValueError for a result of a position that is not in the game.
    """
    board, children = a_board(board), positive("children", children)
    scale = VALUES if rewards is None else UctParams(rewards=rewards).rewards
    positions = _positions(board)
    found: dict[Board, SearchResult] = {}
    for result in members("results", results, "SearchResults", len(positions)):
        if not isinstance(result, SearchResult):
            raise TypeError(refused("results", "SearchResults", result))
        if result.board not in positions[:-1]:
            raise ValueError(f"results: {result.board!r} is not a position of the game before its last move")
        found[result.board] = result
    lines = [*STYLE, f"label={quoted(CAPTION.format('value' if rewards is None else 'mean reward Q', children))};"]
    for ply, position in enumerate(positions):
        lines.append(f"p{ply} [{_position(position, is_first=ply == 0)}];")
    for ply, column in enumerate(board.moves):
        lines += _moves(ply, positions[ply], column, found.get(positions[ply]), children, scale)
    return "\n".join(["digraph game {", *(f"  {line}" for line in lines), "}", ""])


def _positions(board: Board) -> list[Board]:
    """All positions of a game, from the start on."""
    found = [board.copy()]
    for _ in board.moves:
        before = found[-1].copy()
        before.pop()
        found.append(before)
    return found[::-1]


def _position(board: Board, *, is_first: bool) -> str:
    """The attributes of a position: the first one drawn as a board, others as a disc, the last one with its result."""
    outcome = board.outcome()
    if is_first:
        return drawn(board)
    if outcome is None:
        return disc(board.turn)
    return box("draw" if outcome.winner is None else f"{NAMES[outcome.winner]} has won", outcome.winner)


def _moves(
    ply: int, board: Board, played: int, result: SearchResult | None, children: int, rewards: Rewards
) -> list[str]:
    """The move of the game at a position, and the others that were searched there, in column order."""
    if result is None:
        label = quoted(f"{NAMES[board.turn]} {played + 1}")
        return [f'p{ply} -> p{ply + 1} [label={label}, penwidth=2.5, color="#000000", {STRAIGHT}];']
    others = sorted((move for move in result.moves if move.column != played), key=lambda move: -move.visits)
    drawn = {move.column for move in others[:children]} | {played}
    lines = []
    for move in result.moves:
        if move.column in drawn:
            look = edge(board.turn, move.column, value_text(move.value, rewards), move.visits, move.column == played)
            if move.column == played:
                lines.append(f"p{ply} -> p{ply + 1} [{look}, {STRAIGHT}];")
            else:
                end = f"p{ply}c{move.column}"
                lines += [f"{end} [{_other(board, move)}];", f"p{ply} -> {end} [{look}];"]
    return lines


def _other(board: Board, move: MoveStats) -> str:
    """The attributes of a position that the game did not reach: with its proof if it has one."""
    if move.proof is None:
        return disc(1 - board.turn)
    if move.proof == "draw" or move.distance is None:
        return box("draw", None)
    winner = board.turn if move.proof == "win" else 1 - board.turn
    return box(_win_text(winner, move.distance - 1, move.bound == "exact"), winner)

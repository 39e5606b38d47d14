"""Describes the top of a search tree in the DOT language, which Graphviz and other programs draw.

In the picture nodes are positions and edges are moves. A search with transpositions has each position once.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .._validation import an_instance, counted, flag, positive
from ..board.board import Board
from ..board.notation import EMPTY_FIRST_SECOND, write_drawing
from ..board.svg import EDGES, FILLS
from ..solver.verdict import Verdict
from .engine import Engine
from .results import SearchResult
from .root_moves import MoveStats, exact_value

NAMES = EMPTY_FIRST_SECOND[1:]  # by player
TEXT_COLOURS = ("#000000", "#ffffff")  # by player, on a shape in the player's colour
DRAW = "#d5d9df"
FONT = 'fontname="Helvetica,Arial,sans-serif", fontsize=10'
STYLE = (
    f"graph [rankdir=LR, ranksep=0.3, nodesep=0.18, {FONT}];",
    f'node [style=filled, fillcolor="#ffffff", height=0.26, width=0.26, margin="0.07,0.02", {FONT}];',
    f'edge [arrowsize=0.5, color="#6b7280", {FONT}];',
)
BOLD = 'penwidth=2.5, color="#000000"'
Rewards = tuple[float, float, float]
VALUES: Rewards = (1.0, 0.5, 0.0)  # values are mean rewards on this scale
SHARE = 100  # by default moves with at least 1 / SHARE of the visits of the root are drawn
ROOT = "p0"  # the name of the root


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
    by default a hundredth of the root's and at least 2, unless it wins or is in the principal variation. q: show
    mean rewards Q, on the scale of the parameters' rewards, instead of values from 0 to 1.

    Raises ValueError if the result is not of the engine's root.
    """
    engine = an_instance("engine", engine, Engine, "an Engine")
    result = an_instance("result", result, SearchResult, "a SearchResult")
    depth, children, q = positive("depth", depth), positive("children", children), flag("q", q)
    if engine.board != result.board:
        raise ValueError(f"result is of {result.board!r}, but the root of the engine's tree is {engine.board!r}")
    visits = max(2, engine.node().visits // SHARE) if visits is None else positive("visits", visits)
    edges = _edges(engine, result.pv, depth, children, visits)
    reached: dict[str, Edge] = {}  # by position, with what all moves to it prove
    for each in edges:
        best = reached.get(each.end, each).move
        narrowed = each.move._replace(lower=max(each.move.lower, best.lower), upper=min(each.move.upper, best.upper))
        reached[each.end] = each._replace(move=narrowed)
    root, rewards = engine.node(), engine.params.rewards if q else VALUES
    turn = root.board.turn
    proof = [] if root.proof is None else [result_of(root.verdict, turn)[0]]
    notes = ["", f"{NAMES[turn]} to move", *proof, counted(root.visits, "visit")]
    lines = [f"{ROOT} [{board_node(root.board, *notes)}];"]
    lines += [f"{name} [{position_after(each.move, each.player)}];" for name, each in reached.items()]
    for start, end, player, move, on_line in edges:
        if proof_of_end := reached[end].move.proof:
            move = move._replace(value=exact_value(proof_of_end, engine.params.settings))
        lines.append(f"{start} -> {end} [{edge_text(move, player, rewards, on_line)}];")
    caption = (
        f"A move: player and column, {'mean reward Q' if q else 'value'} for that player, visits. "
        "Bold: the principal variation.\n"
        f"Drawn: {counted(depth, 'ply', 'plies')}, at most {counted(children, 'move')} per position, "
        f"with at least {counted(visits, 'visit')}."
    )
    body = "".join(f"  {line}\n" for line in (*STYLE, f"label={quoted(caption)};", *lines))
    return f"digraph tree {{\n{body}}}\n"


class Edge(NamedTuple):
    """A move between two positions, which are given by their names."""

    start: str
    end: str
    player: int
    move: MoveStats
    on_line: bool  # whether it is in the principal variation


def _edges(engine: Engine, line: Sequence[int], depth: int, children: int, visits: int) -> list[Edge]:
    """The moves to draw, ply by ply. line: the principal variation. The others: see tree_dot."""
    shares = engine.params.transpositions
    names: dict[object, str] = {}  # of the positions after moves, by board or by path
    edges: list[Edge] = []
    here: dict[str, tuple[int, ...]] = {ROOT: ()}  # paths to the positions of a ply
    for ply in range(depth):
        there: dict[str, tuple[int, ...]] = {}
        for start, path in here.items():
            node = engine.node(path)
            best = line[ply] if path == line[:ply] and ply < len(line) else None
            for move in _picked(node.children, children, visits, best):
                column, on_line = move.column, move.column == best
                key = node.board.after(column) if shares else (*path, column)
                end = names.setdefault(key, f"p{len(names) + 1}")
                edges.append(Edge(start, end, node.board.turn, move, on_line))
                if on_line or end not in there:
                    there[end] = (*path, column)
        here = there
    return edges


def _picked(moves: Sequence[MoveStats], count: int, visits: int, best: int | None) -> list[MoveStats]:
    """The moves of a position to draw, in column order; best: a column that is always drawn."""
    order = sorted(moves, key=lambda move: (move.column == best, move.verdict.score, move.visits), reverse=True)
    picks = [move for move in order[:count] if move.column == best or move.proof == "win" or move.visits >= visits]
    return sorted(picks)


def board_node(board: Board, *lines: str) -> str:
    """The attributes of a position that is shown as a board, with lines of text below it."""
    label = "\n".join([write_drawing(board.to_array().tolist(), first=1), *lines])
    return f'shape=box, fontname="Courier,monospace", label={quoted(label)}'


def disc(turn: int) -> str:
    """The attributes of a position without a proof: a disc of the player to move."""
    return (
        f'shape=circle, margin=0, peripheries={1 + turn}, color="{EDGES[turn]}", fillcolor="{FILLS[turn]}", '
        f'fontcolor="{TEXT_COLOURS[turn]}", label={quoted(NAMES[turn])}'
    )


def box(text: str, winner: int | None) -> str:
    """The attributes of a position whose result is certain: a box in the colour of the winner, or grey for a draw."""
    if winner is None:
        return f'shape=box, fillcolor="{DRAW}", label={quoted(text)}'
    return f'shape=box, fillcolor="{FILLS[winner]}", fontcolor="{TEXT_COLOURS[winner]}", label={quoted(text)}'


def edge_text(move: MoveStats, player: int, rewards: Rewards, is_bold: bool) -> str:
    """The attributes of a move, with its mean reward on the scale of these (win, draw, loss)."""
    value = "-"
    if move.value is not None:
        win, _, loss = rewards
        value = f"{round(loss + (win - loss) * move.value, 2) + 0.0:.2f}"  # 0.0: no minus sign before a zero
    text = f"{NAMES[player]} {move.column + 1}  {value}  {move.visits:,}"
    return f"label=<<b>{text}</b>>, {BOLD}" if is_bold else f"label={quoted(text)}"


def position_after(move: MoveStats, player: int) -> str:
    """The attributes of the position after a move: a box with the proof, or a disc of the player to move."""
    if move.proof is not None:
        return box(*result_of(move.verdict.after_move(), 1 - player))
    if move.lower < 0 < move.upper:
        return disc(1 - player)
    text = f"{NAMES[player if move.lower >= 0 else 1 - player]}: at least a draw"
    return f'shape=box, style="filled,dashed", label={quoted(text)}'


def result_of(verdict: Verdict, player: int) -> tuple[str, int | None]:
    """The proven result of a position in words, and the winner. player: who is to move."""
    if verdict.proof == "draw":
        return "draw", None
    winner = player if verdict.proof == "win" else 1 - player
    return f"{NAMES[winner]} {f'wins in {verdict.plies()}' if verdict.distance else 'has won'}", winner


def quoted(text: str) -> str:
    """A string of DOT; nothing that is drawn has quotes or backslashes in it."""
    return '"' + text.replace("\n", "\\n") + '"'

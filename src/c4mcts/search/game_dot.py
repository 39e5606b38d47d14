"""Describes the tree of a whole game in the DOT language: its moves in a line, and beside them what was searched."""

from collections.abc import Iterable

from .._validation import members, positive, refused
from ..board.board import Board
from ..board.positions import a_board
from .dot import NAMES, STYLE, VALUES, Rewards, box, disc, drawn, edge, quoted, value_text
from .params import UctParams
from .results import MoveStats, SearchResult

STRAIGHT = "weight=9"  # of the moves of the game: Graphviz draws heavy edges straight
CAPTION = (
    "A move: player and column, {} for that player, visits. Bold: the moves of the game.\n"
    "Beside them at most {} others of each search."
)


def game_dot(
    board: Board, results: Iterable[SearchResult], *, children: int = 3, rewards: Rewards | None = None
) -> str:
    """The tree of a game as text in the DOT language, which dot.render draws.

        player = EnginePlayer(SearchParams.preset("report-minimax"), simulations=1000)
        game = play_game(player, RandomPlayer(), seed=1).game
        Path("game.dot").write_text(game_dot(game, player.results))

    board: the game, with its moves; it need not be over. results: of searches of its positions, of one player or both.
    The moves of the game are bold. Where there is a result, the move has its value for the player who makes it and its
    visits, and at most `children` other moves are drawn beside it, the most visited ones. rewards: the (win, draw,
    loss) of the searches, to show mean rewards Q on that scale in the place of values from 0 to 1.

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
    return box(f"{NAMES[winner]} {f'wins in {move.distance - 1}' if move.distance > 1 else 'has won'}", winner)

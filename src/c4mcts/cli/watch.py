"""One game between two players, board by board: `match --watch`."""

import argparse
from collections.abc import Sequence
from contextlib import closing

from rich.text import Text

from ..board.board import Board
from ..play.arena import moves_of
from ..play.player_specs import contestant
from ..play.players import EnginePlayer, Player
from ..play.tournament_game import MOVE_SECONDS
from ..search.dot import game_dot
from ..search.results import effort_text
from ..seeds import root_seed, sequence
from .analyze import require_dot_file, write_dot
from .arguments import UsageError, errors_of_others, usage_errors
from .display import PLAYERS, BoardDisplay, Terminal
from .positions import add_start, board_of_file
from .process import OK

WITHOUT: dict[str, object] = {  # for matches only, by their defaults
    **dict.fromkeys(("games", "sprt", "openings", "plies", "within", "adjudicate", "checkpoint")),
    "move_seconds": MOVE_SECONDS,
    "executor": "threads",
    "out": [],
    "json": False,
}


def add_watch(parser: argparse.ArgumentParser) -> None:
    """Add the options of a game that is watched."""
    group = parser.add_argument_group("a single game")
    words = "play one game, in which the first player moves first, and show each board and what the search has done"
    group.add_argument("--watch", action="store_true", help=words)
    add_start(group)
    words = "also draw the tree of the game: .dot or .gv (text for Graphviz), .png, .svg or .pdf"
    group.add_argument("--dot", metavar="FILE", help=words)


def require_no_watching(args: argparse.Namespace) -> None:
    """UsageError for options that only a watched game has."""
    for name in ("start", "dot"):
        if getattr(args, name) is not None:
            raise UsageError(f"--{name} needs --watch")


def watch(args: argparse.Namespace, texts: Sequence[str]) -> int:
    """Play a game, and print the board after each move."""
    for name, default in WITHOUT.items():
        if getattr(args, name) != default:
            raise UsageError(f"--{name.replace('_', '-')} does not go with --watch, which shows one game")
    if args.dot is not None:
        require_dot_file(args.dot)
    with usage_errors("--"):
        board = Board(args.rules) if args.start is None else board_of_file(args)
        seed = root_seed(args.seed)
    if board.is_over():
        raise UsageError(f"--start {args.start}: the game is over")
    players = []
    for text in texts:
        with errors_of_others(f"player {text!r}"), usage_errors():
            players.append(contestant(text, board.rules, backend=args.backend).make())
    players = players if board.turn == 0 else players[::-1]
    names = list(texts) if board.turn == 0 else list(texts)[::-1]
    _show(Terminal(), board, players, names, seed)
    if args.dot is not None:
        results = [result for player in players if isinstance(player, EnginePlayer) for result in player.results]
        write_dot(game_dot(board, results), args.dot)
    return OK


def _show(terminal: Terminal, board: Board, players: Sequence[Player], names: Sequence[str], seed: int) -> None:
    discs = terminal.symbols.discs
    terminal.print(f"{discs[0]} {names[0]}, {discs[1]} {names[1]}, seed {seed}", style="dim", markup=False)
    terminal.print(BoardDisplay(terminal, board).lines())
    with closing(moves_of(board, players, sequence(seed))) as moves:
        while not board.is_over():
            with errors_of_others(names[board.turn]):
                column = next(moves)
            mover = 1 - board.turn
            player = players[mover]
            done = f": {effort_text(player.last)}" if isinstance(player, EnginePlayer) and player.last else ""
            terminal.print()
            terminal.print(Text.assemble(terminal.disc(mover), f" {names[mover]} plays {column + 1}{done}"))
            terminal.print(BoardDisplay(terminal, board).lines())
    outcome = board.outcome()
    assert outcome is not None
    if outcome.winner is None:
        terminal.print("a draw", style="bold")
    else:
        words = f"{names[outcome.winner]} wins ({discs[outcome.winner]})"
        terminal.print(words, style=f"bold {PLAYERS[outcome.winner]}", markup=False)
    terminal.print(f"to review it: c4mcts review {board.format('address')}", style="dim", markup=False, soft_wrap=True)

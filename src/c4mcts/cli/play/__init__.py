"""Play against the computer."""

import argparse
import secrets
from contextlib import nullcontext
from typing import Any

from ...board.board import Board
from ...play.levels import LEVELS, level_of
from ...search.engine import Engine
from ...search.limits import check_budget
from ...search.params import SearchParams
from ..arguments import (
    UsageError,
    add_search,
    backend_of,
    engine_of,
    evaluator_errors,
    evaluator_of,
    limits_of,
    params_of,
    reason,
    usage_errors,
)
from ..display import Terminal
from ..positions import add_position, board_of, unfinished
from ..process import FAILED, OK, say, terminated_by
from .dialogue import Dialogue, LevelOpponent, Opponent, SearchOpponent, load
from .game import UserGame, clock_option
from .lines import Lines
from .screen import Screen, has_keys

LEVEL = 3  # default
SECONDS = 1.0  # default of a search for each move
SEARCH = ("seconds", "simulations", "nodes", "preset", "set", "evaluator")


def add(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    sides = parser.add_mutually_exclusive_group()
    sides.add_argument("--first", action="store_const", dest="side", const=0, help="play x")
    sides.add_argument(
        "--second", action="store_const", dest="side", const=1, help="play o (default: the side to move)"
    )
    names = ", ".join(f"{level.number} {level.name}" for level in LEVELS)
    words = (
        f"strength of the opponent (default {LEVEL}): {names}. Any option of a search makes that search the opponent"
    )
    parser.add_argument("--level", metavar="N|NAME", help=words)
    words = "seconds per player and increment per move: 60+1"
    parser.add_argument("--clock", type=clock_option, metavar="S+I", help=words)
    parser.add_argument("--show-value", action="store_true", help="show an evaluation bar")
    parser.add_argument("--load", metavar="FILE", help="continue the last game of this file")
    parser.add_argument(
        "--save", metavar="FILE", help="append each game to this file, which `c4mcts review --file` reads"
    )
    words = "read lines instead of single keys, as with a pipe; suits screen readers"
    parser.add_argument("--lines", action="store_true", help=words)
    add_search(parser)


def run(args: argparse.Namespace) -> int:
    backend_of(args)
    game = game_of(args)
    if args.save is not None:
        require_writable(args.save)
    seed = secrets.randbits(32) if args.seed is None else args.seed
    terminal = Terminal()
    with evaluator_errors(args):
        opponent, adviser = players_of(args, seed)
        lines = Lines(terminal, opponent.name)
        screen = Screen(terminal, opponent.name) if not args.lines and has_keys(terminal) else None
        view = screen or lines
        dialogue = Dialogue(view, terminal, opponent, adviser, game, seed, args.clock, args.show_value, args.save)
        try:
            with terminated_by("SIGHUP"), screen or nullcontext():
                dialogue.run()
        finally:
            if dialogue.problem is not None:
                say(f"c4mcts play: {dialogue.problem}")
            if screen is not None:
                lines.show(dialogue.game)
            if screen is not None or dialogue.game.ending is None:
                dialogue.tell_closing(lines)
    return OK if dialogue.problem is None else FAILED


def game_of(args: argparse.Namespace) -> UserGame:
    if args.load is not None:
        if any(getattr(args, name) is not None for name in ("position", "start")):
            raise UsageError("--load can't be combined with a position")
        game = UserGame.from_file(load(args.load), args.clock)
        if args.side is not None:
            game.side = args.side
        return game
    start: Board = unfinished(board_of(args))
    return UserGame(start, start.turn if args.side is None else args.side, args.clock)


def players_of(args: argparse.Namespace, seed: int) -> tuple[Opponent, Engine]:
    """The user's opponent and adviser: a level, or a search with the options for one."""
    with usage_errors("--"):
        adviser = Engine(SearchParams.preset("perfect"), seed=seed, backend=args.backend)
    searches = args.threads != 1 or any(getattr(args, name) not in (None, []) for name in SEARCH)
    if not searches:
        text = str(LEVEL) if args.level is None else args.level
        with usage_errors("--"):
            level = level_of(int(text) if text.removeprefix("-").isdecimal() and len(text) < 10 else text)
            return LevelOpponent(level, args.backend), adviser
    if args.level is not None:
        raise UsageError("--level can't be combined with the options of a search")
    default: dict[str, Any] = {"seconds": SECONDS}
    limits = limits_of(args, **default)
    if args.clock is not None and all(getattr(args, name) is None for name in limits):
        limits = {}
    with usage_errors():
        check_budget(params_of(args), limits.get("simulations"))
    evaluator = evaluator_of(args, params_of(args))
    args.seed = seed
    engine, _ = engine_of(args, evaluator)
    return SearchOpponent(engine, limits), adviser


def require_writable(name: str) -> None:
    """UsageError unless games can be added to a file of that name."""
    try:
        with open(name, "ab"):
            pass
    except (OSError, ValueError) as error:
        raise UsageError(f"--save {name}: {reason(error)}") from None

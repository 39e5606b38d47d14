"""Play against the computer, or watch two players."""

import argparse
from dataclasses import replace

from ...play.levels import LEVELS, level_of
from ...play.player_specs import FORMS, contestant
from ...seeds import root_seed
from ..boards import add_position, start_board
from ..display import Terminal
from ..failures import OK, UsageError
from ..files import require_output
from ..match import entrant
from ..options import add_options
from .clocks import GameClock, clock_option
from .dialogue import Dialogue, saved_game
from .game import UserGame

LEVEL = "3"  # default


def add(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    opponent = parser.add_mutually_exclusive_group()
    names = ", ".join(f"{level.number} {level.name}" for level in LEVELS)
    opponent.add_argument("--level", metavar="N|NAME", help=f"strength of the opponent (default {LEVEL}): {names}")
    opponent.add_argument("--against", metavar="PLAYER", help=f"another opponent, as in a match: {FORMS}")
    text = "watch this player play in your place, with the figures of both searches"
    parser.add_argument("--watch", metavar="PLAYER", help=text)
    parser.add_argument("--second", action="store_true", help="play o (default: the side to move)")
    parser.add_argument("--clock", type=clock_option, metavar="S+I", help="seconds per player + more per move: 60+1")
    parser.add_argument("--show-value", action="store_true", help="show an evaluation bar")
    parser.add_argument("--load", metavar="FILE", help="continue the last game of this file")
    parser.add_argument("--save", metavar="FILE", help="append each game to this file, for `c4mcts review --file`")
    add_options(parser, "seed")


def run(args: argparse.Namespace) -> int:
    clock = None if args.clock is None else GameClock(args.clock)
    check = None if clock is None else clock.check
    if args.load is None:
        start = start_board(args)
        game = UserGame(start, 1 if args.second else start.turn, clock)
    elif args.position is not None or args.start is not None:
        raise UsageError("--load can't be combined with a position")
    else:
        game = UserGame.from_file(saved_game(args.load, "--load"), clock)
        game.side = 1 if args.second else game.side
    require_output(args, "save")
    seed = root_seed(args.seed)
    rules = game.board.rules
    if args.against is None:
        text = args.level or LEVEL
        level = level_of(int(text) if text.isdecimal() else text)
        opponent, about = contestant(f"level:{level.number}", check=check), f" (level {level.number})"
        opponent = replace(opponent, name=level.name)
    else:
        opponent, about = entrant(args.against, rules, check), ""
    watched = None if args.watch is None else entrant(args.watch, rules, check)
    Dialogue(Terminal(), game, opponent, about, watched, seed, args.show_value, args.save).run()
    return OK

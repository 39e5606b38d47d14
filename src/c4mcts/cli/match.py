"""Let two players play each other: how much stronger is the first one, and is it stronger at all?"""

import argparse

from ..play.ratings import Sprt
from .arguments import UsageError, usage_errors
from .tournament import LEVELS, PLAYERS, add_games, run_games

GAMES, TEST_GAMES = 100, 20_000  # default: without and with a sequential test


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("players", nargs=2, metavar="player", help=PLAYERS)
    parser.epilog = LEVELS
    words = "end the match as soon as a test decides whether the first player is better by ELO1, or only by ELO0"
    parser.add_argument("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"), help=f"{words}: --sprt 0 20")
    words = "probability of each of the two errors of the test (default 0.05)"
    parser.add_argument("--error", type=float, metavar="P", help=words)
    add_games(parser, f"an even number (default {GAMES}; with --sprt, {TEST_GAMES:,} at most)")


def run(args: argparse.Namespace) -> int:
    """Play the match."""
    test = test_of(args)
    games = args.games if args.games is not None else GAMES if test is None else TEST_GAMES
    return run_games(args, args.players, games, test)


def test_of(args: argparse.Namespace) -> Sprt | None:
    """The sequential test that the options select."""
    if args.sprt is None:
        if args.error is not None:
            raise UsageError("--error is for --sprt")
        return None
    error = 0.05 if args.error is None else args.error
    with usage_errors("--sprt: "):
        elo0, elo1 = args.sprt
        return Sprt(elo0, elo1, alpha=error, beta=error)

"""Matches and tournaments: players play each other and are rated."""

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from rich.live import Live
from rich.text import Text

from ..facts import facts
from ..play.levels import level_list
from ..play.openings import Moves, default_plies, is_balanced_by_default, opening_list, openings
from ..play.player_specs import contestant
from ..play.ratings import Sprt
from ..play.tournament import play_tournament
from ..play.tournament_game import MOVE_SECONDS, Terms
from ..play.tournament_result import Tournament
from ..rules import Rules
from .arguments import (
    CommandError,
    UsageError,
    add_options,
    backend_of,
    count,
    errors_of_others,
    executor_of,
    print_json,
    reason,
    require_output,
    usage_errors,
)
from .display import Terminal
from .positions import add_rules, lines_of_file
from .process import say
from .watch import add_watch, require_no_watching, watch

LEVELS = f"Levels, by number or name, with their ratings on 7x6 in Elo points: {level_list()}."
GAMES = 20  # default, of every two players
PLAYERS = "a preset and its budget, such as strong@1000 or uct@0.1s; level:3; perfect; random; "
PLAYERS += "agent.py or kaggle:agent.py, a Kaggle agent; openspiel:mcts@1000; module:name, your own player"
ENDINGS = (".txt", ".npz", ".parquet")
MATCH_GAMES, TEST_GAMES = 100, 20_000  # default: without and with a sequential test
REFRESH_SECONDS = 0.25  # between two drawings of the growing table
SoFar = Callable[[], Tournament]


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("players", nargs="+", metavar="player", help=PLAYERS)
    parser.epilog = LEVELS
    add_games(parser, f"games per pair of players, an even number (default {GAMES})")


def run(args: argparse.Namespace) -> int:
    if len(args.players) < 2:
        raise UsageError("at least two players are needed")
    return run_games(args, args.players, GAMES if args.games is None else args.games)


def add_games(parser: argparse.ArgumentParser, games: str) -> None:
    """Add the options of games. games: the help of --games."""
    group = parser.add_argument_group("games")
    group.add_argument("--games", type=count, metavar="N", help=games)
    words = "balanced (the exact score is a draw), all, or a file with one opening per line (default: balanced if "
    words += "the scores are in the book or the board is small, otherwise all)"
    group.add_argument("--openings", metavar="WHICH", help=words)
    group.add_argument("--plies", type=count, metavar="N", help="number of discs in an opening (default 4)")
    words = "count openings as balanced up to a score of N for either player (default 0)"
    group.add_argument("--within", type=count, metavar="N", help=words)
    words = "adjudicate games by their exact score as soon as there are N discs on the board"
    group.add_argument("--adjudicate", type=count, metavar="N", help=words)
    words = f"time limit per move; a slower player forfeits (default {MOVE_SECONDS:g}; inf for none)"
    group.add_argument("--move-seconds", type=float, default=MOVE_SECONDS, metavar="S", help=words)
    add_options(group, "seed", "backend", "executor")
    add_rules(group)
    files = parser.add_argument_group("files")
    words = "save each finished game here; the same command continues from it"
    files.add_argument("--checkpoint", metavar="FILE", help=words)
    words = "write the games to a .txt, .npz or .parquet file; may be repeated"
    files.add_argument("--out", action="append", default=[], metavar="FILE", help=words)
    add_options(parser, "json")


@dataclass(frozen=True, slots=True)
class ChosenOpenings:
    """The openings of all games, and how they were chosen."""

    kind: str
    openings: tuple[Moves, ...]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        lengths = {len(moves) for moves in self.openings}
        return {"kind": self.kind, "count": len(self.openings), "plies": lengths.pop() if len(lengths) == 1 else None}


def run_games(args: argparse.Namespace, texts: Sequence[str], games: int, sprt: Sprt | None = None) -> int:
    """Play, print the result and write the files. If interrupted, or if the disk is full, the result so far."""
    backend_of(args)
    rules = args.rules or Rules()
    entrants = []
    for text in texts:
        with errors_of_others(f"player {text!r}"), usage_errors():
            entrants.append(contestant(text, rules, backend=args.backend))
    for name in args.out:
        require_output("--out", name, ENDINGS)
    options = {"games": games, "rules": rules, "sprt": sprt, "seed": args.seed, "checkpoint": args.checkpoint}
    last: list[SoFar] = []
    with executor_of(args) as executor, usage_errors("--"):
        start = start_of(args, rules, executor)
        options |= {"openings": start.openings, "executor": executor}
        options["terms"] = Terms(
            args.adjudicate, None if args.move_seconds == math.inf else args.move_seconds, args.backend
        )
        try:
            with growing_table(games * math.comb(len(entrants), 2), last) as draw:
                found = play_tournament(entrants, on_game=draw, **options)
        except (KeyboardInterrupt, OSError, BrokenExecutor) as error:
            if last:
                report(args, last[0](), start)
            if last and args.checkpoint is not None:
                say(f"c4mcts {args.command}: stopped; the same command continues from {args.checkpoint}")
            if isinstance(error, OSError):
                name = "" if args.checkpoint is None else f"--checkpoint {args.checkpoint}: "
                raise (CommandError if last else UsageError)(f"{name}{reason(error)}") from None
            if isinstance(error, BrokenExecutor):  # a player has ended its process
                raise CommandError(f"--executor {args.executor}: {error}") from None
            raise
    report(args, found, start)
    return 0


def report(args: argparse.Namespace, found: Tournament, start: ChosenOpenings) -> None:
    if args.json:
        limits = {"move_seconds": found.terms.move_seconds}
        about = facts(backend=backend_of(args), rules=found.rules, limits=limits, seed=found.seed)
        print_json({**about, "openings": start.to_dict(), "adjudicate": found.terms.adjudicate, **found.to_dict()})
    else:
        print(found, flush=True)
    for name in args.out:
        try:
            found.save(name)
        except OSError as error:
            raise CommandError(f"--out {name}: {reason(error)}") from None


def start_of(args: argparse.Namespace, rules: Rules, executor: Any) -> ChosenOpenings:
    if args.openings not in (None, "balanced", "all"):
        if args.plies is not None or args.within is not None:
            raise UsageError("--plies and --within don't go with a file of openings")
        texts = [line.name for line in lines_of_file(args.openings, "--openings")]
        with usage_errors(f"--openings {args.openings}: "):
            return ChosenOpenings("file", opening_list(texts, rules))
    kind, plies = args.openings, default_plies(rules) if args.plies is None else args.plies
    if kind == "all" and args.within is not None:
        raise UsageError("--within is for balanced openings")
    balanced = is_balanced_by_default(plies, rules) if kind is None and args.within is None else kind != "all"
    options = {"within": args.within or 0, "executor": executor, "backend": args.backend}
    options["progress"] = sys.stderr.isatty()
    found = openings(plies, rules, balanced=balanced, **options)
    return ChosenOpenings("balanced" if balanced else "all", tuple(found))


def add_match(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("players", nargs=2, metavar="player", help=PLAYERS)
    parser.epilog = LEVELS
    words = "end the match once a sequential test decides whether the first player is ELO1 points stronger or only ELO0"
    parser.add_argument("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"), help=f"{words}: --sprt 0 20")
    add_games(parser, f"number of games, even (default {MATCH_GAMES}; with --sprt at most {TEST_GAMES:,})")
    add_watch(parser)


def run_match(args: argparse.Namespace) -> int:
    if args.watch:
        return watch(args, args.players)
    require_no_watching(args)
    with usage_errors("--sprt: "):
        test = None if args.sprt is None else Sprt(*args.sprt)
    games = args.games if args.games is not None else MATCH_GAMES if test is None else TEST_GAMES
    return run_games(args, args.players, games, test)


@contextmanager
def growing_table(games: int, last: list[SoFar]) -> Iterator[Callable[[SoFar], None]]:
    """A function for `on_game` that puts its argument into `last`, and draws it on a terminal.

    games: the most that will be played.
    """
    next_time = 0.0 if sys.stderr.isatty() else math.inf

    def draw(so_far: SoFar) -> None:
        nonlocal next_time
        last[:] = [so_far]
        start = time.monotonic()
        if start < next_time:
            return
        found = so_far()
        live.update(Text(f"{found}\n{len(found.games):,} of {games:,} games"), refresh=True)
        end = time.monotonic()
        next_time = end + max(REFRESH_SECONDS, 10 * (end - start))  # thousands of games take a while to sum up

    live = Live(console=Terminal(stderr=True), auto_refresh=False, transient=True)
    with live if next_time == 0 else nullcontext():
        yield draw

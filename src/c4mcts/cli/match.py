"""Play a match between two players, or a tournament of several, and rate them."""

import argparse
import math
import sys
from collections.abc import Callable
from typing import Any

from ..play.arena import Terms
from ..play.levels import level_list
from ..play.openings import Moves, default_plies, is_balanced_by_default, opening_list, openings
from ..play.player_specs import Contestant, contestant
from ..play.ratings import Sprt
from ..play.tournament import play_tournament
from ..play.tournament_result import Tournament
from ..provenance import provenance
from ..rules import Rules
from ..search.typed_values import count
from .boards import add_rules
from .engines import backend_of
from .executors import executor_of
from .failures import OK, UsageError, errors_of_others, usage_errors
from .files import continued, require_output, save_all
from .growing_table import growing_table
from .lines import lines_of_file
from .options import add_options
from .output import print_json, show

PLAYERS = "a preset and its budget, such as strong@1000, uct@0.1s or uct@1000,exploration=0.7; level:3; "
PLAYERS += "perfect; random; network:policy; bot.py, a folder or submission.tar.gz, with choose(board) or an agent for "
PLAYERS += "Kaggle; bot.py:name or module:name, your own player; kaggle:negamax; openspiel:mcts@1000; ./bot or "
PLAYERS += "program:COMMAND, a program in any language"
GAMES = {"match": 100, "tournament": 20, "test": 20_000}  # default for each pair of players


def add(parser: argparse.ArgumentParser) -> None:
    parser.epilog = f"Levels, by number or name, with their ratings on 7x6 in Elo points: {level_list()}."
    parser.add_argument("players", nargs="+", metavar="player", help=PLAYERS)
    text = f"games per pair of players, an even number (default {GAMES['match']} of two players, "
    text += f"{GAMES['tournament']} of more, and at most {GAMES['test']:,} with --sprt)"
    parser.add_argument("--games", type=count, metavar="N", help=text)
    text = "of two players: end once a sequential test decides whether the first is ELO1 points stronger or only ELO0"
    parser.add_argument("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"), help=f"{text}: --sprt 0 20")
    text = "the first player plays against all others, which don't play each other"
    parser.add_argument("--gauntlet", action="store_true", help=text)
    text = "the rating of a player, to which the others are relative: level:5=1200 (default: their mean is 0)"
    parser.add_argument("--anchor", type=anchor, metavar="PLAYER=ELO", help=text)
    text = "balanced (the exact score is a draw), all, or a file with one opening per line (default: balanced if "
    text += "the scores are in the book or the board is small, otherwise all)"
    parser.add_argument("--openings", metavar="WHICH", help=text)
    parser.add_argument("--plies", type=count, metavar="N", help="number of discs in an opening (default 4)")
    text = "count openings as balanced up to a score of N for either player (default 0)"
    parser.add_argument("--within", type=count, metavar="N", help=text)
    text = "adjudicate games by their exact score as soon as there are N discs on the board"
    parser.add_argument("--adjudicate", type=count, metavar="N", help=text)
    text = "time limit per move, for players in processes of their own; a slower one forfeits the game (default none)"
    parser.add_argument("--move-seconds", type=float, metavar="S", help=text)
    text = "with --move-seconds: more time for a whole game, which slower moves take (default 0; on Kaggle 60)"
    parser.add_argument("--overage", type=float, default=0.0, metavar="S", help=text)
    add_rules(parser)
    add_options(parser, "seed", "executor", "checkpoint")
    text = "write the games to a .txt, .csv or .parquet file; may be repeated"
    parser.add_argument("--out", action="append", default=[], metavar="FILE", help=text)
    add_options(parser, "json")


def anchor(text: str) -> tuple[str, float]:
    """Parse PLAYER=ELO. ValueError."""
    name, _, elo = text.rpartition("=")
    return name, float(elo)


def entrant(text: str, rules: Rules, check: Callable[[], object] | None = None) -> Contestant:
    """The player that a text names. check: see contestant. UsageError; CommandError for errors in its code."""
    with errors_of_others(f"player {text!r}"), usage_errors(""):
        return contestant(text, rules, check)


def run(args: argparse.Namespace) -> int:
    """Play, print the result and write the files. If interrupted, or if the disk is full, the result so far."""
    if len(args.players) < 2:
        raise UsageError("at least two players are needed: `c4mcts match strong@1000 level:3`")
    rules = args.rules or Rules()
    entrants = [entrant(text, rules) for text in args.players]
    require_output(args, "out", ".txt", ".csv", ".parquet")
    require_output(args, "checkpoint")
    with usage_errors("--sprt: "):
        sprt = None if args.sprt is None else Sprt(*args.sprt)
    kind = "test" if sprt is not None else "match" if len(entrants) == 2 else "tournament"
    games = GAMES[kind] if args.games is None else args.games
    pairs = len(entrants) - 1 if args.gauntlet else math.comb(len(entrants), 2)
    terms = Terms(args.adjudicate, args.move_seconds, args.overage)
    with continued(args, args.checkpoint), executor_of(args) as executor:
        which, starts = _openings_of(args, rules, executor)
        with growing_table(args, games * pairs, lambda so_far: report(args, so_far, which)) as draw:
            result = play_tournament(
                entrants,
                games=games,
                rules=rules,
                openings=starts,
                terms=terms,
                sprt=sprt,
                gauntlet=args.gauntlet,
                anchor=args.anchor,
                on_game=draw,
                seed=args.seed,
                checkpoint=args.checkpoint,
                executor=executor,
            )
    report(args, result, which)
    return OK


def report(args: argparse.Namespace, result: Tournament, which: dict[str, Any]) -> None:
    """Print a result and write the files. which: about the openings."""
    try:
        if args.json:
            limits = {"move_seconds": result.terms.move_seconds, "overage": result.terms.overage}
            about = provenance(backend=backend_of(args), rules=result.rules, limits=limits, seed=result.seed)
            print_json({**about, "openings": which, "adjudicate": result.terms.adjudicate, **result.to_dict()})
        else:
            show(result)
    finally:
        save_all(args, result)  # also if nobody reads on, as with `| head`


def _openings_of(args: argparse.Namespace, rules: Rules, executor: Any) -> tuple[dict[str, Any], list[Moves]]:
    if args.openings not in (None, "balanced", "all"):
        if args.plies is not None or args.within is not None:
            raise UsageError("--plies and --within don't go with a file of openings")
        texts = [line.text for line in lines_of_file(args.openings, "--openings")]
        with usage_errors(f"--openings {args.openings}: "):
            kind, result = "file", list(opening_list(texts, rules))
    else:
        if args.openings == "all" and args.within is not None:
            raise UsageError("--within is for balanced openings")
        plies = default_plies(rules) if args.plies is None else args.plies
        balanced = args.openings == "balanced" or args.within is not None
        if args.openings is None and args.within is None:
            balanced = is_balanced_by_default(plies, rules)
        kind, options = "balanced" if balanced else "all", {"executor": executor, "progress": sys.stderr.isatty()}
        result = openings(plies, rules, balanced=balanced, within=args.within or 0, **options)
    lengths = {len(moves) for moves in result}
    return {"kind": kind, "count": len(result), "plies": lengths.pop() if len(lengths) == 1 else None}, result

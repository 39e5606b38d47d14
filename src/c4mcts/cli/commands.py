"""The list of commands; parses the command line and runs one of them."""

import argparse
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

from .. import __version__
from . import analyze, diagnostics, play, prove, puzzles, review, selfplay, serve, solve, study, tournament
from .arguments import CommandError
from .process import FAILED, MEANINGS, OK, USAGE, say

SHELLS = ("bash", "zsh", "tcsh")


class Command(NamedTuple):
    """A command: its summary, the function that adds its options, and the one that runs it."""

    summary: str
    add: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]  # returns the exit code


COMMANDS = {
    "analyze": Command(
        "Search a position, or each line of standard input, and show the value of every column.",
        analyze.add,
        analyze.run,
    ),
    "web": Command("Analyse and play in the browser.", serve.add_web, serve.run_web),
    "play": Command("Play against the computer.", play.add, play.run),
    "match": Command(
        "Play a match between two players, and estimate the difference in Elo.",
        tournament.add_match,
        tournament.run_match,
    ),
    "tournament": Command("Play a round-robin tournament, and rate the players.", tournament.add, tournament.run),
    "review": Command(
        "Review games: the value of each move, mistakes, and better lines of play.", review.add, review.run
    ),
    "puzzles": Command(
        "List puzzles, positions with exactly one right move, or make new ones.", puzzles.add, puzzles.run
    ),
    "solve": Command(
        "Solve positions exactly, given as arguments, in a file or on standard input.", solve.add, solve.run
    ),
    "prove": Command(
        "Prove the value of a position with a certificate that others can check, or check certificates.",
        prove.add,
        prove.run,
    ),
    "book": Command("Build, describe or verify a book of exact scores.", solve.add_book, solve.run_book),
    "study": Command("Run an experiment on searches, and write a table (CSV) and a plot (PNG).", study.add, study.run),
    "selfplay": Command(
        "Play games of the engine against itself, and write them as arrays for training a network.",
        selfplay.add,
        selfplay.run,
    ),
    "serve": Command(
        "Answer queries for other programs, as JSON lines on standard input and output.", serve.add, serve.run
    ),
    "export-kaggle": Command("Write a submission for Kaggle ConnectX.", serve.add_export, serve.run_export),
    "perft": Command(
        "Count the move sequences of each length from a position.", diagnostics.add_perft, diagnostics.run_perft
    ),
    "bench": Command(
        "Measure the speed of both backends on this machine.", diagnostics.add_bench, diagnostics.run_bench
    ),
    "info": Command(
        "Print version, backend and platform, for bug reports.", diagnostics.add_info, diagnostics.run_info
    ),
    "signature": Command(
        "Print a hash of fixed searches, which is the same on every platform and backend.",
        diagnostics.add_signature,
        diagnostics.run_signature,
    ),
}


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that reports an error in one line."""

    def error(self, message: str) -> NoReturn:
        say(f"{self.prog}: error: {message} (see {self.prog} --help)")
        raise SystemExit(USAGE)

    def _print_message(self, message: str, file: Any = None) -> None:
        print(message, end="", file=file)  # argparse's own method hides write errors such as a full disk


class PrintCompletion(argparse.Action):
    """Print a script with which a shell completes commands and options, made by shtab, and exit."""

    def __call__(self, parser: argparse.ArgumentParser, _: argparse.Namespace, shell: Any, *__: Any) -> None:
        try:
            import shtab
        except ImportError:
            say("c4mcts: error: --print-completion needs shtab: pip install 'c4mcts[completion]'")
            raise SystemExit(FAILED) from None
        print(shtab.complete(parser, shell=shell))
        raise SystemExit(OK)


def run(argv: Sequence[str] | None) -> int:
    """Parse the arguments, run the command, and report a CommandError in one line."""
    parser = command_parser()
    try:
        args = parser.parse_args(argv)
    except SystemExit as exit_request:  # the parser has already printed its message
        return int(exit_request.code or 0)
    if args.command is None:
        parser.print_help(sys.stderr)
        return USAGE
    try:
        with warnings.catch_warnings():
            warnings.showwarning = warn_in_one_line
            return COMMANDS[args.command].run(args)
    except CommandError as error:
        sys.stdout.flush()
        say(f"c4mcts {args.command}: error: {error}")
        return error.status


def command_parser() -> Parser:
    codes = "; ".join(f"{code} {meaning}" for code, meaning in MEANINGS.items())
    about = "Connect-4 by Monte Carlo tree search. Columns count from 1 here, from 0 in Python and in JSON."
    parser = Parser(prog="c4mcts", description=about, epilog=f"Exit codes: {codes}.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"c4mcts {__version__}")
    parser.add_argument(
        "--print-completion", action=PrintCompletion, choices=SHELLS, help="print a completion script for this shell"
    )
    commands = parser.add_subparsers(dest="command", metavar="command")
    for name, command in COMMANDS.items():
        command.add(commands.add_parser(name, help=command.summary, description=command.summary, allow_abbrev=False))
    return parser


def warn_in_one_line(message: Warning | str, *_: object, **__: object) -> None:
    """Replacement for warnings.showwarning that prints no source line."""
    say(f"c4mcts: warning: {message}")

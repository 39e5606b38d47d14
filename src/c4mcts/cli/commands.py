"""All commands: what they are called, and how the one that is asked for is run."""

import argparse
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

from .. import __version__
from . import analyze, bench, info, perft, play, selfplay, signature, solve, study
from .arguments import CommandError
from .streams import say

COMMANDS = (analyze, play, solve, study, selfplay, perft, bench, info, signature)


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that says what is wrong in one line, and takes no abbreviations."""

    def error(self, message: str) -> NoReturn:
        say(f"{self.prog}: error: {message} (see {self.prog} --help)")
        raise SystemExit(2)

    def _print_message(self, message: str, file: Any = None) -> None:
        print(message, end="", file=file)  # argparse's own is silent about a full disk


def run(argv: Sequence[str] | None) -> int:
    """Parse, dispatch, and turn errors a user can mend into one line."""
    parser = command_parser()
    try:
        args = parser.parse_args(argv)
    except SystemExit as leave:  # the parser has said what there was to say
        return int(leave.code or 0)
    if args.command is None:
        parser.print_help(sys.stderr)
        return 2
    try:
        with warnings.catch_warnings():
            warnings.showwarning = warn_in_one_line
            status: int = args.run(args)
    except CommandError as error:
        sys.stdout.flush()
        say(f"c4mcts {args.command}: error: {error}")
        return error.status
    return status


def command_parser() -> Parser:
    """The parser of all commands."""
    parser = Parser(prog="c4mcts", description="Connect-4 by Monte Carlo tree search.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"c4mcts {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command")
    for module in COMMANDS:
        summary = (module.__doc__ or "").partition("\n")[0]
        name = module.__name__.rpartition(".")[2]
        command = commands.add_parser(name, help=summary, description=summary, allow_abbrev=False)
        command.set_defaults(run=module.run)
        module.add(command)
    return parser


def warn_in_one_line(message: Warning | str, *_: object, **__: object) -> None:
    """A stand-in for warnings.showwarning that names no source line."""
    say(f"c4mcts: warning: {message}")

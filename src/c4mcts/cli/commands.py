"""The list of all commands; parses the command line and runs the selected one."""

import argparse
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

from .. import __version__
from . import (
    analyze,
    bench,
    book,
    export_kaggle,
    info,
    match,
    perft,
    play,
    review,
    selfplay,
    serve,
    signature,
    solve,
    study,
    tournament,
    web,
)
from .arguments import CommandError
from .completion import SHELLS, PrintCompletion
from .exit_codes import MEANINGS, USAGE
from .streams import say

COMMANDS = (
    analyze,
    web,
    play,
    match,
    tournament,
    review,
    solve,
    book,
    study,
    selfplay,
    serve,
    export_kaggle,
    perft,
    bench,
    info,
    signature,
)


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that reports an error in one line."""

    def error(self, message: str) -> NoReturn:
        say(f"{self.prog}: error: {message} (see {self.prog} --help)")
        raise SystemExit(USAGE)

    def _print_message(self, message: str, file: Any = None) -> None:
        print(message, end="", file=file)  # argparse's own method hides write errors such as a full disk


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
            status: int = args.run(args)
    except CommandError as error:
        sys.stdout.flush()
        say(f"c4mcts {args.command}: error: {error}")
        return error.status
    return status


def command_parser() -> Parser:
    """A parser that knows all commands; the help text of each is the docstring of its module."""
    codes = "; ".join(f"{code} {meaning}" for code, meaning in MEANINGS.items())
    about = "Connect-4 by Monte Carlo tree search. Columns count from 1 here, from 0 in Python and in JSON."
    parser = Parser(prog="c4mcts", description=about, epilog=f"Exit codes: {codes}.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"c4mcts {__version__}")
    parser.add_argument(
        "--print-completion", action=PrintCompletion, choices=SHELLS, help="print a completion script for this shell"
    )
    commands = parser.add_subparsers(dest="command", metavar="command")
    for module in COMMANDS:
        summary = (module.__doc__ or "").partition("\n")[0]
        name = module.__name__.rpartition(".")[2].replace("_", "-")
        command = commands.add_parser(name, help=summary, description=summary, allow_abbrev=False)
        command.set_defaults(run=module.run)
        module.add(command)
    return parser


def warn_in_one_line(message: Warning | str, *_: object, **__: object) -> None:
    """Replacement for warnings.showwarning that prints no source line."""
    say(f"c4mcts: warning: {message}")

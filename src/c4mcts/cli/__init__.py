"""The command line. One module a command, each with `add`, its options, and `run`, its work and exit code.

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 stopped by Ctrl-C. A closed pipe ends quietly with 0.
"""

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from typing import NoReturn

from .. import __version__
from . import analyze, bench, info, perft, play, selfplay, signature, solve, study
from .arguments import CommandError

COMMANDS = (analyze, play, solve, study, selfplay, perft, bench, info, signature)


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that says what is wrong in one line, and takes no abbreviations."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; argv: the words after `c4mcts`, by default those of the process."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = warn_in_one_line
            status = run(argv)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        drop_output()
        return 0
    except OSError as error:
        drop_output()
        print(f"c4mcts: error: {error}", file=sys.stderr)
        return 1


def run(argv: Sequence[str] | None) -> int:
    """Parse, dispatch, and turn errors a user can mend into one line."""
    parser = command_parser()
    try:
        args = parser.parse_args(argv)
    except SystemExit as leave:  # argparse has said what there was to say
        return int(leave.code or 0)
    if args.command is None:
        parser.print_help(sys.stderr)
        return 2
    try:
        status: int = args.run(args)
    except CommandError as error:
        sys.stdout.flush()
        print(f"c4mcts {args.command}: error: {error}", file=sys.stderr)
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
    print(f"c4mcts: warning: {message}", file=sys.stderr)


def drop_output() -> None:
    """Send what is still to be written nowhere, so that the interpreter's own flush at its end can't fail again."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):  # a stand-in for a file, as tests have
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)

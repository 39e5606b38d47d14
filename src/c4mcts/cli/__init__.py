"""The command line. Each command is a module: its docstring, its options (`add`) and its work (`run`)."""

import argparse
import os
import re
import sys
import warnings
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

from .. import __version__
from .._hints import COMMANDS as HINTS
from .._named import installed_by
from ..errors import PlayerError
from .failures import FAILED, INTERRUPTED, MEANINGS, OK, USAGE, CommandError, UsageError, reason, say
from .output import path_of_output, results_alone

COMMANDS = (
    "analyze",
    "web",
    "play",
    "match",
    "grade",
    "check",
    "review",
    "exam",
    "puzzles",
    "solve",
    "prove",
    "exploit",
    "study",
    "selfplay",
    "serve",
    "export-kaggle",
    "bench",
    "info",
)
SHELLS = ("bash", "zsh", "tcsh")


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that reports an error in one line, without the usage of all options."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


class PrintCompletion(argparse.Action):
    """Print a script with which a shell completes commands and options, made by shtab, and exit."""

    def __call__(self, parser: argparse.ArgumentParser, _: argparse.Namespace, shell: Any, *__: Any) -> None:
        with installed_by("completion"):
            import shtab
        print(shtab.complete(parser, shell=shell))
        parser.exit(OK)


def command_parser(names: Iterable[str] = COMMANDS) -> Parser:
    """The parser of some commands, whose modules it imports."""
    codes = "; ".join(f"{code} {meaning}" for code, meaning in MEANINGS.items())
    about = "Connect-4 by Monte Carlo tree search. Columns count from 1 here, from 0 in Python and in JSON."
    parser = Parser(prog="c4mcts", description=about, epilog=f"Exit codes: {codes}.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"c4mcts {__version__}")
    parser.add_argument(
        "--print-completion", action=PrintCompletion, choices=SHELLS, help="print a completion script for this shell"
    )
    commands = parser.add_subparsers(dest="command", metavar="command", required=True)
    for name in names:
        module = import_module(f"{__name__}.{name.replace('-', '_')}")
        summary = (module.__doc__ or "").strip()
        command = commands.add_parser(name, help=summary, description=summary, allow_abbrev=False)
        module.add(command)
        command.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. argv: the words after `c4mcts`, by default the process's."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    for name, mode in {"stdin": "r", "stdout": "w", "stderr": "w"}.items():
        if getattr(sys, name) is None:  # it was closed before the start, as by `<&-`
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    try:
        status = run(arguments, is_process=argv is None)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # as of `c4mcts ... | head`
        with suppress(OSError, ValueError):
            # or the interpreter fails when it flushes what is left
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        return INTERRUPTED


def run(arguments: Sequence[str], *, is_process: bool) -> int:
    """Parse the words and run the command; what goes wrong is one line on standard error.

    is_process: the process is for this command alone.
    """
    name = f"c4mcts {arguments[0]}" if arguments and arguments[0] in COMMANDS else "c4mcts"
    args = argparse.Namespace()
    try:
        if name == "c4mcts" and arguments and arguments[0] in HINTS:
            raise UsageError(f"there is no command {arguments[0]!r}: write c4mcts {HINTS[arguments[0]]}")
        args, others = command_parser([arguments[0]] if name != "c4mcts" else COMMANDS).parse_known_args(arguments)
        if others and not others[0].startswith("-") and vars(args).get("position", "") is None:
            args.position = others.pop(0)  # after options of a command with two arguments argparse finds it since 3.13
        if others:
            raise UsageError(f"unrecognized arguments: {' '.join(others)} (see {name} --help)")
        with warnings.catch_warnings(), results_alone(for_good=is_process):
            warnings.showwarning = lambda message, *_, **__: say(f"{name}: warning: {message}")
            for option, value in vars(args).items():
                setattr(args, option, path_of_output(value))
            return int(args.run(args))
    except SystemExit as done:  # of the parser, which has printed why
        return int(done.code or 0)
    except CommandError as error:
        status, message = error.status, str(error)
    except PlayerError as error:
        status, message = FAILED, str(error)
    except BrokenPipeError:
        raise
    except (TypeError, ValueError) as error:
        if sys.flags.dev_mode:
            raise
        status, message = USAGE, _with_dashes(str(error), args)
    except (OSError, ImportError, MemoryError, RuntimeError) as error:
        if sys.flags.dev_mode:
            raise
        status, message = FAILED, reason(error)
    say(f"{name}: error: {message}")
    return status


def _with_dashes(message: str, args: argparse.Namespace) -> str:
    """The message of a function; if it begins with the name of an argument that is an option, then as it is typed."""
    name = re.match(r"(?:max_(?=nodes))?(\w+)(?= must |: )", message)
    if name is None or name[1] not in vars(args) or name[1] in ("position", "positions", "game", "player", "folder"):
        return message
    return f"--{name[1].replace('_', '-')}{message[name.end() :]}"

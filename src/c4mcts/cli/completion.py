"""--print-completion: scripts with which a shell completes commands and options."""

import argparse
from typing import Any

from .exit_codes import FAILED, OK
from .streams import say

SHELLS = ("bash", "zsh", "tcsh")


class PrintCompletion(argparse.Action):
    """Print the script for a shell, made by shtab, and exit."""

    def __call__(self, parser: argparse.ArgumentParser, _: argparse.Namespace, shell: Any, *__: Any) -> None:
        try:
            import shtab
        except ImportError:
            say("c4mcts: error: --print-completion needs shtab, pip install 'c4mcts[completion]'")
            raise SystemExit(FAILED) from None
        print(shtab.complete(parser, shell=shell))
        raise SystemExit(OK)

"""Write a file to submit to Kaggle ConnectX."""

import argparse

from ..adapters.kaggle_submission.export import export
from .arguments import PLAYABLE, usage_errors

DEFAULTS = {False: "submission.tar.gz", True: "submission.py"}


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="FILE", help="the file (default: submission.tar.gz, submission.py)")
    words = "one Python file instead of an archive; it also runs without NumPy and on other platforms, slowly"
    parser.add_argument("--single-file", action="store_true", help=words)
    words = "named set of search parameters (default: perfect)"
    parser.add_argument("--preset", choices=PLAYABLE, default="perfect", help=words)


def run(args: argparse.Namespace) -> int:
    """Write the file and say how large it is."""
    out = args.out or DEFAULTS[args.single_file]
    with usage_errors("--out: "):
        size = export(out, single_file=args.single_file, preset=args.preset)
    print(f"{out}: {size / 1e6:.1f} MB, c4mcts as an agent for Kaggle ConnectX")
    return 0

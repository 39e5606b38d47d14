"""Write a submission for Kaggle ConnectX."""

import argparse

from ..adapters.kaggle_submission.archive import export, try_network
from .engines import params_of
from .failures import OK, UsageError, errors_of_others, usage_errors
from .files import require_output
from .options import EVALUATOR_PRESET, add_options
from .output import show

PRESET = "perfect"  # default


def add(parser: argparse.ArgumentParser) -> None:
    text = "the file (default: submission.tar.gz, or submission.py with --single-file)"
    parser.add_argument("--out", metavar="FILE", help=text)
    text = "one Python file instead of an archive, with the same content in its text"
    parser.add_argument("--single-file", action="store_true", help=text)
    text = "a Python module with evaluator(planes, legal) for 7x6, and the files that it reads"
    parser.add_argument("--network", nargs="+", default=[], metavar="FILE", help=text)
    text = f"named set of parameters (default {PRESET}; with --network {EVALUATOR_PRESET}, without noise)"
    add_options(parser, "preset", help=text)
    add_options(parser, "set")


def run(args: argparse.Namespace) -> int:
    if args.network and args.preset is None:
        args.set = [("root_noise", None), *args.set]  # it is for self-play
    preset = args.preset or (EVALUATOR_PRESET if args.network else PRESET)
    params = params_of(args, preset)
    if params.needs_evaluator != bool(args.network):
        need = "needs" if params.needs_evaluator else "does not take"
        raise UsageError(f"--preset {preset} {need} --network FILE")
    if args.network:
        option = f"--network {args.network[0]}"
        with errors_of_others(option), usage_errors(f"{option}: "):
            try_network(args.network, params)
    require_output(args, "out")
    out = args.out or ("submission.py" if args.single_file else "submission.tar.gz")
    with usage_errors("--out: "):
        size = export(out, params, single_file=args.single_file, network=args.network)
    show(f"{out}: {size / 1e6:.1f} MB, c4mcts as an agent for Kaggle ConnectX")
    return OK

"""Write a submission for Kaggle ConnectX."""

import argparse
from collections.abc import Callable
from functools import partial

from .._weights import NETWORK
from ..adapters.kaggle_submission.archive import export, export_policy, try_network
from ..search.network import PolicyValueNetwork
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
    text = "no search, but the most probable column of a network, of this file or of the package, in one Python file"
    parser.add_argument("--policy", nargs="?", const=NETWORK, metavar="FILE", help=text)
    text = f"named set of parameters (default {PRESET}; with --network {EVALUATOR_PRESET}, without noise)"
    add_options(parser, "preset", help=text)
    add_options(parser, "set")


def run(args: argparse.Namespace) -> int:
    if args.policy is not None:
        if args.network or args.preset or args.set:
            raise UsageError("--policy takes no --network, --preset or --set: it does not search")
        with usage_errors("--policy "):
            PolicyValueNetwork.load(args.policy)
        return written(args, "submission.py", "a network", partial(export_policy, network=args.policy))
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
    name = "submission.py" if args.single_file else "submission.tar.gz"
    make = partial(export, params=params, single_file=args.single_file, network=args.network)
    return written(args, name, "c4mcts", make)


def written(args: argparse.Namespace, name: str, what: str, make: Callable[[str], int]) -> int:
    """Write the file, by default with this name. make: writes it and returns its size in bytes."""
    args.out = args.out or name
    require_output(args, "out")
    with usage_errors("--out: "):
        size = make(args.out)
    show(f"{args.out}: {size / 1e6:.1f} MB, {what} as an agent for Kaggle ConnectX")
    return OK

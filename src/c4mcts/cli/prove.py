"""Proofs of the value of a position: find one and write its certificate, or check certificates."""

import argparse
import sys
import time
from collections.abc import Callable

from .. import _files
from ..board.board import Board
from ..errors import FalseClaimError, ProofError, UnfinishedProofError
from ..play.game_files import SavedGame
from ..play.proof_tree import proof_tree
from ..solver.certificate import Certificate
from ..solver.proving import ALLOWED, prove
from .arguments import (
    CommandError,
    UsageError,
    add_options,
    backend_of,
    reason,
    require_output,
    usage_errors,
)
from .positions import add_position, board_of, unfinished
from .process import FAILED, OK, say, stopping


def add(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.add_argument("--out", metavar="FILE", help="the certificate to write, a .c4p file")
    words = "what to prove of the player to move (default: the value of the position)"
    parser.add_argument("--claim", choices=[claim.replace(" ", "-") for claim in ALLOWED], help=words)
    parser.add_argument("--distance", action="store_true", help="prove also in how many plies a win or loss comes")
    parser.add_argument("--seconds", type=float, metavar="S", help="time limit")
    words = "positions to keep in memory, of 32 to 64 bytes each (default: no limit)"
    parser.add_argument("--max-positions", type=int, metavar="N", help=words)
    words = "check these certificates instead; exit code 1 if one proves nothing"
    parser.add_argument("--check", nargs="+", metavar="FILE", help=words)
    words = "with --check: print also the first N plies of the proofs, as games with variations that the page opens"
    parser.add_argument("--plies", type=int, metavar="N", help=words)
    add_options(parser, "backend")


def run(args: argparse.Namespace) -> int:
    """Write a certificate, or check some. Exit code 1 for a false claim, an unfinished proof, a wrong certificate."""
    backend_of(args)
    if args.check is not None:
        if args.out is not None or args.position is not None or args.claim is not None:
            raise UsageError("--check can't be combined with a position, --claim or --out")
        return max([check(args, name) for name in args.check])
    if args.plies is not None:
        raise UsageError("--plies is for --check")
    if args.out is None:
        raise UsageError("give the file to write with --out, or files to check with --check")
    require_output("--out", args.out)
    certificate = found(args, unfinished(board_of(args)))
    data = certificate.to_bytes()
    try:
        _files.write(args.out, data)
    except OSError as error:
        raise CommandError(f"--out {args.out}: {reason(error)}") from None
    print(f"proven: {certificate}\nwritten: {args.out}, {counts(certificate)}, {len(data):,} bytes")
    return OK


def found(args: argparse.Namespace, board: Board) -> Certificate:
    """The certificate. CommandError, also if the claim is false or a limit is reached; after a signal raises it."""
    with stopping(lambda: None) as interruption:
        try:
            with usage_errors("--"):
                return proven(args, board, lambda _: interruption.cause is not None)
        except CommandError:
            interruption.raise_it()
            raise


def proven(args: argparse.Namespace, board: Board, on_progress: Callable[[int], object]) -> Certificate:
    """The certificate. CommandError if there is none."""
    claim = next((claim for claim in ALLOWED if claim.replace(" ", "-") == args.claim), None)
    try:
        return prove(
            board,
            claim,
            distance=args.distance,
            seconds=args.seconds,
            max_positions=args.max_positions,
            on_progress=on_progress,
            backend=args.backend,
        )
    except (FalseClaimError, UnfinishedProofError) as error:
        raise CommandError(str(error)) from None


def check(args: argparse.Namespace, name: str) -> int:
    """Check a certificate, and print what it proves; returns the exit code."""
    start = time.process_time()
    try:
        certificate = Certificate.load(name)
        certificate.check(backend=args.backend)
    except (ProofError, OSError) as error:
        sys.stdout.flush()
        say(f"c4mcts prove: {name}: {reason(error)}")
        return FAILED
    seconds = time.process_time() - start
    print(
        f"{name}: {certificate.board.to_fen()}\nproven: {certificate}\n{counts(certificate)}, {seconds:.2f} s",
        flush=True,
    )
    if args.plies is not None:
        print_trees(args, certificate)
    return OK


def print_trees(args: argparse.Namespace, certificate: Certificate) -> None:
    """Print the first moves of each claim."""
    for number in range(len(certificate.claims)):
        with usage_errors("--"):
            tree = proof_tree(certificate, args.plies, number=number, backend=args.backend)
        print(SavedGame(tree, {}).line(), end="")


def counts(certificate: Certificate) -> str:
    return f"{certificate.moves:,} moves, {certificate.positions:,} positions"

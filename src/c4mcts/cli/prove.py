"""Prove the value of a position with a certificate that others can check, or check certificates."""

import argparse
import time

from .._validation import counted, naming, positive
from ..errors import FalseClaimError, ProofError, UnfinishedProofError
from ..play.game_files import SavedGame
from ..play.strategy import proof_tree
from ..solver.certificate import Certificate
from ..solver.joining import join
from ..solver.proving import ALLOWED, prove, shorten
from .boards import add_position, start_board
from .failures import FAILED, OK, CommandError, UsageError, reason, say
from .files import require_output
from .options import add_options
from .output import show

CLAIMS = {claim.replace(" ", "-"): claim for claim in ALLOWED}


def add(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.add_argument("--out", metavar="FILE", help="the certificate to write, a .c4p file")
    text = "what to prove of the player to move (default: the value of the position)"
    parser.add_argument("--claim", choices=tuple(CLAIMS), help=text)
    text = "prove also in how many plies a win or loss comes; with --claim win or loss only that it takes no more"
    parser.add_argument("--distance", action="store_true", help=text)
    add_options(parser, "seconds")
    text = "positions to keep in memory, of 32 to 64 bytes each (default: no limit)"
    parser.add_argument("--max-positions", type=int, metavar="N", help=text)
    text = "check these certificates instead; exit code 1 if one proves nothing"
    parser.add_argument("--check", nargs="+", metavar="FILE", help=text)
    text = "make the certificate of these, of positions after a move, or of the same or an earlier one"
    parser.add_argument("--join", nargs="+", metavar="FILE", help=text)
    text = "list fewer moves, chosen again N times, at random and ever more strictly: 60 take a minute for 20,000 moves"
    parser.add_argument("--shorten", type=int, metavar="N", help=text)
    text = "with --check: print also the first N plies of the proofs, as games with variations that the page opens"
    parser.add_argument("--plies", type=int, metavar="N", help=text)


def run(args: argparse.Namespace) -> int:
    """Write a certificate, or check some. Exit code 1 for a false claim, an unfinished proof, a wrong certificate."""
    if args.check is not None:
        proving = ("position", "start", "rules", "out", "claim", "distance", "join")
        if any(getattr(args, name) not in (None, False) for name in (*proving, "seconds", "max_positions", "shorten")):
            raise UsageError("--check takes only files and --plies")
        return max([check(args, name) for name in args.check])
    if args.plies is not None:
        raise UsageError("--plies is for --check")
    if args.out is None:
        raise UsageError("give the file to write with --out, or files to check with --check")
    require_output(args, "out")
    passes = None if args.shorten is None else positive("shorten", args.shorten)
    limits = {"seconds": args.seconds, "max_positions": args.max_positions}
    if args.join and any((args.claim, args.distance, *limits.values())):
        raise UsageError("--join takes only a position, files, --shorten and --out")
    try:
        if args.join:
            certificate = join(start_board(args), [Certificate.load(name) for name in args.join])
        else:
            certificate = prove(start_board(args), CLAIMS.get(args.claim), distance=args.distance, **limits)
    except (FalseClaimError, UnfinishedProofError, ProofError) as error:
        raise CommandError(str(error)) from None
    certificate.save(args.out)
    try:
        if passes is not None:
            certificate = shorten(certificate, passes)
            certificate.save(args.out)
    finally:  # also of the longer one, if nobody waits for the end
        show(f"proven: {certificate}\nwritten: {args.out}, {counts(certificate)}")
    return OK


def check(args: argparse.Namespace, name: str) -> int:
    """Check a certificate, and print its claims; returns the exit code."""
    start = time.process_time()
    try:
        certificate = Certificate.load(name)
        with naming(f"{name}: ", ProofError):
            certificate.check()
    except (ProofError, OSError) as error:
        say(f"c4mcts prove: {reason(error)}")
        return FAILED
    seconds = time.process_time() - start
    show(f"{name}: {certificate.board.to_fen()}\nproven: {certificate}\n{counts(certificate)}, {seconds:.2f} s")
    if args.plies is not None:
        for number in range(len(certificate.claims)):
            show(SavedGame(proof_tree(certificate, args.plies, number=number), {}).line(), end="")
    return OK


def counts(certificate: Certificate) -> str:
    return f"{counted(certificate.moves, 'move')}, {counted(certificate.positions, 'position')}"

"""Print one hash over fixed searches: it is the same on every platform and backend."""

import argparse

from ..facts import facts
from ..signature import parts, signature
from .arguments import add_backend, add_json, backend_of, print_json


def add(parser: argparse.ArgumentParser) -> None:
    add_backend(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Run the fixed searches and print their hash; --json adds the hash of each part."""
    backend = backend_of(args)
    hashes = parts(args.backend)
    if args.json:
        print_json({**facts(backend=backend, threads=1), "signature": signature(hashes), "parts": hashes})
    else:
        print(signature(hashes))
    return 0

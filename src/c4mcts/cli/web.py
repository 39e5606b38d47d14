"""Analyse and play on a page in the browser."""

import argparse
import os
import threading
import webbrowser

from ..protocol import Caps, Defaults
from ..search.limits import Limits
from .arguments import CommandError, add_backend, backend_of, count, require_between, usage_errors

HOST = "127.0.0.1"
MAX_SOCKETS, MAX_SECONDS, MAX_MEMORY = 16, 600.0, 1 << 28
WAITING = 100  # positions of one page that may wait for a worker; a page asks for a few
SECONDS = 5.0  # of a search that has no limit of its own


def add(parser: argparse.ArgumentParser) -> None:
    server = parser.add_argument_group("server")
    words = f"address to listen on (default {HOST}: only this machine can connect; there is no password)"
    server.add_argument("--host", default=HOST, metavar="HOST", help=words)
    server.add_argument("--port", type=int, default=0, metavar="N", help="port (default 0: any that is free)")
    server.add_argument("--no-browser", action="store_true", help="print the address, don't open it")
    words = f"pages that may be open at once, three quarters of them from one address (default {MAX_SOCKETS})"
    server.add_argument("--max-sockets", type=int, default=MAX_SOCKETS, metavar="N", help=words)
    words = f"the longest time that a search may ask for (default {MAX_SECONDS:,.0f})"
    server.add_argument("--max-seconds", type=float, default=MAX_SECONDS, metavar="S", help=words)
    words = f"memory of the tree of one search (default {MAX_MEMORY:,})"
    server.add_argument("--max-memory", type=count, default=MAX_MEMORY, metavar="N", help=words)
    add_backend(server)


def run(args: argparse.Namespace) -> int:
    """Serve the page until a signal."""
    require_between(args, port=(0, 65_535), max_sockets=(1, 1000))
    try:
        from ..web.app import application
        from ..web.server import address_of, listen, serve
    except ModuleNotFoundError as error:
        raise CommandError(f"{error.name} is not installed: pip install 'c4mcts[web]'") from None
    backend_of(args)
    with usage_errors("--max-"):
        caps = Caps(waiting=WAITING, seconds=args.max_seconds, memory=args.max_memory, threads=os.cpu_count() or 1)
    defaults = Defaults(limits=Limits(seconds=min(SECONDS, caps.seconds)), backend=args.backend)
    try:
        listening = listen(args.host, args.port)
    except OSError as error:
        raise CommandError(f"can't listen on {args.host} port {args.port}: {error.strerror or error}") from None
    with listening:
        url = address_of(listening, args.host)
        print(f"c4mcts web: {url} (Ctrl-C ends it)", flush=True)
        if not args.no_browser:
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
        serve(application(hosts=[args.host], caps=caps, defaults=defaults, max_sockets=args.max_sockets), listening)
    return 0

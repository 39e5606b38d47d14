"""Analyse and play in the browser."""

import argparse
import logging
import re
import threading
import webbrowser
from dataclasses import replace
from typing import Any

from .._named import installed_by
from .._validation import between
from ..page import STATIC
from ..page.bundle import FIRST, START, bundle
from ..protocol import Defaults
from ..protocol.caps import SHARED_CAPS
from ..search.limits import Limits
from ..search.typed_values import count
from .failures import OK, CommandError, UsageError, reason, usage_errors
from .output import show

HOST = "127.0.0.1"
PORT, PORTS = 7642, 20  # the first port that is tried, always the same, so that bookmarks stay right; and how many
MAX_SOCKETS = 64  # also questions over HTTP
PAGE_SECONDS = 5.0  # of a search that has no limit of its own


def add(parser: argparse.ArgumentParser) -> None:
    server = parser.add_argument_group("server")
    add_address(server)
    server.add_argument("--no-browser", action="store_true", help="print the address without opening it")
    text = f"time limit for a search (default {SHARED_CAPS.seconds:,.0f})"
    server.add_argument("--max-seconds", type=float, default=SHARED_CAPS.seconds, metavar="S", help=text)
    text = f"memory limit for the tree of a search, in bytes (default {SHARED_CAPS.memory:,})"
    server.add_argument("--max-memory", type=count, default=SHARED_CAPS.memory, metavar="N", help=text)
    text = "let pages of another site show this one in a frame, such as https://example.org; may be repeated"
    server.add_argument("--allow-frame", type=origin, action="append", default=[], metavar="ORIGIN", help=text)
    site = parser.add_argument_group("a page without a server, with the engine in the browser")
    site.add_argument("--export", metavar="DIR", help="write the page to a folder of static files, without a server")
    site.add_argument("--wheel", metavar="FILE", help="c4mcts for Pyodide, of this version")
    text = "folders or archives that have the files of Pyodide and its NumPy, which are known by their hashes"
    site.add_argument("--pyodide", nargs="+", metavar="PATH", help=text)


def origin(text: str) -> str:
    """Check the address of a site. ArgumentTypeError."""
    if re.fullmatch(r"https?://[^/?#@*;,\s]+", text) is None:
        raise argparse.ArgumentTypeError(f"must be like https://example.org, without a path, not {text!r}")
    return text.lower()


def add_address(server: argparse._ActionsContainer) -> None:
    text = f"address to listen on (default {HOST}, only this machine); there is no password"
    server.add_argument("--host", default=HOST, metavar="HOST", help=text)
    text = "also answer at this name, of the machine, a service or a proxy; may be repeated"
    server.add_argument("--allow-host", action="append", default=[], metavar="NAME", help=text)
    text = f"port; 0 is any free one (default: {PORT}, or the next free one if it is taken)"
    server.add_argument("--port", type=int, metavar="N", help=text)
    text = f"limit of open pages, and of questions answered at once (default {MAX_SOCKETS})"
    server.add_argument("--max-sockets", type=int, default=MAX_SOCKETS, metavar="N", help=text)
    text = "one line on standard error for each question over HTTP: client, method, action, status and seconds"
    server.add_argument("--log", action="store_true", help=text)


def run(args: argparse.Namespace) -> int:
    if args.export is not None:
        from ..page.export import export_page  # not at the top: it takes a while to import

        if args.wheel is None or args.pyodide is None:
            raise UsageError("--export needs --wheel and --pyodide")
        with usage_errors("--export: "):
            sizes = export_page(args.export, wheel=args.wheel, pyodide=args.pyodide)
        size = sum(sizes.values()) / 1e6
        show(f"{args.export}: {len(sizes)} files, {size:.1f} MB; any server of files can serve them")
        return OK
    if args.wheel is not None or args.pyodide is not None:
        raise UsageError("--wheel and --pyodide are for --export")
    with usage_errors("--max-"):
        caps = replace(SHARED_CAPS, seconds=args.max_seconds, memory=args.max_memory)
    defaults = Defaults(limits=Limits(seconds=min(PAGE_SECONDS, caps.seconds)))
    page = {"page": STATIC, "script": bundle(START, FIRST), "frames": args.allow_frame}
    return serve_http(args, not args.no_browser, **page, caps=caps, defaults=defaults)


def serve_http(args: argparse.Namespace, in_browser: bool = False, **options: Any) -> int:
    """Answer at the address of the options. in_browser: open it. options: of the application."""
    with installed_by("web"):
        from ..http.app import application
        from ..http.server import address_of, listen, serve
    between("max_sockets", args.max_sockets, 1, 1000)
    ports = range(PORT, PORT + PORTS) if args.port is None else [between("port", args.port, 0, 65_535)]
    try:
        listening = listen(args.host, *ports)
    except OSError as error:
        raise CommandError(f"can't listen on {args.host} port {ports[0]}: {reason(error)}") from None
    with listening:
        url = address_of(listening, args.host)
        show(f"c4mcts {args.command}: {url} (Ctrl-C ends it)")
        if in_browser:
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
        logging.getLogger("c4mcts.http").setLevel(logging.INFO if args.log else logging.WARNING)
        serve(application(hosts=[args.host, *args.allow_host], max_sockets=args.max_sockets, **options), listening)
    return OK

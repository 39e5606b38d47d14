"""Answer queries of other programs: JSON lines on standard input and output, over HTTP, or from assistants (MCP)."""

import argparse
import os
import signal
import sys
from codecs import BOM_UTF8, EncodedFile
from dataclasses import replace
from io import BufferedReader, TextIOWrapper
from typing import BinaryIO, cast

from .._files import encoding_of
from .._validation import between
from ..protocol import Caps, Defaults, Session
from ..protocol.caps import SHARED_CAPS
from ..protocol.messages import bounded_lines
from ..protocol.schema import schemas
from ..protocol.session import MAX_WORKERS
from ..search.limits import Limits
from ..search.typed_values import count
from .engines import limits_of, params_of
from .failures import INTERRUPTED, OK, UsageError, usage_errors
from .options import add_options
from .output import print_json, results
from .web import add_address, origin, serve_http

SECONDS = 1.0  # default of a query without limits
HTTP_OPTIONS = ("host", "allow_host", "port", "max_sockets", "log", "allow_origin")


def add(parser: argparse.ArgumentParser) -> None:
    transport = parser.add_mutually_exclusive_group()
    text = "answer questions over HTTP, as GET /solve/445 and POST /analyze, and sessions on a WebSocket"
    transport.add_argument("--http", action="store_true", help=text)
    text = "be a server of the Model Context Protocol, which gives assistants tools to analyse, solve, review and play"
    transport.add_argument("--mcp", action="store_true", help=text)
    text = "print the JSON Schemas of queries and replies, an object, and exit"
    transport.add_argument("--schema", action="store_true", help=text)
    server = parser.add_argument_group("server")
    server.add_argument("--workers", type=int, default=1, metavar="N", help="queries searched at once (default 1)")
    text = f"time limit for a query (default {SHARED_CAPS.seconds:,.0f} with --http and --mcp, otherwise a day)"
    server.add_argument("--max-seconds", type=float, metavar="S", help=text)
    text = "memory limit for the tree of a query, in bytes "
    text += f"(default {SHARED_CAPS.memory:,} with --http and --mcp, otherwise {Caps.memory:,})"
    server.add_argument("--max-memory", type=count, metavar="N", help=text)
    http = parser.add_argument_group("with --http")
    add_address(http)
    text = "let pages of another site ask, such as http://localhost:8000; may be repeated"
    http.add_argument("--allow-origin", type=origin, action="append", default=[], metavar="ORIGIN", help=text)
    parser.set_defaults(http_defaults={name: parser.get_default(name) for name in HTTP_OPTIONS})
    search = parser.add_argument_group(f"queries without their own limits or parameters (default: {SECONDS:g} second)")
    add_options(search, "seconds", "simulations", "preset", "set", "threads")


def run(args: argparse.Namespace) -> int:
    """Answer until the input ends, or until Ctrl-C."""
    for name, default in args.http_defaults.items():
        if not args.http and getattr(args, name) != default:
            raise UsageError(f"--{name.replace('_', '-')} is for --http")
    changes = {"seconds": args.max_seconds, "memory": args.max_memory}
    with usage_errors("--max-"):
        caps = SHARED_CAPS if args.http or args.mcp else Caps()
        caps = replace(caps, **{name: value for name, value in changes.items() if value is not None})
    if args.schema:
        print_json(schemas(caps))
        return OK
    between("workers", args.workers, 1, MAX_WORKERS)
    limits = Limits(**limits_of(args, seconds=SECONDS))
    defaults = Defaults(params=params_of(args), limits=limits, threads=args.threads)
    if args.http:
        options = {"searches": args.workers, "origins": args.allow_origin}
        return serve_http(args, caps=caps, defaults=defaults, **options)
    (serve_mcp if args.mcp else serve_lines)(caps, defaults, args.workers)
    return OK


def serve_mcp(caps: Caps, defaults: Defaults, workers: int) -> None:
    import asyncio  # which slows down the start of the other servers

    from ..adapters import mcp

    # a thread waits for input, which nothing else ends
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    server = mcp.mcp_server(caps=caps, defaults=defaults, workers=workers)
    output = cast(TextIOWrapper, results())
    output.reconfigure(encoding="utf-8")
    asyncio.run(mcp.serve(server, standard_input(), output, caps.message_bytes))


def serve_lines(caps: Caps, defaults: Defaults, workers: int) -> None:
    """Answer each line of standard input. Raises what printing a reply has raised, once the client reads no more."""
    session = Session(print_json, workers=workers, caps=caps, defaults=defaults)
    try:
        for line in bounded_lines(standard_input(), caps.message_bytes):
            session.receive(line)
            if session.lost is not None:  # the client reads no more
                break
        session.finish()
    except KeyboardInterrupt:
        session.close()  # all queries end, with their results so far
        raise
    if session.lost is not None:
        raise session.lost


def standard_input() -> BinaryIO:
    """Standard input, as UTF-8 without the byte order mark with which programs for Windows begin UTF-8 and UTF-16."""
    file = cast(BufferedReader, sys.stdin.buffer)
    start = file.peek(3)
    if encoding_of(start) == "utf-16":
        return cast(BinaryIO, EncodedFile(file, "utf-8", "utf-16", errors="replace"))
    if start.startswith(BOM_UTF8):
        file.read(len(BOM_UTF8))
    return file

"""Commands that offer the engine to others: programs, a browser, Kaggle."""

import argparse
import os
import re
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any

from .._named import installed_by
from ..adapters.kaggle_submission.export import export, try_network
from ..executors.background import POLL_SECONDS
from ..protocol import Caps, Defaults, Session
from ..protocol.session import MAX_WORKERS
from ..search.limits import Limits
from ..search.params import PRESETS
from ..web import MAX_MEMORY, MAX_SECONDS, page_caps
from .arguments import (
    EVALUATOR_PRESET,
    CommandError,
    UsageError,
    add_limits,
    add_options,
    add_params,
    backend_of,
    count,
    errors_of_others,
    limits_of,
    params_of,
    preset_of,
    print_json,
    reason,
    require_between,
    usage_errors,
)
from .process import exit_code

SECONDS = 1.0  # default of a query without limits
CHUNK = 1 << 16  # bytes that are read at once
HOST = "127.0.0.1"
PORT, PORTS = 7642, 20  # the first port that is tried, always the same, so that bookmarks stay right; and how many
MAX_SOCKETS = 16  # also questions over HTTP
PAGE_SECONDS = 5.0  # of a search that has no limit of its own
SUBMISSIONS = {False: "submission.tar.gz", True: "submission.py"}


def add(parser: argparse.ArgumentParser) -> None:
    transport = parser.add_mutually_exclusive_group()
    words = "answer questions over HTTP, as GET /solve/445 and POST /analyze, and sessions on a WebSocket"
    transport.add_argument("--http", action="store_true", help=words)
    words = "be a server of the Model Context Protocol, which gives assistants tools to analyse, solve, review and play"
    transport.add_argument("--mcp", action="store_true", help=words)
    server = parser.add_argument_group("server")
    server.add_argument(
        "--workers", type=int, default=1, metavar="N", help="number of queries searched at once (default 1)"
    )
    words = f"time limit for a query (default {MAX_SECONDS:,.0f} with --http and --mcp, otherwise a day)"
    server.add_argument("--max-seconds", type=float, metavar="S", help=words)
    words = "memory limit for the tree of a query, in bytes "
    words += f"(default {MAX_MEMORY:,} with --http and --mcp, otherwise {Caps.memory:,})"
    server.add_argument("--max-memory", type=count, metavar="N", help=words)
    http = parser.add_argument_group("with --http")
    add_address(http)
    words = f"limit of questions answered at once, of which one address may have three quarters (default {MAX_SOCKETS})"
    http.add_argument("--max-questions", type=int, default=MAX_SOCKETS, metavar="N", help=words)
    words = "let pages of another site ask, such as http://localhost:8000; may be repeated"
    http.add_argument("--allow-origin", action="append", default=[], metavar="ORIGIN", help=words)
    add_limits(parser, "limits for queries without their own (default: 1 second)")
    add_options(add_params(parser), "threads")
    add_options(server, "backend")


def add_address(server: argparse._ArgumentGroup) -> None:
    words = f"address to listen on (default {HOST}, only this machine); there is no password"
    server.add_argument("--host", default=HOST, metavar="HOST", help=words)
    words = f"port; 0 is any free one (default: {PORT}, or the next free one if it is taken)"
    server.add_argument("--port", type=int, metavar="N", help=words)


def run(args: argparse.Namespace) -> int:
    """Answer queries on standard input, over HTTP, or of an assistant."""
    given = {"seconds": args.max_seconds, "memory": args.max_memory}
    asked = {name: value for name, value in given.items() if value is not None}
    with usage_errors("--max-"):
        caps = page_caps(**asked) if args.http or args.mcp else Caps(**asked)
    limits = Limits(**limits_of(args, seconds=SECONDS))
    backend_of(args)
    with usage_errors("--"):
        defaults = Defaults(params=params_of(args), limits=limits, threads=args.threads, backend=args.backend)
    require_between(args, workers=(1, MAX_WORKERS))
    if args.http:
        require_between(args, port=(0, 65_535), max_questions=(1, 1000))
        for origin in args.allow_origin:
            if re.fullmatch(r"https?://[^/?#@*]+", origin) is None:
                raise UsageError(f"--allow-origin must be like https://example.org, without a path, not {origin!r}")
        options = {"max_sockets": args.max_questions, "has_page": False, "searches": args.workers}
        return serve_http(args, caps=caps, defaults=defaults, origins=map(str.lower, args.allow_origin), **options)
    if args.mcp:
        return serve_mcp(caps, defaults, args.workers)
    return serve_lines(Session(print_json, workers=args.workers, caps=caps, defaults=defaults))


def serve_mcp(caps: Caps, defaults: Defaults, workers: int) -> int:
    """Be the server of an assistant, on standard input and output."""
    with missing_packages():
        from ..adapters.mcp import mcp_server
    try:
        wait(in_background(mcp_server(caps=caps, defaults=defaults, workers=workers).run))
    except KeyboardInterrupt as interrupt:
        os._exit(exit_code(interrupt))  # a thread waits for input
    return 0


@contextmanager
def missing_packages() -> Iterator[None]:
    """Turn a ModuleNotFoundError into a CommandError."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise CommandError(str(error)) from None


def serve_lines(session: Session) -> int:
    """Answer all lines. A signal ends all queries with their results so far."""
    try:
        wait(in_background(lambda: answer_lines(session)), lambda: session.lost is not None)
    except KeyboardInterrupt as interrupt:
        if not session.close():
            os._exit(exit_code(interrupt))  # a thread hangs: Python would wait for it
        raise
    session.close()
    if session.lost is not None:
        raise session.lost
    return 0


def answer_lines(session: Session) -> None:
    for line in lines(reader(), session.caps.message_bytes):
        if session.lost is not None:
            break
        if line is None:
            session.receive_too_long()
        else:
            session.receive(line)
    session.finish()


def in_background(serve: Callable[[], object]) -> "SimpleQueue[Exception | None]":
    """Call a function in a thread; returns a queue that gets one item at its end: None, or the exception it raised."""
    done: SimpleQueue[Exception | None] = SimpleQueue()

    def work() -> None:
        try:
            serve()
        except Exception as error:
            done.put(error)
        else:
            done.put(None)

    threading.Thread(target=work, name="c4mcts-input", daemon=True).start()
    return done


def wait(done: "SimpleQueue[Exception | None]", is_lost: Callable[[], bool] = lambda: False) -> None:
    """Wait for the end of the thread, or for a client that reads no more; raise what made the thread fail.

    The thread may wait for input forever; signals interrupt only this function, which runs in the main thread.
    """
    while not is_lost():
        try:
            error = done.get(timeout=POLL_SECONDS)
        except Empty:
            continue
        if error is not None:
            raise error
        return


def reader() -> Callable[[int], bytes | None]:
    """A function that reads some bytes of standard input, b"" at its end.

    It goes around the buffer of Python, whose lock a thread that waits for input would hold when the process ends.
    """
    buffer = getattr(sys.stdin, "buffer", None)
    if buffer is None:
        return lambda size: sys.stdin.read(size).encode(errors="replace")
    read: Callable[[int], bytes | None] = getattr(buffer, "raw", buffer).read
    return read


def lines(read: Callable[[int], bytes | None], max_bytes: int) -> Iterator[bytes | None]:
    """The lines of a stream without their ends; None for a line that is too long, the rest of which is dropped."""
    line: bytearray | None = bytearray()  # None: in a line that is too long
    while (chunk := read(CHUNK)) != b"":
        if chunk is None:  # from a pipe that does not block
            time.sleep(POLL_SECONDS)
            continue
        for index, piece in enumerate(chunk.split(b"\n")):
            if index:
                if line is not None:
                    yield bytes(line)
                line = bytearray()
            if line is not None:
                line += piece
                if len(line) > max_bytes:
                    yield None
                    line = None
    if line:
        yield bytes(line)


def add_web(parser: argparse.ArgumentParser) -> None:
    server = parser.add_argument_group("server")
    add_address(server)
    server.add_argument("--no-browser", action="store_true", help="print the address without opening it")
    words = f"limit of open pages, of which one address may have three quarters (default {MAX_SOCKETS})"
    server.add_argument("--max-sockets", type=int, default=MAX_SOCKETS, metavar="N", help=words)
    words = f"time limit for a search (default {MAX_SECONDS:,.0f})"
    server.add_argument("--max-seconds", type=float, default=MAX_SECONDS, metavar="S", help=words)
    words = f"memory limit for the tree of a search, in bytes (default {MAX_MEMORY:,})"
    server.add_argument("--max-memory", type=count, default=MAX_MEMORY, metavar="N", help=words)
    add_options(server, "backend")
    site = parser.add_argument_group("a page without a server, with the engine in the browser")
    words = "write the page to a folder of static files, instead of starting a server"
    site.add_argument("--export", metavar="DIR", help=words)
    site.add_argument("--wheel", metavar="FILE", help="c4mcts for Pyodide, of this version")
    words = "folders or archives that have the files of Pyodide and its NumPy, which are known by their hashes"
    site.add_argument("--pyodide", nargs="+", metavar="PATH", help=words)


def run_web(args: argparse.Namespace) -> int:
    if args.export is not None:
        return write_page(args)
    require_between(args, port=(0, 65_535), max_sockets=(1, 1000))
    backend_of(args)
    with usage_errors("--max-"):
        caps = page_caps(args.max_seconds, args.max_memory)
    defaults = Defaults(limits=Limits(seconds=min(PAGE_SECONDS, caps.seconds)), backend=args.backend)

    def open_browser(url: str) -> None:
        if not args.no_browser:
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()

    return serve_http(args, open_browser, caps=caps, defaults=defaults, max_sockets=args.max_sockets)


def serve_http(args: argparse.Namespace, when_ready: Callable[[str], object] = lambda url: None, **options: Any) -> int:
    """Answer at the address of the options. when_ready: called with it. options: of the application."""
    with missing_packages(), installed_by("web"):
        from ..web.app import application
        from ..web.server import address_of, listen, serve
    try:
        listening = listen(args.host, *(range(PORT, PORT + PORTS) if args.port is None else [args.port]))
    except OSError as error:
        port = PORT if args.port is None else args.port
        raise CommandError(f"can't listen on {args.host} port {port}: {reason(error)}") from None
    with listening:
        url = address_of(listening, args.host)
        print(f"c4mcts {args.command}: {url} (Ctrl-C ends it)", flush=True)
        when_ready(url)
        serve(application(hosts=[args.host], **options), listening)
    return 0


def write_page(args: argparse.Namespace) -> int:
    """Export the page."""
    from ..web.export import export_page  # not at the top: it takes a while to import

    if args.wheel is None or args.pyodide is None:
        raise UsageError("--export needs --wheel and --pyodide")
    with usage_errors("--export: "):
        sizes = export_page(args.export, wheel=args.wheel, pyodide=args.pyodide)
    print(f"{args.export}: {len(sizes)} files, {sum(sizes.values()) / 1e6:.1f} MB; any server of files can serve them")
    return 0


def add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out", metavar="FILE", help="the file (default: submission.tar.gz, or submission.py with --single-file)"
    )
    words = "one Python file instead of an archive, with the same content in its text"
    parser.add_argument("--single-file", action="store_true", help=words)
    words = "a Python module with evaluator(planes, legal) for 7x6, and the files that it reads"
    parser.add_argument("--network", nargs="+", default=[], metavar="FILE", help=words)
    add_params(parser, "perfect", presets=tuple(PRESETS))


def run_export(args: argparse.Namespace) -> int:
    out = args.out or SUBMISSIONS[args.single_file]
    preset = EVALUATOR_PRESET if args.network and args.preset is None else preset_of(args)
    if args.network and args.preset is None and "root_noise" not in dict(args.set):
        args.set = [*args.set, ("root_noise", None)]  # it is for self-play
    params = params_of(args, preset)
    if params.needs_evaluator != bool(args.network):
        wanted = "needs" if params.needs_evaluator else "does not take"
        raise UsageError(f"--preset {preset} {wanted} --network FILE")
    if args.network:
        option = f"--network {args.network[0]}"
        with errors_of_others(option), usage_errors(f"{option}: "):
            try_network(args.network, params)
    with usage_errors("--out: "):
        size = export(out, params, single_file=args.single_file, network=args.network)
    print(f"{out}: {size / 1e6:.1f} MB, c4mcts as an agent for Kaggle ConnectX")
    return 0

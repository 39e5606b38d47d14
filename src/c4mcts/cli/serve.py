"""Commands that offer the engine to others: programs, a browser, Kaggle."""

import argparse
import os
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue

from ..adapters.kaggle_submission.export import export
from ..executors.background import POLL_SECONDS
from ..protocol import Caps, Defaults, Session
from ..search.limits import Limits
from ..search.params import uct_params
from ..web import MAX_MEMORY, MAX_SECONDS, page_caps
from .arguments import (
    CommandError,
    UsageError,
    add_limits,
    add_options,
    add_params,
    backend_of,
    count,
    limits_of,
    params_of,
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
MAX_SOCKETS = 16
PAGE_SECONDS = 5.0  # of a search that has no limit of its own
SUBMISSIONS = {False: "submission.tar.gz", True: "submission.py"}


def add(parser: argparse.ArgumentParser) -> None:
    server = parser.add_argument_group("server")
    server.add_argument(
        "--workers", type=int, default=1, metavar="N", help="number of queries searched at once (default 1)"
    )
    words = f"memory limit for the tree of a query, in bytes (default {Caps.memory:,})"
    server.add_argument("--max-memory", type=count, default=Caps.memory, metavar="N", help=words)
    add_limits(parser, "limits for queries without their own (default: 1 second)")
    add_options(add_params(parser), "threads")
    add_options(server, "backend")


def run(args: argparse.Namespace) -> int:
    """Answer all lines. A signal ends all queries with their results so far."""
    with usage_errors("--max-"):
        caps = Caps(memory=args.max_memory)
    limits = Limits(**limits_of(args, seconds=SECONDS))
    backend_of(args)
    with usage_errors("--"):
        defaults = Defaults(
            params=uct_params(params_of(args)), limits=limits, threads=args.threads, backend=args.backend
        )
        session = Session(print_json, workers=args.workers, caps=caps, defaults=defaults)
    try:
        wait(session, serve_in_background(session))
    except KeyboardInterrupt as interrupt:
        if not session.close():
            os._exit(exit_code(interrupt))  # a thread hangs: Python would wait for it
        raise
    session.close()
    if session.lost is not None:
        raise session.lost
    return 0


def serve_in_background(session: Session) -> "SimpleQueue[Exception | None]":
    """Answer all lines in a thread; returns a queue that gets one item at the end: None, or what made reading fail."""
    done: SimpleQueue[Exception | None] = SimpleQueue()
    read = reader()

    def work() -> None:
        try:
            for line in lines(read, session.caps.message_bytes):
                if session.lost is not None:
                    break
                if line is None:
                    session.receive_too_long()
                else:
                    session.receive(line)
            session.finish()
        except Exception as error:
            done.put(error)
        else:
            done.put(None)

    threading.Thread(target=work, name="c4mcts-input", daemon=True).start()
    return done


def wait(session: Session, done: "SimpleQueue[Exception | None]") -> None:
    """Wait for the end of the thread, or for a client that reads no more; raise what made the thread fail.

    The thread may wait for input forever; signals interrupt only this function, which runs in the main thread.
    """
    while session.lost is None:
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
    words = f"address to listen on (default {HOST}, only this machine); there is no password"
    server.add_argument("--host", default=HOST, metavar="HOST", help=words)
    words = f"port; 0 is any free one (default: {PORT}, or the next free one if it is taken)"
    server.add_argument("--port", type=int, metavar="N", help=words)
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
    try:
        from ..web.app import application
        from ..web.server import address_of, listen, serve
    except ModuleNotFoundError as error:
        raise CommandError(f"{error.name} is not installed: pip install 'c4mcts[web]'") from None
    backend_of(args)
    with usage_errors("--max-"):
        caps = page_caps(args.max_seconds, args.max_memory)
    defaults = Defaults(limits=Limits(seconds=min(PAGE_SECONDS, caps.seconds)), backend=args.backend)
    try:
        listening = listen(args.host, *(range(PORT, PORT + PORTS) if args.port is None else [args.port]))
    except OSError as error:
        port = PORT if args.port is None else args.port
        raise CommandError(f"can't listen on {args.host} port {port}: {reason(error)}") from None
    with listening:
        url = address_of(listening, args.host)
        print(f"c4mcts web: {url} (Ctrl-C ends it)", flush=True)
        if not args.no_browser:
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
        serve(application(hosts=[args.host], caps=caps, defaults=defaults, max_sockets=args.max_sockets), listening)
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
    words = "one Python file instead of an archive: slower, but runs anywhere, even without NumPy"
    parser.add_argument("--single-file", action="store_true", help=words)
    add_params(parser, "perfect")


def run_export(args: argparse.Namespace) -> int:
    out = args.out or SUBMISSIONS[args.single_file]
    with usage_errors("--out: "):
        size = export(out, params_of(args), single_file=args.single_file)
    print(f"{out}: {size / 1e6:.1f} MB, c4mcts as an agent for Kaggle ConnectX")
    return 0

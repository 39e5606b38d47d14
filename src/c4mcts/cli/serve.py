"""Answer queries, JSON lines on standard input, with JSON lines on standard output."""

import argparse
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue

from ..executors.background import POLL_SECONDS
from ..protocol import Caps, Defaults, Session
from ..protocol.session import MAX_WORKERS
from ..search.limits import Limits
from ..search.params import uct_params
from .arguments import (
    add_backend,
    add_limits,
    add_params,
    add_threads,
    backend_of,
    count,
    limits_of,
    params_of,
    print_json,
    require_between,
    usage_errors,
)
from .signals import exit_code

SECONDS = 1.0  # default of a query without limits
CHUNK = 1 << 16  # bytes that are read at once


def add(parser: argparse.ArgumentParser) -> None:
    server = parser.add_argument_group("server")
    server.add_argument("--workers", type=int, default=1, metavar="N", help="queries searched at once (default 1)")
    words = f"positions that may wait for a worker (default {Caps.waiting:,})"
    server.add_argument("--max-waiting", type=count, default=Caps.waiting, metavar="N", help=words)
    words = f"the longest time that a query may ask for (default {Caps.seconds:,.0f})"
    server.add_argument("--max-seconds", type=float, default=Caps.seconds, metavar="S", help=words)
    words = f"memory of the tree of one query (default {Caps.memory:,})"
    server.add_argument("--max-memory", type=count, default=Caps.memory, metavar="N", help=words)
    add_limits(parser, "limits of a query that has none of its own (default: 1 second)")
    add_threads(add_params(parser))
    add_backend(server)


def run(args: argparse.Namespace) -> int:
    """Answer all lines, and finish what was asked. A signal ends all queries with what they have found."""
    require_between(args, workers=(1, MAX_WORKERS))
    with usage_errors("--max-"):
        caps = Caps(waiting=args.max_waiting, seconds=args.max_seconds, memory=args.max_memory)
    limits = Limits(**limits_of(args, seconds=min(SECONDS, caps.seconds)))
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

    The thread may wait for input for ever: only this function, in the main thread, is interrupted by signals.
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
    """The lines of a stream without their ends; None in place of a line that is too long, whose rest is dropped."""
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

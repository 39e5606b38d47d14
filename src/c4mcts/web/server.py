"""The server: a listening socket, and uvicorn, which answers on it until a signal ends it."""

import asyncio
import logging
import socket

import uvicorn
from starlette.applications import Starlette

from .protocols import HttpProtocol, SocketProtocol

LONGEST_MESSAGE = 1 << 20  # bytes; a socket that sends a longer one is closed. The session refuses shorter ones, too.
BACKLOG = 100
CLOSING_SECONDS = 3  # given to connections when the server ends
ANY = ("0.0.0.0", "::", "")  # addresses that stand for all of the machine


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens. OSError if there is no such host, or the port is taken."""
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, address = found[0]
    return socket.create_server(address[:2], family=family, backlog=BACKLOG)


def address_of(listening: socket.socket, host: str) -> str:
    """The URL of the page on this machine."""
    port = listening.getsockname()[1]
    if host in ANY:
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def serve(app: Starlette, listening: socket.socket) -> None:
    """Answer until SIGINT or SIGTERM, which is raised again at the end."""
    handler = logging.StreamHandler()
    handler.addFilter(Once())
    logging.basicConfig(handlers=[handler], format="c4mcts web: %(message)s")
    asyncio.run(server_of(app).serve(sockets=[listening]))


def server_of(app: Starlette) -> uvicorn.Server:
    """The server of an application."""
    config = uvicorn.Config(
        app,
        http=HttpProtocol,
        ws=SocketProtocol,
        log_config=None,
        log_level="error",  # warnings are about what clients do
        access_log=False,
        server_header=False,
        proxy_headers=False,  # an address that a client may choose is none
        lifespan="on",
        backlog=BACKLOG,  # also how many connections asyncio accepts before it lets others run
        ws_max_size=LONGEST_MESSAGE,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=CLOSING_SECONDS,
    )
    return uvicorn.Server(config)


class Once(logging.Filter):
    """Passes one record of each kind: the same line of code that logs, and the same line that raised."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: set[tuple[str, int, str, int]] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is the first of its kind."""
        trace = record.exc_info[2] if record.exc_info else None
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        raised = (trace.tb_frame.f_code.co_filename, trace.tb_lineno) if trace else ("", 0)
        kind = (record.pathname, record.lineno, *raised)
        is_first = kind not in self._seen
        self._seen.add(kind)
        return is_first

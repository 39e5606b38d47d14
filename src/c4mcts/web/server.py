"""The server: a listening socket, and uvicorn, which answers on it until a signal ends it."""

import asyncio
import socket

import uvicorn
from starlette.applications import Starlette

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
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="on",
        ws="websockets-sansio",
        ws_max_size=LONGEST_MESSAGE,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=CLOSING_SECONDS,
    )
    asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))

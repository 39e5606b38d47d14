"""The server: a listening socket, and uvicorn, which answers on it until a signal ends it."""

import asyncio
import logging
import socket
from contextlib import closing, suppress

import uvicorn
from starlette.applications import Starlette

LONGEST_MESSAGE = 1 << 20  # bytes; a socket that sends a longer one is closed. Sessions refuse shorter ones, too.
BACKLOG = 100
CLOSING_SECONDS = 3  # given to connections when the server ends
ANY = ("0.0.0.0", "::", "")  # addresses that stand for all addresses of the machine


def listen(host: str, *ports: int) -> socket.socket:
    """A listening socket, on the first port that is free. OSError if there is no such host, or all ports are taken."""
    addresses = socket.getaddrinfo(host or None, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, address = addresses[0]
    for port in ports[:-1]:
        with suppress(OSError):
            return _server(address[0], port, family)
    return _server(address[0], ports[-1], family)


def _server(address: str | int, port: int, family: int) -> socket.socket:
    server = socket.create_server((address, port), family=family, backlog=BACKLOG)
    # With the number of its protocol, which create_server leaves out: then asyncio sends at once (TCP_NODELAY). Else
    # the body of a response would wait until the client has confirmed the headers, often for 40 ms.
    return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, server.detach())


def address_of(listening: socket.socket, host: str) -> str:
    port = listening.getsockname()[1]
    if host in ANY:
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def serve(app: Starlette, listening: socket.socket) -> None:
    """Answer until SIGINT or SIGTERM, which is raised again at the end."""
    logging.basicConfig(format="%(asctime)s c4mcts: %(message)s")
    with closing(server_of(app).serve(sockets=[listening])) as serving:  # a signal may come before it has begun
        asyncio.run(serving)


def server_of(app: Starlette) -> uvicorn.Server:
    config = uvicorn.Config(
        app,
        http="h11",
        ws="websockets-sansio",
        log_config=None,
        log_level="error",  # warnings are about what clients do
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the client could put any address there
        lifespan="on",
        backlog=BACKLOG,  # also how many connections asyncio accepts before it lets others run
        ws_max_size=LONGEST_MESSAGE,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=CLOSING_SECONDS,
    )
    return Server(config)


class Server(uvicorn.Server):
    """A server that does not wait for the end of searches when it ends."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.config.app.state.questions.end()
        await super().shutdown(sockets)

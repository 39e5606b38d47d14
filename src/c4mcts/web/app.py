"""The application: the files of the page, and the socket."""

import asyncio
import mimetypes
import os
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from ..protocol import Caps, Defaults, Session, Slots
from .connection import converse
from .guard import SOCKET, Guard
from .limits import Connections, network_of
from .outbox import Outbox

STATIC = Path(__file__).parent / "static"
WORKERS = 2  # of a session: a search, and beside it the solver, a review, or a move of a level
TRY_LATER, FAILED = 1013, 1011  # WebSocket close codes: https://www.iana.org/assignments/websocket


def application(*, hosts: Iterable[str], caps: Caps, defaults: Defaults, max_sockets: int) -> Starlette:
    """The server of the page as an ASGI application.

    hosts: names under which it may be addressed, beside localhost and IP addresses. caps, defaults: of each session.
    max_sockets: how many clients may be connected at once, three quarters of them from one address.

    Its `state.connections` are the open ones, as c4mcts.web.protocols reports them.
    """
    mimetypes.add_type("text/javascript", ".js")  # on Windows the registry may say otherwise
    slots = Slots(os.cpu_count() or 1)
    networks: list[str] = []  # of the clients that are connected
    most_of_one = max_sockets - max_sockets // 4

    async def page(_: Request) -> FileResponse:
        return FileResponse(STATIC / "index.html")

    async def connect(socket: WebSocket) -> None:
        await socket.accept()
        network = network_of(socket.client.host if socket.client else "")
        if len(networks) >= max_sockets:
            await socket.close(TRY_LATER, f"{max_sockets} pages are open already")
            return
        if networks.count(network) >= most_of_one:
            await socket.close(TRY_LATER, f"{most_of_one} pages are open already at your address")
            return
        outbox = Outbox()
        try:
            session = Session(outbox.put, workers=WORKERS, caps=caps, defaults=defaults, slots=slots)
        except RuntimeError:  # no more threads
            await socket.close(FAILED, "this machine has no more threads")
            return
        connections: Connections = socket.app.state.connections
        connections.keep(socket.client)
        networks.append(network)
        try:
            await converse(socket, session, outbox)
        finally:
            networks.remove(network)
            connections.wait(socket.client)  # until it is closed

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        threads = ThreadPoolExecutor(max_sockets, thread_name_prefix="c4mcts-web")  # one message of each client at once
        asyncio.get_running_loop().set_default_executor(threads)
        yield

    app = Starlette(
        routes=[
            Route("/", page),
            Mount("/static", StaticFiles(directory=STATIC)),
            WebSocketRoute(SOCKET, connect),
        ],
        middleware=[Middleware(Guard, hosts=tuple(hosts))],
        lifespan=lifespan,
    )
    app.state.connections = Connections()
    return app

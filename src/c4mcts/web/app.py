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
from .outbox import Outbox

STATIC = Path(__file__).parent / "static"
WORKERS = 2  # of a session: a search, and beside it the solver, a review, or a move of a level
TRY_LATER, FAILED = 1013, 1011  # WebSocket close codes: https://www.iana.org/assignments/websocket


def application(*, hosts: Iterable[str], caps: Caps, defaults: Defaults, max_sockets: int) -> Starlette:
    """The server of the page as an ASGI application.

    hosts: names under which it may be addressed, beside localhost and IP addresses. caps, defaults: of each session.
    max_sockets: how many clients may be connected at once.
    """
    mimetypes.add_type("text/javascript", ".js")  # on Windows the registry may say otherwise
    slots = Slots(os.cpu_count() or 1)
    connected = 0

    async def page(_: Request) -> FileResponse:
        return FileResponse(STATIC / "index.html")

    async def connect(socket: WebSocket) -> None:
        nonlocal connected
        await socket.accept()
        if connected >= max_sockets:
            await socket.close(TRY_LATER, f"{max_sockets} pages are open already")
            return
        outbox = Outbox()
        try:
            session = Session(outbox.put, workers=WORKERS, caps=caps, defaults=defaults, slots=slots)
        except RuntimeError:  # no more threads
            await socket.close(FAILED, "this machine has no more threads")
            return
        connected += 1
        try:
            await converse(socket, session, outbox)
        finally:
            connected -= 1

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        threads = ThreadPoolExecutor(max_sockets, thread_name_prefix="c4mcts-web")  # one message of each client at once
        asyncio.get_running_loop().set_default_executor(threads)
        yield

    return Starlette(
        routes=[
            Route("/", page),
            Mount("/static", StaticFiles(directory=STATIC)),
            WebSocketRoute(SOCKET, connect),
        ],
        middleware=[Middleware(Guard, hosts=tuple(hosts))],
        lifespan=lifespan,
    )

"""The application: the files of the page, a socket with a session for each client, and questions over HTTP."""

import asyncio
import hashlib
import mimetypes
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from .._platform import processors
from ..protocol import Caps, Defaults, Session, Slots
from ..protocol.questions import Questions
from ..protocol.session import PAGE_WORKERS
from .api import Api, not_found
from .guard import SOCKET, Guard, Quota
from .lecture import Lectures
from .metrics import Metrics
from .sockets import connect


def application(
    *,
    hosts: Iterable[str],
    caps: Caps,
    defaults: Defaults,
    max_sockets: int,
    page: Path | None = None,
    script: str = "",
    origins: Iterable[str] = (),
    frames: Iterable[str] = (),
    searches: int | None = None,
) -> Starlette:
    """The server as an ASGI application.

    hosts: names by which it may be addressed, besides localhost and IP addresses. caps, defaults: of each session.
    max_sockets: how many clients may be connected at once, and how many questions may be asked at once over HTTP.
    page: the folder of a page to serve, too. script: the text of its static/js/page.js. origins: of other sites whose
    pages may connect and ask. frames: origins of those whose pages may show the page in a frame. searches: how many run
    at once, by default one per processor. Its `state.questions` are those that are being answered.
    """
    slots = Slots(searches or processors())
    questions = Questions(caps=caps, defaults=defaults, slots=slots)
    allowed = tuple(origins)
    api = Api(questions, Quota(max_sockets, "questions are being answered already"), allowed, Metrics(slots))
    new_session = partial(Session, workers=PAGE_WORKERS, caps=caps, defaults=defaults, slots=slots)
    socket = WebSocketRoute(SOCKET, partial(connect, new_session, Quota(max_sockets, "pages are open already")))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        # one message of each client at once, and one question
        threads = ThreadPoolExecutor(2 * max_sockets, thread_name_prefix="c4mcts-web")
        asyncio.get_running_loop().set_default_executor(threads)
        yield

    app = Starlette(
        routes=[*(() if page is None else _page_routes(page, script)), *api.routes(), socket],
        middleware=[
            Middleware(Guard, hosts=tuple(hosts), origins=allowed, frames=tuple(frames)),
            Middleware(CORSMiddleware, allow_origins=allowed, allow_methods=["GET", "POST"], allow_headers=["*"]),
            Middleware(GZipMiddleware, compresslevel=6),
        ],
        lifespan=lifespan,
        exception_handlers={HTTPStatus.NOT_FOUND: not_found},
    )
    app.state.questions = questions
    return app


def _page_routes(folder: Path, script: str) -> list[BaseRoute]:
    mimetypes.add_type("text/javascript", ".js")  # on Windows the registry may say otherwise
    headers = {"ETag": f'"{hashlib.sha256(script.encode()).hexdigest()}"'}

    async def index(_: Request) -> FileResponse:
        return FileResponse(folder / "index.html")

    async def bundle(request: Request) -> Response:
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return Response(script, headers=headers, media_type="text/javascript")

    files = [Route("/static/js/page.js", bundle), Mount("/static", StaticFiles(directory=folder))]
    return [Route("/", index), *Lectures().routes(), *files]

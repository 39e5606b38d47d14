"""A lecture: pages that follow the page of a lecturer, and read only. Its messages pass through as they are."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from http import HTTPStatus
from io import BytesIO

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

MOST, SLOTS, LECTURES, PAGES = 1 << 20, 24, 8, 1000  # bytes of a message; messages of a lecture; lectures; pages
LONGEST_LINK = 500  # characters of a QR code that a phone reads from a projection


class Lectures:
    """Who sends with a key speaks in the lecture that is named by its hash. A page that comes later gets the last
    message of each slot, and one that reads slowly gets no older ones."""

    def __init__(self) -> None:
        self._last: dict[str, dict[str, str]] = {}  # by lecture and slot
        self._unread: dict[asyncio.Event, tuple[str, dict[str, str]]] = {}  # of each page: its lecture, by slot

    def routes(self) -> list[Route]:
        routes = [("/lecture", self.send, "POST"), ("/lecture/{name}", self.follow, "GET"), ("/qr", qr, "GET")]
        return [Route(path, answer, methods=[method]) for path, answer, method in routes]

    async def send(self, request: Request) -> Response:
        """Take a message with ?key=…&slot=…; the name of the lecture."""
        name = hashlib.sha256(request.query_params.get("key", "").encode()).hexdigest()[:12]
        slot, data = request.query_params.get("slot", "")[:16], b""
        async for part in request.stream():
            data += part  # which may end within a character
            if len(data) > MOST:
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        text = data.decode(errors="replace")
        if name not in self._last and len(self._last) == LECTURES:
            del self._last[next(iter(self._last))]  # the oldest
        last = self._last.setdefault(name, {})
        if slot not in last and len(last) == SLOTS:
            raise HTTPException(HTTPStatus.BAD_REQUEST)
        last[slot] = text
        for event, (lecture, unread) in self._unread.items():
            if lecture == name:
                unread[slot] = text
                event.set()
        return PlainTextResponse(name)

    async def follow(self, request: Request) -> Response:
        """The messages of a lecture as server-sent events."""
        if len(self._unread) == PAGES:
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE)
        return StreamingResponse(self._events(request.path_params["name"]), media_type="text/event-stream")

    async def _events(self, name: str) -> AsyncIterator[str]:
        event, unread = asyncio.Event(), dict(self._last.get(name, {}))
        self._unread[event] = name, unread
        try:
            while True:
                while unread:
                    yield f"data: {unread.pop(next(iter(unread)))}\n\n"
                await event.wait()
                event.clear()
        finally:
            del self._unread[event]


async def qr(request: Request) -> Response:
    """The QR code of a ?text=…, with which phones find the lecture."""
    import segno

    text = request.query_params.get("text", "")
    if len(text) > LONGEST_LINK:
        raise HTTPException(414)
    out, code = BytesIO(), segno.make(text, micro=False)
    code.save(out, kind="svg", scale=6, border=2, light="white")
    return Response(out.getvalue(), media_type="image/svg+xml")

"""Guard: what other pages in the user's browser may not do, and what this page itself may not."""

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

HEADERS = {
    # all from this server, nothing inline, nobody else's frame
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",  # asks each time, so that a new version of c4mcts has its own page
}
SOCKET = "/socket"  # the path of the only WebSocket, which is nothing else
REFUSAL = "This server answers only its own page, at the address that c4mcts web has printed.\n"


class Guard:
    """ASGI middleware that refuses requests of other origins, and says in headers what the page may load.

    hosts: names under which the server may be addressed. IP addresses and localhost may always be used. Other names
    are refused because any page can point a name of its own to this machine (DNS rebinding).
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = {"localhost", *(host.lower() for host in hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        is_socket = scope["type"] == "websocket"
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif self._allows(Headers(scope=scope)) and is_socket == (scope["path"] == SOCKET):
            await self._app(scope, receive, with_headers(send))
        elif is_socket:
            await WebSocket(scope, receive, send).close()  # before it is accepted: HTTP 403
        else:
            await PlainTextResponse(REFUSAL, status_code=403)(scope, receive, send)

    def _allows(self, headers: Headers) -> bool:
        """Whether a request is for this server and, if a page sends it, from this server's page.

        Other programs than browsers send no Origin. They need not be kept out: they could send any.
        """
        host, origin = headers.get("host", ""), headers.get("origin")
        return self._is_ours(host) and (origin is None or place_of(origin) == host.lower())

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._hosts or is_address(name)


def place_of(origin: str) -> str:
    """Host and port of an origin; nothing if it has none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def is_address(name: str) -> bool:
    """Whether a host name is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def with_headers(send: Send) -> Send:
    """A function that sends messages, responses with HEADERS."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return send_with_headers

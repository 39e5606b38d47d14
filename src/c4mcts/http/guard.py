"""Guard: which requests are answered, what the page may load, and how much is done at once."""

import asyncio
import ipaddress
import re
from collections.abc import Collection, Iterable
from contextlib import suppress
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from .policy import POLICY, policy_text

HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",  # asks each time, so that a new version of c4mcts gets its own page
}
HOST = re.compile(r"[a-z0-9._:%-]{1,253}")  # names and addresses
SOCKET = "/socket"  # the path of the only WebSocket, and of nothing else
REFUSAL = "This server answers only its own page, at the address that it has printed"


class Guard:
    """ASGI middleware that refuses requests of other origins, and says in headers what the page may load.

    hosts: names by which the server may be addressed. IP addresses and localhost are always allowed. Other names are
    refused because any website can make its own name point to this machine (DNS rebinding). origins: of other sites
    whose pages may use the server, such as "https://example.org". frames: of those whose pages may have this one in a
    frame.
    """

    def __init__(
        self, app: ASGIApp, hosts: Iterable[str], origins: Collection[str] = (), frames: Collection[str] = ()
    ) -> None:
        self._app = app
        self._hosts = {"localhost", *(host.lower() for host in hosts)}
        self._origins = origins
        policy = policy_text({**POLICY, "frame-ancestors": " ".join(frames) or "'none'"})
        self._headers = HEADERS | {"Content-Security-Policy": policy}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        is_socket = scope["type"] == "websocket"
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif self._allows(Headers(scope=scope)) and is_socket == (scope["path"] == SOCKET):
            await self._app(scope, receive, send_with_headers)
        elif is_socket:
            await WebSocket(scope, receive, send).close()  # before it is accepted: HTTP 403
        else:
            name = _name_of(Headers(scope=scope).get("host", "").lower())
            hint = "" if name is None or self._knows(name) else f"; --allow-host {name} adds this name"
            await PlainTextResponse(f"{REFUSAL}{hint}.\n", status_code=HTTPStatus.FORBIDDEN)(scope, receive, send)

    def _allows(self, headers: Headers) -> bool:
        """Whether a request is for this server and, if a page sends it, from this server's page or an allowed origin.

        Programs other than browsers send no Origin. There is no point in keeping them out: they could send any.
        """
        host = headers.get("host", "").lower()
        name = _name_of(host)
        try:
            theirs = urlsplit(headers["origin"]).netloc.lower() if "origin" in headers else host
        except ValueError:
            return False
        is_known = theirs == host or headers.get("origin") in self._origins
        return is_known and name is not None and self._knows(name)

    def _knows(self, name: str) -> bool:
        """Whether the server may be addressed so: by a known name, or by any IP address."""
        with suppress(ValueError):
            ipaddress.ip_address(name)
            return True
        return name in self._hosts


def _name_of(host: str) -> str | None:
    """The name in a header "Host", without the port; None if there is none that could be typed."""
    with suppress(ValueError):
        name = urlsplit(f"//{host}").hostname or ""
        return name if HOST.fullmatch(name) else None
    return None


class Quota(asyncio.Semaphore):
    """A limit on what clients do at once: who finds it locked is refused, and does not wait.

    most: set by --max-sockets. words: say what they do, as in "16 pages are open already".
    """

    def __init__(self, most: int, message: str) -> None:
        super().__init__(most)
        self.refusal = f"{most} {message}: the server's --max-sockets is {most}"

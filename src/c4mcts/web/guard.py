"""Guard: which requests are answered, what the page may load, and how long unfinished connections may stay."""

import asyncio
import ipaddress
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from . import POLICY, policy_text

HEADERS = {
    "Content-Security-Policy": policy_text({**POLICY, "frame-ancestors": "'none'"}),  # in nobody else's frame
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",  # asks each time, so that a new version of c4mcts gets its own page
}
HOST = re.compile(r"[a-z0-9._:%-]{1,253}")  # names and addresses
SOCKET = "/socket"  # the path of the only WebSocket, and of nothing else
REFUSAL = "This server answers only its own page, at the address that it has printed"
SECONDS = 20.0  # for a request and its response; the largest file of the page has 20 kB
# waiting connections: in all, and of one address, which a whole class may share; a browser opens 6 at once for HTTP
MOST, MOST_OF_ONE = 512, 384

Client = tuple[str, int]  # IP address and port


class Guard:
    """ASGI middleware that refuses requests of other origins, and says in headers what the page may load.

    hosts: names by which the server may be addressed. IP addresses and localhost are always allowed. Other names are
    refused because any website can make its own name point to this machine (DNS rebinding). origins: of other sites
    whose pages may use the server, such as "https://example.org".
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str], origins: Collection[str] = ()) -> None:
        self._app = app
        self._hosts = {"localhost", *(host.lower() for host in hosts)}
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
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
            await PlainTextResponse(f"{REFUSAL}{hint}.\n", status_code=403)(scope, receive, send)

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
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return None
    return name if HOST.fullmatch(name) else None


class Quota:
    """A limit on what clients do at once, of which those of one address may have three quarters.

    most: set by --max-sockets. words: say what they do, as in "16 pages are open already".
    """

    def __init__(self, most: int, words: str) -> None:
        self._most, self._most_of_one = most, most - most // 4
        self._words = words
        self._taken: Counter[str] = Counter()  # by network

    def refusal(self, network: str) -> str | None:
        """Why there is no place for a client; None if there is one."""
        if self._taken.total() >= self._most:
            return f"{self._most} {self._words}: the server's --max-sockets is {self._most}"
        if self._taken[network] >= self._most_of_one:
            return f"{self._most_of_one} {self._words} at your address: three quarters of the server's --max-sockets"
        return None

    @contextmanager
    def taken(self, network: str) -> Iterator[None]:
        """Take a place until the block ends."""
        self._taken[network] += 1
        try:
            yield
        finally:
            self._taken[network] -= 1
            self._taken += Counter()  # forgets networks without a place


class Connections:
    """The open connections of a server. All of them wait (for a request, for the client to read the response, to be
    closed), except for those of the pages that are open.

    One that waits too long is closed. If too many wait, in all or of one address, the oldest of them is closed: an
    ordinary request takes milliseconds, so it is never the oldest for long.

    Must be used in the thread of the event loop.
    """

    def __init__(self, most: int = MOST, most_of_one: int = MOST_OF_ONE, seconds: float = SECONDS) -> None:
        self._most, self._most_of_one, self._seconds = most, most_of_one, seconds
        self._open: dict[Client, asyncio.Transport] = {}
        # what closes each of the waiting ones, in the order in which they began to wait
        self._waiting: dict[Client, asyncio.TimerHandle] = {}

    def add(self, client: Client | None, transport: asyncio.Transport) -> None:
        """Note that a connection was opened; it waits. client: None if it is gone already."""
        if client is None:
            transport.abort()
            return
        self.remove(client)  # the port is used again
        self._open[client] = transport
        self.wait(client)

    def wait(self, client: Client | None) -> None:
        """Note that a connection waits from now on, if it is still open."""
        if client not in self._open:
            return
        self.keep(client)
        self._waiting[client] = asyncio.get_running_loop().call_later(self._seconds, self._open[client].abort)
        network = network_of(client[0])
        of_one = [each for each in self._waiting if network_of(each[0]) == network]
        if len(of_one) > self._most_of_one:
            self.remove(of_one[0])
        elif len(self._waiting) > self._most:
            self.remove(next(iter(self._waiting)))

    def keep(self, client: Client | None) -> None:
        """Let a connection stay open: it is no longer waiting."""
        if client in self._waiting:
            self._waiting.pop(client).cancel()

    def remove(self, client: Client | None) -> None:
        if client in self._open:
            self.keep(client)
            self._open.pop(client).abort()

    def lost(self, client: Client | None, transport: asyncio.Transport) -> None:
        """Note that a connection was closed."""
        if client in self._open and self._open[client] is transport:  # not a new one from the same port
            self.keep(client)
            del self._open[client]


@lru_cache(1024)
def network_of(address: str) -> str:
    """The address itself; of an IPv6 address its /64 network, since whoever has one address has all 2**64 of it."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:  # a test client has a name
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    return str(found.ipv4_mapped or ipaddress.IPv6Address(int(found) >> 64 << 64))

"""Limits: how many connections wait, and for how long, so that clients that finish nothing leave room for others."""

import asyncio
import ipaddress
from dataclasses import dataclass

SECONDS = 20.0  # for a request and its response; the largest file of the page has 20 kB
MOST, MOST_OF_ONE = 128, 32  # connections that wait: in all, and of one address. A browser opens 6 at once for HTTP.

Client = tuple[str, int]  # IP address and port


@dataclass(slots=True)
class Connection:
    """An open connection."""

    transport: asyncio.Transport
    network: str
    timer: asyncio.TimerHandle | None = None  # ends it; None if it does not wait

    def keep(self) -> None:
        """Stop waiting."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class Connections:
    """The open connections of a server. Each waits, for a request, for its response to be read, or to be closed, except
    for those of the pages that are open.

    One that waits too long is closed. If too many wait, of one address or in all, the oldest of them is closed: an
    ordinary request takes milliseconds, and is never the oldest for long.

    To be used in the thread of the event loop.
    """

    def __init__(self, most: int = MOST, most_of_one: int = MOST_OF_ONE, seconds: float = SECONDS) -> None:
        self._most, self._most_of_one, self._seconds = most, most_of_one, seconds
        self._open: dict[Client, Connection] = {}  # those that wait in the order in which they began to

    def add(self, client: Client | None, transport: asyncio.Transport) -> None:
        """A connection has been opened, and waits. client: None if it is gone already."""
        if client is None:
            transport.abort()
            return
        self.remove(client)  # the port is used again
        self._open[client] = Connection(transport, network_of(client[0]))
        self.wait(client)

    def wait(self, client: Client | None) -> None:
        """A connection waits from now on, if it is still open."""
        if client not in self._open:
            return
        found = self._open[client] = self._open.pop(client)
        found.keep()
        found.timer = asyncio.get_running_loop().call_later(self._seconds, found.transport.abort)
        waiting = [each for each, connection in self._open.items() if connection.timer]
        of_one = [each for each in waiting if self._open[each].network == found.network]
        if len(of_one) > self._most_of_one:
            self.remove(of_one[0])
        elif len(waiting) > self._most:
            self.remove(waiting[0])

    def keep(self, client: Client | None) -> None:
        """A connection does not wait any more: it may stay open."""
        if client in self._open:
            self._open[client].keep()

    def remove(self, client: Client | None) -> None:
        """Close a connection."""
        if client in self._open:
            found = self._open.pop(client)
            found.keep()
            found.transport.abort()

    def lost(self, client: Client | None, transport: asyncio.Transport) -> None:
        """A connection has been closed."""
        if client in self._open and self._open[client].transport is transport:  # not a new one from the same port
            self._open.pop(client).keep()


def network_of(address: str) -> str:
    """The address, or of an IPv6 address its network: whoever has one has all 2**64 of it."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:  # a test client has a name
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    return str(found.ipv4_mapped or ipaddress.IPv6Address(int(found) >> 64 << 64))

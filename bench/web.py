"""The server of the page with many pages open: how late replies are, and whether memory stays flat.

Most sockets search one position after the other and in between ask for the description of a position; the time of
that answer is measured. The others send garbage. Needs the extra `web`. Memory is read from Linux's /proc.
"""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from measure import Report, parser, spread
from websockets.asyncio.client import ClientConnection, connect

SOCKETS, HOSTILE, SECONDS = 50, 10, 60.0
SEARCH = {"maxTime": 0.5, "reportDuringSearchEvery": 0.07, "reuseTree": True}  # what the page asks for, but shorter
PAUSE = 0.1  # seconds between two questions
PATIENCE = 10.0  # seconds that the last answers may take
LOOK = 0.5  # seconds between two looks at the memory
GARBAGE = (
    "",
    "{",
    "null",
    '{"id": 1}',
    '{"id": "a", "moves": [9]}',
    "[" * 50_000,
    "x" * 90_000,
    '{"id": "a", "maxTime": 1e30}',
)


@dataclass
class Findings:
    """The measurements of a soak test. Times in seconds, memory in bytes."""

    waits: list[float] = field(default_factory=list)  # until the answer to a question
    memory: list[int] = field(default_factory=list)  # in the order of time
    searches: int = 0
    garbage: int = 0
    freed: float = 0.0  # from the closing of all sockets at once until no thread of a session was left
    ended: float = 0.0  # after Ctrl-C, until the process was gone
    errors: str = ""  # what the server printed


def status(pid: int, name: str) -> int:
    """A number of /proc/PID/status: VmRSS in kilobytes, Threads; 0 on other systems."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{name}:")), 0)


@asynccontextmanager
async def served(sockets: int, found: Findings) -> AsyncIterator[tuple[str, int]]:
    """A server for this many sockets: the address of its socket, and its process id."""
    command = [sys.executable, "-m", "c4mcts", "web", "--no-browser", "--max-sockets", f"{sockets}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        url = process.stdout.readline().split()[2]
        yield f"{url.replace('http', 'ws')}socket", process.pid
        start = time.monotonic()
        process.send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGINT)
        process.wait(timeout=10)
        found.ended = time.monotonic() - start
    finally:
        process.kill()
        found.errors = process.communicate()[1]


async def searching(socket: ClientConnection, end: float, found: Findings, generator: random.Random) -> None:
    """Search random positions, and ask for descriptions meanwhile."""
    asked: dict[str, float] = {}

    async def hear() -> None:
        async for text in socket:
            reply: dict[str, Any] = json.loads(text)
            assert "error" not in reply, reply
            if reply["id"] in asked:
                found.waits.append(time.monotonic() - asked.pop(reply["id"]))
            elif not reply["isDuringSearch"]:
                found.searches += 1
                await search()

    async def search() -> None:
        position = "".join(str(generator.randint(1, 7)) for _ in range(4))
        await socket.send(json.dumps({"id": "search", "position": position, **SEARCH}))

    hearing = asyncio.create_task(hear())
    await search()
    number = 0
    while time.monotonic() < end:
        number += 1
        asked[f"{number}"] = time.monotonic()
        await socket.send(json.dumps({"id": f"{number}", "action": "describe", "position": "4453"}))
        await asyncio.sleep(PAUSE)
    while asked and time.monotonic() < end + PATIENCE:
        await asyncio.sleep(PAUSE)
    hearing.cancel()
    assert not asked, f"{len(asked)} questions have no answer"


async def hostile(socket: ClientConnection, end: float, found: Findings, generator: random.Random) -> None:
    """Send garbage as fast as the server accepts it, and read the replies."""

    async def hear() -> None:
        async for _ in socket:
            pass

    hearing = asyncio.create_task(hear())
    while time.monotonic() < end:
        await socket.send(generator.choice(GARBAGE))
        found.garbage += 1
        await asyncio.sleep(0.01)
    hearing.cancel()


async def watching(pid: int, end: float, found: Findings) -> None:
    """Sample the memory of the server."""
    while time.monotonic() < end:
        found.memory.append(1024 * status(pid, "VmRSS"))
        await asyncio.sleep(LOOK)


async def soak(sockets: int = SOCKETS, hostiles: int = HOSTILE, seconds: float = SECONDS) -> Findings:
    """Open `sockets` sockets, `hostiles` of them hostile, for `seconds`."""
    found = Findings()
    async with served(sockets, found) as (url, pid):
        idle = status(pid, "Threads")
        connections = [await connect(url, proxy=None, compression=None) for _ in range(sockets)]
        end = time.monotonic() + seconds
        await asyncio.gather(
            watching(pid, end, found),
            *(
                (hostile if number < hostiles else searching)(socket, end, found, random.Random(number))
                for number, socket in enumerate(connections)
            ),
        )
        start = time.monotonic()
        closing = asyncio.gather(*(socket.close() for socket in connections))
        pooled = 2 * sockets  # threads that read messages stay
        while status(pid, "Threads") > idle + pooled and time.monotonic() < start + PATIENCE:
            await asyncio.sleep(0.01)
        found.freed = time.monotonic() - start
        closing.cancel()  # clients wait for the end of a handshake that the server has done
        with suppress(asyncio.CancelledError):
            await closing
        for socket in connections:
            socket.transport.abort()
        await asyncio.gather(*(socket.wait_closed() for socket in connections))
    return found


def main() -> None:
    options = parser(__doc__, repeats=1)
    options.add_argument("--sockets", type=int, default=SOCKETS, help=f"default {SOCKETS}")
    options.add_argument("--hostile", type=int, default=HOSTILE, help=f"those that send garbage, default {HOSTILE}")
    options.add_argument("--seconds", type=float, default=SECONDS, help=f"default {SECONDS:g}")
    args = options.parse_args()
    report = Report(
        f"{args.sockets} sockets, {args.hostile} of them hostile, {args.seconds:g} s",
        {"what": "what", "value": "median (lowest - highest)"},
    )
    for _ in range(args.repeats):
        found = asyncio.run(soak(args.sockets, args.hostile, args.seconds))
        waits = sorted(found.waits)
        half = found.memory[len(found.memory) // 2 :]
        report.add(what="milliseconds to an answer", value=spread(1000 * wait for wait in waits))
        report.add(what="the same, 99 of 100 are faster", value=1000 * waits[len(waits) * 99 // 100])
        report.add(what="memory in the second half, MB", value=spread(each / 1e6 for each in half))
        report.add(what="searches", value=found.searches)
        report.add(what="messages of garbage", value=found.garbage)
        report.add(what="seconds until all engines were freed", value=found.freed)
        report.add(what="seconds from Ctrl-C to the end", value=found.ended)
        report.add(what="lines of errors", value=len(found.errors.splitlines()))
    report.finish(args)


if __name__ == "__main__":
    main()

"""Outbox: coalescing, space; test_server.py and test_hostile_clients.py have the rest, of a server."""

import asyncio
import json

import pytest

pytest.importorskip("starlette")
from c4mcts.http.sockets import FULL, Outbox


def report(name, number, during=True):
    return {"id": name, "turnNumber": 0, "isDuringSearch": during, "number": number}


async def sent_of(outbox, count):
    """The first replies that an outbox sends."""
    sent = []
    done = asyncio.Event()

    async def send(text):
        sent.append(json.loads(text))
        if len(sent) == count:
            done.set()

    task = asyncio.create_task(outbox.send(send))
    await asyncio.wait_for(done.wait(), 20)
    task.cancel()
    return sent


async def test_a_report_gives_way_to_the_next_one():
    outbox = Outbox()
    for number in range(5):
        outbox.put(report("a", number))
        outbox.put(report("b", number))
    outbox.put({"id": "c"})
    outbox.put(report("b", 5, during=False))
    outbox.put(report("b", 6))  # the id is used again
    sent = await sent_of(outbox, 4)
    assert [(reply["id"], reply.get("number")) for reply in sent] == [("a", 4), ("c", None), ("b", 5), ("b", 6)]


async def test_a_full_outbox_has_no_room_until_it_is_sent():
    outbox = Outbox()
    for number in range(FULL):
        outbox.put(report("a", number, during=False))
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(outbox.wait_for_space(), 0.05)
    waiting = asyncio.create_task(outbox.wait_for_space())
    await sent_of(outbox, FULL)
    outbox_is_empty = asyncio.create_task(outbox.send(lambda text: asyncio.sleep(0)))
    await asyncio.wait_for(waiting, 20)
    outbox_is_empty.cancel()

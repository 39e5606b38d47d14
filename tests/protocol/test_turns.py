"""Sessions without threads: jobs take turns with each other and with the event loop."""

import asyncio
import itertools
import json

import pytest
from conversation import Client, is_last, without_times

from c4mcts import _platform
from c4mcts.protocol import Slots

ENDLESS = {"maxTime": 60, "preset": "uct"}
REQUESTS = [
    {"moves": [3, 3], "maxVisits": 2000, "seed": 7},
    {"moves": [3, 3], "maxVisits": 2000, "seed": 7, "preset": "uct", "reuseTree": True},
    {"action": "solve", "position": "4546166744316"},
    {"action": "play", "level": 5, "position": "44", "seed": 1},
    {"action": "review", "position": "44444226"},
    {"action": "steps", "maxVisits": 20, "preset": "uct", "seed": 1},
    {"action": "describe", "position": "44"},
]


pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def without_threads(monkeypatch):
    """As in WebAssembly."""
    monkeypatch.setattr(_platform, "HAS_THREADS", False)


async def turns_until(client, condition):
    """How many turns of the event loop it takes until a reply fulfils the condition."""
    turns = 0
    while not any(map(condition, client.replies)):
        await asyncio.sleep(0)
        turns += 1
    return turns


def stop(client, name):
    client.send(id="stop", action="terminate", terminateId=name)


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request_: request_.get("action", "analyze"))
def test_replies_are_those_of_threads(monkeypatch, request_):
    found = []
    for has_threads in (True, False):
        monkeypatch.setattr(_platform, "HAS_THREADS", has_threads)
        client = Client()
        client.send(id="a", **request_)
        found.append([without_times(reply) for reply in client.finish()])
    assert found[0] == found[1]


@pytest.mark.parametrize("work", [ENDLESS, {"action": "solve", "rules": {"width": 8, "height": 7}}])
async def test_work_is_stopped_between_two_slices(work):
    client = Client()
    client.send(id="a", **work)
    for _ in range(5):
        await asyncio.sleep(0)
    assert client.replies == []
    stop(client, "a")
    assert client.replies == [{"id": "stop", "action": "terminate", "terminateId": "a"}]
    assert await turns_until(client, is_last("a")) <= 2
    last = client.replies[-1]
    assert last["noResults"] if "action" in work else last["rootInfo"]["simulations"] > 0
    assert client.session.close()


async def test_messages_are_answered_during_a_search():
    client = Client()
    client.send(id="a", **ENDLESS, reportDuringSearchEvery=0.01)
    client.send(id="t", action="tree", path=[])
    await turns_until(client, lambda reply: reply.get("isDuringSearch"))
    await turns_until(client, lambda reply: reply.get("id") == "t")
    client.send(id="d", action="describe")
    assert client.replies[-1]["id"] == "d"
    assert client.session.close()
    assert client.replies[-1]["id"] == "a"


async def test_workers_take_turns():
    client = Client(workers=2, slots=Slots(1))
    for name in "abc":
        client.send(id=name, **ENDLESS, reportDuringSearchEvery=0.01)
    for name in "ab":
        await turns_until(client, lambda reply, name=name: reply["id"] == name)
    assert all(reply["id"] != "c" for reply in client.replies)
    stop(client, "a")
    await turns_until(client, lambda reply: reply.get("id") == "c")
    assert client.session.close()


async def test_a_client_that_is_gone_ends_all_searches():
    client = Client()
    client.send(id="a", **ENDLESS, reportDuringSearchEvery=0.01)

    def gone(reply):
        raise BrokenPipeError(json.dumps(reply))

    client.collect = gone
    while client.session.lost is None:
        await asyncio.sleep(0)
    assert client.session.close()


SHORT = {"action": "steps", "maxVisits": 2, "preset": "uct"}


class Loop(asyncio.SelectorEventLoop):
    """An event loop that is driven by hand, and calls a function before its turn number `when`."""

    def __init__(self, when, between=None):
        self.turns, self.when, self.between = 0, when, between
        super().__init__()

    def call_soon(self, callback, *args, context=None):
        def turn():
            if self.turns == self.when:
                self.between()
            self.turns += 1
            callback(*args)

        return super().call_soon(turn, context=context)

    def run(self, begin):
        """Call a function in the loop, and drive it until nothing is left, or the turn before number `when`."""
        asyncio.events._set_running_loop(self)
        try:
            begin()
            while self._ready and (self.between or self.turns < self.when):
                self._run_once()
        finally:
            asyncio.events._set_running_loop(None)
            self.close()
        return self.turns > self.when


@pytest.mark.parametrize("workers", [1, 2])
def test_a_message_between_any_two_turns_of_the_event_loop_is_answered(workers):
    for when in itertools.count():
        client = Client(workers=workers)
        loop = Loop(when, lambda client=client: client.send(id="b", **SHORT))
        if not loop.run(lambda client=client: client.send(id="a", **SHORT)):
            break
        assert sorted(reply["id"] for reply in client.replies) == ["a", "b"], f"before turn {when}"
        client.check()
    assert [reply["id"] for reply in client.replies] == ["a"]
    assert when >= 3


@pytest.mark.parametrize("next_loop", [True, False])
def test_queries_of_an_event_loop_that_has_ended_are_answered_by_the_next_one_and_by_finish(next_loop):
    for when in range(5):
        client = Client(workers=2)
        Loop(when).run(lambda client=client: [client.send(id=name, **SHORT) for name in "abc"])
        if next_loop:
            Loop(0, lambda: None).run(lambda client=client: client.send(id="d", **SHORT))
        else:
            client.send(id="d", **SHORT)
            client.finish()
        assert sorted(reply["id"] for reply in client.replies) == list("abcd")


def test_control_c_in_a_turn_loses_no_query():
    def interrupted(result):
        if not client.replies:
            raise KeyboardInterrupt

    async def main():
        for name in "ab":
            client.send(id=name, maxVisits=5)
        client.send(id="c", **SHORT)
        await asyncio.sleep(60)

    client = Client(on_result=interrupted)
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(main())
    assert sorted(reply["id"] for reply in client.finish()) == ["a", "b", "c"]


def test_a_reply_may_lead_to_the_end_of_the_session():
    def on_reply(reply):
        collect(reply)
        if reply["id"] == "a":
            assert client.session.close()

    client = Client(workers=2)
    collect, client.collect = client.collect, on_reply
    for name in "abc":
        client.send(id=name, **SHORT)
    client.finish()
    assert sorted(reply["id"] for reply in client.replies) == list("abc")

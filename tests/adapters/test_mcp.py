"""The tools of the Model Context Protocol: what they answer, how they refuse, and that a cancelled call ends."""

import asyncio
import json

import pytest
from conversation import wait_for_threads

from c4mcts import Board, review, solve
from c4mcts.protocol import Caps

pytest.importorskip("mcp")
from mcp import Client

from c4mcts.adapters.mcp import mcp_server

HANG = 60  # seconds
GAME = [3, 3, 3, 3, 3, 1, 1, 5]


def asked(work):
    """What a coroutine function returns that is called with a client of a new server."""

    async def connected():
        async with Client(mcp_server(caps=Caps(seconds=60.0, memory=1 << 24))) as client:
            return await work(client)

    return asyncio.run(asyncio.wait_for(connected(), HANG))


def called(name, **arguments):
    """The result of a tool, which says the same as text and as an object."""
    result = asked(lambda client: client.call_tool(name, arguments))
    assert not result.is_error, result
    (text,) = result.content
    assert json.loads(text.text) == result.structured_content
    return result.structured_content


def refused(name, **arguments):
    """Why a tool refuses its arguments."""
    result = asked(lambda client: client.call_tool(name, arguments))
    assert result.is_error
    return result.content[0].text


def test_the_tools():
    found = asked(lambda client: client.list_tools()).tools
    assert {tool.name for tool in found} == {"analyze", "solve", "review", "play", "describe", "opening"}
    for tool in found:
        assert tool.input_schema["required"] == ["moves"]
        assert tool.annotations.read_only_hint
        assert "\n" not in tool.description


def test_solve_is_exact():
    found, exact = called("solve", moves=[3, 3, 4]), solve("445")
    assert (found["score"], found["columns"], found["best"]) == (exact.score, list(exact.columns), list(exact.best))
    assert len(found["pv"]) == exact.distance


def test_the_other_tools_answer_as_the_package_does():
    exact = solve("44")
    assert called("play", moves=[3, 3], level=10)["move"] in exact.best
    scores = {move["move"]: move["score"] for move in called("opening", moves=[3, 3])["moves"]}
    assert scores == dict(enumerate(exact.columns))
    found = called("review", moves=GAME)["review"]
    assert [move["kind"] for move in found["moves"]] == [move.kind for move in review(Board.from_moves(GAME)).moves]


def test_describe_on_other_rules_and_with_arguments_as_some_assistants_write_them():
    found = called("describe", moves=[0, 1, 0, 1, 0], rules={"width": 5, "height": 4, "connect": 3})
    assert (found["outcome"]["winner"], found["legalMoves"]) == (0, [])
    assert called("describe", moves=[2], fen="5/5/5/5 x 5x4x3")["ply"] == 1
    assert called("describe", moves="[3, 3]", fen=None, rules=None)["ply"] == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"moves": [], "maxTime": 61}, "at most 60"),
        ({"moves": [], "maxTimes": 5}, "unknown argument 'maxTimes': did you mean 'maxTime'?"),
        ({"moves": [], "rules": '{"width": 7, "width": 8}'}, "'width' appears twice"),
        ({}, "the argument 'moves' is missing"),
    ],
)
def test_what_is_wrong_is_said(arguments, words):
    assert words in refused("solve", **arguments)
    assert "unknown tool 'analyse': did you mean 'analyze'?" in refused("analyse", moves=[])


def test_a_cancelled_call_ends_its_search():
    async def cancelled(client):
        rules = {"width": 20, "height": 14}
        call = asyncio.create_task(client.call_tool("analyze", {"moves": [], "rules": rules, "maxTime": 59}))
        await asyncio.to_thread(wait_for_threads, 1)
        call.cancel()
        await asyncio.to_thread(wait_for_threads, 0)

    asked(cancelled)

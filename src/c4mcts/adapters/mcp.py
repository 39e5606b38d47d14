"""A server of the Model Context Protocol: tools with which an assistant analyses, solves, reviews and plays.

`c4mcts serve --mcp` runs it on standard input and output. A tool is an action of the protocol (`c4mcts.protocol`), its
arguments are keys of the message, and the protocol checks them.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Mapping
from typing import Any, BinaryIO, TextIO

from .. import __version__
from .._named import installed_by
from .._validation import brief, suggestion
from ..protocol import Caps, Defaults, Slots
from ..protocol.caps import SHARED_CAPS
from ..protocol.messages import Refusal, bounded_lines, object_schema, read_value, too_long
from ..protocol.questions import Questions
from ..protocol.schema import request_schema

with installed_by("mcp"):
    import anyio
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server
    from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, Tool, ToolAnnotations

INSTRUCTIONS = """\
Connect-4 with exact scores. Columns count from 0, on the left, in arguments and in results. People usually count from
1: their "445" are the moves [3, 3, 4]. Values and scores are for the player to move, who is player 0 after an even
number of moves. A winrate is the mean result of a search, from 0 to 1. A score is exact: above 0 the player to move
wins, below 0 it loses, 0 is a draw; a faster win has a larger score. Prefer `solve` to find out what is true, `analyze`
for boards that are too large for it, and `describe` before you choose a move yourself."""

MAX_QUESTIONS = 16  # that are worked on at once, each with a tree; the others wait

POSITION = ("moves", "fen", "rules")  # arguments of every tool
MORE = {"analyze": ("maxTime", "maxVisits"), "solve": ("maxTime",), "review": ("maxTime",), "play": ("level",)}
TOOLS = {  # by action
    "analyze": "Search a position: for each move its winrate, visits, what is proven, and the line that is expected.",
    "solve": "Solve a position exactly: its score, the score of each column, a line of best play. "
    "Null: the column is full, or time was up.",
    "review": "Review a game: what each move was worth, mistakes, better lines, and the accuracy of both players.",
    "play": "Choose the next move of a game as an opponent of this level (default 10) would; it is not played.",
    "describe": "What the rules say of a position: the board, legal, winning and threatened moves, and the outcome.",
    "opening": "What the opening book has of a position: exact results of the moves, replies that hold, and its name.",
}
KNOWN = {action: POSITION + MORE.get(action, ()) for action in TOOLS}  # arguments, by action
DEFAULTS: dict[str, dict[str, Any]] = {"solve": {"includePv": True}, "play": {"level": 10}}  # of keys, by action


def mcp_server(*, caps: Caps | None = None, defaults: Defaults | None = None, workers: int = 1) -> "Server[Any]":
    """The server; `serve` connects it to standard input and output.

    caps, defaults: as for `c4mcts.protocol.Session`. workers: how many searches run at once.
    """
    caps = caps or SHARED_CAPS
    questions = Questions(caps=caps, defaults=defaults or Defaults(), slots=Slots(workers))
    running = asyncio.Semaphore(MAX_QUESTIONS)

    async def list_tools(_: object, __: object) -> ListToolsResult:
        return ListToolsResult(tools=[tool(action, caps) for action in TOOLS])

    async def call_tool(_: object, call: CallToolRequestParams) -> CallToolResult:
        try:
            message = message_of(call.name, call.arguments or {})
        except Refusal as refusal:
            return tool_result(str(refusal), is_error=True)
        async with running:
            reply = await questions.ask(call.name, message)
        if "error" in reply:
            return tool_result(reply["error"], is_error=True)
        fields = {name: value for name, value in reply.items() if name not in ("id", "isDuringSearch")}
        return tool_result(json.dumps(fields, allow_nan=False), structured_content=fields)

    return Server(
        "c4mcts", version=__version__, instructions=INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool
    )


async def serve(server: "Server[Any]", file: BinaryIO, output: TextIO, max_bytes: int) -> None:
    """Answer the messages of a stream, such as sys.stdin.buffer, on another one, in UTF-8, until the first one ends.

    max_bytes: of a message; a longer one is dropped, and a line on standard error says so.
    """
    async with stdio_server(stdin=lines_of(file, max_bytes), stdout=anyio.wrap_file(output)) as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


async def lines_of(file: BinaryIO, max_bytes: int) -> AsyncIterator[str]:
    """The lines of a stream that are not too long, each read in a thread."""
    lines = bounded_lines(file, max_bytes)
    while line := await asyncio.to_thread(next, lines, b""):
        if len(line) > max_bytes:
            print(f"c4mcts serve: {too_long(max_bytes)}", file=sys.stderr)
        else:
            yield line.decode(errors="replace")


def tool(action: str, caps: Caps) -> Tool:
    """A tool as a client sees it."""
    keys = request_schema(action, caps)["properties"]
    schema = object_schema({name: keys[name] for name in KNOWN[action]}, ["moves"])
    hints = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    return Tool(name=action, description=TOOLS[action], input_schema=schema, annotations=hints)


def message_of(action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The message of a call. Some assistants write an argument as JSON in a string, or null for none. Refusal."""
    if action not in TOOLS:
        raise Refusal(f"unknown tool {brief(action)}{suggestion(action, TOOLS, 'tools')}")
    keys, message = KNOWN[action], dict(DEFAULTS.get(action, {}))
    for name, value in arguments.items():
        if name not in keys:
            raise Refusal(f"unknown argument {brief(name)}{suggestion(name, keys, 'arguments')}")
        if value is not None:
            message[name] = read_value(name, value) if isinstance(value, str) else value
    if "moves" not in message:
        raise Refusal("the argument 'moves' is missing")
    return message


def tool_result(text: str, **more: Any) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], **more)

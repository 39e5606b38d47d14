"""A server of the Model Context Protocol: tools with which an assistant analyses, solves, reviews and plays.

`c4mcts serve --mcp` runs it on standard input and output.
"""

import asyncio
import json
from collections.abc import Mapping
from typing import Annotated, Any

from .. import __version__
from .._named import installed_by
from ..protocol import Caps, Defaults, Slots
from ..protocol.questions import Questions
from ..web import page_caps

with installed_by("mcp"):
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp_types import CallToolResult, TextContent, ToolAnnotations
    from pydantic import Field, StrictInt

INSTRUCTIONS = """\
Connect-4 with exact scores. Columns count from 0, on the left, in arguments and in results. People usually count from
1: their "445" are the moves [3, 3, 4]. Values and scores are for the player to move, who is player 0 after an even
number of moves. A winrate is the mean result of a search, from 0 to 1. A score is exact: above 0 the player to move
wins, below 0 it loses, 0 is a draw; a faster win has a larger score. Prefer `solve` to find out what is true, `analyze`
for boards that are too large for it, and `describe` before you choose a move yourself."""

MAX_QUESTIONS = 16  # that are worked on at once, each with a tree; the others wait

Moves = Annotated[list[StrictInt], Field(description="columns from 0, in the order in which they were played")]
Fen = Annotated[str | None, Field(description="the position before the moves, such as '7/7/7/7/7/2xo3 x 7x6x4'")]
Rules = Annotated[
    dict[str, int | bool] | None,
    Field(description="width, height, connect and diagonals, where they are not 7, 6, 4 and true"),
]
Seconds = Annotated[float | None, Field(description="limit of the time, in seconds")]
READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=False)


def mcp_server(*, caps: Caps | None = None, defaults: Defaults | None = None, workers: int = 1) -> MCPServer:
    """The server, whose method `run` answers on standard input and output until the input ends.

    caps, defaults: as for `c4mcts.protocol.Session`. workers: how many searches run at once.
    """
    questions = Questions(caps=caps or page_caps(), defaults=defaults or Defaults(), slots=Slots(workers))
    places = asyncio.Semaphore(MAX_QUESTIONS)
    server = MCPServer("c4mcts", version=__version__, instructions=INSTRUCTIONS, log_level="ERROR")

    async def ask(action: str, message: Mapping[str, Any]) -> CallToolResult:
        given = {name: value for name, value in message.items() if value is not None}
        async with places:
            reply = await questions.ask(action, given)
        if "error" in reply:
            raise ToolError(reply["error"])
        found = {name: value for name, value in reply.items() if name not in ("id", "isDuringSearch")}
        text = json.dumps(found, allow_nan=False)  # shorter than that of the SDK, which has a line for each number
        return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=found)

    @server.tool(annotations=READ_ONLY)
    async def analyze(
        moves: Moves,
        fen: Fen = None,
        rules: Rules = None,
        maxTime: Seconds = None,
        maxVisits: Annotated[int | None, Field(description="limit of the simulations")] = None,
    ) -> CallToolResult:
        """Search a position: for each move its winrate, visits, what is proven, and the line that is expected."""
        limits = {"maxTime": maxTime, "maxVisits": maxVisits}
        return await ask("analyze", {"moves": moves, "fen": fen, "rules": rules, **limits})

    @server.tool(annotations=READ_ONLY)
    async def solve(moves: Moves, fen: Fen = None, rules: Rules = None, maxTime: Seconds = None) -> CallToolResult:
        """Solve a position exactly: its score, that of each column, a line of best play. Null: full, or out of time."""
        message = {"moves": moves, "fen": fen, "rules": rules, "maxTime": maxTime}
        return await ask("solve", {**message, "includePv": True})

    @server.tool(annotations=READ_ONLY)
    async def review(moves: Moves, fen: Fen = None, rules: Rules = None, maxTime: Seconds = None) -> CallToolResult:
        """Review a game: what each move was worth, mistakes, better lines, and the accuracy of both players."""
        return await ask("review", {"moves": moves, "fen": fen, "rules": rules, "maxTime": maxTime})

    @server.tool(annotations=READ_ONLY)
    async def play(
        moves: Moves,
        level: Annotated[int, Field(ge=1, le=10, description="from 1, Beginner, to 10, Perfect")] = 10,
        fen: Fen = None,
        rules: Rules = None,
    ) -> CallToolResult:
        """Choose the next move of a game as an opponent of this level would; it is not played."""
        return await ask("play", {"moves": moves, "fen": fen, "rules": rules, "level": level})

    @server.tool(annotations=READ_ONLY)
    async def describe(moves: Moves, fen: Fen = None, rules: Rules = None) -> CallToolResult:
        """What the rules say of a position: the board, legal, winning and threatened moves, and the outcome."""
        return await ask("describe", {"moves": moves, "fen": fen, "rules": rules})

    @server.tool(annotations=READ_ONLY)
    async def opening(moves: Moves, fen: Fen = None, rules: Rules = None) -> CallToolResult:
        """What the opening book has of a position: exact results of the moves, replies that hold, and its name."""
        return await ask("opening", {"moves": moves, "fen": fen, "rules": rules})

    return server

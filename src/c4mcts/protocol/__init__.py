"""Protocol: analysis as JSON messages, with the keys of KataGo's analysis engine.

https://github.com/c4mcts/c4mcts/blob/main/docs/guide/protocol.md describes the messages.

A Session answers the messages of one client. It is independent of the transport: text goes into `receive`, and replies
come out as dicts through a callback. `c4mcts serve` connects it to standard input and output.
"""

from .caps import Caps, Defaults
from .scheduling import Slots
from .session import Session

__all__ = ["Caps", "Defaults", "Session", "Slots"]

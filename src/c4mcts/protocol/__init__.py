"""Protocol: analysis as JSON messages, with the keys of KataGo's analysis engine (docs/guide/protocol.md).

A Session answers the messages of one client. It knows nothing of the transport: text goes into `receive`, and replies
come out through a function. `c4mcts serve` connects it to standard input and output.
"""

from .caps import Caps, Defaults
from .session import Session
from .slots import Slots

__all__ = ["Caps", "Defaults", "Session", "Slots"]

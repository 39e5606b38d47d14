"""The sessions of an exported page: in a Web Worker, where Pyodide runs this package."""

import json
from collections.abc import Callable

from ..protocol import Session
from ..protocol.caps import SHARED_CAPS
from ..protocol.session import PAGE_WORKERS


def start(post: Callable[[str], object]) -> Session:
    """Begin a session of a client. post: called with each reply, as JSON."""
    return Session(lambda reply: post(json.dumps(reply, allow_nan=False)), workers=PAGE_WORKERS, caps=SHARED_CAPS)

"""The page of `c4mcts web` and of notebooks: its limits, its server, its export, and in `static` the page itself.

The server needs the extra `web` (Starlette, uvicorn, websockets). The messages on the socket are those of
c4mcts.protocol.
"""

from collections.abc import Mapping

from .._layout import MAX_THREADS
from .._platform import processors
from .._validation import between
from ..board.board import Board
from ..board.positions import a_board
from ..protocol import Caps

WORKERS = 2  # of a session: one searches while the other solves, reviews, or plays the move of a level
WAITING = 100  # positions that may wait for a worker; a page asks for a few
MAX_SECONDS, MAX_MEMORY = 600.0, 1 << 28  # of a search
# What the page may load (Content-Security-Policy): everything from its own server, nothing inline. Blobs are its own
# pictures, on their way to a PNG.
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' blob:",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
}
RANGES = {"width": (1, 20), "height": (1, 14), "connect": (2, 20)}  # of the rules that the page can draw


def page_caps(seconds: float = MAX_SECONDS, memory: int = MAX_MEMORY) -> Caps:
    """The limits of a session of the page."""
    return Caps(waiting=WAITING, seconds=seconds, memory=memory, threads=min(processors(), MAX_THREADS))


def policy_text(policy: Mapping[str, str]) -> str:
    """A Content-Security-Policy as browsers read it."""
    return "; ".join(f"{name} {value}" for name, value in policy.items())


def shown_board(board: object) -> Board:
    """A copy of a board that the page can draw, or of the text of one. TypeError, ValueError."""
    found = a_board(board).copy()
    for name, (low, high) in RANGES.items():
        between(f"board.rules.{name}", getattr(found.rules, name), low, high)
    return found

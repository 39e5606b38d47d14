"""How much a client may ask for (Caps), and what it gets if it leaves a limit out (Defaults)."""

from dataclasses import dataclass, field

from .. import _platform
from .._backend import BackendName
from .._layout import MAX_THREADS
from .._validation import positive, positive_seconds
from ..search.engine import Engine
from ..search.limits import Limits
from ..search.params import SearchParams, UctParams
from ..search.validators import from_to, validate, validated


@dataclass(frozen=True, kw_only=True)
class Caps:
    """The most that one client may ask for; a message that asks for more is refused.

    message_bytes: length of a message. waiting: positions waiting for a worker. seconds: time of one search or
    solution; it also ends those without a time limit. memory: bytes of one tree (SearchParams.max_bytes).
    threads: of one search.
    """

    message_bytes: int = validated(100_000, positive)  # a full 64 x 64 board takes a quarter of it
    waiting: int = validated(10_000, positive)
    seconds: float = validated(86_400.0, positive_seconds)
    memory: int = validated(1 << 30, positive)
    threads: int = validated(MAX_THREADS if _platform.HAS_THREADS else 1, from_to(1, MAX_THREADS))

    def __post_init__(self) -> None:
        validate(self)


# Of a page, a notebook, a program over HTTP, an assistant: clients that share a machine and ask for a few positions.
SHARED_CAPS = Caps(waiting=100, seconds=600.0, memory=1 << 28, threads=min(_platform.processors(), MAX_THREADS))


@dataclass(frozen=True, kw_only=True)
class Defaults:
    """Defaults of a query without a preset, limits or threads."""

    params: SearchParams = field(default_factory=UctParams)
    limits: Limits = field(default_factory=lambda: Limits(seconds=1.0))
    threads: int = 1
    backend: BackendName = "auto"

    def __post_init__(self) -> None:
        Engine(self.params, backend=self.backend, threads=self.threads)  # checks them

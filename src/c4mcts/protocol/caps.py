"""What a session allows its client to ask for, and what it takes where a query says nothing."""

from dataclasses import dataclass, field

from .._backend import BackendName
from .._layout import MAX_THREADS
from .._validation import between, positive, positive_seconds
from ..search.engine import Engine
from ..search.limits import Limits
from ..search.params import UctParams

MAX_VISITS = 10**12  # of one search, and nodes of one solution: weeks of work


@dataclass(frozen=True, kw_only=True)
class Caps:
    """The most that one client may ask for; a message that asks for more is refused.

    message_bytes: length of a message. waiting: positions that wait for a worker. seconds: time of one search or
    solution; it also ends those without a time limit. memory: bytes of one tree (SearchParams.max_bytes).
    threads: of one search.

    Raises TypeError or ValueError, naming the field and the value.
    """

    message_bytes: int = 100_000  # the moves and the FEN of a full 64 x 64 board take a quarter of it
    waiting: int = 10_000
    seconds: float = 86_400.0
    memory: int = 1 << 30
    threads: int = MAX_THREADS

    def __post_init__(self) -> None:
        put = object.__setattr__
        for name in ("message_bytes", "waiting", "memory"):
            put(self, name, positive(name, getattr(self, name)))
        put(self, "seconds", positive_seconds("seconds", self.seconds))
        put(self, "threads", between("threads", self.threads, 1, MAX_THREADS))


@dataclass(frozen=True, kw_only=True)
class Defaults:
    """What a query gets that names neither preset nor limits nor threads."""

    params: UctParams = field(default_factory=UctParams)
    limits: Limits = field(default_factory=lambda: Limits(seconds=1.0))
    threads: int = 1
    backend: BackendName = "auto"

    def __post_init__(self) -> None:
        Engine(self.params, backend=self.backend, threads=self.threads)  # checks them

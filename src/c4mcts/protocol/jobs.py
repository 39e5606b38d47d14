"""Jobs: one position to be searched or solved, by a worker with its engine."""

import math
import secrets
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import count

from .._backend import BackendName
from .._timer import REPORT_EVERY
from ..board.board import Board
from ..search.engine import Engine
from ..search.results import SearchResult
from ..solver.solution import solve
from . import replies
from .replies import Reply
from .requests import Analyze, Solve

LOOK_SECONDS = REPORT_EVERY  # at most so long between two looks whether the job was cancelled

Send = Callable[[Reply], None]


class Cancelled(Exception):
    """Raised inside a solution that nobody wants any more."""


def looks_per_report(report_every: float | None) -> int:
    """How many looks whether a job was cancelled come to one report; 0 if no reports are wanted."""
    return 0 if report_every is None else math.ceil(report_every / LOOK_SECONDS)


class KeptTree:
    """The engine of the last search with reuseTree, if it is not searching again. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: tuple[Analyze, Engine, int] | None = None  # what it was made for, and its seed
        self._forgotten = 0  # how often

    def forget(self) -> None:
        """Free the tree, and don't keep those that are in use."""
        with self._lock:
            self._kept = None
            self._forgotten += 1

    def take(self, request: Analyze, backend: BackendName) -> tuple[Engine, int, int]:
        """An engine for a search, its seed, and a ticket with which it may be kept afterwards.

        It is the one that was kept, if the request wants that and was made with the same parameters, or a new one.
        """
        with self._lock:
            ticket = self._forgotten
            if request.reuse_tree and self._kept is not None:
                made_for, engine, seed = self._kept
                self._kept = None
                if (made_for.params, made_for.threads) == (request.params, request.threads) and (
                    request.seed in (None, seed)
                ):
                    return engine, seed, ticket
                del engine  # its memory is free before the new one takes some
        seed = secrets.randbits(32) if request.seed is None else request.seed
        return Engine(request.params, seed=seed, backend=backend, threads=request.threads), seed, ticket

    def keep(self, request: Analyze, engine: Engine, seed: int, ticket: int) -> None:
        """Keep the engine of a search, if its request wants that, unless it was to be forgotten meanwhile."""
        with self._lock:
            if request.reuse_tree and ticket == self._forgotten:
                self._kept = request, engine, seed


class Job(ABC):
    """One position of a query. `run` is called by a worker; `cancel` by any thread, at any time."""

    def __init__(self, request: Analyze | Solve, turn: int, board: Board) -> None:
        self.id = request.id
        self.turn = turn
        self.board = board
        self.priority = request.priority
        self.number = 0  # in the order of arrival
        self.is_cancelled = False

    def cancel(self) -> None:
        """End the job soon; it sends what it has found."""
        self.is_cancelled = True

    @abstractmethod
    def run(self, tree: KeptTree, backend: BackendName, send: Send) -> Reply:
        """Do the work, send reports on the way, and return the last reply."""


class AnalyzeJob(Job):
    """Search one position."""

    def __init__(self, request: Analyze, turn: int, board: Board) -> None:
        super().__init__(request, turn, board)
        self._request = request
        self._engine: Engine | None = None

    def cancel(self) -> None:
        """Stop the search, which returns its result so far."""
        super().cancel()
        engine = self._engine
        if engine is not None:
            engine.stop()

    def run(self, tree: KeptTree, backend: BackendName, send: Send) -> Reply:
        """Search the board."""
        engine, seed, ticket = tree.take(self._request, backend)
        self._engine = engine
        try:
            result = self._search(engine, seed, send)
        finally:
            self._engine = None  # the worker may hold the job until the next one comes
        tree.keep(self._request, engine, seed, ticket)
        return replies.analysis(self.id, self.turn, result, seed, during=False)

    def _search(self, engine: Engine, seed: int, send: Send) -> SearchResult:
        """The result of the search; reports are sent on the way."""
        limits, report_every = self._request.limits, self._request.report_every
        looks = looks_per_report(report_every)
        calls = count(1)

        def look(result: SearchResult) -> None:
            if self.is_cancelled:  # perhaps before the search began, which stop() can't end
                engine.stop()
            elif looks and next(calls) % looks == 0:
                send(replies.analysis(self.id, self.turn, result, seed, during=True))

        return engine.search(
            self.board,
            simulations=limits.simulations,
            seconds=limits.seconds,
            nodes=limits.nodes,
            on_progress=look,
            interval=(report_every or LOOK_SECONDS) / (looks or 1),
        )


class SolveJob(Job):
    """Solve one position."""

    def __init__(self, request: Solve, turn: int, board: Board) -> None:
        super().__init__(request, turn, board)
        self._request = request

    def run(self, tree: KeptTree, backend: BackendName, send: Send) -> Reply:
        """Solve the board."""
        request = self._request
        looks = looks_per_report(request.report_every)
        calls = count(1)

        def look(nodes: int) -> None:
            if self.is_cancelled:
                raise Cancelled
            if looks and next(calls) % looks == 0:
                send(replies.solving(self.id, self.turn, nodes))

        try:
            solved = solve(
                self.board,
                columns=request.columns,
                max_nodes=request.max_nodes,
                seconds=request.seconds,
                on_progress=look,
                backend=backend,
            )
        except Cancelled:
            return replies.no_results(self.id, self.turn)
        return replies.solution(self.id, self.turn, solved)

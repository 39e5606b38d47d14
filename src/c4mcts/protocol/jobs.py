"""Jobs: one position of a query, for a worker; those that search and solve."""

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
from ..solver.solver import solve
from . import replies, tree_replies
from .replies import Reply
from .requests import Analyze, LookAtTree, Solve, Work
from .slots import Slots

LOOK_SECONDS = REPORT_EVERY  # at most so long between two looks whether the job was cancelled

Send = Callable[[Reply], None]


class WorkCancelled(Exception):
    """Raised inside work that nobody wants any more."""


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

    def look(self, question: LookAtTree) -> Reply | None:
        """What a node of the kept tree holds; None if there is no such tree."""
        with self._lock:
            return None if self._kept is None else answer(self._kept[1], question, None)

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


def answer(engine: Engine, question: LookAtTree, search: str | None) -> Reply:
    """What a node of the engine's tree holds, or that there is none. search: the id of the query that is growing it."""
    try:
        return tree_replies.tree_node(question.id, question.path, engine.node(question.path), search)
    except ValueError as error:
        return replies.error(str(error), question.id, "path")


class Job(ABC):
    """One position of a query. `run` is called by a worker; `cancel` by any thread, at any time."""

    def __init__(self, request: Work, turn: int, board: Board) -> None:
        self.id = request.id
        self.turn = turn
        self.board = board
        self.priority = request.priority
        self.number = 0  # in the order of arrival
        self.is_cancelled = False
        self.slots = Slots(1)  # those of the session, while it runs

    def goes_on(self) -> bool:
        """Let searches of others have their time; then whether this job is still wanted."""
        self.slots.give_way()
        return not self.is_cancelled

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
        self._lock = threading.Lock()
        self._questions: list[tuple[LookAtTree, Send]] = []  # to be answered between two steps of the search

    def ask(self, question: LookAtTree, send: Send) -> bool:
        """Let the search answer a question about its tree soon; False if it is not running."""
        with self._lock:
            if self._engine is None:
                return False
            self._questions.append((question, send))
            return True

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
        result = None
        try:
            result = self._search(engine, seed, send)
        finally:
            with self._lock:  # so that each question finds the tree, here or kept
                self._engine = None  # the worker may hold the job until the next one comes
                answers = self._answers(engine)
                if result is not None:
                    tree.keep(self._request, engine, seed, ticket)
            for tell, reply in answers:
                tell(reply)
        return replies.analysis(self.id, self.turn, result, seed, engine.nbytes, during=False)

    def _search(self, engine: Engine, seed: int, send: Send) -> SearchResult:
        """The result of the search; reports are sent on the way."""
        limits, report_every = self._request.limits, self._request.report_every
        looks = looks_per_report(report_every)
        calls = count(1)

        def look(result: SearchResult) -> None:
            with self._lock:
                answers = self._answers(engine)
            for tell, reply in answers:
                tell(reply)
            if not self.goes_on():  # cancelled, perhaps before the search began, which stop() can't end
                engine.stop()
            elif looks and next(calls) % looks == 0:
                send(replies.analysis(self.id, self.turn, result, seed, engine.nbytes, during=True))

        return engine.search(
            self.board,
            simulations=limits.simulations,
            seconds=limits.seconds,
            nodes=limits.nodes,
            on_progress=look,
            interval=(report_every or LOOK_SECONDS) / (looks or 1),
        )

    def _answers(self, engine: Engine) -> list[tuple[Send, Reply]]:
        """Answers to the questions about the tree, which nobody is changing now; needs the lock."""
        questions, self._questions = self._questions, []
        return [(send, answer(engine, question, self.id)) for question, send in questions]


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
            if not self.goes_on():
                raise WorkCancelled
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
        except WorkCancelled:
            return replies.no_results(self.id, self.turn)
        return replies.solution(self.id, self.turn, solved)

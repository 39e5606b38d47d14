"""Jobs: the work on one position of a query, and the tree that is kept for the next search."""

import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

import numpy as np

from .. import _platform
from .._backend import BackendName, load
from .._files import json_types
from .._layout import UNLIMITED
from .._timer import Timer
from ..board.board import Board
from ..play.levels import LevelPlayer
from ..play.review import MoveReview, Review, Reviewer
from ..play.strategy import PlanMove, Strategy, winning_plan
from ..provenance import review_report
from ..rules import Rules
from ..search.engine import Engine
from ..search.results import SearchResult
from ..search.run import SearchRun
from ..search.steps import simulation_steps
from ..seeds import root_seed
from ..solver.solution import Solution
from ..solver.solver import Solver
from . import replies
from . import reply_types as types
from .messages import Id
from .requests import Analyze, LookAtTree, Plan, Play, Query, ReviewGame, Solve, Steps

W = TypeVar("W", bound=Query)
R = TypeVar("R")
STEP_NODES = 1 << 19  # of the solver between two yields, about 0.1 s
SHORTEST = 1e-6  # seconds that are left for a step, at least
LINE_SECONDS = 1.0  # for the line of a solution, of which 0.1 are enough for most positions on 7 x 6
# Yields after each step, so that a platform with one thread can do something else: the only layer that does.
Work = Generator[None, None, R]


class WorkCancelled(Exception):
    """Raised to end work that was cancelled or has run out of time, and has no result."""


class KeptTree:
    """The engine of the last search with reuseTree, unless a search is using it. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: tuple[Analyze, Engine, int] | None = None  # its query, and its seed
        self._generation = 0  # of the trees: how often they were forgotten

    def forget(self) -> None:
        """Free the tree, and do not keep those that are in use now."""
        with self._lock:
            self._kept = None
            self._generation += 1

    def look(self, question: LookAtTree) -> types.TreeReply | types.ErrorReply | None:
        """The contents of a node of the kept tree; None if there is no such tree."""
        with self._lock:
            return None if self._kept is None else node_reply(self._kept[1], question, None)

    def take(self, request: Analyze, backend: BackendName) -> tuple[Engine, int, int]:
        """An engine for a search, its seed, and the generation with which it may be kept afterwards.

        It is the kept one if that is wanted and was made with the same options; otherwise a new one.
        """
        with self._lock:
            generation = self._generation
            if request.reuse and self._kept is not None:
                made_for, engine, seed = self._kept
                self._kept = None
                if (made_for.params, made_for.threads) == (request.params, request.threads) and (
                    request.seed in (None, seed)
                ):
                    return engine, seed, generation
                del engine  # frees its memory before the new one allocates
        seed = root_seed(request.seed)
        return Engine(request.params, seed=seed, backend=backend, threads=request.threads), seed, generation

    def keep(self, made_for: Analyze, engine: Engine, seed: int, generation: int) -> None:
        """Keep the engine of a search if that is wanted, unless the trees of its generation have been forgotten."""
        with self._lock:
            if made_for.reuse and generation == self._generation:
                self._kept = made_for, engine, seed


def node_reply(tree: Engine | SearchRun, question: LookAtTree, search: Id | None) -> types.TreeReply | types.ErrorReply:
    """The contents of a node of a tree, or an error. search: the id of the query that is growing it."""
    try:
        return replies.tree_node(question.id, question.path, tree.node(question.path), search)
    except ValueError as error:
        return replies.error(str(error), question.id, "path")


@dataclass(frozen=True, slots=True, kw_only=True)
class JobContext:
    """State that the jobs of a session share. The functions may be called from any thread."""

    backend: BackendName
    tree: KeptTree
    send: Callable[[Mapping[str, object]], None]  # does not raise
    on_result: Callable[[SearchResult], object]
    give_way: Callable[[], None]  # lets a search of another session run, if one is waiting
    run: Callable[["Job[Any]"], Generator[None, None, None]]  # runs a job in steps; does not raise


@dataclass(eq=False)
class Job(ABC, Generic[W]):
    """The work on one position. A worker calls `run`; any thread may call `cancel`, at any time."""

    context: JobContext
    request: W
    turn: int
    board: Board
    number: int = 0  # in the order of arrival
    is_cancelled: bool = False

    def cancel(self) -> None:
        """End the job soon; it sends its result so far."""
        self.is_cancelled = True

    def goes_on(self) -> bool:
        """Give way to other searches; then, whether this job is still wanted."""
        self.context.give_way()
        return not self.is_cancelled

    def require_time(self, timer: Timer) -> None:
        """Give way to other searches; then raise WorkCancelled if the job was cancelled or its time is up."""
        if not self.goes_on() or timer.is_over():
            raise WorkCancelled

    def head(self, is_report: bool = False) -> types.Head:
        """The first keys of a reply about this position. is_report: whether the work goes on."""
        return {"id": self.request.id, "turnNumber": self.turn, "isDuringSearch": is_report}

    @abstractmethod
    def run(self) -> Work[Mapping[str, object]]:
        """Do the work in steps, send reports meanwhile, and return the last reply. May raise WorkCancelled."""


@dataclass(eq=False)
class AnalyzeJob(Job[Analyze]):
    _engine: Engine | None = None  # while it searches
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _questions: list[LookAtTree] = field(default_factory=list)  # to be answered between two steps of the search

    def ask(self, question: LookAtTree) -> bool:
        """Have the search answer a question about its tree soon; False if it is not running."""
        with self._lock:
            if self._engine is None:
                return False
            self._questions.append(question)
            return True

    def run(self) -> Work[types.AnalysisReply]:
        tree = self.context.tree
        engine, seed, generation = tree.take(self.request, self.context.backend)
        self._engine = engine
        result = None
        try:
            result = yield from self._search(engine, seed)
        finally:
            with self._lock:  # so that each question finds the tree, either here or kept
                answers = [node_reply(engine, question, self.request.id) for question in self._questions]
                self._engine = None  # the worker still has this job while the client gets the last reply
                if result is not None:  # from here on other threads may look at the tree
                    tree.keep(self.request, engine, seed, generation)
            for each in answers:
                self.context.send(each)
        return self._reply(engine, seed, result)

    def _search(self, engine: Engine, seed: int) -> Work[SearchResult]:
        """Search in steps; after each, and in the middle of long ones, answer questions and report if that is due."""
        reports = Timer(None, self.request.report_every or math.inf)

        def report() -> None:
            self.context.send(self._reply(engine, seed, run.result(), is_report=True))

        def look() -> bool:
            with self._lock:
                questions, self._questions = self._questions, []
            for question in questions:
                self.context.send(node_reply(run, question, self.request.id))
            if self.goes_on():
                reports.poll(report)
            return self.is_cancelled

        with engine.begin(self.board, self.request.limits, look, self.request.allowed) as run:
            while run.step() and not look():
                yield
            return run.result()

    def _reply(self, engine: Engine, seed: int, result: SearchResult, is_report: bool = False) -> types.AnalysisReply:
        self.context.on_result(result)
        return replies.analysis(self.head(is_report), result, seed, engine.nbytes)


class SolveJob(Job[Solve]):
    def run(self) -> Work[types.SolutionReply]:
        request, solver = self.request, Solver(self.board.rules, backend=self.context.backend)
        solved = yield from self._solution(solver)
        has_line = request.line and solved.score is not None
        return replies.solution(self.head(), solved, self._line(solver) if has_line else [])

    def _solution(self, solver: Solver) -> Work[Solution]:
        """Solve in one call, or where there is one thread in short ones, which the table of the solver makes cheap."""
        request, nodes = self.request, 0
        limit = UNLIMITED if request.max_nodes is None else request.max_nodes
        timer, reports = Timer(request.seconds), Timer(None, request.report_every or math.inf)

        def look(count: int = 0) -> None:
            self.require_time(reports)
            report: types.SolvingReply = {**self.head(is_report=True), "nodes": nodes + count}
            reports.poll(lambda: self.context.send(report))

        while True:
            limit_now = limit - nodes if _platform.HAS_THREADS else min(STEP_NODES, limit - nodes)
            solved = solver.solve(
                self.board,
                columns=request.columns,
                max_nodes=limit_now,
                seconds=max(timer.remaining(), SHORTEST),
                on_progress=look,
            )
            nodes += solved.nodes
            if solved.nodes < limit_now or nodes >= limit or timer.is_over():
                return replace(solved, nodes=nodes, seconds=timer.elapsed)
            look()
            yield

    def _line(self, solver: Solver) -> list[int]:
        timer = Timer(min(LINE_SECONDS, self.request.seconds))
        return solver.line(self.board, on_progress=lambda _: not self.goes_on() or timer.is_over())


class PlayJob(Job[Play]):
    def run(self) -> Work[types.MoveReply]:
        """Choose a move, with a new player each time, since a client may take moves back.

        In one step: no level takes long.
        """
        level, timer = self.request.level, Timer(self.request.seconds)
        seed = root_seed(self.request.seed)
        player = LevelPlayer(level.number, backend=self.context.backend, on_progress=lambda: self.require_time(timer))
        player.begin(np.random.SeedSequence(seed))
        yield
        move = player.choose(self.board)
        return {**self.head(), "move": move, "level": level.number, "name": level.name, "seed": seed}


class ReviewJob(Job[ReviewGame]):
    def run(self) -> Work[types.ReviewReply]:
        """Review the game, from its end; reports have the moves reviewed since the last one."""
        timer = Timer(self.request.seconds, self.request.report_every or math.inf)
        backend, opening = self.context.backend, self.request.opening
        moves, sent, count = list[MoveReview](), 0, len(self.board.moves) - opening

        def report() -> None:
            nonlocal sent
            head, new, sent = self.head(is_report=True), json_types(moves[sent:]), len(moves)
            reply: types.ReviewingReply = {**head, "reviewed": sent, "moves": count, "found": new}
            self.context.send(reply)

        def look(*_: int) -> None:
            timer.poll(report)
            self.require_time(timer)

        reviewer = Reviewer(self.board, opening=opening, backend=backend, on_progress=look)
        while (move := reviewer.step()) is not None:
            moves.append(move)
            yield
        result = Review(self.board, tuple(reversed(moves)))
        fields: Any = review_report(result, backend=load(backend).name)
        return {**self.head(), "review": fields}


class PlanJob(Job[Plan]):
    def run(self) -> Work[types.PlanReply]:
        """The plan's move, or if the opponent is to move its answer to each reply; none where it does not lead.

        In one step: see winning_plan for how long it takes, once.
        """
        yield
        answers: dict[int | None, PlanMove | None] = {}
        for first in (None, 0, 1) if self.board.rules == Rules() else ():
            if not any(answers.values()):
                answers = self._answers(winning_plan(first))
        return replies.plan(self.head(), answers)

    def _answers(self, plan: Strategy) -> dict[int | None, PlanMove | None]:
        board = self.board
        after: dict[int | None, Board] = {None: board}
        if board.turn != plan.player:
            most = 3 if board == board.mirror() else 6  # the others are mirror images
            after = {column: board.after(column) for column in board.legal_columns if column <= most}
        return {reply: plan.answer(later) for reply, later in after.items() if not later.is_over()}


class StepsJob(Job[Steps]):
    def run(self) -> Work[types.StepsReply]:
        """Run the simulations, until all are done, the job is cancelled, or its time is up."""
        request, timer = self.request, Timer(self.request.seconds)
        seed = root_seed(request.seed)
        steps = []
        for step in simulation_steps(self.board, request.params, simulations=request.simulations, seed=seed):
            steps.append(step)
            if timer.is_over() or not self.goes_on():
                break
            yield
        return replies.steps(self.head(), self.board, request.params, steps, seed)

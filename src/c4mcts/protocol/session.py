"""Session: answers the messages of one client."""

import threading
from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import suppress
from typing import Any

from .. import _backend, _platform
from .._validation import an_instance, between, callback, counted, function, nothing
from ..play.exam import questions
from ..play.puzzles import puzzles
from ..search.results import SearchResult
from . import replies, requests, scheduling
from .caps import Caps, Defaults
from .jobs import AnalyzeJob, Job, JobContext, KeptTree, PlanJob, PlayJob, ReviewJob, SolveJob, StepsJob, WorkCancelled
from .messages import Id, Refusal, read_message
from .replies import Reply
from .requests import read_request
from .scheduling import Slots

JOBS: dict[type[requests.Query], type[Job[Any]]] = {
    requests.Analyze: AnalyzeJob,
    requests.Solve: SolveJob,
    requests.Play: PlayJob,
    requests.ReviewGame: ReviewJob,
    requests.Plan: PlanJob,
    requests.Steps: StepsJob,
}
MAX_WORKERS = 256
PAGE_WORKERS = 2  # one searches while the other solves, reviews, or plays the move of a level
CLOSING_SECONDS = 3.0  # a search ends within 0.1 s


class Session:
    """Answers the messages of one client by calling `on_reply`.

        session = Session(print)
        session.receive('{"id": "a", "moves": [3, 3], "maxVisits": 1000}')
        session.finish()

    on_reply: called with each reply, a dict that is ready for JSON, from any thread, but never from two at once. While
    it blocks, so do searches that have something to report. If it raises, the client is taken to be gone: all searches
    end, and `lost` is the exception. on_result: called with each SearchResult that goes into a reply to `analyze`,
    before that reply, from any thread; an exception ends the query with an error. workers: the number of threads, which
    is how many positions are searched at once, each with its own engine. slots: shared by all sessions of a
    process whose searches are to take turns; `query_version` tells how many there are. takes_turns: whether a search
    lets waiting ones run in between; if not, it has its worker, and so all of its time, to the end.

    No message makes `receive` raise: what cannot be answered gets a reply with the key "error".
    """

    def __init__(
        self,
        on_reply: Callable[[Reply], object],
        *,
        on_result: Callable[[SearchResult], object] | None = None,
        workers: int = 1,
        caps: Caps | None = None,
        defaults: Defaults | None = None,
        slots: Slots | None = None,
        takes_turns: bool = True,
    ) -> None:
        self._on_reply = function("on_reply", on_reply)
        self.caps = Caps() if caps is None else an_instance("caps", caps, Caps, "Caps")
        self._defaults = Defaults() if defaults is None else an_instance("defaults", defaults, Defaults, "Defaults")
        self._backend = _backend.load(self._defaults.backend).name
        self._count = between("workers", workers, 1, MAX_WORKERS)
        self._slots = Slots(self._count) if slots is None else an_instance("slots", slots, Slots, "Slots")
        self.lost: Exception | None = None
        self._sending = threading.RLock()
        self._lock = threading.Lock()
        self._jobs: dict[Id, list[Job[Any]]] = {}  # those that are not done, by the id of their query
        self._closed = False  # to new queries
        self._closing = False  # now, with work left undone
        self._context = JobContext(
            backend=self._defaults.backend,
            tree=KeptTree(),
            send=self._send,
            on_result=callback("on_result", on_result),
            give_way=self._slots.give_way if takes_turns else nothing,
            run=self._run,
        )
        self._workers = (scheduling.Threads if _platform.HAS_THREADS else scheduling.Turns)(self._count)

    def receive(self, data: str | bytes | dict[str, Any]) -> None:
        """Answer one message: at once, or later if it takes work. Blank text is ignored.

        data: the message as JSON, or the object that the JSON stands for.
        """
        try:
            message = data if isinstance(data, dict) else read_message(data, self.caps.message_bytes)
            if message is not None:
                self._handle(read_request(message, self.caps, self._defaults))
        except Refusal as refusal:
            self._send(replies.refusal(refusal))
        except Exception as error:  # out of memory, or a bug of ours: neither may end the session
            self._send(replies.failure(error))

    def finish(self) -> None:
        """Return when all queries are answered; later ones are refused."""
        self._closed = True
        self._workers.join()

    def close(self, seconds: float = CLOSING_SECONDS) -> bool:
        """End all queries now, with their results so far, and wait up to `seconds` until they have ended.

        Returns False if it takes longer: because of a client that does not read its replies, or an evaluator that does
        not return.
        """
        self._closed = self._closing = True
        self._context.tree.forget()
        self._end(self._select(None, None))
        return self._workers.join(seconds)

    def _handle(self, request: requests.Request) -> None:
        if not isinstance(request, requests.Query | requests.Terminate):
            with self._lock:
                self._require_free(request.id)
        match request:
            case requests.Query():
                self._queue(request)
            case requests.LookAtTree():
                self._look(request)
            case requests.Describe():
                self._send(replies.description(request.id, *request.position))
            case requests.LookUpOpening():
                self._send(replies.opening(request.id, *request.position))
            case requests.ListPuzzles():
                self._send(replies.puzzle_list(request.id, puzzles()))
            case requests.ListQuestions():
                self._send(replies.question_list(request.id, questions()))
            case requests.QueryVersion():
                self._send(replies.version(request.id, self._backend, self._slots.count, self.caps))
            case requests.Terminate():
                jobs = self._select(request.target, request.turns)
                self._send(request.echo)
                self._end(jobs)
            case requests.Clear():
                self._context.tree.forget()
                self._send(request.echo)

    def _look(self, question: requests.LookAtTree) -> None:
        """Answer a question about a tree: the newest running search's, or the one that is kept."""
        with self._lock:
            running = [job for jobs in self._jobs.values() for job in jobs if isinstance(job, AnalyzeJob)]
        running.sort(key=lambda job: -job.number)
        if any(job.ask(question) for job in running):
            return
        text = "there is no tree: no search is running, and none was kept by reuseTree"
        self._send(self._context.tree.look(question) or replies.error(text, question.id, "action"))

    def _queue(self, request: requests.Query) -> None:
        jobs = [JOBS[type(request)](self._context, request, turn, board) for turn, board in request.boards]
        with self._lock:
            self._require_free(request.id)
            if self._closed:
                raise Refusal("this session is closing", None, request.id)
            waiting, most = self._workers.waiting, self.caps.waiting
            if waiting + len(jobs) > most:
                text = f"the queue holds at most {counted(most, 'position')} and has {waiting} already: try again later"
                raise Refusal(text, None, request.id)
            self._jobs[request.id] = list(jobs)
        try:
            self._workers.add(jobs)
        except RuntimeError as error:  # the system has no more threads
            for job in self._workers.withdraw(jobs):
                self._forget(job)
                self._send(replies.failure(error, request.id, job.turn))

    def _require_free(self, name: Id) -> None:
        """Refusal of an id that a query is using. The lock must be held."""
        if name in self._jobs:
            raise Refusal(f"id {name!r} is already in use", "id", name)

    def _select(self, name: Id | None, turns: Collection[int] | None) -> list[Job[Any]]:
        """The jobs that are not done, of one query or of all, at some turns or at all."""
        with self._lock:
            queries = list(self._jobs.values()) if name is None else [self._jobs.get(name, [])]
            return [job for jobs in queries for job in jobs if turns is None or job.turn in turns]

    def _end(self, jobs: list[Job[Any]]) -> None:
        """End jobs: those that are waiting get their reply here, the others from their workers."""
        for job in self._workers.withdraw(jobs):
            self._forget(job)
            self._send(replies.no_results(job.head()))
        for job in jobs:
            job.cancel()

    def _run(self, job: Job[Any]) -> Generator[None, None, None]:
        last: Mapping[str, object] = replies.no_results(job.head())
        try:
            with suppress(WorkCancelled), self._slots:
                if not (job.is_cancelled or self._closing):  # it may have been queued while the session was closed
                    last = yield from job.run()
        except Exception as error:  # this query fails, the others continue
            last = replies.failure(error, job.request.id, job.turn)
        finally:  # also after Ctrl-C, or SystemExit in `on_result`
            self._forget(job)
            self._send(last)

    def _forget(self, job: Job[Any]) -> None:
        """Note that a job is done; after the last one of a query its id is free again."""
        with self._lock:
            jobs = self._jobs[job.request.id]
            jobs.remove(job)
            if not jobs:
                del self._jobs[job.request.id]

    def _send(self, reply: Mapping[str, object]) -> None:
        if self.lost is not None:
            return
        if not self._sending.acquire(timeout=CLOSING_SECONDS if self._closing else -1):
            self.lost = TimeoutError("the client does not read its replies")
            return
        try:
            if self.lost is None:
                self._on_reply(dict(reply))
        except Exception as error:
            self.lost = error
        finally:
            self._sending.release()
        if self.lost is not None:
            self._closed = True
            self._end(self._select(None, None))

"""Metrics: how many questions a server has answered and how long they took, in the text format of Prometheus."""

import logging
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from ..protocol import Slots

# https://prometheus.io/docs/instrumenting/exposition_formats
TYPE = "text/plain; version=0.0.4; charset=utf-8"
HELP = {
    "c4mcts_questions_total": "counter: questions over HTTP that were answered, by action and HTTP status.",
    "c4mcts_question_seconds_total": "counter: seconds from a question to its answer, by action.",
    "c4mcts_questions": "gauge: questions over HTTP that are being answered.",
    "c4mcts_searches": "gauge: searches, solutions and reviews of all clients that are at work.",
    "c4mcts_searches_waiting": "gauge: those that wait for a worker.",
}

log = logging.getLogger("c4mcts.http")  # one line for each question, at the level INFO


class Metrics:
    """Counts questions; one event loop may use it. slots: of all searches of the server."""

    def __init__(self, slots: Slots) -> None:
        self._slots = slots
        self._answered: Counter[tuple[str, int]] = Counter()  # by action and status
        self._seconds: dict[str, float] = {}  # by action
        self._open = 0

    @contextmanager
    def question(self, action: str, request: Request) -> Iterator[list[int]]:
        """Count a question, and log it. The block puts the status of the answer into the list."""
        start, status = time.monotonic(), [int(HTTPStatus.INTERNAL_SERVER_ERROR)]  # if the block raises an exception
        self._open += 1
        try:
            yield status
        finally:
            seconds = time.monotonic() - start
            self._open -= 1
            self._answered[action, status[-1]] += 1
            self._seconds[action] = self._seconds.get(action, 0.0) + seconds
            client = request.client.host if request.client else "-"
            log.info("%s %s %s %d %.3f s", client, request.method, action, status[-1], seconds)

    async def show(self, _: Request) -> Response:
        values: dict[str, dict[str, float]] = {
            "c4mcts_questions_total": {
                f'{{action="{action}",status="{status}"}}': count
                for (action, status), count in sorted(self._answered.items())
            },
            "c4mcts_question_seconds_total": {
                f'{{action="{action}"}}': round(seconds, 6) for action, seconds in sorted(self._seconds.items())
            },
            "c4mcts_questions": {"": self._open},
            "c4mcts_searches": {"": self._slots.in_use},
            "c4mcts_searches_waiting": {"": self._slots.waiting},
        }
        lines = []
        for name, about in HELP.items():
            kind, _, help_text = about.partition(": ")
            lines += [f"# HELP {name} {help_text}", f"# TYPE {name} {kind}"]
            lines += [f"{name}{labels} {value}" for labels, value in values[name].items()]
        return PlainTextResponse("\n".join([*lines, ""]), media_type=TYPE)

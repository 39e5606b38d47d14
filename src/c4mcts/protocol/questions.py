"""Questions: messages that get one reply each, without a conversation, as over HTTP."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

from .._validation import must_be
from . import replies
from .caps import Caps, Defaults
from .messages import Refusal
from .replies import Reply
from .scheduling import Slots
from .session import Session

# Actions with one reply.
QUESTIONS = ("analyze", "solve", "play", "review", "steps", "describe", "opening", "query_version")
ONLY_IN_SESSIONS = ("analyzeTurns", "reportDuringSearchEvery", "reuseTree")


class Questions:
    """Answers questions of any number of clients, each in a separate session.

    caps, defaults, slots: as for Session; the slots limit how many questions are worked on at once. A question with
    maxTime waits for a slot and keeps it, so that its time is its own; the others take turns.
    """

    def __init__(self, *, caps: Caps, defaults: Defaults, slots: Slots) -> None:
        self.caps = caps
        self._defaults = defaults
        self._slots = slots
        self._open: set[Session] = set()  # those that are not answered yet

    async def ask(self, action: str, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """The reply to a message, whose `id` may be missing. If this is cancelled, the work ends."""
        for name in ONLY_IN_SESSIONS:
            if name in message:
                return replies.refusal(Refusal(f"{name} needs a session: a question has one reply", name))
        if message.get("action", action) != action:
            return replies.refusal(Refusal(must_be("action", repr(action), message["action"]), "action"))
        reply: Future[Reply] = Future()  # it is cancelled if the client is gone
        session = Session(
            reply.set_result,
            caps=self.caps,
            defaults=self._defaults,
            slots=self._slots,
            takes_turns="maxTime" not in message,
        )
        self._open.add(session)
        try:
            await asyncio.to_thread(session.receive, {"id": "question", **message, "action": action})
            return await asyncio.wrap_future(reply)
        finally:
            self._open.remove(session)
            session.close(0)  # its thread ends by itself

    def end(self) -> None:
        """End all work; the questions are answered with the results so far."""
        for session in self._open:
            session.close(0)

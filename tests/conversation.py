"""A client of a protocol session, for tests: sends queries, collects replies, and checks both by their schemas."""

import json
import sys
import threading

from polling import until
from schemas import require_valid

from c4mcts.protocol import Session, scheduling


class Client:
    """A session whose replies are collected."""

    def __init__(self, **options):
        self.replies = []
        self.asked = 0
        self.arrived = threading.Condition()
        self.session = Session(lambda reply: self.collect(reply), **options)  # which a test may replace

    def collect(self, reply):
        with self.arrived:
            self.replies.append(json.loads(json.dumps(reply, allow_nan=False)))
            self.arrived.notify_all()

    def send(self, **query):
        require_valid("query", query)
        self.session.receive(json.dumps(query))

    def wait(self, condition):
        """The first reply that fulfils a condition."""
        with self.arrived:
            assert self.arrived.wait_for(lambda: any(map(condition, self.replies)), 20), self.replies
            return next(filter(condition, self.replies))

    def finish(self):
        """All replies, which are checked, by id."""
        self.session.finish()
        self.check()
        return self.replies

    def check(self):
        for reply in self.replies:
            require_valid("reply", reply)

    def ask(self, **query):
        """The last reply to one query."""
        self.asked += 1
        name = f"question {self.asked}"
        self.send(id=name, **query)
        return self.wait(lambda reply: reply.get("id") == name and not reply.get("isDuringSearch"))


def is_last(name):
    """Whether a reply is the last one to this query."""
    return lambda reply: reply.get("id") == name and reply.get("isDuringSearch") is False


def session_threads():
    """How many threads run the jobs of sessions."""
    return sum(is_session_thread(frame) for frame in sys._current_frames().values())


def wait_for_threads(count):
    """Wait until so many threads run the jobs of sessions, those of earlier tests included."""
    until(lambda: session_threads() == count)


def is_session_thread(frame):
    return is_session_thread(frame.f_back) if frame.f_back else frame.f_code.co_filename == scheduling.__file__


def without_times(value):
    """A reply without what differs from one time to the next."""
    if isinstance(value, dict):
        return {name: without_times(each) for name, each in value.items() if name not in ("seconds", "workers")}
    return [without_times(each) for each in value] if isinstance(value, list) else value

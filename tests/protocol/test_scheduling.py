"""Slots: a limit on how many run at once, in the order in which they asked. Threads: no query waits for ever."""

import itertools
import threading

import pytest
from conversation import Client, is_last, wait_for_threads
from polling import until

from c4mcts.protocol import Session, Slots, scheduling

SHORT = {"action": "steps", "maxVisits": 2, "preset": "uct"}


def test_no_more_at_once_than_there_are_slots():
    slots, running, most = Slots(2), [], []
    meeting = threading.Barrier(2, timeout=20)  # each thread's first turn is shared with that of another

    def work():
        with slots:
            for turn in range(20):
                running.append(None)
                most.append(len(running))
                if turn == 0:
                    meeting.wait()
                running.pop()
                slots.give_way()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert max(most) == 2
    assert len(most) == 8 * 20


def test_they_take_turns_in_the_order_of_arrival():
    slots, order = Slots(1), []

    def work(name):
        with slots:
            for _ in range(3):
                order.append(name)
                slots.give_way()

    with slots:
        threads = [threading.Thread(target=work, args=(name,)) for name in "abc"]
        for number, thread in enumerate(threads, 1):
            thread.start()
            until(lambda number=number: len(slots._waiting) == number)
    for thread in threads:
        thread.join(20)
    assert "".join(order) == "abc" * 3


def test_a_slot_is_given_back_after_an_error():
    slots = Slots(1)
    with pytest.raises(ZeroDivisionError), slots:
        raise ZeroDivisionError
    with slots:
        slots.give_way()


def test_sessions_that_share_a_slot_search_at_the_same_time():
    """Each in its turn: reports come from both, and both end at once when they are told to."""
    slots = Slots(1)
    clients = [Client(slots=slots), Client(slots=slots)]
    for client in clients:
        client.send(id="a", maxTime=60, reportDuringSearchEvery=0.02, preset="uct")
    for client in clients:
        client.wait(lambda reply: reply["isDuringSearch"] and reply["rootInfo"]["simulations"] > 500)
    assert all([client.session.close() for client in clients])
    for client in clients:
        assert client.replies[-1]["isDuringSearch"] is False


def test_threads_end_when_no_query_is_waiting():
    client = Client(workers=2)
    for name in "abcd":
        client.send(id=name, **SHORT)
    for name in "abcd":
        client.wait(is_last(name))
    wait_for_threads(0)
    assert client.ask(**SHORT)["steps"]
    assert client.session.close(20)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_message_between_any_two_looks_of_a_thread_at_the_queue_is_answered(workers):
    for when in itertools.count():
        client, looks = Client(workers=workers), itertools.count()

        def look(client=client, looks=looks, when=when):
            if threading.current_thread() is not threading.main_thread() and next(looks) == when:
                client.send(id="b", **SHORT)

        client.session._workers._changed = Watched(look)
        client.send(id="a", **SHORT)
        client.wait(is_last("a"))
        wait_for_threads(0)
        if next(looks) <= when:
            break
        client.wait(is_last("b"))
        assert client.session.close(20)
    assert when >= 6, "when it takes a query, when it is done with it, and when it sees that there is no other"


class Watched(threading.Condition):
    """Calls a function before each time that it is held, and after it."""

    def __init__(self, look):
        super().__init__()
        self.look = look

    def __enter__(self):
        self.look()
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        self.look()


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, RuntimeError])
def test_a_function_of_the_client_that_ends_its_thread_ends_nothing_else(monkeypatch, error):
    def fail(result):
        raise error

    monkeypatch.setattr("sys.unraisablehook", lambda _: None)
    client = Client(on_result=fail)
    for name in "ab":
        client.send(id=name, maxVisits=5)
        client.send(id=f"after {name}", **SHORT)
    assert [reply["id"] for reply in client.finish()] == ["a", "after a", "b", "after b"]


def test_without_threads_a_query_gets_an_error_and_its_id_is_free(monkeypatch):
    def refused(*_):
        raise RuntimeError("can't start new thread")

    client = Client()
    with monkeypatch.context() as patched:
        patched.setattr(scheduling, "start_new_thread", refused)
        client.send(id="a", analyzeTurns=[0, 1], position="44", maxVisits=5)
    assert [reply["error"] for reply in client.replies] == ["RuntimeError: can't start new thread"] * 2
    client.send(id="a", **SHORT)
    assert client.finish()[-1]["steps"]


def test_a_session_refuses_to_wait_for_itself():
    def on_reply(reply):
        session.finish()

    session = Session(on_reply)
    session.receive({"id": "a", **SHORT})
    session.finish()
    assert "on_reply" in str(session.lost)

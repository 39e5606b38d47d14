"""Slots: a limit on how many run at once, in the order in which they asked; sessions that share it."""

import gc
import threading
import time

import pytest
from conversation import Client

from c4mcts.protocol import Session, Slots


def test_no_more_at_once_than_there_are_slots():
    slots, running, most = Slots(2), [], []

    def work():
        with slots:
            for _ in range(20):
                running.append(None)
                most.append(len(running))
                time.sleep(0.0005)
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
            while len(slots._waiting) < number:
                time.sleep(0.001)
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


def test_a_session_that_nobody_closes_ends_its_threads():
    before = set(threading.enumerate())
    found = threading.Event()
    session = Session(lambda reply: found.set(), workers=2)
    session.receive('{"id": "a", "maxVisits": 5}')
    assert found.wait(20)
    del session
    gc.collect()
    for thread in set(threading.enumerate()) - before:
        thread.join(20)
        assert not thread.is_alive()

"""No message, however broken, ends a session: each gets one error, and the next query is answered."""

import json
import sys
import tracemalloc
from queue import SimpleQueue

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from schemas import is_valid, require_valid

from c4mcts.protocol import Caps, Session
from c4mcts.protocol.requests import ACTIONS
from c4mcts.protocol.schema import keys_of

FEN = "7/7/7/7/7/2xo3 x 7x6x4"


def answers(*messages, **options):
    """The replies to some messages, all of them done."""
    replies = []
    session = Session(lambda reply: replies.append(json.loads(json.dumps(reply, allow_nan=False))), **options)
    for message in messages:
        session.receive(message)
    session.finish()
    for reply in replies:
        require_valid("reply", reply)
    return replies


def query(**keys):
    return json.dumps({"id": "x", **keys})


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("foo", ["JSON", "char 0"]),
        ('["id"]', ["object"]),
        (b"\xff\xfe{}", ["UTF-8", "byte 0", "0xff"]),
        ("[" * 50_000, ["nested" if sys.version_info < (3, 14) else "must be JSON"]),
        ("x" * 1_000_000, ["100,000 bytes"]),
        (b"\x80" * 1_000_000, ["100,000 bytes"]),
        ('{"id": "x", "id": "y"}', ["'id'", "twice"]),
        ('{"id": "x", "maxTime": NaN}', ["NaN"]),
        ('{"id": "x", "seed": ' + "9" * 5000 + "}", ["JSON", "4300 digits"]),
        ("{}", ["'id'"]),
        ('{"id": 3.5}', ["id", "a string or an integer", "3.5"]),
        ('{"id": ""}', ["id", "0"]),
        ('{"id": "' + "x" * 201 + '"}', ["id", "201"]),
    ],
)
def test_broken_messages(message, words):
    broken, answer = answers(message, query(maxVisits=5))
    assert set(broken) <= {"error", "field"}
    assert all(word in broken["error"] for word in words), broken
    assert answer["id"] == "x"
    assert answer["isDuringSearch"] is False


@pytest.mark.parametrize(
    ("keys", "field", "words"),
    [
        ({"action": "explode"}, "action", ["'explode'", "'solve'"]),
        ({"action": "terminate"}, "terminateId", ["terminateId"]),
        ({"action": "describe", "maxVisits": 1}, "maxVisits", ["maxVisits"]),
        ({"maxVisit": 5}, "maxVisit", ["did you mean 'maxVisits'"]),
        ({"\ud800\n" * 200: 5}, None, ["unknown"]),
        ({"moves": [3, "3"]}, "moves", ["moves[1]", "'3'"]),
        ({"moves": [3, 7]}, "moves", ["moves[1]", "0 to 6", "7"]),
        ({"moves": [0, 1] * 3 + [0]}, "moves", ["player 0 has won", "turn 7"]),
        ({"position": "1212121"}, "position", ["player 0 has won"]),
        ({"fen": "7/7/x6/xo5/xo5/xo5 o 7x6x4"}, "fen", ["player 0 has won", "turn 0"]),
        ({"allowMoves": [0, 7]}, "allowMoves", ["allowMoves must be", "[0, 7]"]),
        ({"position": "44x"}, "position", ["'x'", "character 3"]),
        ({"position": "4", "fen": FEN}, "fen", ["position"]),
        ({"fen": FEN, "rules": {"width": 8}}, "fen", ["7x6x4", "8x6x4"]),
        ({"rules": {"width": 65}}, "rules", ["width", "65"]),
        ({"rules": {"komi": 7.5}}, "rules", ["komi"]),
        ({"analyzeTurns": [1]}, "analyzeTurns", ["analyzeTurns[0]", "0 to 0", "1"]),
        ({"analyzeTurns": [0, 0]}, "analyzeTurns", ["distinct"]),
        ({"preset": "puct-node"}, "preset", ["puct-node"]),
        ({"overrideSettings": {"self": 1}}, "overrideSettings", ["no parameter 'self'"]),
        ({"overrideSettings": {"root_noise": [1, 0.5]}}, "overrideSettings", ["a parameter of PuctParams"]),
        ({"action": "solve", "analyzeTurns": [0]}, "analyzeTurns", ["analyzeTurns"]),
        ({"action": "play", "level": 11}, "level", ["1 to 10", "11"]),
        ({"action": "review", "position": "4444444"}, "position", ["full"]),
        ({"action": "tree", "path": [3, "3"]}, "path", ["path[1]", "'3'"]),
    ],
)  # fmt: skip
def test_wrong_keys_are_named_with_the_id(keys, field, words):
    """Values of a wrong type or out of range are left to test_schema, mostly."""
    wrong, answer = answers(query(**keys), query(maxVisits=5))
    assert (wrong["id"], answer["id"]) == ("x", "x")
    assert field is None or wrong["field"] == field
    assert all(word in wrong["error"] for word in words), wrong
    assert len(json.dumps(wrong)) < 4000
    assert "isDuringSearch" not in wrong


def test_blank_messages_are_ignored():
    assert answers("", b"", "  \r\n", b"\t") == []


def test_whole_numbers_may_be_written_as_floats():
    (reply,) = answers('{"id": "x", "maxVisits": 1e2, "moves": [3.0]}')
    assert (reply["rootInfo"]["simulations"], reply["turnNumber"]) == (100, 1)


def test_an_id_in_use_is_refused_and_then_free_again():
    replies = answers(
        query(maxTime=60), query(maxVisits=5), query(action="terminate", terminateId="x"), workers=1
    )  # fmt: skip
    refused = [reply for reply in replies if "error" in reply]
    assert [(reply["id"], reply["field"]) for reply in refused] == [("x", "id")]
    assert "already in use" in refused[0]["error"]
    for action in ("describe", "opening", "puzzles", "exam", "query_version", "clear", "tree"):
        replies = answers(query(maxTime=60), query(action=action), query(action="terminate_all"), workers=1)
        assert [reply["field"] for reply in replies if "error" in reply] == ["id"], action
    done = SimpleQueue()
    session = Session(done.put)
    for _ in range(3):
        session.receive(query(maxVisits=5))
        assert done.get(timeout=20)["isDuringSearch"] is False
    assert session.close()


def test_too_many_waiting_positions_are_refused():
    messages = [json.dumps({"id": f"{number}", "maxTime": 60}) for number in range(30)]
    turns = json.dumps({"id": "game", "position": "4453", "analyzeTurns": [0, 1, 2, 3, 4], "maxTime": 60})
    end = '{"id": "end", "action": "terminate_all"}'
    replies = answers(*messages, turns, end, caps=Caps(waiting=5))
    refused = {reply["id"] for reply in replies if "error" in reply}
    assert len(refused) in (25, 26)  # of 31, when five wait and one may run already
    assert "game" in refused
    assert {reply["id"] for reply in replies} == {str(number) for number in range(30)} | {"game", "end"}


def test_positions_are_counted_before_they_are_made():
    """Refusing a message takes little more memory than reading it."""
    rules = {"width": 64, "height": 64, "connect": 4096}
    moves = [column for column in range(64) for _ in range(64)]
    message = query(rules=rules, moves=moves, analyzeTurns=list(range(4096)))
    tracemalloc.start()
    try:
        (reply,) = answers(message, caps=Caps(waiting=100))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert reply == {"error": "analyzeTurns must have 1 to 100 turns, not 4096", "id": "x", "field": "analyzeTurns"}
    assert peak < 5_000_000


def test_a_search_that_fails_fails_alone(monkeypatch):
    def broken(*args, **kwargs):
        raise MemoryError

    good = query(maxVisits=5)
    monkeypatch.setattr("c4mcts.protocol.jobs.Solver", broken)
    failed, answer = answers('{"id": "s", "action": "solve"}', good)
    assert failed == {"error": "there is not enough memory", "id": "s", "turnNumber": 0}
    assert answer["isDuringSearch"] is False


def test_the_largest_position_is_answered_within_bounds():
    rules = {"width": 64, "height": 64, "connect": 100}
    moves = [column for column in range(64) for _ in range(64)][:-1]
    (reply,) = answers(query(action="describe", rules=rules, moves=moves))
    assert len(json.dumps(reply)) < 50_000
    (found,) = answers(query(rules=rules, moves=moves, maxVisits=10))
    assert found["moveInfos"][0]["move"] == 63


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
KEYS = ["id", "action", *{key.name: None for action in ACTIONS for key in keys_of(action, Caps())}]


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=4), st.sampled_from(list(ACTIONS)))
def test_random_values_of_known_keys(keys, action):
    """What the schema of queries refuses is refused, and nothing else happens."""
    message = {"id": "x", "action": action, **({"maxVisits": 1} if action == "analyze" else {}), **keys}
    replies = answers(json.dumps(message), caps=Caps(seconds=0.02))
    assert replies
    if not is_valid("query", message):
        assert "error" in replies[0]


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=80) | st.text(max_size=80))
def test_random_bytes(data):
    for reply in answers(data):
        assert "error" in reply

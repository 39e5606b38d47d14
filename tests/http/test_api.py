"""Questions over HTTP: by POST and by GET, what is refused and with which status, other sites, many at once."""

import json
import threading

import pytest
from conversation import without_times
from polling import until
from schemas import require_valid

import c4mcts
from c4mcts import solve
from c4mcts.page import STATIC
from c4mcts.protocol import Caps, Defaults, Session, Slots
from c4mcts.search.limits import Limits

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

HANG = 60  # seconds
HOST = "127.0.0.1:8000"
CAPS = Caps(message_bytes=2000, seconds=60.0, memory=1 << 24)
HARD = {"position": "445", "maxTime": 60, "overrideSettings": {"proofs": False, "probes": False}}


@pytest.fixture
def server(client_of):
    """A function that makes clients of a server without the page."""
    options = {"caps": CAPS, "defaults": Defaults(limits=Limits(simulations=50)), "page": None}
    return lambda **changes: client_of(**{**options, **changes})


@pytest.fixture
def client(server):
    return server()


def told(response, status=200):
    """The reply in a response, which is as the schema says."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    reply = response.json()
    require_valid("reply", reply)
    return reply


MESSAGES = {
    "analyze": {"position": "4453", "maxVisits": 100, "seed": 7},
    "solve": {"moves": [3, 3, 4], "includePv": True},
    "play": {"position": "445", "level": "Beginner", "seed": 1},
    "review": {"position": "44444226"},
    "steps": {"maxVisits": 3, "seed": 1},
    "describe": {"position": "1212121"},
    "opening": {"position": "44"},
    "query_version": {},
}


@pytest.mark.parametrize("action", MESSAGES)
def test_a_question_is_answered_as_in_a_session_also_in_an_address(client, action):
    message = {"id": "mine", **MESSAGES[action]}
    replies = []
    session = Session(replies.append, caps=CAPS)
    session.receive(json.dumps({"action": action, **message}))
    session.finish()
    posted = told(client.post(f"/{action}", json=message))
    position = message.pop("position", "")
    query = {name: value if isinstance(value, str) else json.dumps(value) for name, value in message.items()}
    got = told(client.get(f"/{action}/{position}", params=query))
    assert without_times(posted) == without_times(got) == without_times(replies[-1])


def test_an_id_may_be_a_number_and_a_text_in_an_address_json(client):
    assert told(client.post("/solve", json={"id": 3}))["id"] == 3
    asked = [client.get(f"/analyze/445?seed=1&preset={preset}") for preset in ("uct", '"uct"')]
    assert without_times(told(asked[0])) == without_times(told(asked[1]))


def test_the_workers_are_those_of_the_server(server):
    assert told(server(searches=3).get("/query_version"))["workers"] == 3


def test_without_a_position_it_is_the_empty_board(client):
    assert told(client.get("/solve"))["score"] == told(client.get("/solve/"))["score"] == 1
    assert told(client.post("/analyze"))["rootInfo"]["simulations"] == 50


def test_a_slash_at_the_end_and_a_byte_order_mark_mean_nothing(client):
    marked = client.post("/solve", content=b'\xef\xbb\xbf{"position": "445"}')
    assert told(marked)["score"] == told(client.get("/solve/445/"))["score"] == solve("445").score


def test_the_rules_in_an_address(client):
    found = told(client.get("/describe/5", params={"rules": '{"width": 5, "height": 4}'}))
    assert found["rules"]["width"] == 5
    assert told(client.get("/describe/", params={"fen": found["fen"]}))["currentPlayer"] == 1


@pytest.mark.parametrize(
    ("body", "field", "words"),
    [
        (b"{", None, "must be JSON"),
        (b'{"position": "449"}', "position", "not 9"),
        (b'{"maxTime": 61}', "maxTime", "at most 60"),
        (b'{"simulations": 100}', "simulations", "write 'maxVisits'"),
        (b'{"timeout": 1}', "timeout", "write 'maxTime'"),
        (b'{"analyzeTurns": [0, 1]}', "analyzeTurns", "one reply"),
        (b'{"reportDuringSearchEvery": 1}', "reportDuringSearchEvery", "one reply"),
        (b'{"reuseTree": true}', "reuseTree", "one reply"),
        (b'{"action": "solve"}', "action", "must be 'analyze', not 'solve'"),
    ],
)
def test_what_cannot_be_answered(client, body, field, words):
    reply = told(client.post("/analyze", content=body), status=400)
    assert (reply.get("field"), words in reply["error"]) == (field, True), reply


@pytest.mark.parametrize(
    ("address", "field"),
    [
        ("/solve/445?position=4", "position"),
        ("/solve/445?maxTime=1&maxTime=2", "maxTime"),
        ("/solve/445?maxTime=soon", "maxTime"),
        ("/solve/445?maxTime=NaN", "maxTime"),
        ("/solve/4/4", "position"),
    ],
)
def test_addresses_that_cannot_be_answered(client, address, field):
    reply = told(client.get(address), status=400)
    assert reply["error"]
    assert reply.get("field") == field


def test_a_message_that_is_too_long(client):
    longest = b'{"position": "445"}'.ljust(2000)
    assert told(client.post("/solve", content=longest))["score"] == solve("445").score
    assert "at most 2,000 bytes" in told(client.post("/solve", content=longest + b" "), status=413)["error"]


def test_an_error_of_ours_is_no_fault_of_the_client(client, monkeypatch):
    monkeypatch.setattr("c4mcts.protocol.jobs.Solver", lambda *_, **__: 1 / 0)
    assert "ZeroDivisionError" in told(client.get("/solve/445"), status=500)["error"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/", 404), ("POST", "/terminate", 404), ("POST", "/solve/4", 405), ("DELETE", "/solve/4", 405)],
)
def test_other_addresses(client, method, path, status):
    response = client.request(method, path, follow_redirects=False)
    assert response.status_code == status
    assert status != 404 or f"there is no {path!r}: ask as in /solve/445" in response.json()["error"]


def test_the_page_has_the_same_door(server):
    with_page = server(page=STATIC)
    assert with_page.get("/").status_code == 200
    assert told(with_page.get("/solve/445"))["score"] == solve("445").score


def test_a_question_with_a_time_limit_keeps_its_worker_and_others_take_turns(client, monkeypatch):
    turns = []
    monkeypatch.setattr(Slots, "give_way", lambda slots: turns.append(slots))
    told(client.post("/analyze", json={**HARD, "maxTime": 0.2}))
    assert not turns
    told(client.post("/analyze", json={"position": "445", "maxVisits": 500}))
    assert turns


# for whoever runs a server


def test_it_says_that_it_is_well(client):
    assert client.get("/health").json() == {"status": "ok", "version": c4mcts.__version__}


def metrics_of(client):
    """The values of the metrics, by name and labels."""
    response = client.get("/metrics")
    assert response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    lines = [line.rsplit(" ", 1) for line in response.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines}


def test_questions_are_counted_by_action_and_status_and_logged(client, caplog):
    caplog.set_level("INFO", "c4mcts.http")
    for path in ("/solve/445", "/solve/9", "/solve/44", "/analyze/4?maxVisits=10"):
        client.get(path)
    until(lambda: metrics_of(client)["c4mcts_searches"] == 0)  # a search is over a moment after its reply
    found = metrics_of(client)
    assert found['c4mcts_questions_total{action="solve",status="200"}'] == 2
    assert found['c4mcts_questions_total{action="solve",status="400"}'] == 1
    assert found['c4mcts_questions_total{action="analyze",status="200"}'] == 1
    assert found['c4mcts_question_seconds_total{action="analyze"}'] > 0
    assert found["c4mcts_questions"] == found["c4mcts_searches"] == found["c4mcts_searches_waiting"] == 0
    lines = [record.getMessage() for record in caplog.records if record.name == "c4mcts.http"]
    assert [line.split()[1:4] for line in lines] == [
        ["GET", "solve", "200"],
        ["GET", "solve", "400"],
        ["GET", "solve", "200"],
        ["GET", "analyze", "200"],
    ]


# who may ask

ALLOWED = "https://example.org"


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"host": "evil.example"},
        {"sec-fetch-site": "cross-site"},  # an image, which has no Origin
        {"sec-fetch-site": "same-site"},
    ],
)
def test_other_sites_cannot_ask(server, headers):
    client = server(origins=[ALLOWED])
    for response in (client.get("/solve/445", headers=headers), client.post("/solve", headers=headers)):
        assert response.status_code == 403
        assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_the_own_page_and_the_address_bar_can_ask(client, site):
    assert client.get("/solve/445", headers={"sec-fetch-site": site}).status_code == 200


def test_an_allowed_site_can_ask(server):
    client = server(origins=[ALLOWED])
    headers = {"origin": ALLOWED, "sec-fetch-site": "cross-site"}
    asked = {"access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    assert client.options("/solve", headers={**headers, **asked}).status_code == 200
    response = client.post("/solve", json={"position": "445"}, headers=headers)
    assert told(response)["score"] == solve("445").score
    assert response.headers["access-control-allow-origin"] == ALLOWED
    with client.websocket_connect("/socket", headers={"host": HOST, **headers}) as socket:
        socket.send_text('{"id": "a", "action": "query_version"}')
        assert json.loads(socket.receive_text())["protocol"] == 1


def test_more_questions_than_the_server_takes(server):
    client, seconds = server(searches=4), 2
    asked = [
        threading.Thread(target=client.post, args=("/analyze",), kwargs={"json": {**HARD, "maxTime": seconds}})
        for _ in range(4)
    ]
    for each in asked:
        each.start()
    until(lambda: metrics_of(client)["c4mcts_searches"] == 4)
    response = client.get("/solve/445")
    assert "4 questions are being answered already" in told(response, status=503)["error"]
    assert response.headers["retry-after"] == "1"
    assert metrics_of(client)["c4mcts_questions"] == metrics_of(client)["c4mcts_searches"] == 4
    for each in asked:
        each.join()
    assert client.get("/solve/445").status_code == 200

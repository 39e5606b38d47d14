"""Sessions: queries and their replies, priorities, reports, ends; every reply is as docs/schemas/reply.json says."""

import copy
import gc
import json
import threading
import time
import weakref

import pytest
from conversation import is_last
from refusals import refused

import c4mcts
from c4mcts import Board, Engine, SearchParams, UctParams
from c4mcts._files import json_types
from c4mcts.play import puzzles
from c4mcts.play.exam import questions
from c4mcts.play.review import Reviewer
from c4mcts.protocol import Caps, Defaults, Session
from c4mcts.search.limits import Limits
from c4mcts.solver.book import shipped_book

LONG = {"maxTime": 60}
LATE = "454616674431654"  # soon solved

# searches


def expect_visits(reply, result):
    """The moves of a reply have the visits of a search."""
    visits = {info["move"]: info["visits"] for info in reply["moveInfos"]}
    assert visits == {move.column: move.visits for move in result.moves}


def test_a_search_is_that_of_the_engine(client, backend):
    found = client(defaults=Defaults(backend=backend))
    found.send(id="a", moves=[3, 3, 4], maxVisits=300, seed=7)
    (reply,) = found.finish()
    result = Engine(seed=7).search(Board.from_moves([3, 3, 4]), simulations=300)
    expect_visits(reply, result)
    best = reply["moveInfos"][0]
    assert (best["move"], best["pv"]) == (result.column, list(result.pv))
    assert best["winrate"] == reply["rootInfo"]["winrate"] == result.value
    assert [info["order"] for info in reply["moveInfos"]] == list(range(7))
    assert reply["rootInfo"]["visits"] == reply["rootInfo"]["simulations"] == 300
    assert (reply["rootInfo"]["seed"], reply["rootInfo"]["currentPlayer"], reply["turnNumber"]) == (7, 1, 3)
    assert reply["isDuringSearch"] is False


@pytest.mark.parametrize(
    ("keys", "board"),
    [
        ({}, Board()),
        ({"position": "4453"}, Board.from_pons("4453")),
        ({"fen": "7/7/7/7/7/2xo3 x 7x6x4"}, Board.from_moves([2, 3])),
        ({"fen": "7/7/7/7/7/2xo3 x 7x6x4", "moves": [6]}, Board.from_moves([2, 3, 6])),
        ({"rules": {"width": 9, "height": 5, "connect": 3, "diagonals": False}, "moves": [8]},
         Board.from_moves([8], c4mcts.Rules(9, 5, 3, False))),
        ({"rules": {"width": 20}, "moves": [19, 0]}, Board.from_moves([19, 0], c4mcts.Rules(20))),
    ],
)  # fmt: skip
def test_positions(client, keys, board):
    reply = client().ask(action="describe", **keys)
    assert reply["fen"] == board.to_fen()
    assert reply["legalMoves"] == board.legal_columns
    assert reply["board"] == board.to_array().tolist()
    assert reply["currentPlayer"] == board.turn


def test_turns_of_a_game(client):
    asked = client()
    asked.send(id="game", position="4453", analyzeTurns=[4, 0, 2], maxVisits=50, seed=1)
    replies = asked.finish()
    assert [reply["turnNumber"] for reply in replies] == [4, 0, 2]
    assert [reply["rootInfo"]["currentPlayer"] for reply in replies] == [0, 0, 0]
    after_two = Engine(seed=1).search(Board.from_pons("44"), simulations=50)
    assert replies[2]["rootInfo"]["winrate"] == after_two.value


def test_presets_and_settings(client):
    settings = {"exploration": 0.3, "first_play": "inf"}
    asked = {"maxVisits": 300, "seed": 5, "preset": "uct", "overrideSettings": settings}
    expected = Engine(SearchParams.preset("uct", exploration=0.3), seed=5).search(Board(), simulations=300)
    for reply in (client().ask(**asked), client(defaults=Defaults(params=UctParams(choice="value"))).ask(**asked)):
        expect_visits(reply, expected)


def test_the_network_searches_and_its_tree_can_be_looked_at(client):
    asked = client()
    found = asked.ask(preset="network", position="4453", maxVisits=200, seed=3, reuseTree=True)
    expected = Engine(preset="network", seed=3).search("4453", simulations=200)
    expect_visits(found, expected)
    tree = asked.ask(action="tree", path=[expected.column])
    assert tree["visits"] == next(move.visits for move in expected.moves if move.column == expected.column)


def test_what_the_network_is_not_for(client):
    asked = client(defaults=Defaults(params=SearchParams.preset("network")))
    refused = asked.ask(rules={"width": 9, "height": 7, "connect": 5})
    assert refused["error"] == "the network is for four in a row, diagonals included, not for 9x7x5"
    assert refused["field"] == "preset"
    assert asked.ask(action="steps", maxVisits=3)["field"] == "preset"
    assert "must be one of" in asked.ask(action="steps", maxVisits=3, preset="network")["error"]
    assert len(asked.ask(action="steps", maxVisits=3, preset="uct")["steps"]) == 3


def test_defaults_are_for_queries_that_say_nothing(client):
    asked = client(defaults=Defaults(params=SearchParams.preset("uct"), limits=Limits(simulations=77)))
    assert asked.ask()["rootInfo"]["simulations"] == 77
    assert asked.ask(maxVisits=5)["rootInfo"]["simulations"] == 5
    assert asked.ask(maxNodes=50)["rootInfo"]["nodes"] <= 60


def test_the_time_of_every_search_is_limited(client):
    asked = client(caps=Caps(seconds=0.05))
    assert asked.ask(maxVisits=10**12)["rootInfo"]["simulations"] < 10**12
    assert asked.ask(action="solve", rules={"width": 8, "height": 7})["score"] is None


def test_the_memory_of_every_search_is_limited(client):
    asked = client(caps=Caps(memory=16_000))
    assert asked.ask(maxVisits=2000, preset="uct")["rootInfo"]["nodes"] <= 1000
    assert asked.ask(maxVisits=2000, preset="uct", overrideSettings={"max_bytes": 8000})["rootInfo"]["nodes"] <= 500
    too_much = asked.ask(preset="uct", overrideSettings={"max_bytes": 16_001})
    assert "max_bytes must be at most 16000" in too_much["error"]
    too_little = asked.ask(preset="strong")
    assert too_little["field"] == "preset"
    assert "max_bytes is too small" in too_little["error"]


def test_a_tree_is_kept_for_those_who_want_it(client):
    asked = client()
    query = {"maxVisits": 500, "preset": "uct"}
    first = asked.ask(**query, reuseTree=True)
    again = asked.ask(**query, reuseTree=True)
    assert (again["rootInfo"]["visits"], again["rootInfo"]["simulations"]) == (1000, 500)
    assert again["rootInfo"]["seed"] == first["rootInfo"]["seed"]
    deeper = asked.ask(**query, reuseTree=True, moves=[again["moveInfos"][0]["move"]])
    assert deeper["rootInfo"]["visits"] > 500
    assert asked.ask(**query, reuseTree=True, seed=first["rootInfo"]["seed"] + 1)["rootInfo"]["visits"] == 500
    for freeing in ("clear", "clear_cache"):
        assert asked.ask(**query, reuseTree=True)["rootInfo"]["visits"] >= 500
        assert set(asked.ask(action=freeing)) == {"id", "action"}
        assert asked.ask(**query, reuseTree=True)["rootInfo"]["visits"] == 500
    assert asked.ask(**query)["rootInfo"]["visits"] == 500


def test_only_allowed_moves_are_searched(client):
    asked = client(workers=1)
    query = {"position": "45461667", "maxVisits": 3000, "seed": 1}
    found = asked.ask(**query, allowMoves=[5, 0])
    assert [(info["move"], info["proof"]) for info in found["moveInfos"]] == [(5, "win"), (0, "win")]
    assert (found["rootInfo"]["proof"], found["rootInfo"]["distance"]) == ("win", 23)
    assert asked.ask(**query, allowMoves=[0, 7])["field"] == "allowMoves"


def test_one_query_at_a_time_has_the_kept_tree(client):
    asked = client(workers=2)
    query = {"preset": "uct", "reuseTree": True}
    asked.ask(**query, maxVisits=500)
    asked.send(id="long", **query, **LONG, reportDuringSearchEvery=0.05)
    assert asked.wait(lambda reply: reply.get("isDuringSearch"))["rootInfo"]["visits"] >= 500
    assert asked.ask(**query, maxVisits=100)["rootInfo"]["visits"] == 100
    asked.send(id="free", action="clear")
    asked.send(id="t", action="terminate", terminateId="long")
    asked.wait(is_last("long"))
    assert asked.ask(**query, maxVisits=100)["rootInfo"]["visits"] == 100


def test_an_engine_is_freed_when_nobody_needs_it(client, monkeypatch):
    engines = []

    def made(*args, **options):
        engine = Engine(*args, **options)
        engines.append(weakref.ref(engine))
        return engine

    def alive():
        gc.collect()
        return [number for number, engine in enumerate(engines) if engine() is not None]

    monkeypatch.setattr("c4mcts.protocol.jobs.Engine", made)
    asked = client(workers=2)
    asked.ask(maxVisits=50)
    asked.ask(maxVisits=50, reuseTree=True)
    assert alive() == [1]
    asked.ask(maxVisits=50, reuseTree=True, preset="uct")
    assert alive() == [2]
    asked.session.close()
    assert alive() == []


# reports, priorities, ends


def test_reports_during_a_search(client):
    asked = client()
    asked.send(id="a", maxTime=60, preset="uct", reportDuringSearchEvery=0.02)
    asked.wait(lambda reply: len(asked.replies) == 5)
    asked.send(id="end", action="terminate", terminateId="a")
    replies = [reply for reply in asked.finish() if reply["id"] == "a"]
    assert [reply["isDuringSearch"] for reply in replies] == [True] * (len(replies) - 1) + [False]
    assert replies[4]["rootInfo"]["seconds"] >= 5 * 0.02
    grown = [reply["rootInfo"]["simulations"] for reply in replies]
    assert grown == sorted(grown)


def test_the_most_urgent_comes_first_then_the_oldest(client):
    asked = client()
    asked.send(id="busy", **LONG, reportDuringSearchEvery=0.05)
    asked.wait(lambda reply: reply.get("isDuringSearch"))
    for name, priority in (("low", -1), ("old", 0), ("new", 0), ("high", 9)):
        asked.send(id=name, maxVisits=10, priority=priority)
    asked.send(id="t", action="terminate", terminateId="busy")
    order = [reply["id"] for reply in asked.finish() if reply.get("isDuringSearch") is False]
    assert order == ["busy", "high", "old", "new", "low"]


def test_one_that_has_just_begun_is_ended_too(client):
    """stop() has no effect between two searches; so the search must notice by itself."""
    for _ in range(20):
        asked = client()
        asked.send(id="a", **LONG)
        asked.send(id="t", action="terminate_all")
        asked.wait(is_last("a"))


def test_a_waiting_query_ends_without_results(client):
    asked = client()
    asked.send(id="a", **LONG)
    asked.send(id="b", position="44", analyzeTurns=[0, 1, 2], **LONG)
    asked.send(id="t", action="terminate", terminateId="b", turnNumbers=[1])
    asked.wait(lambda reply: reply == {"id": "b", "turnNumber": 1, "isDuringSearch": False, "noResults": True})
    asked.send(id="u", action="terminate", terminateId="nobody")
    asked.wait(lambda reply: reply.get("id") == "u")
    asked.send(id="v", action="terminate_all")
    replies = asked.finish()
    ends = [(reply["id"], reply["turnNumber"]) for reply in replies if reply.get("isDuringSearch") is False]
    assert sorted(ends) == [("a", 0), ("b", 0), ("b", 1), ("b", 2)]


def test_finish_answers_everything_and_close_ends_everything(client):
    asked = client(workers=2)
    for number in range(5):
        asked.send(id=f"{number}", maxVisits=100)
    assert {reply["id"] for reply in asked.finish()} == set("01234")
    asked.send(id="late")
    assert "closing" in asked.replies[-1]["error"]
    ending = client(workers=2)
    for number in range(5):
        ending.send(id=f"{number}", **LONG)
    assert ending.session.close(20)
    assert {reply["id"] for reply in ending.replies if not reply["isDuringSearch"]} == set("01234")
    ending.send(id="late")
    assert "closing" in ending.replies[-1]["error"]


def test_a_client_that_is_gone_ends_its_searches():
    def gone(reply):
        raise BrokenPipeError

    session = Session(gone, workers=2)
    for name in "abc":
        session.receive(json.dumps({"id": name, "maxTime": 60, "reportDuringSearchEvery": 0.01}))
    finishing = threading.Thread(target=session.finish, daemon=True)
    finishing.start()
    finishing.join(20)
    assert not finishing.is_alive()
    assert isinstance(session.lost, BrokenPipeError)


def test_a_client_that_takes_no_replies_does_not_keep_a_session_from_closing(monkeypatch):
    monkeypatch.setattr("c4mcts.protocol.session.CLOSING_SECONDS", 0.2)
    stuck, over = threading.Event(), threading.Event()

    def block(reply):
        stuck.set()
        over.wait()

    session = Session(block, workers=2)
    for name in ("a", "b", *map(str, range(50))):
        session.receive(json.dumps({"id": name, "maxVisits": 10}))
    assert stuck.wait(20)
    assert not session.close()
    assert isinstance(session.lost, TimeoutError)
    over.set()


def test_a_message_may_be_an_object():
    replies, message = [], {"id": "a", "position": "445", "maxVisits": 10, "overrideSettings": {"probes": False}}
    session = Session(replies.append)
    before = copy.deepcopy(message)
    for each in (message, {"id": "b", 7: 1}, {"id": "c", "maxVisits": object()}):
        session.receive(each)
    session.finish()
    found = {reply["id"]: reply for reply in replies if "id" in reply}
    assert found["a"]["rootInfo"]["simulations"] == 10
    assert message == before
    assert sum("error" in reply for reply in replies) == 2


def test_replies_are_sent_one_at_a_time():
    inside = []

    def slow(reply):
        inside.append(1)
        assert len(inside) == 1
        time.sleep(0.002)
        inside.pop()

    session = Session(slow, workers=4)
    for number in range(40):
        session.receive(json.dumps({"id": f"{number}", "maxVisits": 20}))
    session.finish()
    assert session.lost is None


def test_results_come_as_objects_before_their_replies(client):
    """Those of searches: of reports, and of the end, with the board of their turn."""
    results = []

    def searched():
        return [reply for reply in asked.replies if "moveInfos" in reply]

    asked = client(on_result=lambda result: results.append((len(searched()), result)))
    asked.send(id="a", position="4453", analyzeTurns=[4, 2], **LONG, preset="uct", reportDuringSearchEvery=0.02)
    for turn in (4, 2):
        asked.wait(lambda reply, turn=turn: reply.get("isDuringSearch") and reply["turnNumber"] == turn)
        asked.send(id="t", action="terminate", terminateId="a", turnNumbers=[turn])
    asked.ask(action="solve", position=LATE)
    asked.finish()
    assert [position for position, _ in results] == list(range(len(searched())))
    for (_, result), reply in zip(results, searched(), strict=True):
        assert result.board == Board.from_pons("4453"[: reply["turnNumber"]])
        assert result.simulations == reply["rootInfo"]["simulations"]
        expect_visits(reply, result)


def test_a_result_that_is_not_taken_ends_its_query_alone(client):
    def broken(result):
        if result.simulations < 20:
            raise KeyError("too few")

    asked = client(on_result=broken)
    assert asked.ask(maxVisits=5)["error"] == "KeyError: 'too few'"
    assert asked.ask(maxVisits=50)["rootInfo"]["simulations"] == 50


# solving, describing, versions


def test_exact_scores(client):
    reply = client().ask(action="solve", position=LATE)
    solved = c4mcts.solve(Board.from_pons(LATE))
    assert reply["columns"] == list(solved.columns)
    assert (reply["score"], reply["best"], reply["distance"]) == (solved.score, list(solved.best), solved.distance)
    assert reply["pv"] == []
    line = client().ask(action="solve", position=LATE, includePv=True)["pv"]
    assert len(line) == solved.distance
    assert line == c4mcts.Solver().line(Board.from_pons(LATE))
    alone = client().ask(action="solve", position=LATE, columns=False)
    assert (alone["score"], alone["columns"], alone["best"]) == (solved.score, None, [])
    assert client().ask(action="solve", rules={"width": 8, "height": 7}, maxNodes=100)["score"] is None
    assert client().ask(action="solve")["columns"] == [-2, -1, 0, 1, 0, -1, -2]  # by the book


def test_a_solution_reports_and_is_ended(client):
    asked = client()
    asked.send(id="a", action="solve", rules={"width": 8, "height": 7}, reportDuringSearchEvery=0.1)
    assert asked.wait(lambda reply: reply.get("isDuringSearch"))["nodes"] > 0
    asked.send(id="t", action="terminate", terminateId="a")
    assert asked.wait(is_last("a"))["noResults"]


def test_descriptions(client):
    asked = client()
    over = asked.ask(action="describe", position="1212121")
    assert over["outcome"] == {"winner": 0, "cells": [[0, 0], [0, 1], [0, 2], [0, 3]]}
    assert over["legalMoves"] == []
    threats = asked.ask(action="describe", position="112233")
    assert (threats["winningMoves"], threats["threatenedMoves"], threats["outcome"]) == ([3], [], None)
    assert threats["lastCell"] == [2, 1]
    assert asked.ask(action="describe", position="11223")["threatenedMoves"] == [3]


def test_threats_and_zugzwang_are_described(client):
    asked = client()
    three = asked.ask(action="describe", position="112233")
    assert three["threats"] == [
        {"player": 0, "cell": [3, 0], "isOdd": True},
        {"player": 1, "cell": [3, 1], "isOdd": False},
    ]
    assert (three["movesBelowThreats"], three["isZugzwang"]) == ([3], False)
    last = asked.ask(action="describe", position="156317324342346511561442236773462277761")
    assert (last["movesBelowThreats"], last["isZugzwang"]) == ([4], True)
    before = "156317324342346511561442236773462277"
    solved = asked.ask(action="solve", position=f"{before}7", includePv=True)
    assert solved["zugzwang"] == {"player": 0, "cell": [4, 4], "isOdd": True}
    assert asked.ask(action="solve", position=f"{before}7")["zugzwang"] is None  # no line
    assert asked.ask(action="solve", position="112233", includePv=True)["zugzwang"] is None


def test_an_opening_is_looked_up(client):
    asked = client()
    found = asked.ask(action="opening", position="34")
    assert (found["score"], found["currentPlayer"], found["turnNumber"]) == (0, 0, 2)
    assert found["opening"]["name"] == "Off-centre, centre"
    book = [tuple(move) for move in shipped_book().children(Board.from_pons("34"))]
    assert [tuple(move.values()) for move in found["moves"]] == [(*move, None) for move in book]
    first = asked.ask(action="opening")
    names = ["Edge", "Second column", "Off-centre"]
    assert [move["name"] for move in first["moves"]] == [*names, "Centre", *reversed(names)]
    assert (first["opening"]["name"], first["opening"]["ply"]) == ("Start", 0)


def test_where_the_book_ends(client):
    asked = client()
    game = "444444335533"  # 12 discs
    last = asked.ask(action="opening", position=game[:11])
    assert len(last["moves"]) == len(Board.from_pons(game[:11]).legal_columns)
    assert asked.ask(action="opening", position="1756", rules={"width": 8})["moves"] == []
    other = asked.ask(action="opening", position="44", rules={"width": 9, "height": 7})
    assert (other["score"], other["moves"], other["opening"]) == (None, [], None)
    assert "the game is over" in asked.ask(action="opening", position="1212121")["error"]


@pytest.mark.native
def test_the_plan_to_win(client):
    asked = client()
    first = asked.ask(action="plan")["answers"]
    assert first == [{"reply": None, "move": 3, "reason": "proof", "zugzwang": None}]
    assert [answer["reply"] for answer in asked.ask(action="plan", position="4")["answers"]] == [0, 1, 2, 3]
    assert [answer["reply"] for answer in asked.ask(action="plan", position="426")["answers"]] == [*range(7)]
    (held,) = asked.ask(action="plan", position="4511235537")["answers"]
    zugzwang = {"player": 0, "cell": [3, 2], "isOdd": True}
    assert held == {"reply": None, "move": 4, "reason": "follow up", "zugzwang": zugzwang}
    for bad, answer in (("1", 3), ("2", 2), ("6", 4), ("7", 3)):  # first moves after which the other player wins
        assert [each["move"] for each in asked.ask(action="plan", position=bad)["answers"]] == [answer]
    assert asked.ask(action="plan", position="3")["answers"] == []
    assert asked.ask(action="plan", rules={"width": 8})["answers"] == []


def test_the_list_of_puzzles(client):
    found, first = client().ask(action="puzzles")["puzzles"], puzzles()[0]
    assert len(found) == len(puzzles())
    assert (found[0]["moves"], found[0]["line"], found[0]["rating"]) == ([*first.moves], [*first.line], first.rating)


@pytest.mark.native
def test_the_exam_is_graded_by_reviews_without_an_opening(client):
    asked = client()
    found = asked.ask(action="exam")["questions"]
    assert [Board.from_moves(each["moves"]) for each in found] == [board for board, _ in questions()]
    for moves in [each["moves"] for each in found[::20]]:
        end = Board.from_moves(moves).after(Board.from_moves(moves).legal_columns[0])
        (move,) = asked.ask(action="review", moves=[*end.moves], opening=len(moves))["review"]["moves"]
        assert move == json_types(Reviewer(end).step())
    assert asked.ask(action="review", position="44", opening=2)["review"]["moves"] == []
    refused = asked.ask(action="review", position="44", opening=3)
    assert (refused["error"], refused["field"]) == ("opening must be 0 to 2, not 3", "opening")


def test_version(client):
    asked = client(workers=3)
    reply = asked.ask(action="query_version")
    assert (reply["version"], reply["backend"], reply["workers"]) == (c4mcts.__version__, c4mcts.backend(), 3)
    assert "strong" in reply["presets"]
    assert "puct-node" not in reply["presets"]
    assert set(reply["presets"]) - set(reply["rolloutPresets"]) == {"network"}


def test_a_reply_may_lead_to_a_message_that_is_answered_at_once():
    def on_reply(reply):
        replies.append(reply["id"])
        if reply["id"] == "a":
            session.receive({"id": "b", "action": "describe", "moves": [3]})

    replies = []
    session = Session(on_reply)
    session.receive({"id": "a", "moves": [3, 3], "maxVisits": 10})
    session.finish()
    assert replies == ["a", "b"]


test_wrong_arguments = refused(
    (lambda: Session(None), TypeError, "on_reply"),
    (lambda: Session(print, on_result=3), TypeError, "on_result"),
    (lambda: Session(print, workers=0), ValueError, "workers"),
    (lambda: Session(print, workers=300), ValueError, "workers"),
    (lambda: Session(print, caps=3), TypeError, "caps"),
    (lambda: Session(print, defaults="strong"), TypeError, "defaults"),
    (lambda: Session(print, slots=2), TypeError, "slots"),
    (lambda: Caps(waiting=0), ValueError, "waiting"),
)

"""Messages for people who play and learn: moves of levels, reviews, nodes of the tree, simulations one by one."""

import json

import pytest
from conversation import is_last, wait_for_threads

from c4mcts import Board, Engine, SearchParams
from c4mcts.play import LEVELS, levels, review
from c4mcts.protocol import Caps, Defaults
from c4mcts.search.steps import simulation_steps

UCT = {"preset": "uct", "reuseTree": True}
LONG = {"maxTime": 60}


# play


def test_every_level_plays(client):
    asked = client()
    levels = asked.ask(action="query_version")["levels"]
    assert levels == [{"level": level.number, "name": level.name, "rating": level.rating} for level in LEVELS]
    for level in levels:
        by_number = asked.ask(action="play", position="4455", level=level["level"], seed=1)
        by_name = asked.ask(action="play", position="4455", level=level["name"].upper(), seed=1)
        assert by_number | {"id": ""} == by_name | {"id": ""}
        assert (by_number["level"], by_number["name"]) == (level["level"], level["name"])
        assert (by_number["turnNumber"], by_number["seed"]) == (4, 1)


def test_a_move_of_a_level_is_drawn_anew_each_time(client):
    asked = client()
    replies = [asked.ask(action="play", level=1) for _ in range(20)]
    assert len({reply["move"] for reply in replies}) > 1
    again = asked.ask(action="play", level=1, seed=replies[0]["seed"])
    assert again["move"] == replies[0]["move"]


def test_a_long_move_is_ended(client, monkeypatch):
    monkeypatch.setattr(levels, "UNSOLVED", 10**9)  # simulations: the move is never done before it is ended
    asked = client()
    asked.send(id="a", action="play", level="Perfect", rules={"width": 64, "height": 64})
    wait_for_threads(1)
    asked.send(id="t", action="terminate", terminateId="a")
    assert asked.wait(is_last("a")) == {"id": "a", "turnNumber": 0, "isDuringSearch": False, "noResults": True}
    limited = client(caps=Caps(seconds=0.1))
    assert limited.ask(action="play", level="Perfect", rules={"width": 64, "height": 64})["noResults"]


# review


def test_a_review(client):
    reply = client().ask(action="review", position="44444226")
    assert reply["review"]["moves"] == json.loads(json.dumps(review("44444226").to_dict()))["moves"]


@pytest.mark.native  # a review on this board takes the pure backend minutes
def test_a_long_review_reports_and_is_ended(client):
    asked = client()
    game = {"rules": {"width": 20, "height": 14}, "moves": [3] * 9}
    asked.send(id="a", action="review", **game, reportDuringSearchEvery=0.05)
    report = asked.wait(lambda reply: reply.get("reviewed", 0) >= 2)
    assert (report["reviewed"] < 9, report["moves"]) == (True, 9)
    found = [move["ply"] for reply in asked.replies[: asked.replies.index(report) + 1] for move in reply["found"]]
    assert found == [*range(8, 8 - report["reviewed"], -1)], "the last move of the game first"
    asked.send(id="t", action="terminate", terminateId="a")
    assert asked.wait(is_last("a"))["noResults"]
    assert asked.ask(action="review", **game, maxTime=0.05)["noResults"]


# steps


def test_steps_are_those_of_the_engine(client):
    settings = {"exploration": 0.5, "transpositions": True}
    asked = client()
    reply = asked.ask(action="steps", position="4453", preset="uct", overrideSettings=settings, seed=7, maxVisits=100)
    params = SearchParams.preset("uct", **settings)
    expected = list(simulation_steps(Board.from_pons("4453"), params, simulations=100, seed=7))
    assert [step["path"] for step in reply["steps"]] == [list(step.path) for step in expected]
    assert [step["rollout"] for step in reply["steps"]] == [list(step.rollout) for step in expected]
    engine = Engine(params, seed=7)
    engine.search(Board.from_pons("4453"), simulations=100)
    last = {node["node"]: node["visits"] for step in reply["steps"] for node in step["backup"]}
    assert [last.get(index, 0) for index in range(len(engine.tree()))] == engine.tree()["visits"].tolist()
    assert (reply["seed"], reply["exploration"], reply["selection"]) == (7, 0.5, "ucb1")
    assert (reply["fen"], reply["currentPlayer"]) == (Board.from_pons("4453").to_fen(), 0)


def test_steps_with_a_drawn_seed_can_be_had_again(client):
    asked = client(defaults=Defaults(params=SearchParams.preset("uct")))
    reply = asked.ask(action="steps", maxVisits=20)
    again = asked.ask(action="steps", maxVisits=20, seed=reply["seed"])
    assert again["steps"] == reply["steps"]
    assert len(asked.ask(action="steps")["steps"]) == 200
    unvisited = reply["steps"][0]["selected"][0]["children"]
    assert {child["ucb"] for child in unvisited} == {"inf"}


def test_steps_on_the_largest_board_end_when_they_must(client):
    asked = client()
    reply = asked.ask(action="steps", rules={"width": 64, "height": 64, "connect": 64}, preset="uct", maxTime=0.05)
    assert 1 <= len(reply["steps"]) < 200
    asked.send(id="a", action="steps", rules={"width": 64, "height": 64, "connect": 64}, preset="uct")
    asked.send(id="t", action="terminate", terminateId="a")
    asked.wait(is_last("a"))


# tree


def until_it_grows(ask):
    """The replies about a tree that is growing, at least five, until one counts more visits than the first."""
    replies = [ask() for _ in range(5)]
    while replies[-1]["visits"] == replies[0]["visits"]:
        replies.append(ask())
    visits = [reply["visits"] for reply in replies]
    assert visits == sorted(visits)
    return replies


def test_a_running_search_says_what_its_tree_holds(client):
    asked = client(workers=2)
    asked.send(id="a", preset="uct", position="44", **LONG, reportDuringSearchEvery=0.05)
    asked.wait(lambda reply: reply.get("isDuringSearch"))
    replies = until_it_grows(lambda: asked.ask(action="tree", path=[3]))
    assert {(reply["searchId"], *reply["path"]) for reply in replies} == {("a", 3)}
    assert {reply["fen"] for reply in replies} == {Board.from_pons("444").to_fen()}
    assert {reply["currentPlayer"] for reply in replies} == {1}
    asked.send(id="t", action="terminate_all")


@pytest.mark.native
def test_several_threads_on_the_tree_do_not_mind(client):
    asked = client()
    asked.send(id="a", **UCT, threads=2, **LONG, reportDuringSearchEvery=0.05)
    asked.wait(lambda reply: reply.get("isDuringSearch"))
    until_it_grows(lambda: asked.ask(action="tree"))
    asked.send(id="t", action="terminate_all")


def test_the_kept_tree_is_the_engines(client):
    asked = client()
    asked.ask(**UCT, seed=3, maxVisits=1000)
    reply = asked.ask(action="tree", path=[3, 3])
    engine = Engine(SearchParams.preset("uct", max_bytes=1 << 30), seed=3)
    engine.search(Board(), simulations=1000)
    node = engine.node([3, 3])
    assert reply["searchId"] is None
    assert (reply["visits"], reply["value"], reply["exploration"]) == (node.visits, node.value, node.exploration)
    assert [(child["move"], child["visits"], child["ucb"]) for child in reply["children"]] == [
        (child.column, child.visits, child.ucb) for child in node.children
    ]
    again = asked.ask(**UCT, maxVisits=10)  # looking has changed nothing
    assert again["rootInfo"]["visits"] == 1010


def test_infinite_scores_and_proofs(client):
    asked = client()
    asked.ask(position="11223", maxVisits=50, reuseTree=True, overrideSettings={"probes": False})
    children = {child["move"]: child for child in asked.ask(action="tree")["children"]}
    assert (children[0]["proof"], children[0]["distance"], children[0]["ucb"]) == ("loss", 2, "-inf")
    asked.ask(**UCT, maxVisits=3, seed=1)
    assert [child["ucb"] for child in asked.ask(action="tree")["children"]][3:] == ["inf"] * 4


def test_questions_without_an_answer(client):
    asked = client()
    assert "no tree" in asked.ask(action="tree")["error"]
    asked.ask(**UCT, maxVisits=100)
    assert asked.ask(action="tree", path=[3, 63])["field"] == "path"
    assert "path[1]" in asked.ask(action="tree", path=[3, 63])["error"]
    asked.ask(action="clear")
    assert "no tree" in asked.ask(action="tree")["error"]
    asked.ask(maxVisits=10)  # without reuseTree nothing is kept
    assert "no tree" in asked.ask(action="tree")["error"]


@pytest.mark.parametrize("fails", [False, True])
def test_questions_at_the_end_of_a_search_are_answered_too(client, fails, monkeypatch):
    """One that comes while the search ends is answered by it, or from the kept tree, never lost."""
    asked = client()
    if fails:
        monkeypatch.setattr("c4mcts.protocol.replies.analysis", lambda *args, **options: 1 / 0)
    for number in range(10):
        asked.send(id=f"s{number}", **UCT, maxVisits=2000)
    for number in range(100):
        asked.send(id=f"q{number}", action="tree")
    ids = [reply["id"] for reply in asked.finish()]
    assert sorted(ids) == sorted([f"s{number}" for number in range(10)] + [f"q{number}" for number in range(100)])

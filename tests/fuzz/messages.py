"""Messages to a protocol session: one valid reply or more to each, and no hang."""

import json
from random import Random
from typing import Any

from forging import mutated_bytes, mutated_json
from schemas import is_valid, require_valid

from c4mcts.protocol import Caps, Session

from .target import Target

CAPS = Caps(message_bytes=5000, waiting=50, seconds=0.05, memory=1 << 22, threads=2)
REPORTED = {"reportDuringSearchEvery": 0.01}
QUERIES: list[dict[str, Any]] = [
    {"moves": [3, 3], "maxVisits": 20, "seed": 1, "rules": {"width": 5, "height": 4}},
    {"position": "44", "maxVisits": 200, "preset": "uct", "reuseTree": True, **REPORTED},
    {"moves": [1, 2, 3], "analyzeTurns": [0, 3], "maxNodes": 50, "overrideSettings": {"discount": 0.9}},
    {"action": "solve", "position": "4546166744316", "maxNodes": 1000, "columns": True, "priority": 3},
    {"action": "play", "fen": "5/5/5/2x2 o 5x4x4", "level": 2, "seed": 1},
    {"action": "review", "position": "4455", "maxTime": 0.02, **REPORTED},
    {"action": "steps", "moves": [3], "maxVisits": 3, "seed": 1},
    {"action": "tree", "path": [3]},
    {"action": "describe", "position": "4455", "rules": {"diagonals": False}},
    {"action": "opening", "position": "4455"},
    {"action": "puzzles"},
    {"action": "terminate", "terminateId": "query 0", "turnNumbers": [2]},
    {"action": "terminate_all"},
    {"action": "clear"},
    {"action": "query_version"},
]


def make(chance: Random) -> list[str]:
    """Messages, in Latin 1 for their bytes."""
    messages = []
    for number in range(chance.randint(1, 5)):
        query = {**chance.choice(QUERIES), "id": f"query {number}"}
        for _ in range(chance.choice([0, 1, 1, 2])):
            query = mutated_json(query, chance)
        data = json.dumps(query).encode()
        messages.append((mutated_bytes(data, chance) if chance.random() < 0.2 else data).decode("latin-1"))
    return messages


def check(messages: list[str]) -> None:
    replies: list[Any] = []
    session = Session(replies.append, caps=CAPS)
    for message in messages:
        session.receive(message.encode("latin-1"))
    session.finish()
    for reply in replies:
        require_valid("reply", reply)
        assert "\n" not in str(reply.get("error", "")), reply
    assert len(replies) >= sum(bool(message.strip()) for message in messages)
    answered = [reply.get("id") for reply in replies if "error" not in reply]
    for message in messages:
        query = parsed(message)
        if isinstance(query, dict) and query.get("id") in answered:
            assert is_valid("query", query), f"answered, but against the schema: {query}"


def parsed(message: str) -> Any:
    """The JSON of a message; None if it has none."""
    try:
        return json.loads(message.encode("latin-1"))
    except ValueError:
        return None


TARGETS = {"message": Target(make, check, 100)}

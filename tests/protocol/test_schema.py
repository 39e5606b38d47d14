"""The schemas follow from the code: their files are current, and their limits are those of the requests."""

import json
import runpy
from pathlib import Path

import pytest
from schemas import is_valid

from c4mcts.protocol import Caps, Defaults
from c4mcts.protocol.messages import Refusal
from c4mcts.protocol.requests import ACTIONS, read_request
from c4mcts.protocol.schema import keys_of

ROOT = Path(__file__).parents[2]
KEYS = [(action, key) for action in ACTIONS for key in keys_of(action, Caps())]


def test_the_schemas_and_the_tables_of_keys_are_current():
    for path, text in runpy.run_path(str(ROOT / "docs/schemas.py"))["texts"]().items():
        assert path.read_text(encoding="utf-8") == text, "run python docs/schemas.py"


def test_the_page_names_the_keys_of_every_action():
    page = (ROOT / "docs/guide/protocol.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:3] for line in page.split("### Other actions")[1].splitlines() if line.startswith("| `")]
    shared = {"moves", "position", "fen", "rules"}
    for names, keys in rows:
        for action in names.split("`")[1::2]:
            if action in ACTIONS:
                own = {key.name for key in keys_of(action, Caps())}
                assert {*keys.split("`")[1::2]} == own - shared, action
                assert ("position" in keys.replace("`", "")) == ("position" in own), action


def field_at_fault(message):
    """The key for which a message is refused, if any."""
    try:
        read_request(message, Caps(), Defaults())
    except Refusal as refusal:
        return refusal.field


@pytest.mark.parametrize(("action", "key"), KEYS, ids=[f"{action}-{key.name}" for action, key in KEYS])
def test_the_limits_of_the_schemas_are_those_of_the_requests(action, key):
    needed = {"play": {"level": 1}, "terminate": {"terminateId": "a"}}.get(action, {})
    schema, values = key.kind.schema, [(None, False), ([None], False)]
    if "maximum" in schema:
        low, high = schema.get("minimum", schema.get("exclusiveMinimum")), schema["maximum"]
        step = 1 if schema["type"] == "integer" else 1e-3
        is_open = "exclusiveMinimum" in schema
        values += [(low - step, False), (low, not is_open), (low + step, True), (high, True), (high + step, False)]
    if "maxItems" in schema:
        values += [([0] * (schema["maxItems"] + 1), False), ([schema["items"]["maximum"] + 1], False), ([-1], False)]
    ends_with_game = (action, key.name) == ("review", "opening")  # and the game has no moves here
    for value, is_right in values:
        message = {"id": "x", "action": action, **needed, key.name: value}
        assert is_valid("query", json.loads(json.dumps(message))) == is_right, value
        assert (field_at_fault(message) is None) == (is_right and not (ends_with_game and value > 0)), value

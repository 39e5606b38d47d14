"""JSON Schemas of all messages, from how requests are read and the types of replies: `c4mcts serve --schema`."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from . import reply_types
from .caps import Caps, Defaults
from .messages import ID, REQUIRED, Key, Refusal, Schema, object_schema
from .requests import ACTIONS, Echoed, Incoming

SIMPLE = {int: "integer", float: "number", bool: "boolean", str: "string", NoneType: "null"}


def schemas(caps: Caps | None = None) -> dict[str, Schema]:
    """The schemas of queries within the limits of a server, and of its replies."""
    actions, replies = {action: request_schema(action, caps or Caps()) for action in ACTIONS}, dict[str, Schema]()
    for name, kind in vars(reply_types).items():
        if name.endswith("Reply"):
            schema_of(kind, replies)
    echoes = [name for name, kind in ACTIONS.items() if issubclass(kind, Echoed)]  # the reply is the query itself
    last = [name for name in replies if name.endswith("Reply")]
    parts = replies | {name: actions[name] for name in echoes}
    return {
        "query": _messages("Query", "to `c4mcts serve`: one line of standard input", actions, actions),
        "reply": _messages("Reply", "from `c4mcts serve`: one line of standard output", [*last, *echoes], parts),
    }


def _messages(title: str, description: str, names: Iterable[str], parts: dict[str, Schema]) -> Schema:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{title.lower()}.json",
        "title": title,
        "description": f"A message {description}.",
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in names],
        "$defs": parts,
    }


def keys_of(action: str, caps: Caps) -> list[Key[Any, Any]]:
    """The keys of the messages with an action, beside `id` and `action`: those that are taken of one without any."""
    incoming = Incoming({"id": "any", "action": action}, caps, Defaults())  # which has taken `id`
    for each in fields(ACTIONS[action]):
        with suppress(Refusal):  # of a message without a key that is required
            get_args(each.type)[1](incoming)
    return incoming.taken[1:]


def request_schema(action: str, caps: Caps) -> Schema:
    keys, properties = keys_of(action, caps), {"id": ID.schema, "action": {"const": action}}
    properties |= {key.name: {"description": key.says, **key.kind.schema} for key in keys}
    required = ["id", *["action"] * (action != "analyze"), *(key.name for key in keys if key.default is REQUIRED)]
    schema = _described(ACTIONS[action]) | object_schema(properties, required)
    if "position" in properties:
        schema["not"] = {"anyOf": [{"required": ["position", name]} for name in ("moves", "fen")]}
    return schema


def _described(kind: type) -> Schema:
    return {"description": kind.__doc__.split("\n")[0]} if kind.__doc__ else {}


def schema_of(kind: Any, classes: dict[str, Schema]) -> Schema:
    """The schema of the values of a type, as JSON. Puts the schemas of classes into `classes`, by name."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        more = [("description", each) if isinstance(each, str) else each for each in args[1:]]
        return schema_of(args[0], classes) | dict(more)
    if origin is NotRequired:
        return schema_of(args[0], classes)
    if origin is Literal:
        return {"enum": [*args]}
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of(each, classes) for each in args]}
    if origin is dict:
        keys, values = (schema_of(each, classes) for each in args)
        return {"type": "object", "propertyNames": keys, "additionalProperties": values}
    if origin is tuple and ... not in args:
        return {"type": "array", "items": schema_of(args[0], classes), "minItems": len(args), "maxItems": len(args)}
    if origin in (tuple, list):
        return {"type": "array", "items": schema_of(args[0], classes)}
    if kind in SIMPLE:
        return {"type": SIMPLE[kind]}
    if kind.__name__ not in classes:
        assert is_typeddict(kind) or is_dataclass(kind), kind
        hints = get_type_hints(kind, include_extras=True)
        properties = {name: schema_of(each, classes) for name, each in hints.items()}
        required = [name for name in properties if name in getattr(kind, "__required_keys__", properties)]
        classes[kind.__name__] = _described(kind) | object_schema(properties, required)
    return {"$ref": f"#/$defs/{kind.__name__}"}

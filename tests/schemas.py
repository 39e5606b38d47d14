"""The JSON Schemas of docs/schemas, for tests of real output."""

import json
from functools import cache
from pathlib import Path

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

FOLDER = Path(__file__).parents[1] / "docs/schemas"
SCHEMAS = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}
REGISTRY = Registry().with_resources((name, Resource.from_contents(schema)) for name, schema in SCHEMAS.items())


@cache
def validator(name):
    """The validator of docs/schemas/`name`.json."""
    return Draft202012Validator(SCHEMAS[f"{name}.json"], registry=REGISTRY)


def is_valid(name, instance):
    """Whether an object is as the schema says."""
    return validator(name).is_valid(instance)


def require_valid(name, instance):
    """Raise jsonschema.ValidationError unless an object is as the schema says."""
    json.dumps(instance, allow_nan=False)
    validator(name).validate(instance)

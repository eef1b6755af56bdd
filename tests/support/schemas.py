"""JSON schemas of the output of several commands, and the check of that output."""

import json
from functools import cache

import jsonschema

CELL = {"type": "string", "pattern": "^[a-z]{1,2}[1-9][0-9]?$"}
CELLS = {"type": "array", "items": CELL, "uniqueItems": True}
COUNT = {"type": "integer", "minimum": 0}


def fields(**properties):
    """Return the schema of an object with exactly these fields."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def validate(thing, schema):
    """Validate an object against a schema, which is itself checked once."""
    _validator(json.dumps(schema)).validate(thing)


@cache
def _validator(text):
    schema = json.loads(text)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)

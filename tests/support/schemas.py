"""JSON schemas of what several commands print, and the check of what is printed."""

import json
from functools import cache

import jsonschema

CELL = {"type": "string", "pattern": "^[a-z]{1,2}[1-9][0-9]?$"}
CELLS = {"type": "array", "items": CELL, "uniqueItems": True}
COUNT = {"type": "integer", "minimum": 0}


def fields(**properties):
    """Return the schema of an object with just these fields."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def validate(thing, schema):
    """Check a thing by a schema, which is itself checked once."""
    _validator(json.dumps(schema)).validate(thing)


@cache
def _validator(text):
    schema = json.loads(text)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)

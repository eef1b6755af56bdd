"""JSON schemas of what several commands print, for jsonschema."""

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

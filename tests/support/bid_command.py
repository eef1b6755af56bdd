"""Run `hsearch bid` in this process, and check the JSON that its contract promises."""

import json

from click.testing import CliRunner
from schemas import CELL, CELLS, COUNT, fields, validate

from player.cli import main

COMPILING = "compiling kernels, kept for later runs ...\n"
FRACTION = {"type": "string", "pattern": "^(0|1|[1-9][0-9]*/[1-9][0-9]*)$"}


SHARE = {"type": "number", "minimum": 0, "maximum": 1}


def maybe(schema):
    return {"anyOf": [schema, {"type": "null"}]}


BID = fields(
    schema={"const": "hsearch/bid/1"},
    position=fields(
        columns=COUNT,
        rows=COUNT,
        black=CELLS,
        white=CELLS,
        turn={"enum": ["black", "white", None]},
    ),
    chips=fields(black=COUNT, white=COUNT),
    tie_break={"enum": ["black", "white"]},
    fillings=maybe(COUNT),
    exact={"type": "boolean"},
    win_probability=fields(black=SHARE, white=SHARE),
    fraction=maybe(fields(black=FRACTION, white=FRACTION)),
    standard_error=SHARE,
    richman=maybe(fields(value=SHARE, after_black=SHARE, after_white=SHARE)),
    cells={
        "type": "array",
        "items": fields(cell=CELL, losing=maybe(SHARE), critical=SHARE, fraction=maybe(FRACTION)),
    },
    move=maybe(CELL),
    bid=maybe(COUNT),
)


def run(*arguments, stdin=None, code=0):
    """Run `hsearch bid` in this process; return stdout and stderr."""
    result = CliRunner().invoke(main, ("bid", *arguments), input=stdin)
    assert result.exit_code == code, result.output
    return result.stdout, result.stderr


def bid(*arguments, stdin=None, code=0):
    """Return the object that `hsearch bid --json` prints."""
    text, _ = run(*arguments, "--json", stdin=stdin, code=code)
    assert text.count("\n") == 1
    found = json.loads(text)
    validate(found, BID)
    assert list(found) == list(BID["properties"])
    return found

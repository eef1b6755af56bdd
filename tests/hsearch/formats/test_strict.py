"""JSON as its standard has it, read into types."""

import math
from typing import Any

import pytest

from hsearch.formats import strict


@pytest.mark.parametrize(
    "text",
    [
        "NaN",
        "-Infinity",
        "1e999",
        "[" * 5000,
        '{"a":' * 5000,
        "1" + "0" * 5000,
        '"\\ud800"',
        "",
        b"\xff",
    ],
)
@pytest.mark.parametrize("kind", [Any, float, list[Any], dict[str, Any]])
def test_what_is_no_json_is_refused(text, kind):
    """Also what other readers take, or break down at."""
    with pytest.raises(ValueError, match=r".") as error:
        strict.read(text, kind)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "b": [1, "x"]}', r"b\[1\]: expected float, got str"),
        ('{"a": -1, "b": []}', "a: expected int >= 0"),
        ('{"b": []}', "object missing required field a"),
    ],
)
def test_a_wrong_value_is_named(text, message):
    """The field, and what was expected there."""
    kind = strict.msgspec.defstruct("Kind", [("a", strict.Count), ("b", list[float])])
    with pytest.raises(ValueError, match=message):
        strict.read(text, kind)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_does_not_have_are_not_written(number):
    """An error where they come from is better than a file that nobody can read."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        strict.write({"a": [number]})

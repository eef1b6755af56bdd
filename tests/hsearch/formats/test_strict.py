"""JSON by its standard, read into types."""

import math
import subprocess
import sys
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
def test_invalid_json_is_refused(text, kind):
    """Invalid JSON is refused, even if other readers accept it or crash on it."""
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
def test_the_error_names_the_field_of_a_wrong_value(text, message):
    """The error names the field, and what was expected there."""
    kind = strict.msgspec.defstruct("Kind", [("a", strict.Count), ("b", list[float])])
    with pytest.raises(ValueError, match=message):
        strict.read(text, kind)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_nan_and_infinity_are_rejected_when_writing_json(number):
    """An error when writing is better than a file that nobody can read."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        strict.write({"a": [number]})


# New types, each read by four threads at once.
THREADS = """
import sys
from dataclasses import make_dataclass
from threading import Barrier, Thread
from hsearch.formats import strict

def work(kind):
    barrier.wait()
    strict.read('{"inner": {"x3": [["b", [1, null]]]}}', kind)

sys.setswitchinterval(1e-6)
barrier = Barrier(4)
part = list[tuple[str, list[int | None]]] | None
for _ in range(300):
    inner = make_dataclass("Inner", [(f"x{place}", part, None) for place in range(12)])
    kinds = [make_dataclass("Outer", [("inner", inner)]) for _ in range(2)]
    threads = [Thread(target=work, args=(kind,)) for kind in (*kinds, *kinds)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_threads_may_read_types_that_share_a_part():
    """Two threads that analyze a type at the same time crash msgspec."""
    words = [sys.executable, "-c", THREADS]
    done = subprocess.run(words, capture_output=True, check=False)  # noqa: S603 - our own

    assert (done.returncode, done.stderr) == (0, b"")

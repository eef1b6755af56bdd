"""Hypothesis strategies for damaged files: bytes, lines, numbers, nesting, versions, boards."""

import re

from hypothesis import strategies as st

NUMBER = re.compile(rb"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")
NUMBERS = [
    *(b"0", b"-1", b"1", b"2", b"7", b"-0", b"1.5", b"27", b"4294967296", b"9" * 30),
    b"1" + b"0" * 400,
    *(b"NaN", b"Infinity", b"-Infinity", b"1e999", b"1e-999", b"1e999999999", b"1/0", b"true"),
    *(b"null", b'""', b'"1"', b"[]", b"{}", "²".encode(), b"0" * 5000, b"1" * 5000),
]  # fmt: skip
OPENING = [b"[", b'{"a":', b"(", b"(;", b"[[", b'["', b"{"]


@st.composite
def mutated(draw: st.DrawFn, content: bytes) -> bytes:
    """Return a file after one to three accidents."""
    for _ in range(draw(st.integers(1, 3))):
        content = draw(st.sampled_from(ACCIDENTS))(draw, content)
    return content


def _place(draw: st.DrawFn, content: bytes) -> int:
    # Half of the places are at the beginning, where most files say what they are.
    end = len(content) if draw(st.booleans()) else min(200, len(content))
    return draw(st.integers(0, end))


def _bytes(draw: st.DrawFn, content: bytes) -> bytes:
    at = _place(draw, content)
    new = draw(st.binary(max_size=4) | st.sampled_from([b"\0" * 9, b"\xff", b"\n", b'"', b" "]))
    return content[:at] + new + content[at + draw(st.integers(0, 4)) :]


def _bit(draw: st.DrawFn, content: bytes) -> bytes:
    if not content:
        return content
    at = min(_place(draw, content), len(content) - 1)
    return content[:at] + bytes([content[at] ^ (1 << draw(st.integers(0, 7)))]) + content[at + 1 :]


def _cut(draw: st.DrawFn, content: bytes) -> bytes:
    return content[: _place(draw, content)]


def _lines(draw: st.DrawFn, content: bytes) -> bytes:
    lines = content.split(b"\n")
    one, other = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
    what = draw(st.sampled_from(["cut", "repeated", "swapped", "lost", "first"]))
    if what == "cut":
        lines[one] = lines[one][: _place(draw, lines[one])]
    elif what == "repeated":
        lines.insert(other, lines[one])
    elif what == "swapped":
        lines[one], lines[other] = lines[other], lines[one]
    elif what == "lost":
        del lines[one]
    else:
        lines = lines[one:]
    return b"\n".join(lines)


def _number(draw: st.DrawFn, content: bytes) -> bytes:
    found = list(NUMBER.finditer(content))
    if not found:
        return content
    match = found[draw(st.integers(0, len(found) - 1))]
    return content[: match.start()] + draw(st.sampled_from(NUMBERS)) + content[match.end() :]


def _word(draw: st.DrawFn, content: bytes) -> bytes:
    found = list(re.finditer(rb"[A-Za-z]\w*", content))
    if not found:
        return content
    one, other = (found[draw(st.integers(0, len(found) - 1))] for _ in range(2))
    return content[: one.start()] + other[0] + content[one.end() :]


def _nested(draw: st.DrawFn, content: bytes) -> bytes:
    at = _place(draw, content)
    opening = draw(st.sampled_from(OPENING)) * draw(st.sampled_from([3, 600, 1100, 20_000]))
    return content[:at] + opening + content[at + draw(st.integers(0, 9)) :]


def _version(draw: st.DrawFn, content: bytes) -> bytes:
    new = draw(st.sampled_from([b"/2", b"/0", b"/", b"/99999999999", b" 2"]))
    return re.sub(rb"[/ ]1\b", new, content, count=1)


def _board(draw: st.DrawFn, content: bytes) -> bytes:
    side = draw(st.sampled_from([b"1", b"3", b"5", b"19", b"26", b"27", b"0", b"1000000"]))
    pattern = rb'("?(?:columns|rows|size|board|SZ)"?[\[: ]+)([0-9]+)'
    return re.sub(pattern, lambda match: match[1] + side, content, count=1)


ACCIDENTS = (
    _bytes, _bit, _cut, _lines, _number, _number, _word, _nested, _version, _board,
)  # fmt: skip

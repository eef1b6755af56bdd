"""Damage files reproducibly: bytes, lines, numbers, nesting, versions, boards.

Hypothesis would take most of the time, and shrink files that are short already.
"""

import re
from random import Random

NUMBER = re.compile(rb"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")
WORD = re.compile(rb"\b[A-Za-z]\w*")
NUMBERS = [
    *(b"0", b"-1", b"1", b"2", b"7", b"-0", b"1.5", b"27", b"4294967296", b"9" * 30),
    *(b"1" + b"0" * 400, b"[" * 5000 + b"]" * 5000, b'{"a":' * 2000 + b"1" + b"}" * 2000),
    *(b"NaN", b"Infinity", b"-Infinity", b"1e999", b"1e-999", b"1e999999999", b"1/0", b"true"),
    *(b"null", b'""', b'"1"', b"[]", b"{}", "²".encode(), b"0" * 5000, b"1" * 5000),
]  # fmt: skip
OPENING = [b"[", b'{"a":', b"(", b"(;", b"[[", b'["', b"{"]


def mutated(chance: Random, content: bytes) -> bytes:
    """Return a file after one to three changes."""
    for _ in range(chance.randint(1, 3)):
        content = chance.choice(ACCIDENTS)(chance, content)
    return content


def _place(chance: Random, content: bytes) -> int:
    # Half of the places are near the beginning, where most files name their format.
    end = len(content) if chance.random() < 0.5 else min(200, len(content))
    return chance.randint(0, end)


def _bytes(chance: Random, content: bytes) -> bytes:
    at = _place(chance, content)
    some = chance.randbytes(chance.randint(0, 4))
    new = chance.choice([some, some, b"\0" * 9, b"\xff", b"\n", b'"', b" "])
    return content[:at] + new + content[at + chance.randint(0, 4) :]


def _bit(chance: Random, content: bytes) -> bytes:
    if not content:
        return content
    at = min(_place(chance, content), len(content) - 1)
    return content[:at] + bytes([content[at] ^ (1 << chance.randrange(8))]) + content[at + 1 :]


def _cut(chance: Random, content: bytes) -> bytes:
    return content[: _place(chance, content)]


def _lines(chance: Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    one, other = (chance.randrange(len(lines)) for _ in range(2))
    what = chance.choice(["cut", "repeated", "swapped", "lost", "first"])
    if what == "cut":
        lines[one] = lines[one][: _place(chance, lines[one])]
    elif what == "repeated":
        lines.insert(other, lines[one])
    elif what == "swapped":
        lines[one], lines[other] = lines[other], lines[one]
    elif what == "lost":
        del lines[one]
    else:
        lines = lines[one:]
    return b"\n".join(lines)


def _next(chance: Random, pattern: re.Pattern[bytes], content: bytes) -> re.Match[bytes] | None:
    """Return the first match after a random place, else the first of all."""
    return pattern.search(content, _place(chance, content)) or pattern.search(content)


def _number(chance: Random, content: bytes) -> bytes:
    match = _next(chance, NUMBER, content)
    if match is None:
        return content
    return content[: match.start()] + chance.choice(NUMBERS) + content[match.end() :]


def _word(chance: Random, content: bytes) -> bytes:
    one, other = (_next(chance, WORD, content) for _ in range(2))
    if one is None or other is None:
        return content
    return content[: one.start()] + other[0] + content[one.end() :]


def _nested(chance: Random, content: bytes) -> bytes:
    at = _place(chance, content)
    opening = chance.choice(OPENING) * chance.choice([3, 600, 1100, 20_000])
    return content[:at] + opening + content[at + chance.randint(0, 9) :]


def _version(chance: Random, content: bytes) -> bytes:
    new = chance.choice([b"/2", b"/0", b"/", b"/99999999999", b" 2"])
    return re.sub(rb"[/ ]1\b", new, content, count=1)


def _board(chance: Random, content: bytes) -> bytes:
    side = chance.choice([b"1", b"3", b"5", b"19", b"26", b"27", b"0", b"1000000"])
    pattern = rb'("?(?:columns|rows|size|board|SZ)"?[\[: ]+)([0-9]+)'
    return re.sub(pattern, lambda match: match[1] + side, content, count=1)


ACCIDENTS = (
    _bytes, _bit, _cut, _lines, _number, _number, _word, _nested, _version, _board,
)  # fmt: skip

"""Forged certificates of Dark Hex: bounds that claim too much, and changed policies."""

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

from dark_values import VALUES

from player.dark import certificate

SMALL = re.compile(r"(2x2|3x2|2x3)-(abrupt|classic)-(silent|noisy|flash)\.txt")
CHANGES_EACH = 20


def value_of(claim: certificate.Certificate) -> Fraction:
    """Return the known value of a game of at most six cells."""
    board, rules = claim.rules.board, claim.rules
    sides = board.columns, board.rows
    return Fraction(VALUES.get((*sides, rules.base, rules.noise), -1 if sides == (2, 3) else 1))


def forged(chance: Random, folder: Path) -> Iterator[str]:
    """Yield certificates endlessly; the first of each twenty is unchanged."""
    texts = [path.read_text() for path in sorted(folder.iterdir()) if SMALL.fullmatch(path.name)]
    while True:
        text = chance.choice(texts)
        yield text
        for _ in range(CHANGES_EACH):
            lines = text.splitlines()
            for _ in range(chance.choice([1, 1, 2, 3])):
                _change(chance, lines)
            yield "\n".join(lines) + "\n"


def _change(chance: Random, lines: list[str]) -> None:
    what = chance.choice(["bounds", "bounds", "head", "cell", "cell", "number", "number", "line"])
    place = chance.randrange(6, len(lines)) if len(lines) > 6 else len(lines) - 1
    if what == "bounds" and len(lines) > 5:
        number, bound = chance.choice([(4, "lower"), (5, "upper")])
        old = Fraction(lines[number].split()[1])
        small = Fraction(chance.randint(-3, 3), chance.choice([1, 2, 37, 1000]))
        lines[number] = (
            f"{bound} {chance.choice([old + small, -old, Fraction(chance.randint(-2, 2))])}"
        )
    elif what == "head" and len(lines) > 3:
        number, words = chance.choice(
            [
                (1, ["board 2x2", "board 2x3", "board 3x2"]),
                (2, ["base abrupt", "base classic"]),
                (3, ["noise silent", "noise noisy", "noise flash"]),
            ]
        )
        lines[number] = chance.choice(words)
    elif what in {"cell", "number"}:
        old, news = (r"\b[a-c][1-3]", ["a1", "b1", "a2", "b2", "c1", "a3"])
        if what == "number":
            old, news = r"(?<= )\d+(/\d+)?\b", ["1", "2", "0", "5", "1/3", "-1"]
        found = list(re.finditer(old, lines[place]))
        if found:
            match = chance.choice(found)
            begin, end = match.span()
            lines[place] = lines[place][:begin] + chance.choice(news) + lines[place][end:]
    else:
        other = chance.randrange(6, len(lines)) if len(lines) > 6 else place
        if chance.random() < 0.5:
            del lines[place]
        else:
            lines[place], lines[other] = lines[other], lines[place]


def claim_of(text: str) -> certificate.Certificate | None:
    """Return what a certificate claims if the checker accepts it; else None."""
    try:
        claim = certificate.read(text)
        certificate.verify(claim)
    except ValueError:
        return None
    return claim


def is_false(claim: certificate.Certificate) -> bool:
    """Return whether a claim excludes the known value."""
    return not claim.lower <= value_of(claim) <= claim.upper

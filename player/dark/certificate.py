"""Proof of the value of a game: a policy of each player, checked in exact arithmetic.

Black's policy proves a lower bound on the value, White's an upper one: what the
other player's best response leaves. The check trusts no solver: it takes the
rules and two policies, and finds the best responses by plain recursion over the
responder's beliefs, with fractions. For policies with many entries or cells a
kernel does the same in whole numbers, see `player.dark.whole_numbers`.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from pathlib import Path
from typing import TypeAlias

from hsearch.formats.error import quote
from hsearch.hex import Board, Color, cells_in
from player.dark import tabular, whole_numbers
from player.dark.book import TooLongError
from player.dark.methods import DEEP, LEGIBLE
from player.dark.rules import Base, DarkRules, History, Mask, Noise, heard_symbol, own_symbol
from player.dark.tabular import PolicyError, TabularPolicy

HEAD = "hsearch dark certificate 1"
MOST_BYTES = 200_000_000  # of a file
MOST_LINES = 1_000_000  # each may take a kilobyte of memory
MOST_STEPS = 20_000_000  # to check a policy, about a minute; the shipped ones take a million
FASTER = 20  # times as many steps in the kernel; the shipped policies take eight million
LONG = 11  # 2^11 binary digits are added as fast as one
MANY = 2_000  # with more entries the kernel checks a policy, if its plan fits whole numbers
PLAIN_CELLS = 9  # and on larger boards any: plain recursion over 400 entries on 4x3 took minutes

# The other player's stones, what they found, and their information state.
Hidden: TypeAlias = tuple[Mask, Mask, History]
Belief: TypeAlias = dict[Hidden, Fraction]
Sound: TypeAlias = tuple[int, ...]


class CertificateError(ValueError):
    """A certificate that is damaged, or does not prove its claim."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A claim about the value to Black, and the policies that prove it.

    rules         the game
    lower, upper  the claimed bounds, equal if the claim is exact
    policies      Black's and White's; None if there is nothing to prove, because
                  the bound is -1 or 1
    """

    rules: DarkRules
    lower: Fraction
    upper: Fraction
    policies: tuple[TabularPolicy | None, TabularPolicy | None]


def verify(certificate: Certificate) -> tuple[Fraction, Fraction]:
    """Return the bounds that the policies prove; raise CertificateError if the claim is stronger.

    Raise TooLongError if the check would take too long.
    """
    lower, upper = prove_bounds(certificate.policies)
    if lower < certificate.lower:
        proved, claimed = map(brief, (lower, certificate.lower))
        raise CertificateError(f"Black's policy proves {proved}, not {claimed}")
    if upper > certificate.upper:
        proved, claimed = map(brief, (upper, certificate.upper))
        raise CertificateError(f"White's policy proves {proved}, not {claimed}")
    return lower, upper


def brief(bound: Fraction) -> str:
    """Return a bound, or a chance, as text: a decimal if it has more digits than a person reads."""
    return str(bound) if bound.denominator < LEGIBLE else f"about {float(bound):.12f}"


def prove_bounds(
    pair: tuple[TabularPolicy | None, TabularPolicy | None],
) -> tuple[Fraction, Fraction]:
    """Return the bounds on the value to Black that two policies prove, in MOST_STEPS each."""
    black, white = pair
    lower = Fraction(-1) if black is None else 1 - 2 * best_chance(black, MOST_STEPS)
    upper = Fraction(1) if white is None else 2 * best_chance(white, MOST_STEPS) - 1
    return lower, upper


def best_chance(policy: TabularPolicy, most: int | None = None) -> Fraction:
    """Return the greatest chance to win against a policy.

    Raise TooLongError if the search needs more than `most` steps; None allows any number.
    """
    is_large = len(policy.chances) > MANY or policy.rules.board.size > PLAIN_CELLS
    kernel_most = None if most is None else FASTER * most
    whole = whole_numbers.best_chance(policy, kernel_most) if is_large else None
    if whole is not None:
        return whole
    try:
        return plain_chance(policy, most)
    except TooLongError:
        whole = None if is_large else whole_numbers.best_chance(policy, kernel_most)
        if whole is None:
            raise
        return whole


def plain_chance(policy: TabularPolicy, most: int | None = None) -> Fraction:
    """Return what `best_chance` returns, by plain recursion with fractions: its definition."""
    return _Responder(policy, most).best_chance()


class _Responder:
    """The best response to a policy. Holds state: the number of steps.

    An attempt in a world is a step, on a large board several. An addition is a step; of long
    numbers it is the square of their length.
    """

    def __init__(self, policy: TabularPolicy, most: int | None) -> None:
        self._policy, self._rules = policy, policy.rules
        self._color = policy.color.opponent
        size = policy.rules.board.size
        if most is not None and size > DEEP:
            raise TooLongError(f"a check reaches {DEEP} cells, and {policy.rules.board} has {size}")
        self._most, self._steps = most, 0
        self._each = 1 + (size >> 4)

    def best_chance(self) -> Fraction:
        start: Hidden = 0, 0, ()
        if self._color is Color.BLACK:
            return self._decide(0, 0, {start: Fraction(1)})
        belief: Belief = {}
        for hidden, _, chance in self._answers(0, start, Fraction(1)):
            belief[hidden] = chance
        return self._decide(0, 0, belief) if belief else Fraction(0)

    def _decide(self, own: Mask, known: Mask, belief: Belief) -> Fraction:
        """Return the greatest chance to win from this belief."""
        best, everything = Fraction(0), self._sum(belief.values())
        for cell in cells_in(self._rules.full & ~own & ~known):
            value, groups = self._attempt(own, cell, belief)
            weights = [self._sum(group.values()) for group in groups.values()]
            rest = self._sum(weights)
            for ((collided, _), group), weight in zip(groups.items(), weights, strict=True):
                if value + rest <= best:
                    break
                rest -= weight
                bit = 1 << cell
                after = (own, known | bit) if collided else (own | bit, known)
                value = self._sum((value, self._decide(*after, group)))
            best = max(best, value)
            if best == everything:
                break
        return best

    def _attempt(
        self, own: Mask, cell: int, belief: Belief
    ) -> tuple[Fraction, dict[tuple[bool, Sound], Belief]]:
        """Return the chance that an attempt wins at once, and the beliefs after it otherwise."""
        rules, bit = self._rules, 1 << cell
        wins = Fraction(0)
        groups: defaultdict[tuple[bool, Sound], Belief] = defaultdict(dict)
        for (stones, hits, history), chance in belief.items():
            self._spend(self._each)
            collided = bool(stones & bit)
            if not collided and rules.connects(self._color, own | bit):
                wins = self._sum((wins, chance))
                continue
            heard = heard_symbol(rules.noise, cell, placed=not collided)
            hidden = stones, hits, history if heard is None else (*history, heard)
            if collided and rules.base is Base.CLASSIC:
                groups[True, ()][hidden] = chance
                continue
            mine = own if collided else own | bit
            for after, sound, share in self._answers(mine, hidden, chance):
                # Nothing is overwritten: `after` contains its history, so it is unique.
                groups[collided, sound][after] = share
        return wins, groups

    def _answers(
        self, mine: Mask, hidden: Hidden, chance: Fraction
    ) -> Iterator[tuple[Hidden, Sound, Fraction]]:
        """Yield the outcomes of the policy's turn that do not win, and the sounds of each."""
        stones, hits, history = hidden
        color, rules = self._policy.color, self._rules
        for cell, share in self._policy.at(history).items():
            self._spend(self._each)
            bit = 1 << cell
            placed = not mine & bit
            new_history = (*history, own_symbol(cell, placed=placed))
            if placed:
                if not rules.connects(color, stones | bit):
                    yield (stones | bit, hits, new_history), (), chance * share
                continue
            heard = heard_symbol(rules.noise, cell, placed=False)
            sound = () if heard is None else (heard,)
            after = stones, hits | bit, new_history
            if rules.base is Base.ABRUPT:
                yield after, sound, chance * share
                continue
            for last, more, part in self._answers(mine, after, chance * share):
                yield last, sound + more, part

    def _sum(self, numbers: Iterable[Fraction]) -> Fraction:
        """Return the sum, brought to lowest terms once: `sum` does it after each number."""
        above, below = 0, 1
        for number in numbers:
            over, under = number.as_integer_ratio()
            if under != below:
                common = gcd(below, under)
                above *= under // common
                over *= below // common
                below *= under // common
            above += over
            self._spend(1 + (below.bit_length() >> LONG) ** 2)
        return Fraction(above, below)

    def _spend(self, steps: int) -> None:
        self._steps += steps
        if self._most is not None and self._steps > self._most:
            raise TooLongError(f"a check of this policy takes more than {self._most:,} steps")


def write(certificate: Certificate) -> str:
    """Return a certificate as text."""
    rules, board = certificate.rules, certificate.rules.board
    lines = [
        HEAD,
        f"board {board}",
        f"base {rules.base}",
        f"noise {rules.noise}",
        f"lower {certificate.lower}",
        f"upper {certificate.upper}",
    ]
    text = "".join(f"{line}\n" for line in lines)
    for color, policy in zip(Color, certificate.policies, strict=True):
        if policy is not None:
            order = board.text(policy.order)
            text += f"policy {color.word} order {order}\n{tabular.write(policy)}"
    return text


def load(path: Path) -> Certificate:
    """Return the certificate in a file; raise CertificateError if it is damaged.

    Raise OSError when the file cannot be read.
    """
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise CertificateError(f"{path}: longer than {MOST_BYTES:,} bytes")
    try:
        return read(content.decode())
    except UnicodeDecodeError:
        raise CertificateError(f"{path}: not text") from None
    except ValueError as error:
        raise CertificateError(f"{path}: {error}") from None


def read(text: str) -> Certificate:
    """Return the certificate in a text; raise ValueError, with the line, if it is bad."""
    lines = text.splitlines()
    if not lines or lines[0] != HEAD:
        begin = quote((lines or [""])[0], 60)
        raise CertificateError(
            f"line 1: {begin} is not {HEAD!r}, which `hsearch dark solve --certificate` writes"
        )
    names = ("board", "base", "noise", "lower", "upper")
    fields: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        word, _, value = (lines[number] if number < len(lines) else "").partition(" ")
        if word != name:
            raise CertificateError(f"line {number + 1}: {name} is missing")
        fields[name] = value
    rules = _rules(fields)
    lower, upper = _bound(5, fields["lower"]), _bound(6, fields["upper"])
    if len(lines) > MOST_LINES:
        raise CertificateError(f"{len(lines):,} lines: at most {MOST_LINES:,} are read")
    policies: dict[Color, TabularPolicy] = {}
    sections: list[tuple[int, str, dict[int, str]]] = []
    for number, line in enumerate(lines[6:], 7):
        if line.startswith("policy "):
            sections.append((number, line, {}))
        elif sections:
            sections[-1][2][number] = line
        else:
            raise CertificateError(f"line {number}: no policy has begun: {quote(line, 60)}")
    for number, line, body in sections:
        color, order = _opening(rules.board, number, line)
        if color in policies:
            raise CertificateError(f"line {number}: a second policy of {color.word}")
        policies[color] = tabular.read(rules, color, order, body)
    return Certificate(rules, lower, upper, (policies.get(Color.BLACK), policies.get(Color.WHITE)))


def _bound(number: int, text: str) -> Fraction:
    """Return the bound in a line; no other notation, since 1e999999999 takes all memory."""
    if not re.fullmatch(r"-?[0-9]{1,4000}(/(?!0+\Z)[0-9]{1,4000})?", text):
        raise CertificateError(f"line {number}: not a fraction: {text[:40]!r}")
    if not -1 <= (bound := Fraction(text)) <= 1:
        raise CertificateError(f"line {number}: not from -1 to 1: {text[:40]!r}")
    return bound


def _rules(fields: dict[str, str]) -> DarkRules:
    sides = re.fullmatch(r"([0-9]{1,9})x([0-9]{1,9})", fields["board"])
    if sides is None:
        raise CertificateError(f"line 2: not a board: {quote(fields['board'])}")
    for line, name, names in ((3, "base", list(Base)), (4, "noise", list(Noise))):
        if fields[name] not in names:
            word = quote(fields[name])
            raise CertificateError(
                f"line {line}: unknown {name} {word} (known: {', '.join(names)})"
            )
    with _at_line(2):
        board = Board(int(sides[1]), int(sides[2]))
    return DarkRules(board, Base(fields["base"]), Noise(fields["noise"]))


def _opening(board: Board, number: int, line: str) -> tuple[Color, tuple[int, ...]]:
    words = line.split()
    if len(words) < 3 or words[1] not in {"black", "white"} or words[2] != "order":
        raise PolicyError(f"line {number}: not 'policy COLOR order CELLS': {quote(line, 60)}")
    with _at_line(number):
        order = tuple(tabular.cell_of(board, word) for word in words[3:])
    if sorted(order) != list(board.cells):
        text = quote(line, 60)
        raise PolicyError(f"line {number}: the order must have every cell once: {text}")
    return Color.named(words[1]), order


@contextmanager
def _at_line(number: int) -> Iterator[None]:
    """Add the number of the line to an error."""
    try:
        yield
    except ValueError as error:
        raise CertificateError(f"line {number}: {error}") from None

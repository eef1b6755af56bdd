"""A board for visitors: what whoever has its address may ask, and how much of the machine it takes.

Strangers share one server. So each of them gets a share: seconds a question, after which its
work is stopped; one question of a lane at work at a time, while its others wait in a line of
their own; short messages, and few answers unread. All together wait in a line of bounded length:
whoever comes when it is full gets an answer at once, that the board is busy and for how long.
What is allowed is listed, so that a new kind of question is not open to strangers by oversight.
"""

import time
from dataclasses import dataclass
from math import inf

import psutil

# A list of its own, not KINDS: games of hidden stones are left out, for the server holds few of
# them. None of these reads or writes a file that a visitor names.
_KINDS = """
    analyze explain follow links connections moves openings policy shipped graph solve prove
    verify review hint odds turn puzzle read states write
"""
KINDS_OF_VISITORS = frozenset(_KINDS.split())
WHOLE_GAMES = {"graph": 3, "review": 3}  # these get so many times the seconds of a question
IDLE = 120.0  # seconds without a question after which a visitor makes room for another


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a page may take.

    seconds     of work at a question; then it is stopped
    kinds       of questions it may ask; None are all
    characters  of a question
    unread      characters of answers that wait for it to read them
    """

    seconds: float = inf
    kinds: frozenset[str] | None = None
    characters: int = 4 * 1024 * 1024
    unread: int = 8_000_000

    def seconds_of(self, kind: str) -> float:
        """Return the seconds of work at a question of a kind."""
        return self.seconds * WHOLE_GAMES.get(kind, 1)


@dataclass(frozen=True, slots=True)
class Visitors:
    """Limits of a board that is open to strangers.

    names      by which it is reached, each NAME or NAME:PORT
    most       visitors at once
    seconds    of work at a question
    workers    threads for long questions of all, and as many for short ones
    waiting    questions of all that may wait, long ones and short ones apart
    megabytes  of memory beyond which the server forgets what it remembers, and answers "busy"
    """

    names: tuple[str, ...] = ()
    most: int = 64
    seconds: float = 10.0
    workers: int = 1
    waiting: int = 50
    megabytes: int = 2000

    @property
    def allowance(self) -> Allowance:
        """What one visitor may take."""
        return Allowance(self.seconds, KINDS_OF_VISITORS, 256 * 1024, 1_000_000)

    def hosts(self, port: int) -> frozenset[str]:
        """Return what the Host of a request may be, by the names; behind a proxy without a port."""
        plain = {f"{name}:{port}" for name in self.names if ":" not in name}
        return frozenset({*self.names, *plain})

    @property
    def words(self) -> str:
        """The limits in a sentence, for the page."""
        return (
            f"This board is open to visitors: at most {self.seconds:g} seconds a question, "
            f"one long question at a time."
        )

    def is_full(self) -> bool:
        """Return whether the server takes more memory than it may."""
        return bool(psutil.Process().memory_info().rss > self.megabytes * 1_000_000)


OWN = Allowance()  # of the page of whoever started the server


class BusyError(ValueError):
    """There is no room for a question now."""

    def __init__(self, why: str, seconds: float) -> None:
        """Word it; `seconds` is when to ask again."""
        super().__init__(f"busy: {why}; try again in {min(max(round(seconds), 1), 600)} s")


class Typical:
    """How long a question takes, on average of the last ones. Threads may share it."""

    def __init__(self) -> None:
        """Suppose a second until one was answered."""
        self.seconds = 1.0

    def add(self, begin: float) -> None:
        """Count a question that began then and has ended now."""
        self.seconds += 0.1 * (time.monotonic() - begin - self.seconds)

"""What bounds a search for connections: the limits of H-search, deduction, knowledge and time.

The limits of H-search are Anshelevich's M and K, or shrinking intersections.

The shrinking engine follows Pawlewicz, Hayward, Henderson and Arneson: Stronger
virtual connections in Hex. Whether AND and OR can use some full of a pair depends
mainly on the cells that all of them share, so these decide which fulls to keep.
"""

import enum
from dataclasses import dataclass
from numbers import Integral, Real

from hsearch.hex.face import expect, expect_range, guide

# The limits of H-search.

NO_LIMIT = 2**31


@guide
@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a closure. Without them, closures explode beyond small boards.

    M             fulls kept for a pair of points, the smallest by (size, bits); None: all
    semis         semis kept for a pair, in the same way; None: twice M
    K             most semis that one OR joins; None: any number
    edge_pivot    whether AND may go through a group that touches an edge
    greedy_union  whether a pair without a full, whose semis have no cell in
                  common, gets the union of a greedily chosen few of them
    templates     whether known edge templates that the rules miss are added
    stop_at_win   whether to stop at the first full between the own edges
    steps         most AND and OR tries; None: any number
    shrinking     whether a pair keeps, instead of the M smallest fulls, those that
                  shrink the intersection of its fulls, and OR joins only as many semis
                  as that needs. M, semis, K and greedy_union then have no effect

    Raise ValueError when a number is out of range.

    >>> import hsearch
    >>> limits = hsearch.Limits(M=2, K=2)
    >>> hsearch.closure(hsearch.Position.of(5), "black", limits).counts.limits_bound
    ('M', 'K')
    """

    M: int | None = 20
    semis: int | None = None
    K: int | None = 4
    edge_pivot: bool = False
    greedy_union: bool = True
    templates: bool = False
    stop_at_win: bool = False
    steps: int | None = None
    shrinking: bool = False

    def __post_init__(self) -> None:
        for name in ("M", "semis", "K", "steps"):
            number = getattr(self, name)
            if number is None:
                continue
            expect(name, number, Integral, "a whole number, or None")
            expect_range(name, number, 1, NO_LIMIT)
            object.__setattr__(self, name, int(number))  # a NumPy integer may have eight bits

    @classmethod
    def none(cls, *, edge_pivot: bool = False) -> "Limits":
        """Return no limits at all: the closure is complete and independent of order."""
        return cls(M=None, K=None, edge_pivot=edge_pivot, greedy_union=False)

    @property
    def most_semis(self) -> int | None:
        """The semis kept for a pair, with the default applied."""
        if self.semis is not None:
            return self.semis
        return times(2, self.M)


DEFAULT_LIMITS = Limits()


def times(factor: int, number: int | None) -> int | None:
    """Return a multiple of a limit, at most `NO_LIMIT`; None stays None."""
    return None if number is None else min(factor * number, NO_LIMIT)


# What may find a connection where H-search does not.


@dataclass(frozen=True, slots=True)
class Depth:
    """Depth and budget of must-play deduction.

    replies   how many own replies may follow one another; 0 is H-search alone
    searches  most H-searches in total

    Raise ValueError when a number is out of range.

    >>> import hsearch
    >>> position = hsearch.Position.of(4, black="a4", turn="white")
    >>> for depth in hsearch.Depth(0), hsearch.Depth(1):
    ...     print(hsearch.Analysis(position, depth=depth, search=None).winner)
    None
    black
    """

    replies: int = 1
    searches: int = 1000

    def __post_init__(self) -> None:
        for name in ("replies", "searches"):
            expect(name, getattr(self, name), Integral, "a whole number")
        expect_range("replies", self.replies, 0, 3)
        expect_range("searches", self.searches, 1)


NO_DEPTH = Depth(0)


class Knowledge(enum.StrEnum):
    """Methods that may find a connection between a player's edges.

    RULES  H-search under its limits, as in Anshelevich's papers
    LOCAL  if that proves nothing, also: more fulls for each pair, the known templates,
           windows at the edges, and filling the regions that a player encloses
    ALL    if that proves nothing either, also must-play deduction

    Raise ValueError for another word.

    >>> import hsearch
    >>> position = hsearch.Position.of(4, black="c1 d1", white="a3", turn="white")
    >>> for knowledge in hsearch.Knowledge:
    ...     print(knowledge, hsearch.Analysis(position, knowledge=knowledge, search=None).winner)
    rules None
    local black
    all black
    """

    RULES = "rules"
    LOCAL = "local"
    ALL = "all"

    @classmethod
    def _missing_(cls, value: object) -> None:
        raise ValueError(f"unknown knowledge {value!r} (known: {', '.join(cls)})")


# The options of an analysis: limits, deduction, knowledge and time.


@dataclass(frozen=True, slots=True)
class HSearchOptions:
    """What may find connections: H-search within its limits, what may follow it, and the time.

    limits     of H-search
    depth      of must-play deduction, where H-search finds no full
    knowledge  the methods that may join a player's edges
    seconds    for all of it; None: no limit
    is_alone   whether nothing else is asked after it: no solver, no search for the best moves

    Raise TypeError for a value of a wrong type, and ValueError for unknown knowledge.
    """

    limits: Limits = DEFAULT_LIMITS
    depth: Depth = NO_DEPTH
    knowledge: Knowledge = Knowledge.RULES
    seconds: float | None = None
    is_alone: bool = False

    def __post_init__(self) -> None:
        expect("limits", self.limits, Limits, "hsearch.Limits(M=30, K=8)")
        expect("depth", self.depth, Depth, "hsearch.Depth(2)")
        if self.seconds is not None:
            expect("seconds", self.seconds, Real, "a number of seconds, or None")
        object.__setattr__(self, "knowledge", Knowledge(self.knowledge))

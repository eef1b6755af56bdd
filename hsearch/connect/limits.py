"""Limits of H-search: Anshelevich's M and K, or shrinking intersections; and the switches.

The shrinking engine follows Pawlewicz, Hayward, Henderson and Arneson: Stronger
virtual connections in Hex. Whether AND and OR can use some full of a pair depends
mainly on the cells that all of them share, so these decide which fulls to keep.
"""

from dataclasses import dataclass
from numbers import Integral

from hsearch.hex.calls import expect, guided

NO_LIMIT = 2**31


@guided
@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a closure. Without them, closures explode beyond small boards.

    M             fulls kept for a pair of points, the smallest by (size, bits); None: all
    semis         semis kept for a pair, in the same way; None: twice M
    K             most semis that one OR joins; None: any number
    edge_pivot    whether AND may go through a group that touches an edge
    templates     whether known edge templates that the rules miss are added
    greedy_union  whether a pair without a full, whose semis have no cell in
                  common, gets the union of a greedily chosen few of them
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
            if not 1 <= number <= NO_LIMIT:
                raise ValueError(f"{name} out of range: {number} (1 to {NO_LIMIT})")
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

"""Result of a best-first search."""

from dataclasses import dataclass, replace

from hsearch.board import Cell, Color
from hsearch.position import Position
from player.search.findings import SearchCounts, SearchResult


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move of the root.

    cell    the move
    chance  the mover's after it, from 0 to 1; None if it was never tried
    visits  simulations that began with it
    winner  who is proved to win after it, if anyone is
    prior   the part of the search that weak links, patterns or the net give it
    """

    cell: Cell
    chance: float | None
    visits: int
    winner: Color | None
    prior: float


@dataclass(frozen=True, slots=True)
class TreeFindings:
    """Result of a best-first search.

    position     where it began
    candidates   the moves: those proved to win, then the open ones by visits, then the lost
    line         the moves it expects
    winner       who is proved to win, if anyone is
    simulations  how many were run, and how many nodes were looked at, by this search
    looks
    seconds      how long it took
    complete     whether it came to its end
    """

    position: Position
    candidates: tuple[Candidate, ...]
    line: tuple[Cell, ...]
    winner: Color | None
    simulations: int
    looks: int
    seconds: float
    complete: bool

    @property
    def visits(self) -> int:
        """Number of simulations that began with some move, with those kept from searches before."""
        return sum(each.visits for each in self.candidates)

    @property
    def best(self) -> Candidate | None:
        """The move to play; None if the root has no moves yet, or needs none."""
        return self.candidates[0] if self.candidates else None

    def settled(self, winner: Color, first: Cell | None) -> "TreeFindings":
        """Return the same with what was proved elsewhere: who wins, and a winning move if any."""
        if first is None:
            lost = tuple(replace(each, winner=winner) for each in self.candidates)
            return replace(self, winner=winner, candidates=lost)
        tried = {each.cell: each for each in self.candidates}
        best = tried.get(first, Candidate(first, None, 0, winner, 0.0))  # none, where canceled
        others = tuple(each for each in self.candidates if each is not best)
        known = (replace(best, winner=winner), *others)
        return replace(self, winner=winner, candidates=known, line=(first,))

    @property
    def result(self) -> SearchResult | None:
        """The same in the words of the other search; None if there is no move."""
        if self.best is None:
            return None
        counts = SearchCounts(nodes=self.simulations, closures=self.looks)
        return SearchResult(
            self.best.cell,
            0.0,
            self.line or (self.best.cell,),
            len(self.line),
            self.complete,
            counts,
            self.seconds,
            chance=self.best.chance,
        )

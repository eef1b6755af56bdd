"""Analyses, solvers and what the command line named: shared by the questions of all pages."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from player.board.analyses import Analyses
from player.board.dark_games import DarkGames, SealedBids
from player.board.seats import Seats
from player.board.solvers import Solvers
from player.hsearch_options import HSearchOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from hsearch.analysis import Analysis
    from hsearch.position import Position


@dataclass(frozen=True, slots=True)
class Desk:
    """Shared by all pages.

    first     the game that the command line named, as the page has games
    warnings  what was odd about it
    solvers   one a board, so that what was found once is known
    seats     the engines that play
    dark      games of hidden stones, which no page may hold
    sealed    bids that are sealed, which no page may hold either
    start     a position to analyze before anybody asks: that of the first page
    """

    first: dict[str, Any]
    warnings: tuple[str, ...] = ()
    solvers: Solvers = field(default_factory=Solvers)
    seats: Seats = field(default_factory=Seats)
    dark: DarkGames = field(default_factory=DarkGames)
    sealed: SealedBids = field(default_factory=SealedBids)
    start: "Position | None" = None
    analyses: Analyses = field(default_factory=lambda: Analyses(_analysis()))


def _analysis() -> "Callable[[Position], Analysis]":
    """Return what analyzes as the command line does unless it is told otherwise.

    Nothing is loaded before the first question.
    """

    def analysis(position: "Position") -> "Analysis":
        return HSearchOptions.of({}).analysis(position)

    return analysis

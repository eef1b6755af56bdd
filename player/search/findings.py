"""Result of a search."""

from dataclasses import dataclass, field

from hsearch.board import Cell


@dataclass(frozen=True, slots=True)
class SearchCounts:
    """Work of a search, in numbers.

    nodes     positions visited
    closures  positions looked at: with connections both closures, unless the first decided
    hits      positions answered from the transposition table
    cutoffs   positions left before all moves were tried, for the opponent has better
    """

    nodes: int = 0
    closures: int = 0
    hits: int = 0
    cutoffs: int = 0


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Result of a search.

    move      the best move
    score     what it is worth to the player to move, see `player.search.score`
    line      the moves it expects, the best move first; it ends where a proof stands
    depth     how deep it looked at last, to the end there only if complete; 0 if there was no
              time for any
    complete  whether it was as deep as asked for, or all was proved
    counts    how much work it was
    seconds   how long it took
    chance    the mover's chance, where the search has one in place of a score
    """

    move: Cell
    score: float
    line: tuple[Cell, ...]
    depth: int
    complete: bool
    counts: SearchCounts = field(default_factory=SearchCounts)
    seconds: float = 0.0
    chance: float | None = None

"""The cases behind a count of games: after Black's first stone, and White's.

White's first stone may come after attempts that hit Black's. All those histories
belong to the case, so that the cases of a first cell add up to its games.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from hsearch.board import Cell
from hsearch.cells import cells_in
from player.dark.counts import count
from player.dark.rules import DarkRules, State


@dataclass(frozen=True, slots=True)
class OpeningStones:
    """The complete games in which the first stones are those two.

    first, reply  Black's first stone, and White's
    black, white  how many games either player wins
    """

    first: Cell
    reply: Cell
    black: int
    white: int

    @property
    def games(self) -> int:
        """Number of games."""
        return self.black + self.white


# What Tapkan (2021, section 4.2) has on 2x2 for its cells 0 and 2; 1 and 3 follow by half a turn.
# Of the two cells of the virtual connection below a2 it tells the sum, of which each is a half.
PRINTED: Mapping[tuple[str, str], tuple[int, int]] = {
    ("a1", "b1"): (4, 14),
    ("a1", "a2"): (0, 28),
    ("a1", "b2"): (4, 14),
    ("a2", "a1"): (4, 21),
    ("a2", "b1"): (4, 21),
    ("a2", "b2"): (4, 0),
}


def cases(rules: DarkRules) -> list[OpeningStones]:
    """Return all cases, by Black's first cell and then by White's; the games played to the end.

    Games that Black wins with the first stone are in no case.
    """
    found: dict[tuple[Cell, Cell], list[int]] = {}

    def follow(first: Cell, state: State) -> None:
        """Go on until White has placed a stone or the game is over."""
        for cell in rules.legal(state):
            after, placed = rules.attempt(state, cell)
            if not placed:
                follow(first, after)
                continue
            if rules.is_over(after):
                games, black = 1, 0
            else:
                counts = count(rules, after)
                games, black = counts.terminals, counts.black_wins
            case = found.setdefault((first, cell), [0, 0])
            case[0] += black
            case[1] += games - black

    for first in cells_in(rules.full):
        after, _ = rules.attempt(State(), first)
        if not rules.is_over(after):
            follow(first, after)
    return [OpeningStones(*key, *numbers) for key, numbers in sorted(found.items())]

"""The scale of levels, from Beginner to Strongest, that every host offers as `level:4`.

A lower level searches less and has less knowledge: no patterns, no connections, one move
ahead. No level deliberately plays a bad move. Each level's gain over the one below was
measured from balanced openings, in processor time: `positions/results/strength.md` has the
games, and `tests/research/levels.py` makes its table from them. This module loads no player,
so it also names the players that are quick enough for the page.
"""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

LEVEL = "level"  # the name before the colon

LevelSpec: TypeAlias = Literal[
    "level:1",
    "level:2",
    "level:3",
    "level:4",
    "level:5",
    "level:6",
    "level:7",
    "level:8",
    "level:9",
    "level:10",
    "level:11",
    "level:12",
]

# These draw few fillings; without the option, all are counted or ten million are drawn.
QuickBidder: TypeAlias = Literal["bidding:fillings=3000"]
QUICK_BIDDER: str = get_args(QuickBidder)[0]
QUICK_COIN_PLAYER = "random-turn:fillings=100000"


@dataclass(frozen=True, slots=True)
class Level:
    """A step of the scale.

    number  1 is the weakest
    name    a word for it
    player  the spec of the player behind it
    gain    the Elo points over the level below, on all boards together; None if not measured
    gains   the same by the side of the board, for boards with enough games
    """

    number: int
    name: str
    player: str
    gain: int | None = None
    gains: dict[int, int] = field(default_factory=dict, hash=False)

    @property
    def spec(self) -> str:
        """The level's spec as a player, such as `level:4`."""
        return f"{LEVEL}:{self.number}"

    @property
    def title(self) -> str:
        """Its number and name, such as `3 Easy`."""
        return f"{self.number} {self.name}"

    @property
    def worth(self) -> str:
        """Its gain over the level below in Elo points, as words; empty if not measured."""
        if self.gain is None:
            return ""
        boards = ", ".join(f"{gain:+d} on {side}x{side}" for side, gain in self.gains.items())
        words = f"{self.gain:+d} Elo points over level {self.number - 1}"
        return f"{words} ({boards})" if boards else words


SIDES = (9, 11, 13)  # sides of the boards on which the levels were measured
NET, PATTERNS = "tree:net=shipped", "tree:net=none"
_PLAYERS = (
    ("Beginner", "ab:eval=two_distance,order=potentials,width=5,depth=1"),
    ("Novice", "ab:eval=two_distance,order=potentials,width=2,depth=1"),
    ("Easy", "ab:eval=resistance,depth=1"),
    ("Casual", "ab:eval=queenbee,depth=1"),
    ("Medium", "hexy:level=4"),
    ("Solid", "hexy:level=5"),
    ("Skilled", f"{PATTERNS},simulations=20"),
    ("Hard", f"{NET},playouts=yes,simulations=60"),
    ("Expert", f"{NET},simulations=2"),
    ("Master", f"{NET},simulations=20"),
    ("Champion", f"{NET},simulations=100"),
    ("Strongest", "tree:time=3"),
)
# From the games in `positions/results/levels`: by level, the gain on all boards and on each.
_GAINS: dict[int, tuple[int, dict[int, int]]] = {
    2: (181, {9: 164, 11: 201, 13: 187}),
    3: (127, {9: 111, 11: 110, 13: 228}),
    4: (163, {9: 142, 11: 185, 13: 195}),
    5: (253, {9: 296, 11: 211, 13: 250}),
    6: (113, {9: 52, 11: 125, 13: 228}),
    7: (216, {9: 211, 11: 211, 13: 219}),
    8: (289, {9: 267, 11: 335, 13: 258}),
    9: (205, {9: 167, 11: 218, 13: 243}),
    10: (230, {9: 202, 11: 287, 13: 219}),
    11: (165, {9: 124, 11: 172, 13: 249}),
    12: (573, {}),
}
LEVELS = tuple(
    Level(number, name, player, *_GAINS.get(number, ()))
    for number, (name, player) in enumerate(_PLAYERS, start=1)
)


def is_level(spec: str) -> bool:
    """Return whether a spec names a level."""
    return spec.partition(":")[0] == LEVEL


def level(text: str) -> Level:
    """Return the level with a number or a name; upper and lower case are equal.

    Raise ValueError, listing the scale, when there is none.

    >>> level("1").name, level("strongest").number
    ('Beginner', 12)
    """
    for each in LEVELS:
        if text.lower() in {str(each.number), each.name.lower()}:
            return each
    titles = ", ".join(each.title for each in LEVELS)
    raise ValueError(f"unknown level {text[:40]!r} (known: {titles})")

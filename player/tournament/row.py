"""A finished game as one line of a results file."""

from dataclasses import dataclass
from itertools import compress, cycle
from typing import Literal

from hsearch.board import Color
from hsearch.files import strict
from hsearch.files.strict import Amount, Count, Letters

_COLORS = {color.word[0]: color for color in Color}


@dataclass(frozen=True, slots=True)
class Row:
    """A finished game.

    game           its number in the event
    black, white   the players
    seed           of the game
    opening        the moves that it started from
    winner         who won
    how, reason    as the referee says
    moves          the moves played after the opening, as the variant writes them
    seconds        how long each thought took
    nodes          the positions searched in each of them, 0 if none were
    thinkers       whose thoughts they were; those who take turns if none are given
    """

    game: int
    black: str
    white: str
    seed: int
    opening: str
    winner: Color
    how: str
    reason: str
    moves: tuple[str, ...]
    seconds: tuple[float, ...]
    nodes: tuple[int, ...]
    thinkers: tuple[Color, ...] = ()

    @property
    def first(self) -> Color:
        """The player who made the first move after the opening."""
        return Color(len(self.opening.split()) % 2)

    def player(self, color: Color) -> str:
        """Return who played a color."""
        return self.black if color is Color.BLACK else self.white

    def spent(self, player: str) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """Return the seconds and the nodes of a player's moves."""
        thinkers = self.thinkers or cycle((self.first, self.first.opponent))
        mine = [
            self.player(color) == player for _, color in zip(self.seconds, thinkers, strict=False)
        ]
        return tuple(compress(self.seconds, mine)), tuple(compress(self.nodes, mine))

    def write(self) -> str:
        """Return the line, without its end."""
        return strict.write(
            {
                "game": self.game,
                "players": {"black": self.black, "white": self.white},
                "seed": self.seed,
                "opening": self.opening.split(),
                "winner": self.winner.word,
                "how": self.how,
                "reason": self.reason,
                "moves": self.moves,
                "seconds": self.seconds,
                "nodes": self.nodes,
                "thinkers": "".join(color.word[0] for color in self.thinkers),
            }
        )

    @classmethod
    def read(cls, line: bytes | str) -> "Row":
        """Return the row of a line. Raise ValueError, naming the field, when it is none."""
        try:
            thing = strict.read(line, _Written)
        except ValueError as error:
            raise ValueError(f"no row of a game: {error}") from None
        return cls(
            thing.game,
            thing.players.black,
            thing.players.white,
            thing.seed,
            " ".join(thing.opening),
            Color.named(thing.winner),
            thing.how,
            thing.reason,
            thing.moves,
            thing.seconds,
            thing.nodes,
            tuple(_COLORS[letter] for letter in thing.thinkers),
        )


@dataclass(frozen=True, slots=True)
class _Players:
    black: str
    white: str


@dataclass(frozen=True, slots=True)
class _Written:
    """A row, with the fields of its line."""

    game: Count
    players: _Players
    seed: Count
    opening: tuple[str, ...]
    winner: Literal["black", "white"]
    how: str
    reason: str
    moves: tuple[str, ...]
    seconds: tuple[Amount, ...]
    nodes: tuple[Count, ...]
    thinkers: Letters = ""

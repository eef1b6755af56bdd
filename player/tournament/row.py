"""A finished game as one line of a results file."""

import json
from dataclasses import dataclass
from typing import Any

from hsearch.board import Color


@dataclass(frozen=True, slots=True)
class Row:
    """A finished game.

    game           its number in the event
    black, white   the players
    seed           of the game
    opening        the moves that it started from
    winner         who won
    how, reason    as the referee says
    moves          the moves played after the opening
    seconds        how long each of them took
    nodes          the positions searched for each of them, 0 if none were
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

    @property
    def first(self) -> Color:
        """The player who made the first move after the opening."""
        return Color(len(self.opening.split()) % 2)

    def player(self, color: Color) -> str:
        """Return who played a color."""
        return self.black if color is Color.BLACK else self.white

    def spent(self, player: str) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """Return the seconds and the nodes of a player's moves."""
        start = int(self.player(self.first) != player)
        return self.seconds[start::2], self.nodes[start::2]

    def write(self) -> str:
        """Return the line, without its end."""
        return json.dumps(
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
            }
        )

    @classmethod
    def read(cls, line: str) -> "Row":
        """Return the row of a line. Raise ValueError when it is none."""
        thing: Any = json.loads(line)
        try:
            return cls(
                int(thing["game"]),
                str(thing["players"]["black"]),
                str(thing["players"]["white"]),
                int(thing["seed"]),
                " ".join(thing["opening"]),
                Color[thing["winner"].upper()],
                str(thing["how"]),
                str(thing["reason"]),
                tuple(map(str, thing["moves"])),
                tuple(map(float, thing["seconds"])),
                tuple(map(int, thing["nodes"])),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"no row of a game: {type(error).__name__} {error}") from None

"""40 games of hexy:level=2 against level=3 on 9x9, and the proofs of a deep review.

The games are from (at 7ae1bd3; the engine may have changed since)

    hsearch tournament hexy:level=2 hexy:level=3 --size 9 --games 40 --openings --sgf games
    hsearch review games/*.sgf --effort deep --resume deep.jsonl

and `deep.txt` has a line for each: its moves, then the proved winner before the first move and
after each: B, W or a point. A proof stays true whatever later reviews prove in addition.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from hsearch import formats
from hsearch.hex.board import Color
from hsearch.hex.game import Game

FILE = Path(__file__).parent / "reviewed" / "deep.txt"
_WINNERS = {"B": Color.BLACK, "W": Color.WHITE, ".": None}


@dataclass(frozen=True)
class Sample:
    """A game, and the proved winners of its positions."""

    game: Game
    winners: tuple[Color | None, ...]


def samples() -> list[Sample]:
    """Return the games in order."""
    lines = [line.split("|") for line in FILE.read_text().splitlines() if line[:1] != "#"]
    return [
        Sample(
            formats.read(moves, size=(9, 9)),
            tuple(_WINNERS[letter] for letter in winners.strip()),
        )
        for moves, winners in lines
    ]


def line_of(row: str) -> str:
    """Return the `deep.txt` line for a row of reviews."""
    thing = json.loads(row)
    moves = thing["moves_reviewed"]
    states = [moves[0]["before"], *(move["after"] for move in moves)]
    letters = "".join((state["proved_winner"] or ".")[0].upper() for state in states)
    return f"{' '.join(move['move'] for move in moves)} | {letters}"

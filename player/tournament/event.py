"""Schedule of an event: every game follows from its number."""

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from hsearch.board import Board
from hsearch.formats import moves
from player.clock import Clock
from player.engine import participant
from player.variants import ALTERNATING, Plain, Variant, variant


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of an event.

    number   from 0 on
    black    the text that names the player, and so for `white`
    opening  the moves that are played already, as `a2 c4`
    seed     what is left to chance follows from it
    meeting  how many games these two have played from the opening before
    """

    number: int
    black: str
    white: str
    opening: str
    seed: int
    meeting: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """All that decides the games of an event, but not how many are played.

    name       what the event is called
    columns    of the board
    rows       of the board
    players    texts that name players
    seed       that of the whole event
    gauntlet   whether only the first player meets the others; else each meets each
    swap       whether the second player may swap
    seconds    the most time for a move; None is no limit
    clock      what seconds are of: the day, or the processor
    openings   moves to start from, each played with both colors; the empty board if none
    variant    the text that names the variant

    Games are numbered round by round, so that more rounds leave the first ones
    as they are. Raise ValueError when players, a board or openings make no sense.
    """

    name: str
    columns: int
    rows: int
    players: tuple[str, ...]
    seed: int = 0
    gauntlet: bool = False
    swap: bool = False
    seconds: float | None = None
    openings: tuple[str, ...] = ()
    variant: str = ALTERNATING
    clock: str = Clock.DAY.value

    def __post_init__(self) -> None:
        rules = self.rules
        Clock(self.clock)  # names the fault, as players do
        if len(self.players) < 2:
            raise ValueError("an event needs two players or more")
        for spec in self.players:
            participant(spec, rules.name)
        if len(set(self.players)) < len(self.players):
            double = next(spec for spec in self.players if self.players.count(spec) > 1)
            raise ValueError(f"{double!r} cannot meet itself")
        if self.swap and rules.name != ALTERNATING:
            raise ValueError(f"there is no swap in {rules.name}")
        for opening in self.openings or ("",):
            rules.start(moves.read(opening, self.board))

    @property
    def board(self) -> Board:
        """The board."""
        return Board(self.columns, self.rows)

    @property
    def rules(self) -> Variant[Any]:
        """The variant."""
        rules = variant(self.variant)
        return Plain(swap=self.swap) if rules.name == ALTERNATING else rules

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The players that meet."""
        if self.gauntlet:
            return [(self.players[0], other) for other in self.players[1:]]
        return list(itertools.combinations(self.players, 2))

    def pairing(self, number: int) -> Pairing:
        """Return a game: in the next round the same players meet with colors exchanged."""
        turn, pair = divmod(number, len(self.pairs))
        black, white = self.pairs[pair][:: -1 if turn % 2 else 1]
        opening, meeting = divmod(turn, self.rules.games_per_opening)
        text = self.openings[opening % len(self.openings)] if self.openings else ""
        seed = int(np.random.SeedSequence((self.seed, number)).generate_state(1)[0])
        return Pairing(number, black, white, text, seed, meeting)

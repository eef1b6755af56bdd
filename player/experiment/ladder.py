"""The ladder: all evaluators at equal time, with and without virtual connections.

It asks whether two-distance still beats resistance once the circuit sees
virtual connections (the source had no such program to ask). All players meet
for a few games, which puts them in order; the two of each question meet until a
sequential test tells who is better; then so do neighbors, and whoever turns out
to be better than the one above moves up.
"""

from collections.abc import Callable, Sequence

from player.experiment.calibration import calibrated, samples
from player.experiment.duel import DuelResults, duel, games_of
from player.openings import balanced
from player.tournament import Event, Rows, standings

SECONDS = 0.02
SHORT = 4  # games of each two players, to begin with
LADDERS = {"ladder-8x8": 8, "ladder-11x11": 11}

# Players that see few positions in the time need the best order there is for them.
WITHOUT = (
    "ab:eval=connected,order=charge",
    "ab:eval=shortest_path,order=charge",
    "ab:eval=two_distance,order=charge",
    "ab:eval=queenbee,order=charge",
    "ab:eval=y_reduction,order=charge",
    "ab:eval=max_flow,order=charge",
    "ab:eval=resistance,order=charge",
    "ab:eval=fillings,order=critical",
)
# Connections in the circuit of the leaves alone; at every node, that they may
# decide, too; and at every node, but with two-distance for the circuit.
WITH = (
    "ab:eval=hexy,order=weak_links",
    "hexy:ordering=weak_links",
    "hexy:eval=two_distance",
)
PLAYERS = (*WITHOUT, *WITH)
QUESTIONS = (
    ("ab:eval=two_distance,order=charge", "ab:eval=resistance,order=charge"),
    ("ab:eval=two_distance,order=charge", "ab:eval=hexy,order=weak_links"),
    ("ab:eval=two_distance,order=charge", "hexy:ordering=weak_links"),
    ("hexy:eval=two_distance", "hexy:ordering=weak_links"),
)

Play = Callable[[Sequence[int], Callable[[], bool]], None]


def ladder(name: str, players: Sequence[str] | None, *, seed: int = 0) -> Event:
    """Return the event of a ladder, between players as a former run has calibrated them.

    Without players they are calibrated now, which takes a minute. Raise
    ValueError when the players are not those of the ladder.
    """
    side = LADDERS[name]
    if players is None:
        games = samples(side)
        players = [calibrated(spec, games, SECONDS) for spec in PLAYERS]
    elif tuple(map(plain, players)) != PLAYERS:
        raise ValueError(f"the players are not those of the {name}")
    return Event(name, side, side, tuple(players), seed, openings=balanced(side, side))


def plain(player: str) -> str:
    """Return a player without the budget."""
    return player.rpartition(",nodes=")[0]


class Climb:
    """Plays a ladder as far as it is not played yet. It holds state: the results."""

    def __init__(self, rows: Rows, most: int) -> None:
        """Take the results so far; let two players meet at most so often, or twice an opening."""
        self.rows = rows
        self.event = rows.event
        self.most = min(most, 2 * len(self.event.openings))

    def run(self, play: Play) -> list[str]:
        """Play all that is missing; return the players, best first.

        `play` plays games of given numbers until it is told to stop.
        """
        short = range(min(SHORT, self.most) * len(self.event.pairs))
        play(short, lambda: False)
        for one, other in self.questions():
            self._settle(play, one, other)
        order: list[str] = []
        for standing in standings(self.event.players, self.rows.of(short)):
            place = len(order)
            while place and self._is_above(play, standing.player, order[place - 1]):
                place -= 1
            order.insert(place, standing.player)
        return order

    def order(self) -> list[str]:
        """Return the players, best first, as far as the results tell."""
        return self.run(lambda _games, _stop: None)

    def questions(self) -> list[tuple[str, str]]:
        """Return the two players of each question."""
        full = {plain(player): player for player in self.event.players}
        return [(full[one], full[other]) for one, other in QUESTIONS]

    def duel(self, one: str, other: str) -> DuelResults:
        """Return what the games of two players say, up to where the test was clear."""
        return duel(self.rows, self._games(one, other), one, other)

    def _settle(self, play: Play, one: str, other: str) -> None:
        play(self._games(one, other), lambda: self.duel(one, other).verdict is not None)

    def _is_above(self, play: Play, lower: str, upper: str) -> bool:
        self._settle(play, lower, upper)
        found = self.duel(lower, upper)
        return found.verdict is not None and found.better == lower

    def _games(self, one: str, other: str) -> range:
        """Return the numbers of the games of two players."""
        return games_of(self.rows, one, other, self.most)

"""Standings, from the rows of an event."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from player.statistics import Interval, ratings, share
from player.tournament.row import Row

FAULTS = ("illegal", "failed")


@dataclass(frozen=True, slots=True)
class Standing:
    """Standing of a player.

    player  the text that names the player
    games   how many were finished
    won     how many of them the player won
    share   the chance to win against these opponents
    elo     the rating; the mean of all players is 0
    pace    seconds a move, in the mean
    """

    player: str
    games: int
    won: int
    share: Interval
    elo: Interval
    pace: float


@dataclass(frozen=True, slots=True)
class Duel:
    """Standing of two players against each other; the first is the better one.

    players  the texts that name them
    games    how many were finished
    won      how many of them the first won
    share    its chance to win against the other
    """

    players: tuple[str, str]
    games: int
    won: int
    share: Interval


def duels(places: Iterable[Standing], rows: Iterable[Row]) -> list[Duel]:
    """Return how each two players who have met stand, in the order of the standings."""
    names = [place.player for place in places]
    wins = Counter((row.player(row.winner), row.player(row.winner.opponent)) for row in rows)
    found = []
    for one, other in combinations(names, 2):
        pair = (one, other) if wins[one, other] >= wins[other, one] else (other, one)
        games = wins[one, other] + wins[other, one]
        if games:
            found.append(Duel(pair, games, wins[pair], share(wins[pair], games)))
    return found


def standings(players: tuple[str, ...], rows: Iterable[Row]) -> list[Standing]:
    """Return the standings of those who have played, best first."""
    rows = list(rows)
    number = {player: index for index, player in enumerate(players)}
    wins = np.zeros((len(players), len(players)))
    for row in rows:
        winner, loser = row.player(row.winner), row.player(row.winner.opponent)
        wins[number[winner], number[loser]] += 1
    elos = ratings(wins)
    found = [
        Standing(player, games, won, share(won, games), elos[index], _pace(player, rows))
        for player, index in number.items()
        if (games := int(wins[index].sum() + wins[:, index].sum()))
        for won in [int(wins[index].sum())]
    ]
    return sorted(found, key=lambda standing: -standing.elo.estimate)


def _pace(player: str, rows: Iterable[Row]) -> float:
    played = [row for row in rows if player in {row.black, row.white}]
    seconds = [each for row in played for each in row.spent(player)[0]]
    return sum(seconds) / max(len(seconds), 1)


def different(rows: Iterable[Row]) -> int:
    """Return how many games there are if those that repeat another, move by move, do not count."""
    return len({(row.black, row.white, row.opening, row.moves) for row in rows})


def forfeits(rows: Iterable[Row]) -> Counter[tuple[str, str]]:
    """Return how many games each player lost by a fault, by player and reason."""
    return Counter(
        (row.player(row.winner.opponent), row.reason) for row in rows if row.how in FAULTS
    )

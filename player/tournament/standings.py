"""Who stands where, from the rows of an event."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from player.statistics import Interval, ratings, share
from player.tournament.row import Row


@dataclass(frozen=True, slots=True)
class Standing:
    """How a player stands.

    player  the text that names the player
    games   how many were finished
    won     how many of them the player won
    share   the chance to win against these opponents
    elo     the rating; the mean of all players is 0
    """

    player: str
    games: int
    won: int
    share: Interval
    elo: Interval


def standings(players: tuple[str, ...], rows: Iterable[Row]) -> list[Standing]:
    """Return the standings of those who have played, best first."""
    number = {player: index for index, player in enumerate(players)}
    wins = np.zeros((len(players), len(players)))
    for row in rows:
        winner, loser = row.player(row.winner), row.player(row.winner.opponent)
        wins[number[winner], number[loser]] += 1
    elos = ratings(wins)
    found = [
        Standing(player, games, won, share(won, games), elos[index])
        for player, index in number.items()
        if (games := int(wins[index].sum() + wins[:, index].sum()))
        for won in [int(wins[index].sum())]
    ]
    return sorted(found, key=lambda standing: -standing.elo.estimate)

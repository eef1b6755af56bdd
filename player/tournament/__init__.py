"""Many games between named players: who meets whom, results that are never lost, standings."""

from player.tournament.cluster import Cluster
from player.tournament.event import Event, Pairing
from player.tournament.plot import plot
from player.tournament.row import Row
from player.tournament.rows import OtherEventError, Rows, RowsError, players_in
from player.tournament.run import WorkersError, run
from player.tournament.standings import Duel, Standing, different, duels, forfeits, standings

__all__ = [
    "Cluster",
    "Duel",
    "Event",
    "OtherEventError",
    "Pairing",
    "Row",
    "Rows",
    "RowsError",
    "Standing",
    "WorkersError",
    "different",
    "duels",
    "forfeits",
    "players_in",
    "plot",
    "run",
    "standings",
]

"""A small event, and the outcome of its games."""

from player.engine.results import Event, Rows
from player.engine.tournament import run

QUICK = Event("test", 3, 3, ("random", "ab:eval=connected,depth=1,order=random"), seed=7)


def never(_row):
    return False


def outcome(rows):
    """Return what must not depend on where and when the games are played."""
    return [(r.game, r.black, r.seed, r.winner, r.moves, r.nodes) for r in rows.first(10**6)]


def played(path, games=4):
    rows = Rows(path, QUICK)
    run(rows, range(games), never)
    return rows

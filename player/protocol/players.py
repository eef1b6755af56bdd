"""The players that a session may ask: those of this program."""

from player.engine import Player, SpecError, player
from player.engine.spec import EXTERNAL


def own_player(spec: str) -> Player:
    """Return a player by its name and options.

    Raise SpecError when it is not known, and for other programs: a line of the
    protocol must not start one.
    """
    if spec.partition(":")[0] == EXTERNAL:
        raise SpecError(f"a session does not start other programs: {spec[:30]!r}")
    return player(spec)

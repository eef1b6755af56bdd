"""The players that a session may ask: those of this program."""

from typing import Any

from player.engine import SpecError, participant
from player.engine.spec import EXTERNAL
from player.variants import ALTERNATING


def own_player(spec: str, variant: str = ALTERNATING) -> Any:
    """Return a player of a variant by its name and options.

    Raise SpecError when it is not known, and for other programs: a line of the
    protocol must not start one.
    """
    if spec.partition(":")[0] == EXTERNAL:
        raise SpecError(f"a session does not start other programs: {spec[:30]!r}")
    return participant(spec, variant)

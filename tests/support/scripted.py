"""A player that does as it is told."""

from player.engine.player import Choice, Rationale


class Scripted:
    """Plays what it was told to, whatever the position."""

    name = "scripted"

    def __init__(self, *actions):
        self.actions = list(actions)

    def prepare(self, _board):
        """Need nothing."""

    def choose(self, _game, _terms, _generator):
        """Return the next action, or fail with the next error."""
        action = self.actions.pop(0)
        if isinstance(action, Exception):
            raise action
        return Choice(action, Rationale("As told."))

    def close(self):
        """Hold nothing."""

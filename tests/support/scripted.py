"""A player that plays a given list of actions."""

from player.engine.player import Choice, Rationale


class Scripted:
    """Plays the given actions, whatever the position."""

    name = "scripted"

    def __init__(self, *actions):
        self.actions = list(actions)

    def prepare(self, _board):
        """Do nothing."""

    def choose(self, _game, _terms, _generator):
        """Return the next action, or raise the next error."""
        action = self.actions.pop(0)
        if isinstance(action, Exception):
            raise action
        return Choice(action, Rationale("As told."))

    def close(self):
        """Do nothing."""

"""The commands of the protocol: one table, and the session that they work on.

Handlers import what they compute with when they are first called, so that the
answers a client waits for at the start need neither numpy nor numba.
"""

from player.protocol.session import Session
from player.protocol.table import COMMANDS, execute

__all__ = ["COMMANDS", "Session", "execute"]

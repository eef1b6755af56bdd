"""Commands about the engine: who it is, and its end."""

from hsearch import __version__
from player.gtp import QuitError
from player.protocol.arguments import Arguments
from player.protocol.session import Session


def protocol_version(_session: Session, _arguments: Arguments) -> str:
    """Return the version of GTP."""
    return "2"


def name(_session: Session, _arguments: Arguments) -> str:
    """Return the name."""
    return "hsearch"


def version(_session: Session, _arguments: Arguments) -> str:
    """Return the version."""
    return __version__


def nothing(_session: Session, _arguments: Arguments) -> str:
    """Accept what makes no difference."""
    return ""


def leave(_session: Session, _arguments: Arguments) -> str:
    """End the session."""
    raise QuitError

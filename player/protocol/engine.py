"""Commands about the engine: who it is, and what it can do."""

from hsearch import __version__
from player.gtp import CommandError, QuitError
from player.protocol.arguments import Arguments
from player.protocol.session import Session
from player.protocol.table import COMMANDS, analyze_list, help_lines


def protocol_version(_session: Session, _arguments: Arguments) -> str:
    """Return the version of GTP."""
    return "2"


def name(_session: Session, _arguments: Arguments) -> str:
    """Return the name."""
    return "hsearch"


def version(_session: Session, _arguments: Arguments) -> str:
    """Return the version."""
    return __version__


def known_command(_session: Session, arguments: Arguments) -> str:
    """Return whether there is a command."""
    return str(arguments.words[0] in COMMANDS).lower()


def list_commands(_session: Session, _arguments: Arguments) -> str:
    """Return all names."""
    return "\n".join(COMMANDS)


def analyze_commands(_session: Session, _arguments: Arguments) -> str:
    """Return what HexGui offers."""
    return "\n".join(analyze_list())


def help_text(_session: Session, arguments: Arguments) -> str:
    """Return what all commands do, or one."""
    if not arguments:
        return "\n".join(help_lines(list(COMMANDS.values())))
    command = COMMANDS.get(arguments.words[0])
    if command is None:
        raise CommandError("unknown command")
    return "\n".join(help_lines([command]))


def nothing(_session: Session, _arguments: Arguments) -> str:
    """Accept what makes no difference."""
    return ""


def leave(_session: Session, _arguments: Arguments) -> str:
    """End the session."""
    raise QuitError

"""The commands that can be typed during a game, besides cells."""

from collections.abc import Callable, Iterator

# What it does with what is said after its name, and what help says; before two blanks stands
# what has to be said after the name. Where help says nothing, the command is not listed.
Command = tuple[Callable[[str], None], str]
Commands = dict[str, Command]
GAP = "  "


def obey(command: Command, name: str, said: str) -> None:
    """Do a command. Raise ValueError if it takes nothing, and something was said."""
    do, words = command
    if said and GAP not in words:
        raise ValueError(f"{name} is said alone, without {said!r}")
    do(said)


def explained(known: Commands) -> Iterator[tuple[str, str]]:
    """Yield how each command that is listed is said, and what it does."""
    for name, (_, words) in known.items():
        word, _, rest = words.rpartition(GAP)
        if rest:
            yield f"{name} {word}", rest


def unlisted(command: Command) -> Command:
    """Return a command that takes nothing, by a name that is not listed."""
    return command[0], ""


def refused(why: str) -> Command:
    """Return what refuses a command that other games have, with a reason."""

    def refuse(_said: str) -> None:
        raise ValueError(why)

    return refuse, GAP

"""The commands that can be typed during a game, besides cells."""

from collections.abc import Callable, Iterator

# What it does with what is said after its name, and what help says; before two blanks stands
# what has to be said after the name.
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
    """Yield how each command is said, and what it does."""
    for name, (_, words) in known.items():
        word, _, rest = words.rpartition(GAP)
        yield f"{name} {word}", rest

"""One row of the command table."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from player.gtp import CommandError
from player.protocol.arguments import Arguments
from player.protocol.session import Session

Handler: TypeAlias = Callable[[Session, Arguments], str]

_GROUP = re.compile(r"\[([^\]]*)\]|(\S+)")


@dataclass(frozen=True, slots=True)
class Item:
    """Line of a command in HexGui's analyze dialog.

    type       how it reads the reply, such as `vc` or `plist`
    label      what it shows
    wildcards  the arguments it fills in: %m %c colors, %p %P selected cells
    """

    type: str
    label: str
    wildcards: str = ""


@dataclass(frozen=True, slots=True)
class GtpCommand:
    """A command of the protocol.

    name      its name
    usage     its arguments: `COLOR CELL`, `[KEY VALUE]` both or neither, `MOVE...` any number
    doc       what it does, for `help`
    handler   what answers it
    item      how HexGui offers it; None if it does not
    """

    name: str
    usage: str
    doc: str
    handler: Handler
    item: Item | None = None

    def takes(self, count: int) -> bool:
        """Return whether the usage allows this many arguments."""
        if self.usage.endswith("..."):
            return count >= len(self.usage.split()) - 1
        fits = 0
        allowed = []
        groups = [match.group(1, 2) for match in _GROUP.finditer(self.usage)]
        for optional, required in groups:
            if required is None:
                allowed.append(fits)
                fits += len(optional.split())
            else:
                fits += 1
        return count in {*allowed, fits}

    def run(self, session: Session, words: tuple[str, ...]) -> str:
        """Return the reply to a call with these arguments."""
        if not self.takes(len(words)):
            raise CommandError(f"syntax error: usage: {self.name} {self.usage}".rstrip())
        return self.handler(session, Arguments(words, session.board))

"""Lines in, lines out: the framing of the Go Text Protocol. It knows no game.

`request` and `serve` are the engine's side: a line becomes a `Request`, and
what the handler returns a reply. Two programs named HexGui read these replies,
one of them strictly, so the writer is stricter than the protocol. `player.gtp.client` is the other
side: it drives an engine in a process of its own.
"""

from player.gtp.framing import CommandError, Request, block, reply, request
from player.gtp.lines import LONGEST_LINE, lines_of
from player.gtp.serving import Call, Handler, QuitError, serve

__all__ = [
    "LONGEST_LINE",
    "Call",
    "CommandError",
    "Handler",
    "QuitError",
    "Request",
    "block",
    "lines_of",
    "reply",
    "request",
    "serve",
]

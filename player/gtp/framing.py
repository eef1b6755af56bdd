r"""A line to a command, and a text to a reply.

A reply begins with `= ` or `? ` and ends with an empty line. An older HexGui
takes `=\n\n`, with no blank, for an error, and both of them cut a reply at its
first empty line and read the rest as the reply to the next command.
"""

import re
from dataclasses import dataclass

_WORD = re.compile(r'"([^"]*)"|(\S+)')
_COMMAND = re.compile(r"(?:([0-9]+)(?:\s+|$))?(.*)", re.DOTALL)
_EMPTY_LINES = re.compile(r"\n[^\S\n]*(?=\n)")


class CommandError(ValueError):
    """A command that is answered with a failure; the message is the reply."""


@dataclass(frozen=True, slots=True)
class Request:
    """A command as it was sent.

    id         the number before it, to be echoed; empty if there was none
    name       its name; empty if there is only a number
    arguments  the words after it, a quoted one as a whole
    """

    id: str
    name: str
    arguments: tuple[str, ...]


def request(line: str) -> Request | None:
    """Return the command in a line; None if there is none but blanks and a comment."""
    text = "".join(c for c in line.replace("\t", " ") if c >= " " and c != "\x7f")
    text = text.partition("#")[0].strip()
    if not text:
        return None
    match = _COMMAND.fullmatch(text)
    assert match is not None  # noqa: S101 - both of its parts may be empty
    name, _, rest = match[2].partition(" ")
    words = (quoted or bare for quoted, bare in _WORD.findall(rest))
    return Request(match[1] or "", name, tuple(words))


def reply(id: str, text: str, *, is_success: bool = True) -> str:  # noqa: A002 - the protocol's word
    """Return a reply as it is sent: one block without an empty line inside."""
    sign = "=" if is_success else "?"
    return f"{sign}{id} {_without_empty_lines(text)}\n\n"


def block(text: str) -> str:
    """Return a text that is sent before the reply, such as live graphics."""
    return f"{_without_empty_lines(text)}\n\n"


def _without_empty_lines(text: str) -> str:
    return _EMPTY_LINES.sub("", text.replace("\r", "")).rstrip()

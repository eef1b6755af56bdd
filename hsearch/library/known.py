"""The templates that come with the program, in `positions/templates`."""

from dataclasses import dataclass
from functools import cache

from hsearch.formats import shipped, suite
from hsearch.library.template import Template, template_of

FILES = ("edge", "found")


@dataclass(frozen=True, slots=True)
class Known:
    """A template that is proved to be one.

    template  what it says
    source    where it comes from
    is_found  whether H-search finds it without knowing it
    """

    template: Template
    source: str
    is_found: bool


@cache
def shipped_templates() -> tuple[Known, ...]:
    """Return the templates of all files, in order."""
    known = []
    for name in FILES:
        file = shipped(f"templates/{name}.txt")
        for entry in () if file is None else suite.read(file.read_text(encoding="utf-8")):
            source = " ".join(entry.values("source"))
            known.append(Known(template_of(entry), source, entry.values("found") == ["yes"]))
    return tuple(known)

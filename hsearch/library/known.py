"""The templates that come with the program, in `positions/templates`."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from hsearch.formats import shipped, suite
from hsearch.library.family import Family, family_of
from hsearch.library.template import Template, template_of

FILES = ("edge", "found", "ladders")
LARGE = "large"  # what closures are not given, for the solver finds it as fast


@dataclass(frozen=True, slots=True)
class KnownTemplate:
    """A template that is proved to be one.

    template  what it says
    source    where it comes from
    is_found  whether H-search finds it without knowing it, at any length
    family    the templates that are made by repeating a column of it, if any
    names     the names by which people know it
    missed    of a family, how often the column comes again in the first that is not found
    """

    template: Template
    source: str
    is_found: bool
    family: Family | None = None
    missed: int = 0
    names: tuple[str, ...] = ()

    def members(self, columns: int, start: int = 0) -> Iterator[Template]:
        """Yield the template, or its family as far as a board is wide.

        The `start` says how often the column is repeated at least.
        """
        if self.family is None:
            yield self.template
            return
        for more in range(start, columns - self.width + 1):
            yield self.family.member(more)

    @property
    def width(self) -> int:
        """Number of columns that it spans."""
        board = self.template.position.board
        cells = self.template.position.stones(self.template.color) | self.template.carrier
        columns = [board.column_and_row(cell)[0] for cell in cells.search(1)]
        return max(columns) - min(columns) + 1


def shipped_templates() -> tuple[KnownTemplate, ...]:
    """Return the templates of all files that closures may be given, in order."""
    return tuple(known for name in FILES for known in templates_in(name))


def all_templates() -> tuple[KnownTemplate, ...]:
    """Return all that come with the program, the large ones last."""
    return (*shipped_templates(), *templates_in(LARGE))


@cache
def templates_in(name: str) -> tuple[KnownTemplate, ...]:
    """Return the templates of one of the files; none if it is not there."""
    file = shipped(f"templates/{name}.txt")
    entries = () if file is None else suite.read(file.read_text(encoding="utf-8"))
    return tuple(map(_known, entries))


def _known(entry: suite.SuiteEntry) -> KnownTemplate:
    return KnownTemplate(
        template_of(entry),
        " ".join(entry.values("source")),
        entry.values("found") == ["yes"],
        family_of(entry),
        int(next(iter(entry.values("missed")), "0")),
        tuple(entry.values("name")),
    )

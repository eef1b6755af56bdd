"""Progress of a search for templates, as text that can be read again."""

import hashlib
from dataclasses import asdict, dataclass
from typing import Any

from hsearch.cells import CellSet
from hsearch.files import strict
from hsearch.files.strict import Count
from hsearch.template.window import TemplateWindow

SCHEMA = "hsearch/template-search/1"


@dataclass(frozen=True, slots=True)
class FindProgress:
    """Progress of a search.

    found      the minimal carriers found, mirror images among them
    closed     cells in which there is no valid carrier
    waiting    what is still to be gone through: cells that a carrier has to
               lack, and cells that it has to keep; the last comes first
    positions  how many positions complete play has visited
    """

    found: tuple[CellSet, ...]
    closed: tuple[CellSet, ...]
    waiting: tuple[tuple[CellSet, CellSet], ...]
    positions: int = 0

    @classmethod
    def start(cls, window: TemplateWindow) -> "FindProgress":
        """Return where a search of a window begins."""
        nothing = window.board.only()
        return cls((), (), ((nothing, nothing),))


def write(progress: FindProgress, window: TemplateWindow) -> str:
    """Return the text from which a search goes on."""
    names = window.board.names
    thing = {
        "schema": SCHEMA,
        "window": asdict(window),
        "positions": progress.positions,
        "found": [names(carrier) for carrier in progress.found],
        "closed": [names(cells) for cells in progress.closed],
        "waiting": [[names(cells) for cells in pair] for pair in progress.waiting],
    }
    return strict.write(thing | {"sha256": _digest(thing)}) + "\n"


@dataclass(frozen=True, slots=True)
class _Written:
    """The progress, with the fields of its text."""

    schema: str
    window: dict[str, int | list[list[int]]]
    positions: Count
    found: list[list[str]]
    closed: list[list[str]]
    waiting: list[tuple[list[str], list[str]]]
    sha256: str


def read(text: str | bytes, window: TemplateWindow) -> FindProgress:
    """Return the progress of a search of this window.

    Raise ValueError when the text is none, or of another window.
    """
    try:
        thing = strict.read(text, _Written)
    except ValueError as error:
        raise ValueError(f"not a search for templates: {error}") from None
    if thing.schema != SCHEMA:
        raise ValueError(f"not a search for templates: schema: {thing.schema[:40]!r}")
    if thing.window != strict.read(strict.write(asdict(window)), dict[str, Any]):
        raise ValueError("a search with other options: window")
    content = strict.read(text, dict[str, Any])
    del content["sha256"]
    if thing.sha256 != _digest(content):
        raise ValueError("damaged: sha256 is not that of the rest")
    named = window.board.named
    return FindProgress(
        tuple(named(names) for names in thing.found),
        tuple(named(names) for names in thing.closed),
        tuple((named(lacking), named(kept)) for lacking, kept in thing.waiting),
        thing.positions,
    )


def _digest(thing: dict[str, Any]) -> str:
    return hashlib.sha256(strict.write(thing).encode()).hexdigest()

"""How far a search for templates has come, as text that can be read again."""

import json
from dataclasses import asdict, dataclass

from hsearch.cells import CellSet
from hsearch.template.window import Window

SCHEMA = "hsearch/template-search/1"


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a search stands.

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
    def start(cls, window: Window) -> "Progress":
        """Return where a search of a window begins."""
        nothing = window.board.only()
        return cls((), (), ((nothing, nothing),))


def write(progress: Progress, window: Window) -> str:
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
    return json.dumps(thing) + "\n"


def read(text: str, window: Window) -> Progress:
    """Return the progress of a search of this window.

    Raise ValueError when the text is none, or of another window.
    """
    try:
        thing = json.loads(text)
        if thing["schema"] != SCHEMA:
            raise ValueError(f"not a search for templates: {str(thing['schema'])[:40]!r}")
        if thing["window"] != json.loads(json.dumps(asdict(window))):
            raise ValueError("a search with other options")
        named = window.board.named
        return Progress(
            tuple(named(names) for names in thing["found"]),
            tuple(named(names) for names in thing["closed"]),
            tuple((named(lacking), named(kept)) for lacking, kept in thing["waiting"]),
            int(thing["positions"]),
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"no JSON: {error}") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a search for templates: {error}") from None

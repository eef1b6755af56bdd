"""The reply to an intrusion, read from the derivation of a connection.

Nothing is searched and nothing recomputed: a connection carries all that it
was derived from. An AND across stones has two halves that share no cell, so
an intrusion hits one of them and the other stands. An OR has a semi that
avoids the intrusion: its key is the reply, and the two halves that met in
the key, now a stone, take the place of the full that was hit. A semi by
must-play leaves one full, which joins the ends with the key as a stone.
"""

from dataclasses import dataclass

from hsearch.board import Cell
from hsearch.connection import Connection, Rule


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer of the owner of a full connection to an intrusion.

    cell  the cell to play
    held  the fulls that join the ends from then on, in no order; their carriers
          lie in the old one, share no cell, and hold no other stone
    """

    cell: Cell
    held: tuple[Connection, ...]


def reply(full: Connection, intrusion: Cell) -> Reply | None:
    """Return the reply to an intrusion; None if it needs none, being outside the carrier.

    A known template tells no reply: `hsearch.deduction.expand` makes one of it
    that does.

    Raise ValueError when the connection is a semi: its owner has to play the
    key before anything else.
    """
    if not full.is_full:
        raise ValueError("a semi connection stands only once its key is played")
    if not full.carrier[intrusion]:
        return None
    hit = full
    held: list[Connection] = []
    while hit.rule is Rule.AND:
        first, second = hit.premises
        hit, stands = (first, second) if first.carrier[intrusion] else (second, first)
        held.append(stands)
    semi = next(semi for semi in threats(hit) if not semi.carrier[intrusion])
    assert semi.key is not None  # noqa: S101 - it is a semi
    return Reply(semi.key, (*held, *semi.premises))


def threats(full: Connection) -> list[Connection]:
    """Return the semis that an OR rests on, in the order in which replies are looked for.

    The smallest first, those of one size by their cells.
    """
    return sorted(full.premises, key=_size_and_cells)


def _size_and_cells(semi: Connection) -> tuple[int, tuple[Cell, ...]]:
    return semi.carrier.count(), tuple(semi.carrier.search(1))

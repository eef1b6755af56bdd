"""The reply to an intrusion, and to any sequence of them."""

from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from hsearch.connect.connection import Connection, Rule, filled
from hsearch.connect.deduction import expand
from hsearch.hex.board import Cell, CellSet, Color
from hsearch.hex.position import Position, captains

# The reply to an intrusion, read from the derivation of a connection.
#
# Nothing is searched and nothing recomputed: a connection carries all that it
# was derived from. An AND across stones has two halves that share no cell, so
# an intrusion hits one of them and the other stands. An OR has a semi that
# avoids the intrusion: its key is the reply, and the two halves that met in
# the key, now a stone, take the place of the full that was hit. A semi by
# must-play leaves one full, which joins the ends with the key as a stone.


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

    A known template tells no reply: `hsearch.connect.deduction` makes one of it
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


# Follow a connection through any sequence of intrusions.
#
# A `StrategyState` is a value: each intrusion makes a new one, so that all lines of
# play can be tried from one start. Empty ends count as the owner's stones.


@dataclass(frozen=True, slots=True)
class StrategyState:
    """A connection that its owner holds against an intruder.

    position    the stones by now: also on the ends, intrusions and replies
    color       the owner
    connection  what was held at the start, for the position at the start
    held        full connections that together join the ends; their carriers
                share no cell, and ends that meet are stones of the owner
    beside      what joins the groups around filled regions, each followed by
                itself; then `position` has the regions filled
    stones      the stones by now, without filled regions
    intrusion   what the opponent played last; None at the start
    reply       what the owner played last: the key of a semi, or the reply to
                the last intrusion; None if that intrusion needed none
    """

    position: Position
    color: Color
    connection: Connection
    held: tuple[Connection, ...]
    intrusion: Cell | None = None
    reply: Cell | None = None
    beside: tuple["StrategyState", ...] = ()
    stones: Position | None = None

    @property
    def carrier(self) -> CellSet:
        """The cells in which an intrusion still needs a reply."""
        held = (full.carrier for full in self.held)
        beside = (part.carrier for part in self.beside)
        return reduce(or_, (*held, *beside), self.position.board.only())

    @property
    def is_joined(self) -> bool:
        """Whether the owner's stones join the ends already."""
        named = captains(self.position, self.color)
        joined = named[self.connection.x] == named[self.connection.y]
        return joined and all(part.is_joined for part in self.beside)

    def intrude(self, cell: Cell) -> "StrategyState":
        """Return what is held once the opponent has played a cell and the owner has replied.

        Raise IllegalMoveError when the cell is not empty.
        """
        if self.stones is not None:
            return self._beside(self.stones.put(cell, self.color.opponent), cell)
        position = self.position.put(cell, self.color.opponent)
        for hit in self.held:
            answer = reply(hit, cell)
            if answer is not None:
                held = (*(full for full in self.held if full is not hit), *answer.held)
                position = position.put(answer.cell, self.color)
                return replace(
                    self, position=position, held=held, intrusion=cell, reply=answer.cell
                )
        return replace(self, position=position, intrusion=cell, reply=None)

    def _beside(self, stones: Position, cell: Cell) -> "StrategyState":
        """Return what is held once the opponent has played a cell of a board with filled regions.

        In a region only what joins the groups around it is answered.
        """
        parts = [replace(self, beside=(), stones=None), *self.beside]
        answer = None
        for number, part in enumerate(parts):
            if part.position.empty[cell] and (number == 0 or part.carrier[cell]):
                parts[number] = part.intrude(cell)
                answer = parts[number].reply
                break
        if answer is not None:
            stones = stones.put(answer, self.color)
        first, *others = parts
        return replace(first, intrusion=cell, reply=answer, beside=tuple(others), stones=stones)


def follow(position: Position, color: Color, connection: Connection) -> StrategyState:
    """Start to follow a connection: the owner plays the key of a semi, and nothing for a full.

    Empty ends get stones of the owner. Known templates are replaced by their
    derivations, which tell the replies.
    """
    if connection.rule is Rule.FILL_IN:
        return _follow_filled(position, color, connection)
    connection = expand(position, color, connection)
    for end in connection.ends:
        if not position.board.is_edge(end) and position.empty[end]:
            position = position.put(end, color)
    if connection.key is None:
        return StrategyState(position, color, connection, (connection,))
    position = position.put(connection.key, color)
    return StrategyState(position, color, connection, connection.premises, reply=connection.key)


def _follow_filled(position: Position, color: Color, connection: Connection) -> StrategyState:
    """Start to follow a connection of a board with filled regions, and what it needs beside."""
    boards = filled(position, connection.fills)
    inner = follow(boards[-1], color, connection.premises[0])
    beside = [
        follow(boards[fill.since], color, fill.join)
        for fill in connection.fills
        if fill.color is color and fill.join is not None
    ]
    stones = position if connection.key is None else position.put(connection.key, color)
    return replace(inner, connection=connection, beside=tuple(beside), stones=stones)

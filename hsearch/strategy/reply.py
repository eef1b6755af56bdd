"""Replies: to one intrusion, to any sequence of them, and how to hold a won game."""

from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from hsearch.connect import Connection, Rule, deduction, fill_regions
from hsearch.hex import Board, Cell, CellSet, Color, Position, captains

# The reply to an intrusion, read from the derivation of a connection.
#
# Nothing is searched or recomputed: a connection holds its derivation. An AND
# across stones has two halves that share no cell, so an intrusion hits one of
# them and the other stands. An OR has a semi that avoids the intrusion: its key
# is the reply, and the two halves that meet in the key, now a stone, replace the
# full that was hit. A semi by must-play leaves one full, which joins the ends
# with the key as a stone. One by fill-in leaves the fulls of the filled board, and
# those that join the groups around the owner's regions.


@dataclass(frozen=True, slots=True)
class Reply:
    """Reply of the owner of a full connection to an intrusion.

    cell   the cell to play
    fulls  the fulls that then join the ends, in no order; their carriers lie in the
           old one, share no cell, and hold neither intrusion nor reply
    """

    cell: Cell
    fulls: tuple[Connection, ...]


def reply(full: Connection, intrusion: Cell) -> Reply | None:
    """Return the reply to an intrusion; None if it is outside the carrier and needs none.

    A known template has no premises to read a reply from: replace it first, by
    `hsearch.connect.deduction.expand`.

    Raise ValueError when the connection is a semi, whose owner must play the key before
    anything else, or when the part that is hit is a known template or a fill-in.
    """
    if not full.is_full:
        raise ValueError("a semi connection stands only once its key is played")
    if not full.carrier[intrusion]:
        return None
    hit = full
    fulls: list[Connection] = []
    while hit.rule is Rule.AND:
        first, second = hit.premises
        hit, stands = (first, second) if first.carrier[intrusion] else (second, first)
        fulls.append(stands)
    if hit.rule is not Rule.OR:
        raise ValueError("a known template or a fill-in has no reply: use `follow`")
    semi = next(semi for semi in threats(hit) if not semi.carrier[intrusion])
    return Reply(semi.first_move, (*fulls, *_after_key(semi)))


def _after_key(semi: Connection) -> tuple[Connection, ...]:
    """Return the fulls that join the ends of a semi once its key is played."""
    if semi.rule is not Rule.FILL_IN:
        return semi.premises
    inner, *joins = semi.premises
    return (*inner.premises, *joins)


def threats(full: Connection) -> list[Connection]:
    """Return the semis of an OR in the order in which a reply is sought: by size, then cells."""
    return sorted(full.premises, key=lambda semi: (semi.carrier.count(), *semi.carrier.search(1)))


# Follow a connection through any sequence of intrusions.
#
# A `StrategyState` is a value: each intrusion makes a new one, so all lines of play
# can be tried from one start. Empty ends count as the owner's stones.


@dataclass(frozen=True, slots=True)
class StrategyState:
    """A connection that its owner holds against an intruder.

    position    the current position, with stones on the ends, intrusions and replies
    color       the owner
    connection  the connection at the start, in the position at the start
    fulls       full connections that together join the ends; their carriers
                share no cell, and ends that meet are stones of the owner
    intrusion   the opponent's last move; None at the start
    reply       the owner's last move: the key of a semi, or the reply to the
                last intrusion; None if that intrusion needed none
    beside      the fulls that join the groups around filled regions, each followed
                separately; `position` then has the regions filled
    stones      the current position without filled regions; None if none are filled
    """

    position: Position
    color: Color
    connection: Connection
    fulls: tuple[Connection, ...]
    intrusion: Cell | None = None
    reply: Cell | None = None
    beside: tuple["StrategyState", ...] = ()
    stones: Position | None = None

    @property
    def on_board(self) -> Position:
        """The current position as it is on the board, without filled regions."""
        return self.position if self.stones is None else self.stones

    @property
    def carrier(self) -> CellSet:
        """The cells in which an intrusion still needs a reply."""
        carriers = (full.carrier for full in self.fulls)
        beside = (part.carrier for part in self.beside)
        return reduce(or_, (*carriers, *beside), self.position.board.only())

    @property
    def is_joined(self) -> bool:
        """Whether the owner's stones already join the ends."""
        captain_of = captains(self.position, self.color)
        joined = captain_of[self.connection.x] == captain_of[self.connection.y]
        return joined and all(part.is_joined for part in self.beside)

    def intrude(self, cell: Cell) -> "StrategyState":
        """Return the state after the opponent's move on a cell and the owner's reply.

        Raise IllegalMoveError when the cell is not empty.
        """
        if self.stones is not None:
            return self._beside(self.stones.put(cell, self.color.opponent), cell)
        position = self.position.put(cell, self.color.opponent)
        for hit in self.fulls:
            answer = reply(hit, cell)
            if answer is not None:
                fulls = (*(full for full in self.fulls if full is not hit), *answer.fulls)
                position = position.put(answer.cell, self.color)
                return replace(
                    self, position=position, fulls=fulls, intrusion=cell, reply=answer.cell
                )
        return replace(self, position=position, intrusion=cell, reply=None)

    def _beside(self, stones: Position, cell: Cell) -> "StrategyState":
        """Return the state after a move of the opponent on a board with filled regions.

        In a region, only intrusions into the full that joins its groups are answered.
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
    derivations, from which the replies are read.
    """
    if connection.rule is Rule.FILL_IN:
        return _follow_filled(position, color, connection)
    connection = deduction.expand(position, color, connection)
    for end in connection.ends:
        if position.board.contains(position.empty, end):
            position = position.put(end, color)
    if connection.key is None:
        return StrategyState(position, color, connection, (connection,))
    position = position.put(connection.key, color)
    return StrategyState(position, color, connection, connection.premises, reply=connection.key)


def _follow_filled(position: Position, color: Color, connection: Connection) -> StrategyState:
    """Start to follow a connection of a board with filled regions, and the joins that it needs."""
    boards = fill_regions(position, connection.fills)
    inner = follow(boards[-1], color, connection.premises[0])
    beside = [
        follow(boards[fill.since], color, fill.join)
        for fill in connection.fills
        if fill.color is color and fill.join is not None
    ]
    stones = position if connection.key is None else position.put(connection.key, color)
    return replace(inner, connection=connection, beside=tuple(beside), stones=stones)


# How to hold a won game: answer every intrusion into a full between the edges.
#
# The full is split into links: fulls with disjoint carriers that together join the
# edges. Every link was derived by OR: AND and fill-in are split further, touching
# points need no cell, and a known template has to be expanded first. So an intrusion
# hits at most one link, one of its semis avoids the intrusion, and playing its key
# leaves smaller links.


@dataclass(frozen=True, slots=True)
class WinningStrategy:
    """A won game: links that join the winner's edges, no two sharing a cell.

    links  full connections that the OR rule derived
    """

    links: tuple[Connection, ...]

    @classmethod
    def of(cls, full: Connection) -> "WinningStrategy":
        """Return the strategy that holds a full connection between the edges.

        Raise ValueError when it is not a full.
        """
        if not full.is_full:
            raise ValueError("only a full connection can be held")
        return cls(tuple(_links(full)))

    @property
    def is_done(self) -> bool:
        """Whether stones join the edges."""
        return not self.links

    def carrier(self, board: Board) -> CellSet:
        """Return the empty cells that the strategy needs."""
        return reduce(or_, (link.carrier for link in self.links), board.only())

    def reply(self, intrusion: Cell | None) -> tuple[Cell, "WinningStrategy"]:
        """Return the reply to the opponent's last move, and the strategy after it.

        If no reply is needed, as for None, play in the smallest link. Raise
        ValueError when stones join the edges.
        """
        if self.is_done:
            raise ValueError("nothing to reply: stones join the edges")
        for link in self.links:
            answer = None if intrusion is None else reply(link, intrusion)
            if answer is not None:
                return answer.cell, self._without(link, answer.fulls)
        link = min(self.links, key=lambda link: link.carrier.count())
        key, rest = start(threats(link)[0])
        return key, self._without(link, rest.links)

    def _without(self, link: Connection, fulls: tuple[Connection, ...]) -> "WinningStrategy":
        """Return the strategy with one link replaced by the links of some fulls."""
        others = (other for other in self.links if other is not link)
        return WinningStrategy((*others, *(part for full in fulls for part in _links(full))))


def start(semi: Connection) -> tuple[Cell, WinningStrategy]:
    """Return the key of a semi connection, and the strategy after it.

    Raise ValueError for a full connection.
    """
    if semi.key is None:
        raise ValueError("a full connection needs no start")
    parts = _after_key(semi)
    return semi.key, WinningStrategy(tuple(link for part in parts for link in _links(part)))


def _links(full: Connection) -> list[Connection]:
    """Split a full into fulls that the OR rule derived."""
    links, waiting = [], [full]
    while waiting:
        part = waiting.pop()
        if part.rule is Rule.OR:
            links.append(part)
        elif part.rule is Rule.TEMPLATE:
            raise ValueError("a known template has no reply: expand it first")
        else:
            waiting.extend(part.premises)
    return links

"""Explanations: why a connection holds, as a person would prove it, with the names of shapes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from hsearch.connect import Connection, Fill, Rule, deduction, fill_regions
from hsearch.connect.library import Offset, both_ways, offset, templates_in
from hsearch.hex import Board, Cell, CellSet, Color, Point, Position
from hsearch.hex.face import Pictured
from hsearch.hex.position import groups
from hsearch.strategy.reply import reply, threats

# The names of well-known shapes: bridges, and the edge templates that come with hsearch.
#
# A shape is recognized by its cells alone, anywhere along either edge of its owner,
# and also reversed along it. Distances count from the edge, so that a cell is
# (along, away)::
#
#          (1,2)  B          B   is reversed to   B   with along -> away - along
#         (0,1)(1,1)        * *                  * *
#       (-1,0)(0,0)(1,0)   * * *                * * *

BRIDGE, EITHER = "bridge", "either"


def shape(connection: Connection, position: Position, color: Color) -> str | None:
    """Return the name of a full connection; None if it has none.

    Two cells that touch are a `bridge`, two that do not are `either`. Others
    are edge templates, by their ids in `positions/templates/edge.txt`.
    """
    cells = list(connection.carrier.search(1))
    if not connection.is_full or len(cells) < 2:
        return None
    if len(cells) == 2:
        return BRIDGE if cells[1] in position.board.neighbors(cells[0]) else EITHER
    for edge in position.board.edges(color):
        for end in connection.ends:
            if _reaches(connection.other_end(end), edge, position, color):
                template = _template(position, color, edge, end, connection.carrier)
                if template is not None:
                    return template
    return None


def _template(
    position: Position, color: Color, edge: Point, end: Point, carrier: CellSet
) -> str | None:
    """Return the name of the template that joins a group or an empty cell to an edge."""
    board = position.board
    places = [_place(board, cell, color, edge) for cell in carrier.search(1)]
    start = min(along for along, _ in places)
    stones = _stones(end, position, color), position.stones(color).search(1)
    own, all_own = (
        _shift((_place(board, cell, color, edge) for cell in cells), start) for cells in stones
    )
    for stone, others, name in _templates().get(_shift(places, start), ()):
        if stone <= own and others <= all_own:
            return name
    return None


def _shift(places: Iterable[Offset], start: int) -> frozenset[Offset]:
    return frozenset((along - start, away) for along, away in places)


def _place(board: Board, cell: Point, color: Color, edge: Point) -> Offset:
    """Return how far along an edge a cell lies, and how far away from it."""
    if color is Color.WHITE:
        board, cell, edge = board.transposed, board.transpose(cell), board.transpose(edge)
    if edge == board.edges(Color.BLACK)[0]:
        cell = board.rotate(cell)
    return offset(cell, board)


_groups = lru_cache(maxsize=64)(groups)  # the parts of one position are named in turn


def _reaches(end: Point, edge: Point, position: Position, color: Color) -> bool:
    return any(end == group.captain and edge in group.edges for group in _groups(position, color))


def _stones(end: Point, position: Position, color: Color) -> list[Point]:
    """Return the stones of the group whose captain an end is, or the end if it is a cell."""
    for group in _groups(position, color):
        if group.captain == end:
            return list(group.stones.search(1))
    return [end]


@cache
def _templates() -> dict[frozenset[Offset], list[tuple[frozenset[Offset], frozenset[Offset], str]]]:
    """Return the stone, the other stones and the name of templates, by their carriers.

    The templates as given come before the reversed ones.
    """
    by_carrier: dict[frozenset[Offset], list[tuple[frozenset[Offset], frozenset[Offset], str]]] = {}
    templates = [each.template for each in templates_in("edge")]
    for ways in zip(*map(both_ways, templates), strict=True):
        for template, (stone, others, carrier) in zip(templates, ways, strict=True):
            start = min(along for along, _ in carrier)
            form = _shift(stone, start), _shift(others, start), template.id
            by_carrier.setdefault(_shift(carrier, start), []).append(form)
    return by_carrier


# Why a connection holds, as a person would prove it.
#
# A full connection is split into parts that share no cell, in order from end to end.
# A part is two points that touch, a bridge, a named template, or an *argument*: the
# owner's threats, smallest first. The opponent must intrude on the first threat. The
# next one answers all intrusions outside its own carrier, and leaves the cells that
# both need to the threats after it, until no cell is left. So each case names the
# intrusions that it answers. An argument that occurs again is referred to by its
# number. One inside a must-play step depends on the keys played before, and names them.

TOUCHING = "touching"


@dataclass(frozen=True, slots=True)
class Part:
    """A full connection on the way from one end to the other.

    start     the end nearer to where the way begins
    full      the connection
    shape     `touching`, or the name of a shape; None if it has none
    argument  the number of the argument that explains it; None if its shape does
    """

    start: Point
    full: Connection
    shape: str | None
    argument: int | None = None

    @property
    def goal(self) -> Point:
        """The other end, nearer to where the way ends."""
        return self.full.other_end(self.start)


@dataclass(frozen=True, slots=True)
class Case:
    """A threat, and the intrusions to which it is the reply.

    threat    the semi whose key is played
    parts     the parts that join the ends after the key
    on        the intrusions that this case answers and no earlier one does
    left      the intrusions left to later cases: the cells that all threats so far need
    """

    threat: Connection
    parts: tuple[Part, ...]
    on: CellSet
    left: CellSet

    @property
    def key(self) -> Cell:
        """The reply: the cell at which the threat starts."""
        return self.threat.first_move


@dataclass(frozen=True, slots=True)
class Argument:
    """Why a full connection holds.

    number  its number, from 1 on, by which parts refer to it
    full    the connection
    shape   its usual name, such as bridge or ziggurat; None if it has none
    cases   the owner's threats, with the intrusions that each answers; together they answer all
    played  the keys of must-play steps played before it: it depends on these stones
    """

    number: int
    full: Connection
    shape: str | None
    cases: tuple[Case, ...]
    played: CellSet


@dataclass(frozen=True, slots=True)
class Kept:
    """A region that counts as the owner's, because the groups around it are joined.

    fill   the region
    parts  the parts that join the groups
    """

    fill: Fill
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Explanation(Pictured):
    """Why a connection holds.

    position    the position it holds in
    color       its owner
    connection  the connection
    parts       the parts that join its ends, after the key of a semi is played
    arguments   all arguments that the parts refer to, in order of their numbers from 1
    replies     each intrusion with the owner's reply
    kept        the regions that count as the owner's
    ends        the names of the ends as given in the question; empty: the names of their points

    >>> import hsearch
    >>> position = hsearch.Position.of(3, black="b2", turn="white")
    >>> [position.board.names(pair) for pair in hsearch.explain(position).replies]
    [['b1', 'c1'], ['c1', 'b1'], ['a3', 'b3'], ['b3', 'a3']]
    """

    position: Position
    color: Color
    connection: Connection
    parts: tuple[Part, ...]
    arguments: tuple[Argument, ...]
    replies: tuple[tuple[Cell, Cell], ...]
    kept: tuple["Kept", ...] = ()
    ends: tuple[str, ...] = ()

    def _display_module(self) -> str:
        return "hsearch.strategy.words"

    def __repr__(self) -> str:
        parts = f"parts: {len(self.parts)}, arguments: {len(self.arguments)}"
        return f"<Explanation of {self.color}'s {self.connection!r}, {parts}>"


def explain(position: Position, color: Color, connection: Connection) -> Explanation:
    """Explain a connection of a position; a semi from the position after its key.

    Known templates that have no name are explained by their derivations.
    """
    boards = fill_regions(position, connection.fills)
    inner = connection.premises[0] if connection.rule is Rule.FILL_IN else connection
    inner = deduction.expand(boards[-1], color, inner)
    prover = _Prover(boards[-1], color)
    parts = tuple(prover.parts(inner, inner.x, whole=True))
    regions: dict[CellSet, Kept] = {}
    joins = []
    for step in (connection, *inner.premises):  # OR may join fill-ins of several boards
        boards = fill_regions(position, step.fills)
        for fill in step.fills:
            if fill.color is color and fill.join is not None and fill.cells not in regions:
                join = deduction.expand(boards[fill.since], color, fill.join)
                way = prover.on(boards[fill.since]).parts(join, join.x)
                regions[fill.cells] = Kept(fill, tuple(way))
                joins += [join] if step is connection else []
    fulls = inner.premises if inner.key is not None else (inner,)
    answers = [
        (intrusion, answer.cell)
        for full in (*fulls, *joins)
        for intrusion in full.carrier.search(1)
        if (answer := reply(full, intrusion)) is not None
    ]
    return Explanation(
        position,
        color,
        connection if connection.fills else inner,
        parts,
        tuple(prover.arguments()),
        tuple(sorted(set(answers))),
        tuple(regions.values()),
    )


class _Prover:
    """The arguments so far, each with its number.

    An argument also holds where its owner has more stones, and is referred to there. With
    other stones it need not hold: the same connection may follow by other steps.
    """

    def __init__(self, position: Position, color: Color) -> None:
        self._position = self._start = position
        self._color = color
        self._numbers: dict[Connection, list[tuple[CellSet, int]]] = {}  # with which stones
        self._arguments: list[Argument | None] = []  # None while its cases are being built

    def on(self, position: Position, *, is_start: bool = True) -> "_Prover":
        """Return a prover for connections of another position, which continues the numbers.

        No key has been played in that position if it `is_start`.
        """
        other = _Prover(position, self._color)
        other._numbers, other._arguments = self._numbers, self._arguments
        other._start = position if is_start else self._start
        return other

    def arguments(self) -> Iterator[Argument]:
        """Yield the arguments by number: each one comes after the first that refers to it."""
        return (argument for argument in self._arguments if argument is not None)

    def parts(self, connection: Connection, start: Point, *, whole: bool = False) -> list[Part]:
        """Return the parts of a connection in order, with their arguments.

        If it is the `whole`, and only one part, it gets an argument even if it has a name.
        """
        if connection.rule is Rule.FILL_IN:
            filled = fill_regions(self._position, connection.fills)[-1]
            return self.on(filled).parts(connection.premises[0], start)
        links = list(_chain(connection, start, self._position, self._color))
        return [
            self.on(position, is_start=False).part(full, point, whole=whole and len(links) == 1)
            for point, full, position in links
        ]

    def part(self, full: Connection, start: Point, *, whole: bool) -> Part:
        """Return a full of the position as a part, with a new argument unless one applies."""
        if full.rule is Rule.ADJACENT or not full.carrier.any():
            return Part(start, full, TOUCHING)
        name = shape(full, self._position, self._color)
        if name in {BRIDGE, EITHER} or (name is not None and not whole):
            return Part(start, full, name)
        stones = self._position.stones(self._color)
        entries = self._numbers.setdefault(full, [])
        number = next((number for least, number in entries if least <= stones), None)
        if number is None:
            number = len(self._arguments) + 1
            entries.append((stones, number))
            self._arguments.append(None)
            keys = stones & ~self._start.stones(self._color)
            argument = Argument(number, full, name, tuple(self._split(full)), keys)
            self._arguments[number - 1] = argument
        return Part(start, full, name, number)

    def _split(self, full: Connection) -> Iterator[Case]:
        remaining = full.carrier
        for threat in threats(full):
            on = remaining & ~threat.carrier
            if on.any():
                remaining = remaining & threat.carrier
                parts = tuple(self.parts(threat, full.x))
                yield Case(threat, parts, on, remaining)
            if not remaining.any():
                return


def _chain(
    connection: Connection, start: Point, position: Position, color: Color
) -> Iterator[tuple[Point, Connection, Position]]:
    """Yield the parts of a connection in order: where each one starts, itself, and its position.

    An AND is split into its halves, across a stone or across the key of a semi;
    an OR is not. A semi by must-play is the full after its key, with the ends
    named as in that position.
    """
    if connection.rule is Rule.MUSTPLAY:
        (full,) = connection.premises
        goal = connection.other_end(start)
        start = start if start in full.ends else full.other_end(goal)
        yield from _chain(full, start, position.put(connection.first_move, color), color)
        return
    if connection.rule is not Rule.AND:
        yield start, connection, position
        return
    first, second = connection.premises
    (via,) = set(first.ends) & set(second.ends)
    if start not in first.ends:
        first, second = second, first
    yield from _chain(first, start, position, color)
    yield from _chain(second, via, position, color)

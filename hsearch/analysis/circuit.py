"""The position as two electrical circuits, after Anshelevich (2000, 2002), and their wires."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hsearch.hex import Cell, Color, Point, Position, captains
from hsearch.hex.face import Pictured
from hsearch.hex.frame import Frame
from hsearch.kernels.circuit import Links, Wiring, solve

# The position as two electrical circuits, after Anshelevich (2000, 2002).
#
# In a player's circuit an empty cell has resistance 1, an own stone or edge 0, and
# the opponent's stones are left out. A wire joins adjacent points; its resistance is
# the sum of theirs. Points that are not adjacent but joined by a full connection get
# one wire with 3 more, so that real adjacency is preferred. The resistance between
# the player's edges measures how far the player is from joining them, and the current
# through an empty cell how important the cell is.
#
# Each adjacent pair of cells, and each border cell with its edge, has a wire of its
# own. Points without resistance are merged afterwards, so that parallel wires add up.
# Cells that touch the same group are joined through it, by a full connection without
# a carrier, which gets no wire.

HEXY, NO_FULLS = "hexy", "none"
# All conductances are floats, so that one compiled kernel serves every wiring.
WIRINGS = {
    HEXY: Wiring(1 / 2, 1.0, 1 / 5, 1 / 4, 1 / 3, parallel=True, inner=True, divided=False),
    "six": Wiring(1.0, 2.0, 1.0, 2.0, 0.0, parallel=False, inner=False, divided=False),
    "benzene": Wiring(1.0, 2.0, 1.0, 2.0, 0.0, parallel=True, inner=True, divided=True),
    NO_FULLS: Wiring(1 / 2, 1.0, 0.0, 0.0, 0.0, parallel=True, inner=True, divided=False),
}


_NONE = np.empty(0, np.int64)
NO_LINKS = Links(_NONE, _NONE, _NONE)


@dataclass(frozen=True, slots=True, eq=False)
class Circuit:
    """The circuit of one player, with a current of 1 A from one edge to the other.

    color       the player
    resistance  between the player's edges: 0 if one group or a full connection
                joins them, infinite if nothing does
    flow        for each cell, the sum of the absolute currents in its wires; 0
                for stones, and everywhere if one group or nothing joins the
                edges. A full connection between the edges has no wire, so the
                flow of a won position still shows where it is thin
    potential   for each cell, relative to the second edge; 0 if it takes no part
    fulls       the full connections it is wired with
    links       the name of its wiring, one of `WIRINGS`
    """

    color: Color
    resistance: float
    flow: NDArray[np.float64] = field(repr=False)
    potential: NDArray[np.float64] = field(repr=False)
    fulls: Links = field(default=NO_LINKS, repr=False)
    links: str = HEXY


@dataclass(frozen=True, slots=True, eq=False)
class Circuits(Pictured):
    """The circuits of both players; a notebook shows their wires."""

    position: Position
    black: Circuit
    white: Circuit

    def _display_module(self) -> str:
        return "player.answers.circuit"

    @property
    def evaluation(self) -> float:
        """E = ln(R_black / R_white): negative is good for Black, -inf if Black has won.

        Two resistances of 0, or two infinite ones, give 0. With valid full
        connections and `hexy`, `benzene` or `none` that cannot happen: only a
        winning chain cuts the other player off. `six` leaves stones out, so a
        circuit may be open before the game is over.
        """
        black, white = self.black.resistance, self.white.resistance
        if black == white:
            return 0.0
        if black == 0 or math.isinf(white):
            return -math.inf
        if white == 0 or math.isinf(black):
            return math.inf
        # Not log(black / white): this is antisymmetric to the last bit.
        return math.log(black) - math.log(white)

    @property
    def weak_links(self) -> list[tuple[Cell, float]]:
        """Each empty cell and its total flow in both circuits, greatest flow first.

        Cells of equal flow are in board order.
        """
        # Equal flows differ by rounding, which must not decide the order.
        scores = np.round(self.black.flow + self.white.flow, 9).tolist()
        return sorted(
            ((cell, scores[cell]) for cell in self.position.empty.search(1)),
            key=lambda link: (-link[1], link[0]),
        )


def wiring_of(links: str) -> Wiring:
    """Return the wiring of a name. Raise ValueError if there is none."""
    if not isinstance(links, str) or links not in WIRINGS:
        raise ValueError(f"unknown links {links!r} (known: {', '.join(WIRINGS)})")
    return WIRINGS[links]


def circuit(
    position: Position, color: Color, fulls: Links = NO_LINKS, *, links: str = HEXY
) -> Circuit:
    """Return the circuit of a player, wired with the player's full connections.

    `links` names the wiring: `hexy` as at the top of this module; `six` with
    edges and empty cells as the only points, one wire a pair, adjacent or full:
    conductance 1 between cells and 2 to an edge; `benzene` with conductance 1
    between cells, 2 to a stone, a full connection's divided by 1 + common, and
    none between stones; `none` with adjacent wires only, as if there were no
    full connections, even between the edges. Raise ValueError for another name, or for arrays of
    unequal length.
    """
    wiring = wiring_of(links)
    if not fulls.a.size == fulls.b.size == fulls.common.size:
        sizes = f"{fulls.a.size}, {fulls.b.size}, {fulls.common.size}"
        raise ValueError(f"links of unequal arrays: {sizes}")
    if links == NO_FULLS:
        fulls = NO_LINKS
    frame = Frame.of(position, color)
    pairs = Links(frame.into(fulls.a), frame.into(fulls.b), fulls.common)
    size = frame.stones.size
    potential, flow = np.empty(size), np.empty(size)
    resistance = solve(frame.columns, frame.rows, frame.stones, pairs, wiring, potential, flow)
    return Circuit(color, resistance, frame.back(flow), frame.back(potential), fulls, links)


def circuits(
    position: Position,
    black: Links = NO_LINKS,
    white: Links = NO_LINKS,
    *,
    links: str = HEXY,
) -> Circuits:
    """Return both circuits, each wired with its player's full connections."""
    return Circuits(
        position,
        circuit(position, Color.BLACK, black, links=links),
        circuit(position, Color.WHITE, white, links=links),
    )


# The wires of a circuit, one by one, with the currents that follow from its potentials.
#
# This is the short plain definition of the kernel's wiring; it solves no equations.


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire between two points of a player.

    x, y         the points: cells, with or without a stone, or edges
    conductance  the reciprocal of its resistance
    current      from x to y, of the 1 A that flows between the player's edges
    is_full      whether it stands for a full connection; else x and y are adjacent
    """

    x: Point
    y: Point
    conductance: float
    current: float
    is_full: bool


def wires(position: Position, circuit: Circuit) -> list[Wire]:
    """Return the wires of a player's circuit: those of adjacent points, then the others.

    There are none if a chain of stones joins the edges.
    """
    color, wiring = circuit.color, WIRINGS[circuit.links]
    source, ground = position.board.edges(color)
    nodes = _nodes(position, color, wiring)
    if nodes[source] == nodes[ground]:
        return []
    links = [*_touching(position, nodes, wiring)]
    pairs = {frozenset((nodes[x], nodes[y])) for x, y, _ in links}
    fulls = [*_fulls(position, circuit, nodes, wiring, pairs)]
    volts = _potentials(position, circuit, nodes, [*links, *fulls])
    return [
        Wire(x, y, g, g * (volts[nodes[x]] - volts[nodes[y]]), is_full)
        for kind, is_full in ((links, False), (fulls, True))
        for x, y, g in kind
    ]


def _nodes(position: Position, color: Color, wiring: Wiring) -> dict[Point, Point]:
    """Return for each point that has a node the captain that names the node."""
    board = position.board
    return {
        point: node
        for point, node in captains(position, color).items()
        if wiring.inner or board.is_edge(node) or position.empty[node]
    }


def _touching(
    position: Position, nodes: dict[Point, Point], wiring: Wiring
) -> Iterator[tuple[Point, Point, float]]:
    """Yield the wires between adjacent points, at least one of them an empty cell."""
    pairs = set()
    for x in position.empty.search(1):
        for y in position.board.neighbors(x):
            is_cell = not position.board.is_edge(y) and bool(position.empty[y])
            pair = frozenset((x, nodes.get(y, x)))
            if y not in nodes or (is_cell and y < x) or (pair in pairs and not wiring.parallel):
                continue
            pairs.add(pair)
            yield x, y, wiring.adjacent_cells if is_cell else wiring.adjacent_stone


def _fulls(
    position: Position,
    circuit: Circuit,
    nodes: dict[Point, Point],
    wiring: Wiring,
    pairs: set[frozenset[Point]],
) -> Iterator[tuple[Point, Point, float]]:
    """Yield the wires of full connections between points that are not adjacent."""
    board, fulls = position.board, circuit.fulls
    columns = (fulls.a.tolist(), fulls.b.tolist(), fulls.common.tolist())
    for x, y, common in zip(*columns, strict=True):
        if x not in nodes or y not in nodes:
            continue
        pair = frozenset((nodes[x], nodes[y]))
        if len(pair) == 1 or pair in pairs or pair == frozenset(board.edges(circuit.color)):
            continue
        pairs.add(pair)
        empty = sum(board.contains(position.empty, point) for point in (x, y))
        conductance = (wiring.full_stones, wiring.full_stone, wiring.full_cells)[empty]
        if conductance:
            yield x, y, conductance / (1 + common if wiring.divided else 1)


def _potentials(
    position: Position,
    circuit: Circuit,
    nodes: dict[Point, Point],
    links: list[tuple[Point, Point, float]],
) -> dict[Point, float]:
    """Return the potential of each node; the first edge's follows from the 1 A that leaves it."""
    board = position.board
    source, ground = (nodes[edge] for edge in board.edges(circuit.color))
    volts = {node: float(circuit.potential[node]) for node in nodes.values() if node < board.size}
    volts[ground] = volts[source] = 0.0
    leaving = [
        (g, volts[nodes[y] if nodes[x] == source else nodes[x]])
        for x, y, g in links
        if source in {nodes[x], nodes[y]}
    ]
    if any(volts.values()):
        volts[source] = (1 + sum(g * v for g, v in leaving)) / sum(g for g, _ in leaving)
    return volts

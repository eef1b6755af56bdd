"""The wires of a circuit, one by one, with the currents that its potentials make in them.

The short plain definition of what the kernel wires; it solves nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from hsearch.board import Board, Color, Point
from hsearch.circuit.currents import WIRINGS, Circuit
from hsearch.kernels.circuit import Wiring
from hsearch.position import Position, captains


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire between two points of a player.

    x, y         the points, as they lie: cells, a stone's among them, or edges
    conductance  one over its resistance
    current      from x to y, of the 1 A that flows between the player's edges
    is_full      whether a full connection is what it stands for; else x and y touch
    """

    x: Point
    y: Point
    conductance: float
    current: float
    is_full: bool


def wires(position: Position, circuit: Circuit) -> list[Wire]:
    """Return the wires of a player's circuit: those of points that touch, then the others.

    There are none if a chain of stones joins the edges.
    """
    color, wiring = circuit.color, WIRINGS[circuit.links]
    source, ground = position.board.edges(color)
    nodes = _nodes(position, color, wiring)
    if nodes[source] == nodes[ground]:
        return []
    found = [*_touching(position, nodes, wiring)]
    wired = {frozenset((nodes[x], nodes[y])) for x, y, _ in found}
    fulls = [*_fulls(position, circuit, nodes, wiring, wired)]
    volts = _potentials(position, circuit, nodes, [*found, *fulls])
    return [
        Wire(x, y, g, g * (volts[nodes[x]] - volts[nodes[y]]), is_full)
        for kind, is_full in ((found, False), (fulls, True))
        for x, y, g in kind
    ]


def _nodes(position: Position, color: Color, wiring: Wiring) -> dict[Point, Point]:
    """Return what names the node of each point that has one."""
    board = position.board
    return {
        point: node
        for point, node in captains(position, color).items()
        if wiring.inner or board.is_edge(node) or position.empty[node]
    }


def _touching(
    position: Position, nodes: dict[Point, Point], wiring: Wiring
) -> Iterator[tuple[Point, Point, float]]:
    """Yield the wires between points that touch, at least one of them an empty cell."""
    seen = set()
    for x in position.empty.search(1):
        for y in position.board.neighbors(x):
            is_cell = not position.board.is_edge(y) and bool(position.empty[y])
            pair = frozenset((x, nodes.get(y, x)))
            if y not in nodes or (is_cell and y < x) or (pair in seen and not wiring.parallel):
                continue
            seen.add(pair)
            yield x, y, wiring.adjacent_cells if is_cell else wiring.adjacent_stone


def _fulls(
    position: Position,
    circuit: Circuit,
    nodes: dict[Point, Point],
    wiring: Wiring,
    wired: set[frozenset[Point]],
) -> Iterator[tuple[Point, Point, float]]:
    """Yield the wires between points that full connections join and that do not touch."""
    board, fulls = position.board, circuit.fulls
    columns = (fulls.a.tolist(), fulls.b.tolist(), fulls.common.tolist())
    for x, y, common in zip(*columns, strict=True):
        if x not in nodes or y not in nodes:
            continue
        pair = frozenset((nodes[x], nodes[y]))
        if len(pair) == 1 or pair in wired or pair == frozenset(board.edges(circuit.color)):
            continue
        wired.add(pair)
        empty = sum(_is_empty(position, point) for point in (x, y))
        conductance = (wiring.full_stones, wiring.full_stone, wiring.full_cells)[empty]
        if conductance:
            yield x, y, conductance / (1 + common if wiring.divided else 1)


def _potentials(
    position: Position,
    circuit: Circuit,
    nodes: dict[Point, Point],
    found: list[tuple[Point, Point, float]],
) -> dict[Point, float]:
    """Return the potential of each node; that of the first edge from the 1 A that leaves it."""
    board = position.board
    source, ground = (nodes[edge] for edge in board.edges(circuit.color))
    volts = {node: float(circuit.potential[node]) for node in nodes.values() if node < board.size}
    volts[ground] = volts[source] = 0.0
    leaving = [
        (g, volts[nodes[y] if nodes[x] == source else nodes[x]])
        for x, y, g in found
        if source in {nodes[x], nodes[y]}
    ]
    if any(volts.values()):
        volts[source] = (1 + sum(g * v for g, v in leaving)) / sum(g for g, _ in leaving)
    return volts


def _is_empty(position: Position, point: Point) -> bool:
    board: Board = position.board
    return not board.is_edge(point) and bool(position.empty[point])

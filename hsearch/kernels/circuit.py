"""The circuit of one player: wires between points, and the current through them.

All functions see the board as Black does, who joins north to south: `stones`
has one byte a cell, 0 empty, 1 own, 2 opponent, and the cells are followed by
the points north and south, and west and east, which are not nodes.

Nodes are numbered in the order in which they are eliminated: the empty cells,
the groups inside the board, then the source (north) and the ground (south).
`g[i, j]` is the conductance of the wires between two nodes.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hsearch.kernels.cache import kernel


class Wiring(NamedTuple):
    """Which points are nodes, and the conductance of the wires between them.

    adjacent_cells  between adjacent empty cells
    adjacent_stone  between an empty cell and an adjacent stone or edge
    full_cells      between empty cells joined by a full connection
    full_stone      between an empty cell and a group or edge so joined
    full_stones     between groups or edges so joined
    parallel        whether each adjacent pair of cells has a wire of its own,
                    rather than each pair of nodes
    inner           whether groups that touch no edge are nodes
    divided         whether a full connection's conductance is divided by 1 plus
                    the number of cells that all full carriers of its pair share
    """

    adjacent_cells: float
    adjacent_stone: float
    full_cells: float
    full_stone: float
    full_stones: float
    parallel: bool
    inner: bool
    divided: bool


class Links(NamedTuple):
    """Pairs of points that full connections join, as int64 arrays of equal length.

    a, b    the points, any point of a group
    common  the number of cells that all full carriers of a pair share (for `benzene`)

    Adjacent pairs may be among them: they keep their adjacent wires.
    """

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    common: NDArray[np.int64]


@kernel
def solve(columns, rows, stones, links, wiring, potentials, flows):
    """Return the resistance between the edges; write potentials and flows in place.

    A pair of `links` that touches keeps only its adjacent wires. `potentials` has a value for each
    cell when 1 A flows from north to south, 0 for cells outside the circuit; `flows`
    sums the currents, without sign, in the wires of each empty cell.

    Edges in one group, or joined by a full connection, give 0; potentials and flows
    are then those without the connection between the edges. Edges that nothing
    joins give infinity and no current.
    """
    potentials[:] = 0.0
    flows[:] = 0.0
    node = np.empty(columns * rows + 4, np.int64)
    parent = np.empty(node.size, np.int64)
    cells, count = _number(columns, rows, stones, wiring.inner, node, parent)
    if count == 0:
        return 0.0
    g = np.zeros((count, count))
    _wire_adjacent(columns, rows, node, cells, wiring, g)
    won = _wire_fulls(links, node, cells, wiring, g)
    voltages = np.zeros(count)
    resistance = _star_mesh(g, voltages)
    flow = _flow(g, voltages)
    for cell in range(stones.size):
        if node[cell] >= 0:
            potentials[cell] = voltages[node[cell]]
        if stones[cell] == 0:
            flows[cell] = flow[node[cell]]
    return 0.0 if won else resistance


@kernel
def _number(columns, rows, stones, inner, node, parent):
    """Write each point's node, -1 for none; return the number of cells, and that of all nodes.

    Return 0 nodes when one group touches both edges. `parent` is scratch space for the groups.
    """
    size = columns * rows
    north, south = size, size + 1
    for point in range(node.size):
        node[point], parent[point] = -1, point
    cells = 0
    for cell in range(size):
        if stones[cell] == 0:
            node[cell] = cells
            cells += 1
        if stones[cell] != 1:
            continue
        row = cell // columns
        column = cell - row * columns
        if column + 1 < columns and stones[cell + 1] == 1:
            parent[_root(parent, cell + 1)] = _root(parent, cell)
        if row + 1 < rows and stones[cell + columns] == 1:
            parent[_root(parent, cell + columns)] = _root(parent, cell)
        if row + 1 < rows and column > 0 and stones[cell + columns - 1] == 1:
            parent[_root(parent, cell + columns - 1)] = _root(parent, cell)
        if row == 0:
            parent[_root(parent, cell)] = _root(parent, north)
        if row == rows - 1:
            parent[_root(parent, cell)] = _root(parent, south)
    source, ground = _root(parent, north), _root(parent, south)
    if source == ground:
        return cells, 0
    count = cells
    for cell in range(size):
        if inner and stones[cell] == 1 and parent[cell] == cell and cell not in (source, ground):
            node[cell] = count
            count += 1
    node[source], node[ground] = count, count + 1
    for point in range(size + 2):
        if point >= size or stones[point] == 1:
            node[point] = node[_root(parent, point)]
    return cells, count + 2


@kernel
def _root(parent, point):
    """Return the root of a point's group, and shorten the path to it."""
    while parent[point] != point:
        parent[point] = parent[parent[point]]
        point = parent[point]
    return point


@kernel
def _wire_adjacent(columns, rows, node, cells, wiring, g):
    """Write the wires between adjacent cells, and between cells and edges, into `g`."""
    size = columns * rows
    for cell in range(size):
        row = cell // columns
        column = cell - row * columns
        if column + 1 < columns:
            _wire(node[cell], node[cell + 1], cells, wiring, g)
        if row + 1 < rows:
            _wire(node[cell], node[cell + columns], cells, wiring, g)
            if column > 0:
                _wire(node[cell], node[cell + columns - 1], cells, wiring, g)
        if row == 0:
            _wire(node[cell], node[size], cells, wiring, g)
        if row == rows - 1:
            _wire(node[cell], node[size + 1], cells, wiring, g)


@kernel
def _wire(i, j, cells, wiring, g):
    """Add the wire between two adjacent nodes; two groups that touch are one node."""
    if i < 0 or j < 0 or (i >= cells and j >= cells):
        return
    conductance = wiring.adjacent_cells if i < cells and j < cells else wiring.adjacent_stone
    if not wiring.parallel:
        g[i, j] = 0.0
    g[i, j] += conductance
    g[j, i] = g[i, j]


@kernel
def _wire_fulls(links, node, cells, wiring, g):
    """Write one wire for each pair without one; return whether a pair is the two edges."""
    a, b, common = links
    ground = g.shape[0] - 1
    won = False
    for link in range(a.size):
        i, j = node[a[link]], node[b[link]]
        if i < 0 or j < 0 or i == j or g[i, j] > 0.0:
            continue
        if i + j == 2 * ground - 1:
            won = True
            continue
        if i < cells and j < cells:
            conductance = wiring.full_cells
        elif i < cells or j < cells:
            conductance = wiring.full_stone
        else:
            conductance = wiring.full_stones
        if wiring.divided:
            conductance /= 1 + common[link]
        g[i, j] = conductance
        g[j, i] = conductance
    return won


@kernel
def _star_mesh(g, voltages):
    """Return the resistance from source to ground; write the voltages, if it is finite.

    Remove nodes one after the other: a node with wires of conductance g_i and
    total s becomes wires of g_i g_j / s between each two of its neighbors (the
    star-mesh transform, which is elimination as in an LDL factorization). All
    terms are positive, so nothing cancels, and the conductance of nodes that are
    not joined stays exactly 0. A node's voltage is the weighted mean of those of
    its neighbors at the time of its removal.

    Only the part of `g` above its diagonal changes. Up to four nodes are removed
    in one sweep over the rest, because loads and stores take most of the time.
    """
    source = g.shape[0] - 2
    share = np.zeros(source)
    first = 0
    while first < source:
        stop = first + (source - first) % 4 if first == 0 and source % 4 else first + 4
        for k in range(first, stop):
            total = _sum(g[k, k + 1 :])
            if total == 0.0:
                continue
            share[k] = 1.0 / total
            for i in range(k + 1, stop):
                if g[k, i] != 0.0:
                    _add(g[i, i + 1 :], share[k] * g[k, i], g[k, i + 1 :])
        if stop - first == 4:
            _remove_four(g, share, first)
        else:
            for k in range(first, stop):
                for i in range(stop, source + 1):
                    if g[k, i] != 0.0:
                        _add(g[i, i + 1 :], share[k] * g[k, i], g[k, i + 1 :])
        first = stop
    if g[source, source + 1] == 0.0:
        return np.inf
    voltages[source] = 1.0 / g[source, source + 1]
    for k in range(source - 1, -1, -1):
        voltages[k] = share[k] * _dot(g[k, k + 1 :], voltages[k + 1 :])
    return voltages[source]


@kernel
def _remove_four(g, share, k):
    """Add the wires that replace four nodes to the rows of all later nodes."""
    for i in range(k + 4, g.shape[0] - 1):
        f0 = share[k] * g[k, i]
        f1 = share[k + 1] * g[k + 1, i]
        f2 = share[k + 2] * g[k + 2, i]
        f3 = share[k + 3] * g[k + 3, i]
        if f0 + f1 + f2 + f3 == 0.0:
            continue
        row = g[i, i + 1 :]
        r0, r1 = g[k, i + 1 :], g[k + 1, i + 1 :]
        r2, r3 = g[k + 2, i + 1 :], g[k + 3, i + 1 :]
        for j in range(row.size):
            row[j] += f0 * r0[j] + f1 * r1[j] + f2 * r2[j] + f3 * r3[j]


@kernel
def _flow(g, voltages):
    """Return the currents through each node's wires, added without sign.

    Read the wires below the diagonal, which elimination does not change.
    """
    flow = np.zeros(voltages.size)
    current = np.zeros(voltages.size)
    for i in range(1, voltages.size):
        row = g[i, :i]
        for j in range(i):
            current[j] = abs(row[j] * (voltages[i] - voltages[j]))
            flow[j] += current[j]
        flow[i] = _sum(current[:i])
    return flow


@kernel
def _add(row, factor, other):
    for j in range(row.size):
        row[j] += factor * other[j]


@kernel
def _sum(values):
    # Four sums at a time: with a single one, each addition waits for the one before.
    s0 = s1 = s2 = s3 = 0.0
    fours = values.size // 4 * 4
    for i in range(0, fours, 4):
        s0 += values[i]
        s1 += values[i + 1]
        s2 += values[i + 2]
        s3 += values[i + 3]
    for i in range(fours, values.size):
        s0 += values[i]
    return (s0 + s1) + (s2 + s3)


@kernel
def _dot(values, others):
    s0 = s1 = s2 = s3 = 0.0
    fours = values.size // 4 * 4
    for i in range(0, fours, 4):
        s0 += values[i] * others[i]
        s1 += values[i + 1] * others[i + 1]
        s2 += values[i + 2] * others[i + 2]
        s3 += values[i + 3] * others[i + 3]
    for i in range(fours, values.size):
        s0 += values[i] * others[i]
    return (s0 + s1) + (s2 + s3)

"""The quantities of classic evaluators and orderings: distances, chains, flows, charges."""

import numpy as np

from hsearch.kernels.cache import kernel

# The board with a rim of one cell, so that no loop over neighbors tests for the border.
#
# Each function takes the board from Black's side, who joins north to south: `stones`
# has one byte a cell, 0 empty, 1 own, 2 opponent. A cell of the rimmed board has
# one of the five values below; a row has `columns + 2` cells.

EMPTY, OWN, OPPONENT, NORTH, SOUTH = range(5)


@kernel
def add_rim(columns, rows, stones):
    """Return the stones with a rim: own edges above and below, the opponent's left and right."""
    width = columns + 2
    board = np.full(width * (rows + 2), OPPONENT, np.int8)
    for column in range(1, columns + 1):
        board[column] = NORTH
        board[width * (rows + 1) + column] = SOUTH
    for row in range(rows):
        for column in range(columns):
            board[width * (row + 1) + column + 1] = stones[row * columns + column]
    return board


@kernel
def steps(columns):
    """Return the steps to the six neighbors on the rimmed board."""
    width = columns + 2
    return (-width, 1 - width, -1, 1, width - 1, width)


@kernel
def chains(columns, board, chain):
    """Return the number of chains of own stones; write the chain of each stone, from 0.

    Write -1 in other cells. Edges belong to no chain and join none.
    """
    around = steps(columns)
    chain[:] = -1
    waiting = np.empty(board.size, np.int64)
    count = 0
    for start in range(board.size):
        if board[start] != OWN or chain[start] >= 0:
            continue
        chain[start] = count
        waiting[0] = start
        size = 1
        while size:
            size -= 1
            cell = waiting[size]
            for step in around:
                if board[cell + step] == OWN and chain[cell + step] < 0:
                    chain[cell + step] = count
                    waiting[size] = cell + step
                    size += 1
        count += 1
    return count


FAR = 1 << 20  # more than any distance or flow
# If only one player's two-distance is infinite, that outweighs any difference of distances.
LACKING = 100.0

# The distance between a player's edges, and the size of the player's largest chain.


@kernel
def largest_chain(columns, rows, stones):
    """Return the number of stones in the largest chain of own stones."""
    board = add_rim(columns, rows, stones)
    chain = np.empty(board.size, np.int64)
    sizes = np.zeros(chains(columns, board, chain) + 1, np.int64)
    for cell in range(board.size):
        if chain[cell] >= 0:
            sizes[chain[cell]] += 1
    return sizes.max()


@kernel
def path_length(columns, rows, stones, distances):
    """Return the fewest empty cells on a path from north to south; `FAR` if there is no path.

    Write the same for each cell: the fewest on a path from north to it, itself
    included; `FAR` if no path reaches it. Breadth first, one front per distance: an own
    stone joins the front that reaches it, an empty cell the next front.
    """
    board = add_rim(columns, rows, stones)
    around = steps(columns)
    width = columns + 2
    levels = np.full(board.size, FAR)
    front = np.empty(board.size, np.int64)
    later = np.empty(board.size, np.int64)
    for column in range(columns):
        front[column] = column + 1
    size, level, length = columns, 0, FAR
    while size:
        waiting = 0
        while size:
            size -= 1
            cell = front[size]
            for step in around:
                other = cell + step
                # Stay out of the rim above: there is no row above it.
                if other < width or levels[other] != FAR:
                    continue
                if board[other] == OWN:
                    levels[other] = level
                    front[size] = other
                    size += 1
                elif board[other] == EMPTY:
                    levels[other] = level + 1
                    later[waiting] = other
                    waiting += 1
                elif board[other] == SOUTH:
                    length = min(length, level)
        front, later = later, front
        size = waiting
        level += 1
    for row in range(rows):
        for column in range(columns):
            distances[row * columns + column] = levels[width * (row + 1) + column + 1]
    return length


# Two-distance: the distance between a player's edges when the opponent blocks the best
# way at each step.
#
# Two empty cells are neighbors if they touch each other or the same own chain. A
# cell has distance 1 if it touches the first edge or a chain at that edge; else 1 plus
# the second smallest distance of its neighbors. The same holds for the other edge,
# whose neighbors are the cells that touch it or a chain at it.

NORTHERN, SOUTHERN = 1, 2


@kernel
def two_distances(columns, rows, stones, to_north, to_south):
    """Return the two-distance from south to north, and from north to south; `FAR` for none.

    Write each cell's two-distance to either edge; `FAR` for none and for stones.
    """
    ground = _ground(columns, rows, stones)
    distances = np.empty((2, ground[0].size), np.int32)
    lengths = (
        _sweep(columns, rows, ground, NORTHERN, distances[0]),
        _sweep(columns, rows, ground, SOUTHERN, distances[1]),
    )
    for row in range(rows):
        for column in range(columns):
            cell, at = row * columns + column, (columns + 2) * (row + 1) + column + 1
            to_north[cell], to_south[cell] = distances[0, at], distances[1, at]
    return lengths


@kernel
def two_distance(columns, rows, stones, averaged):
    """Return the two-distance from south to north; infinity if there is none.

    With `averaged`, return its mean with the two-distance from north to south.
    """
    ground = _ground(columns, rows, stones)
    distances = np.empty(ground[0].size, np.int32)
    one = _sweep(columns, rows, ground, NORTHERN, distances)
    other = _sweep(columns, rows, ground, SOUTHERN, distances) if averaged and one != FAR else one
    return np.inf if FAR in (one, other) else (one + other) / 2


@kernel
def _ground(columns, rows, stones):
    """Return the arrays that sweeps in both directions share.

    They are the board with its rim; the chain of each stone; where the liberties of
    each chain start in a list, and that list; and the edges that each empty cell
    touches, directly or through a chain.
    """
    board = add_rim(columns, rows, stones)
    around = steps(columns)
    width = columns + 2
    last = width * rows
    memory = np.empty(10 * board.size, np.int32)
    # Chains count from 1; an empty cell holds the last chain that listed it as a liberty.
    mark, touches = memory[: board.size], memory[board.size : 2 * board.size]
    mark[:] = 0
    touches[:] = 0
    first, waiting = (
        memory[2 * board.size : 3 * board.size],
        memory[3 * board.size : 4 * board.size],
    )
    liberties = memory[4 * board.size :]
    for column in range(1, columns + 1):
        touches[width + column] |= NORTHERN
        touches[last + column] |= SOUTHERN
    count, end = 0, 0
    first[0] = first[1] = 0
    for start in range(width, last + width):
        if board[start] != OWN or mark[start]:
            continue
        count += 1
        mark[start] = count
        waiting[0] = start
        size, edges = 1, 0
        while size:
            size -= 1
            cell = waiting[size]
            edges |= touches[cell]
            for step in around:
                other = cell + step
                if mark[other] == count:
                    continue
                if board[other] == OWN:
                    mark[other] = count
                    waiting[size] = other
                    size += 1
                elif board[other] == EMPTY:
                    mark[other] = count
                    liberties[end] = other
                    end += 1
        first[count + 1] = end
        if edges:
            for i in range(first[count], end):
                touches[liberties[i]] |= edges
    return board, mark, first, liberties, touches


@kernel
def _sweep(columns, rows, ground, edge, distances):
    """Write each empty cell's two-distance to an edge; return that of the other edge.

    Cells are settled in order of distance, each as soon as its second neighbor is settled.
    """
    board, mark, first, liberties, touches = ground
    around = steps(columns)
    width = columns + 2
    opposite = NORTHERN + SOUTHERN - edge
    # The first settled neighbor of each cell, and of each chain; of a chain, -1 after two.
    memory = np.empty(3 * board.size, np.int32)
    first_neighbor, chain_neighbor = memory[: board.size], memory[board.size : 2 * board.size]
    waiting = memory[2 * board.size :]
    first_neighbor[:] = 0
    chain_neighbor[:] = 0
    size = 0
    distances[:] = FAR
    for cell in range(width, width * (rows + 1)):
        if touches[cell] & edge and board[cell] == EMPTY:
            distances[cell] = 1
            waiting[size] = cell
            size += 1
    head, ends, length = 0, 0, FAR
    while head < size:
        cell = waiting[head]
        head += 1
        if touches[cell] & opposite:
            ends += 1
            if ends == 2:
                length = distances[cell] + 1
        further = distances[cell] + 1
        for step in around:
            other = cell + step
            if board[other] == EMPTY:
                size = _meet(other, cell, further, distances, first_neighbor, waiting, size)
            elif board[other] == OWN:
                own = mark[other]
                if chain_neighbor[own] == -1 or chain_neighbor[own] == cell:
                    continue
                # Two liberties of a chain settle all others, so a third has nothing to do.
                chain_neighbor[own] = -1 if chain_neighbor[own] else cell
                for i in range(first[own], first[own + 1]):
                    size = _meet(
                        liberties[i], cell, further, distances, first_neighbor, waiting, size
                    )
    return length


@kernel
def _meet(other, cell, further, distances, first_neighbor, waiting, size):
    """Count a settled neighbor of a cell; return the length of the queue."""
    if distances[other] != FAR or first_neighbor[other] == cell:
        return size
    if first_neighbor[other] == 0:
        first_neighbor[other] = cell
        return size
    distances[other] = further
    waiting[size] = other
    return size + 1


# Y-reduction: who probably owns the last cell of a shrinking triangle.


@kernel
def y_reduction(columns, rows, stones):
    """Return the likelihood that Black owns the last cell: -1 never, 0 even, 1 surely.

    `stones` has one byte a cell, 0 empty, 1 Black's, 2 White's. The board lies
    in the corner of a triangle with sides of columns + rows - 1 cells; the
    cells past the last column are White's, those past the last row Black's. In
    each step every cell goes to the majority of itself, its right and its lower
    neighbor, which shortens the sides by one.

    For probabilities p, written as q = 2p - 1, the majority of three independent cells is
    (a + b + c - abc) / 2. So exchanging the colors on the transposed board negates the
    result to the last bit.
    """
    side = columns + rows - 1
    likely = np.empty((side, side))
    for row in range(side):
        for column in range(side - row):
            if column >= columns:
                likely[row, column] = -1.0
            elif row >= rows:
                likely[row, column] = 1.0
            else:
                likely[row, column] = (0.0, 1.0, -1.0)[stones[row * columns + column]]
    for last in range(side - 1, 0, -1):
        for row in range(last):
            here, below = likely[row, : last - row + 1], likely[row + 1, : last - row]
            for column in range(last - row):
                a, b, c = here[column], here[column + 1], below[column]
                here[column] = (a + (b + c) - a * (b * c)) / 2.0
    return likely[0, 0]


# The maximum flow between a player's edges, computed as a shortest path across it.
#
# In a planar network with source and sink on the outside, the maximum flow equals the
# minimum cut, and a cut is a path in the dual network: from face to face, west to
# east, each step crossing a wire at the price of its capacity (Hassin 1981). The
# faces are the triangles of three cells that touch each other; on the
# rimmed board they are numbered::
#
#     a - b        cell at i (a): face 2 i is a b c, face 2 i + 1 is b c d
#      \ / \
#       c - d

WALL = 2


@kernel
def max_flow(columns, rows, stones, across):
    """Return the maximum flow from north to south; `FAR` if it is unbounded.

    `stones` has one byte a cell, 0 empty, 1 own, 2 opponent. Any flow passes between two
    own stones that touch, and between a border cell and its edge; 1 passes between
    other cells that touch, none through the opponent's. Write to `across`, which has
    2 (columns + 2) (rows + 2) values, each face's distance from the west; `FAR` for none.
    The flow between two cells that touch is the difference of the two faces beside them.
    """
    board = add_rim(columns, rows, stones)
    width = columns + 2
    across[:] = FAR
    front = np.empty(across.size, np.int64)
    later = np.empty(across.size, np.int64)
    front[0] = 2 * width
    across[2 * width] = 0
    size, level = 1, 0
    while size:
        waiting = 0
        while size:
            size -= 1
            face = front[size]
            a = face // 2
            b, c, d = a + 1, a + width, a + width + 1
            # The face's three neighbors, each with the two ends of the wire to cross.
            if face % 2 == 0:
                sides = ((a, b, face + 1 - 2 * width), (a, c, face - 1), (b, c, face + 1))
            else:
                sides = ((b, c, face - 1), (b, d, face + 1), (c, d, face - 1 + 2 * width))
            for x, y, other in sides:
                if not _is_inside(other, width, rows) or across[other] <= level:
                    continue
                price = _capacity(board[x], board[y])
                if price == 0:
                    across[other] = level
                    front[size] = other
                    size += 1
                elif price == 1 and across[other] > level + 1:
                    across[other] = level + 1
                    later[waiting] = other
                    waiting += 1
        size = 0
        level += 1
        for i in range(waiting):
            if across[later[i]] == level:
                front[size] = later[i]
                size += 1
    # Any face between the last column and the rim beside it.
    return across[2 * (2 * width - 2)]


@kernel
def _is_inside(face, width, rows):
    """Return whether all cells of a face are on the rimmed board."""
    a = face // 2
    return a >= 0 and a < width * (rows + 1) and a % width != width - 1


@kernel
def _capacity(x, y):
    """Return the flow that passes between two cells: 0, 1, or `WALL` for any."""
    if OPPONENT in (x, y):
        return 0
    if (x == OWN and y == OWN) or x >= NORTH or y >= NORTH:
        return WALL
    return 1


# Stones as electric charges: their field, and how steep a saddle each cell is.
#
# Black's stones and edges carry +1, White's -1; the edges are rows of charges on
# a rim around the board. A charge adds 1 / d^2 with its sign to every cell at
# distance d, the number of steps between them. No value exceeds `LARGEST`, which
# is that of a charged cell. One public program measures longer distances along
# one of the three diagonals: d = min(|x| + |y|, |x| + |x + y|).

LARGEST = 9.0


@kernel
def saddles(columns, rows, stones, longer, scores):
    """Write each cell's smallest curvature times its largest; 0 for cells with a stone.

    `stones` has one byte a cell, 0 empty, 1 Black's, 2 White's; `longer` selects
    the longer distances. There is a curvature along each of the three axes through a
    cell: the sum of the two neighbors' values minus twice the cell's own if that is the
    largest or smallest of the three, else 0. The more negative the product, the steeper
    the saddle.
    """
    field = _field(columns, rows, stones, longer)
    for row in range(rows):
        for column in range(columns):
            cell = row * columns + column
            scores[cell] = 0.0
            if stones[cell] != 0:
                continue
            here = field[row + 1, column + 1]
            least, most = np.inf, -np.inf
            for right, down in ((1, 0), (0, 1), (1, -1)):
                one = field[row + 1 + down, column + 1 + right] - here
                other = field[row + 1 - down, column + 1 - right] - here
                # The middle is an extreme if both sides differ from it in the same direction.
                curvature = one + other if one * other >= 0.0 else 0.0
                least, most = min(least, curvature), max(most, curvature)
            scores[cell] = least * most


@kernel
def _field(columns, rows, stones, longer):
    """Return the value of the field at each cell of the board with its rim."""
    field = np.zeros((rows + 2, columns + 2))
    for row in range(-1, rows + 1):
        for column in range(-1, columns + 1):
            charge = _charge(columns, rows, stones, column, row)
            if charge == 0.0:
                continue
            for y in range(rows + 2):
                for x in range(columns + 2):
                    right, down = x - 1 - column, y - 1 - row
                    steps = max(abs(right), abs(down), abs(right + down))
                    if longer:
                        steps = abs(right) + min(abs(down), abs(right + down))
                    if steps:
                        field[y, x] += charge / (steps * steps)
    for y in range(rows + 2):
        for x in range(columns + 2):
            charge = _charge(columns, rows, stones, x - 1, y - 1)
            if charge != 0.0:
                field[y, x] = charge * LARGEST
            # Rounding: errors of the last bits must not decide which value is extreme.
            field[y, x] = round(min(LARGEST, max(-LARGEST, field[y, x])), 9)
    return field


@kernel
def _charge(columns, rows, stones, column, row):
    """Return the charge of a cell of the board or its rim; the corners of the rim have none."""
    beside = column < 0 or column == columns
    if row < 0 or row == rows:
        return 0.0 if beside else 1.0
    if beside:
        return -1.0
    return (0.0, 1.0, -1.0)[stones[row * columns + column]]

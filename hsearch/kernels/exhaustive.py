"""Complete play for joining two ends inside a carrier, with must-play pruning for both sides.

Sets are single int64 words, a bit a point. Points are the empty cells of the
carrier and the owner's groups beside it, at most `MOST_POINTS` in all. `graph`
(int64) says which points touch the first end and the second, then for each
point which points touch it.

An answer is `cells << 2 | verdict`. The cells are those that the winner needs: the
verdict holds even if the loser has all others.

`table` (int64, three a row) is the transposition table: own points, free cells << 1 |
who moves, answer. A row of zeros is unused: with no cell free the answer is not looked up.
`history` (int64, two by points) counts how often a move decided, by mover. `rates` (int64)
has a row for each number of free cells, and one more to work in. `stack` (int64) has a row
for each move. `work` (int64) holds how many positions may still be visited, and the address
of a flag that ends the search.
"""

from hsearch.kernels.bits import is_stopped, lowest_bit, popcount
from hsearch.kernels.cache import kernel

MOST_POINTS = 60
FAR = 1 << 40
CUT, JOINED, UNKNOWN = 0, 1, 2
TO_FIRST, TO_SECOND, NEIGHBORS = 0, 1, 2
OWN, FREE, WHO, MOVES, LATER, USED, PLACE, LIMIT, END = range(9)  # fields of a row of the stack
FIRST_LIMIT, LIMIT_GROWS = 64, 4
# With at most this many free cells the history alone orders the moves. Of 0, 10, 12, 13, 14 and
# 16 it plays out the shipped templates with the fewest positions, a third of those with 0.
RATED = 12


# The search is depth first, by must-play regions of both sides (Hayward and van Rijswijck,
# "Hex and combinatorics", 2006): a move outside the cells that refuted another move is
# refuted by the same reply. The moves that decided most often elsewhere come first (the
# history heuristic, Schaeffer 1983). With more than `RATED` cells free, van Rijswijck's
# two-distances to both ends (2002) weigh more than the history.
#
# A wrong first move can cost more than all others. So each move may visit 64 positions;
# if they do not suffice, it waits until the others were tried, and then may visit four times
# as many. In a fixed order, a stone on the fourth row with a window of 7 to 11 columns is
# not decided within 200 million positions; in this one it is within 0.3 million.
#
# With two-distances down to the last cell, the shipped templates took 45 million positions
# instead of 15 million; a few single questions took fewer. Counting chains of bridges that
# join the ends as a win saved a sixth of the positions and no time, and was left out.


@kernel
def solve(position, graph, table, history, rates, stack, work):
    """Return the answer: whether the owner joins the ends.

    `position` has the owner's points, the cells to play in, and whether the opponent moves.

    A move outside the cells of a winning reply is answered by that reply, so only
    moves inside the cells of all replies so far are tried. Not recursive: Numba
    crashes on a recursive function that comes from its cache.
    """
    own, free, opponent_moves = position
    depth, end = 0, 0
    while True:
        answer = _at_once(own, free, opponent_moves, graph, table, end, work)
        if answer < 0:
            _open(own, free, opponent_moves, graph, history, rates, stack[depth])
            stack[depth, END] = end
            depth += 1
        while answer >= 0:
            if depth == 0:
                return answer
            answer = _take(answer, table, history, stack[depth - 1], work)
            depth -= answer >= 0
        node = stack[depth - 1]
        node[PLACE] = _best(node[MOVES], rates[popcount(node[FREE])])
        move = 1 << node[PLACE]
        opponent_moves = 1 - node[WHO]
        own = node[OWN] | move if opponent_moves else node[OWN]
        free = node[FREE] ^ move
        end = max(node[END], work[0] - node[LIMIT])


@kernel
def _at_once(own, free, opponent_moves, graph, table, end, work):
    """Return the answer if it needs no search, -1 if it does."""
    work[0] = 0 if is_stopped(work[1]) else work[0] - 1
    near_first = reach(graph[TO_FIRST], own, graph)
    joining = near_first & reach(graph[TO_SECOND], own, graph) & free
    first = joining & -joining
    rest = joining ^ first
    everything = own | free
    path = reach(graph[TO_FIRST], everything, graph) & everything & graph[TO_SECOND]
    row, who = _row(own, free << 1 | opponent_moves, table), free << 1 | opponent_moves
    answer = -1
    if near_first & own & graph[TO_SECOND]:
        answer = JOINED
    elif joining and not opponent_moves:
        answer = first << 2 | JOINED
    elif rest:
        answer = (first | rest & -rest) << 2 | JOINED
    elif not path:
        answer = CUT
    elif table[row, 0] == own and table[row, 1] == who:
        answer = table[row, 2]
    elif work[0] <= end:
        answer = UNKNOWN
    return answer


@kernel
def _open(own, free, opponent_moves, graph, history, rates, node):
    """Prepare to try the moves of a position; against a single threat only that which stops it."""
    near = reach(graph[TO_FIRST], own, graph)
    joining = near & reach(graph[TO_SECOND], own, graph) & free
    node[OWN], node[FREE], node[WHO] = own, free, opponent_moves
    node[MOVES] = joining if joining else free  # noqa: FURB110 - numba has no `or` of numbers
    node[USED] = joining
    node[LATER] = 0
    node[LIMIT] = FIRST_LIMIT
    rate = rates[popcount(free)]
    _recall(free, history[opponent_moves], rate)
    if popcount(free) > RATED:
        _rate(own, free, graph, rate, rates[MOST_POINTS + 1])


@kernel
def _take(answer, table, history, node, work):
    """Use the answer to the last move. Return that of the position, -1 if moves are left.

    A move that is not decided within the limit is tried again, with a larger
    one, after the others: a wrong first move can cost more than all the rest.
    """
    who, move = node[WHO], 1 << node[PLACE]
    goal = CUT if who else JOINED
    if answer & 3 == UNKNOWN:
        if work[0] <= node[END]:
            return UNKNOWN
        node[LATER] |= move
        node[MOVES] ^= move
    elif answer & 3 != goal:
        node[USED] |= answer >> 2
        node[MOVES] &= answer >> 2
        node[LATER] &= answer >> 2
    if answer & 3 != goal and node[MOVES] | node[LATER]:
        if not node[MOVES]:
            node[MOVES], node[LATER] = node[LATER], 0
            node[LIMIT] *= LIMIT_GROWS
        return -1
    cells = node[USED]
    if answer & 3 == goal:
        history[who, node[PLACE]] += 1
        cells = answer >> 2 | move
    verdict = answer & 3
    own, who = node[OWN], node[FREE] << 1 | who
    row = _row(own, who, table)
    table[row, 0], table[row, 1], table[row, 2] = own, who, cells << 2 | verdict
    return cells << 2 | verdict


@kernel
def reach(start, own, graph):
    """Return `start`, and what touches the points of `own` that are connected to it."""
    area = start
    new = start & own
    while new:
        place = lowest_bit(new)
        new &= new - 1
        touches = graph[NEIGHBORS + place]
        new |= touches & own & ~area
        area |= touches
    return area


@kernel
def _recall(free, history, rate):
    """Rate the free cells as moves by how often they decided: the least rate is best."""
    cells = free
    while cells:
        place = lowest_bit(cells)
        cells &= cells - 1
        rate[place] = -history[place]


@kernel
def _rate(own, free, graph, rate, near):
    """Add the sum of the two-distances to both ends, which weighs more (van Rijswijck 2002).

    A cell that touches an end has distance 1, and any other one more than the second
    smallest of its neighbors. `near` (int64) is a row to work in.
    """
    cells = free
    while cells:
        place = lowest_bit(cells)
        cells &= cells - 1
        near[place] = reach(graph[NEIGHBORS + place], own, graph) & free
    for end in range(2):
        area = reach(graph[end], own, graph) & free
        cells = free & ~area
        while True:
            new = 0
            rest = cells
            while rest:
                place = lowest_bit(rest)
                rest &= rest - 1
                rate[place] += FAR
                meets = near[place] & area
                if meets & (meets - 1):
                    new |= 1 << place
            if not new:
                break
            area |= new
            cells ^= new


@kernel
def _best(moves, rate):
    best = lowest_bit(moves)
    while moves:
        place = lowest_bit(moves)
        moves &= moves - 1
        if rate[place] < rate[best]:
            best = place
    return best


@kernel
def _row(own, who, table):
    """Return where a position belongs in the table; its length is a power of two."""
    bits = own * 0x2545F4914F6CDD1D ^ who * 0x369DEA0F31A53F85
    return (bits ^ bits >> 29) & (table.shape[0] - 1)

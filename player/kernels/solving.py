"""The solver's kernels for one position: lemmas, fill-in, connected edges, moves to try."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hsearch.kernels.bits import bit, has, lowest_bit, popcount, put
from hsearch.kernels.cache import kernel
from hsearch.kernels.circuit import Links, Wiring, solve
from hsearch.kernels.closure import closure, preload, set_up
from hsearch.kernels.inferior import (
    CAPTURED_BY_BLACK,
    CAPTURED_BY_WHITE,
    DEAD,
    NO_REGION,
    fill_in,
    fill_in_after,
    neighbor,
    next_region,
    ring_of,
    vulnerable,
)
from hsearch.kernels.lists import full_links
from hsearch.kernels.packing import (
    AND_TRIES,
    COUNT,
    FACTS,
    FULL,
    OR_TRIES,
    OVERFLOW,
    SEMI,
    edge_head,
    entries_of,
    has_chain,
    key_of,
    node_of,
    pairs_in,
)
from hsearch.kernels.packing import WON as EDGES_JOINED

# Lemmas from decided positions, applied to other positions: see `player.solve.lemmas`.
#
# A lemma is a column of int64: the stones that its owner must have, then the cells
# that must not be the opponent's, each as many words as a set of cells. Nearly all fail
# at once, so they are sifted first, word by word, several at a time in vector registers.

NOTHING, NEEDED, UNREACHED = 0, 1, 2
BLOCK = 512


@kernel
def consult(lemmas, own, is_mover, common, union, carrier, selection, count):
    """Look for a win by a player's lemmas; return the number of missing stones, and the cell.

    The lemmas are the first `count` columns of `selection`, which passed `sift`; `own` are the
    owner's stones. If 0 are missing, the owner wins whoever moves; if 1, the owner wins by
    moving to the returned cell. `carrier` takes the empty cells of the win. If there
    is no win, return 2; if the opponent is to move then, `common` is cut down to what all
    threats share, and `union` gains the threats that made it smaller.
    """
    width = own.size
    for k in range(count):
        column, lacking, last = selection[k], 0, -1
        for i in range(width):
            missing = lemmas[i, column] & ~own[i]
            if missing:
                lacking += popcount(missing)
                last = 64 * i + lowest_bit(missing)
        if lacking > 1:
            continue
        if not lacking or is_mover:
            for i in range(width):
                carrier[i] = (lemmas[i, column] | lemmas[width + i, column]) & ~own[i]
            return lacking, last
        outside = 0
        for i in range(width):
            outside |= common[i] & ~(lemmas[i, column] | lemmas[width + i, column])
        if outside:
            for i in range(width):
                threat = (lemmas[i, column] | lemmas[width + i, column]) & ~own[i]
                common[i] &= threat
                union[i] |= threat
    return 2, -1


@kernel
def sift(lemmas, first, end, own, other, selection):
    """Write which of the columns from `first` to before `end` may apply; return how many.

    In those the opponent has no cell, and the owner lacks at most one stone in each word.
    """
    width, count = own.size, 0
    failing = np.empty(BLOCK, np.int64)
    for start in range(first, end, BLOCK):
        length = min(BLOCK, end - start)
        failing[:length] = 0
        for i in range(width):
            stones = lemmas[i, start : start + length]
            cells = lemmas[width + i, start : start + length]
            mine, theirs = own[i], other[i]
            for place in range(length):
                missing = stones[place] & ~mine
                overlap = (stones[place] | cells[place]) & theirs
                failing[place] |= overlap | missing & (missing - 1)
        for place in range(length):
            selection[count] = start + place
            count += failing[place] == 0
    return count


@kernel
def reduce(columns, size, owner, dead, stones, cells):
    """Reduce a lemma to what the owner needs if the opponent has everything else.

    Remove what is not connected to the owner's first edge, then the owner's dead
    stones, then cells that are dead or captured by the opponent, until nothing changes.
    `size` is the number of the board's cells.
    """
    board, fills = np.zeros(size, np.int8), np.zeros(size, np.int8)
    costs, stack = np.zeros((size, stones.size), np.int64), np.empty(size, np.int64)
    own, other = np.int8(1 + owner), np.int8(2 - owner)
    changed = True
    while changed:
        changed = False
        _reach(columns, owner, stones, cells, board, stack)
        for cell in range(size):
            is_stone = has(stones, 0, cell)
            board[cell] = other if board[cell] != NEEDED else own if is_stone else 0
        for cell in range(size):
            if board[cell] == own and dead[ring_of(columns, board, cell)]:
                board[cell] = other
        for cell in range(size):
            if board[cell] == other:
                changed |= _drop(stones, cell) | _drop(cells, cell)
        fill_in(columns, board, dead, fills, costs)
        for cell in range(size):
            if fills[cell] == DEAD or (fills[cell] and board[cell] == other):
                changed |= _drop(cells, cell)


@kernel
def _reach(columns, owner, stones, cells, board, stack):
    """Mark as NEEDED in `board` the cells connected to the owner's first edge."""
    count = 0
    for cell in range(board.size):
        board[cell] = NOTHING
        if has(stones, 0, cell) or has(cells, 0, cell):
            board[cell] = UNREACHED
            if cell < columns if owner == 0 else cell % columns == 0:
                board[cell] = NEEDED
                stack[count] = cell
                count += 1
    while count:
        count -= 1
        cell = stack[count]
        for direction in range(6):
            near = neighbor(columns, board.size, cell, direction)
            if near >= 0 and board[near] == UNREACHED:
                board[near] = NEEDED
                stack[count] = near
                count += 1


@kernel
def _drop(row, cell):
    """Remove a cell from a row; return whether it was there."""
    was_there = has(row, 0, cell) != 0
    row[cell >> 6] &= ~bit(cell)
    return was_there


# One position for the solver: fill-in, connected edges, moves to try.
#
# Sets of cells are rows of `sets` (int64, 64 cells a word), in the numbering of
# the board; the constants below name them. Connections are computed in a player's
# frame, which for White is the transposed board.

BLACK, WHITE, TURNED_BLACK, TURNED_WHITE = 0, 1, 2, 3
CAPTURED, PROOF, COMMON, UNION, KILLERS, NEEDS = 4, 6, 7, 8, 9, 10  # two rows: CAPTURED, NEEDS
ROWS = 12
OPEN, WON, LOST, NO_ROOM = 0, 1, 2, 3


class Ask(NamedTuple):
    """Options of `examine`, the first four 0 or 1, and tables that it reads.

    own         compute the connections of the player to move, too, not only the opponent's
    regions     fill regions enclosed by groups of a player that are joined inside the region
    vulnerable  omit vulnerable moves
    weak_links  put the weakest links first; else the cells in order
    placements  the templates at each place of the board, in Black's frame and in White's
    wiring      of the circuits
    dead        for each ring of neighbors whether it makes a cell dead
    """

    own: int
    regions: int
    vulnerable: int
    weak_links: int
    placements: tuple[NDArray[Any], NDArray[Any]]
    wiring: Wiring
    dead: NDArray[Any]


class WorkArrays(NamedTuple):
    """The arrays in which a position is examined.

    sets    the sets of cells named above
    stones  the stones, one byte a cell
    order   the moves to try
    """

    sets: NDArray[np.int64]
    stones: NDArray[np.int8]
    order: NDArray[np.int64]


@kernel
def fill(columns, dead, sets, stones, fills, costs, last):
    """Fill in the rows BLACK and WHITE, and write the same position after half a turn.

    CAPTURED and the row behind it get the cells that Black and White have captured.
    `last` is the last move if the position before it was filled in already, else -1.
    """
    _unpack(sets, stones)
    sets[CAPTURED] = 0
    sets[CAPTURED + 1] = 0
    if last < 0:
        count = fill_in(columns, stones, dead, fills, costs)
    else:
        count = fill_in_after(columns, stones, dead, fills, costs, last)
    if count:
        _enter_filled(sets, stones, fills, CAPTURED)
    sets[TURNED_BLACK] = 0
    sets[TURNED_WHITE] = 0
    for cell in range(stones.size):
        if stones[cell]:
            row = sets[TURNED_BLACK if stones[cell] == 1 else TURNED_WHITE]
            put(row, 0, stones.size - 1 - cell)


@kernel
def killers_of(columns, turn, dead, sets, stones, killers):
    """Write into KILLERS the replies that make the vulnerable cells of COMMON dead."""
    _unpack(sets, stones)
    vulnerable(columns, stones, dead, 2 - turn, killers)
    sets[KILLERS] = 0
    for cell in range(stones.size):
        if killers[cell] >= 0 and has(sets[COMMON], 0, cell):
            put(sets[KILLERS], 0, killers[cell])


# Connections, fill-in and must-play regions at every node are those of the solvers of the
# University of Alberta (Hayward and others: Solving 7x7 Hex, 2004; benzene). The order by weak
# links is that of HEXY (Anshelevich, 2000). `hsearch.connect.inferior` describes enclosed
# regions.
#
# The opponent's connections come first: their threats give the moves to try. Those of the
# player to move are computed at the root of a search alone (`Ask.own`). Below it they were
# computed one move before, as the opponent's, and the move since then lies in all of their
# threats, so hardly any is left. Without regions and lemmas, only 1,981 of 249,349
# positions of the map of 7x7 are won by them, and without them the map takes a third more
# nodes, each in 347 microseconds instead of 495. With regions and lemmas, computing these
# connections saves at most 7 % of the nodes and takes 40 % more time. Without them the circuit
# of the player to move has only neighbors as links.
#
# A region that a player encloses is filled with that player's stones, and fill-in is
# repeated. The connections and circuits of both players lack these stones, so both players
# are examined again, the other one first, until neither fills a region: then two are `settled`.
#
# Left out: updates instead of closures (`hsearch.kernels.update`), windows at the edges
# (`hsearch.kernels.window`), and captured sets of three and four cells, which one of 400
# positions of 6x6 has. Figures: `positions/results/solving.md` and `proofs.md`.


@kernel
def examine(memory, log, layout, rows, columns, turn, ask, work):
    """Decide the position of BLACK and WHITE if connections do.

    Return a status, a number, and how often the two rules were tried.

    WON and LOST are for the player to move; PROOF is the carrier. With WON
    the number is the first move, -1 if none is needed. With OPEN, COMMON has
    the cells that are in all threats of the opponent, and UNION is that of a few threats
    with no more in common; the order of `work` has the moves to try, best first, and the
    number is how many there are. With NO_ROOM an array is too small. If the flag of the
    layout is set, the result is invalid.
    """
    sets, stones, order = work
    size = stones.size
    _unpack(sets, stones)
    sets[PROOF] = 0
    sets[NEEDS] = 0
    sets[NEEDS + 1] = 0
    flows, potentials, frame = np.zeros((2, size)), np.empty(size), np.empty(size, np.int8)
    most = pairs_in(layout)
    a, b, common = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
    player, settled, tries = 1 - turn, 0, 0
    while settled < 2:
        width = columns if player == 0 else size // columns
        _turn_into_frame(columns, player, stones, frame)
        links = 0
        if player != turn or ask.own:
            _connect(memory, log, layout, rows, width, frame, ask.placements[player])
            tries += memory[AND_TRIES] + memory[OR_TRIES]
            if memory[OVERFLOW]:
                return NO_ROOM, 0, tries
            status, key = _find_join(memory, log, layout, columns, player, turn, sets)
            if status != OPEN:
                return status, key, tries
            if ask.regions and _fill_regions(memory, layout, columns, player, frame, sets, stones):
                _fill_in_again(columns, ask.dead, sets, stones)
                player, settled = 1 - player, 0
                continue
            links = full_links(memory, log, layout, a, b, common)
        else:
            set_up(memory, layout, width, frame)
            if has_chain(memory, layout):
                return WON, -1, tries
        if ask.weak_links:
            pairs = Links(a[:links], b[:links], common[:links])
            solve(width, size // width, frame, pairs, ask.wiring, potentials, flows[player])
        if player != turn:
            _threats(memory, layout, columns, player, sets, stones)
        player, settled = 1 - player, settled + 1
    return OPEN, _moves_to_try(columns, turn, ask, flows, sets, stones, order), tries


@kernel
def _connect(memory, log, layout, rows, columns, frame, placements):
    """Find the connections of a player: by the rules, then with the templates if edges are open."""
    closure(memory, log, layout, rows, columns, frame)
    if placements.shape[0] and not memory[EDGES_JOINED] and not memory[OVERFLOW]:
        preload(memory, log, layout, rows, frame, placements)


@kernel
def _fill_in_again(columns, dead, sets, stones):
    """Fill in the position after a region was filled; add the captures to NEEDS."""
    size = stones.size
    filled, costs = np.empty(size, np.int8), np.empty((size, sets.shape[1]), np.int64)
    fill_in(columns, stones, dead, filled, costs)
    _enter_filled(sets, stones, filled, NEEDS)


@kernel
def _moves_to_try(columns, turn, ask, flows, sets, stones, order):
    """Write the moves that no threat and no killer excludes, best first; return how many."""
    killers = np.full(stones.size, -1)
    if ask.vulnerable:
        vulnerable(columns, stones, ask.dead, 2 - turn, killers)
    return _put_in_order(columns, flows, killers, sets, order)


@kernel
def _turn_into_frame(columns, player, stones, frame):
    """Write the stones in a player's frame: 1 for own stones, 2 for the opponent's."""
    for cell in range(stones.size):
        stone = stones[cell]
        if player == 1 and stone:
            stone = 3 - stone
        frame[_frame(cell, columns, stones.size, player)] = stone


@kernel
def _enter_filled(sets, stones, fills, row):
    """Enter the filled cells into their rows; two rows from `row` on get the captures."""
    for cell in range(stones.size):
        if stones[cell]:
            put(sets[BLACK if stones[cell] == 1 else WHITE], 0, cell)
        if fills[cell] == CAPTURED_BY_BLACK:
            put(sets[row], 0, cell)
        elif fills[cell] == CAPTURED_BY_WHITE:
            put(sets[row + 1], 0, cell)


@kernel
def _put_in_order(columns, flows, killers, sets, order):
    """Write the cells of COMMON without a killer, the weakest links first; return how many."""
    n, size = 0, killers.size
    scores = np.empty(size)
    for cell in range(size):
        if not has(sets[COMMON], 0, cell) or killers[cell] >= 0:
            continue
        score = np.round(flows[0, cell] + flows[1, _frame(cell, columns, size, 1)], 9)
        place = n
        while place and scores[place - 1] < score:
            scores[place], order[place] = scores[place - 1], order[place - 1]
            place -= 1
        scores[place], order[place] = score, cell
        n += 1
    return n


@kernel
def _fill_regions(memory, layout, columns, player, frame, sets, stones):
    """Fill the regions that a player encloses; return whether there were any.

    The carriers that join the groups around them are added to NEEDS.
    """
    cells = layout.cells
    width = columns if player == 0 else cells // columns
    region, carrier = np.empty(sets.shape[1], np.int64), np.empty(sets.shape[1], np.int64)
    is_any, at = False, 0
    while True:
        at = next_region(memory, layout, width, frame, at, region, carrier)
        if at == NO_REGION:
            return is_any
        is_any = True
        for cell in range(cells):
            if has(region, 0, cell):
                frame[cell] = 1
                stones[_unframe(cell, columns, cells, player)] = 1 + player
            if has(carrier, 0, cell):
                put(sets[NEEDS + player], 0, _unframe(cell, columns, cells, player))


@kernel
def _find_join(memory, log, layout, columns, player, turn, sets):
    """Return WON or LOST if a player's edges are joined, else OPEN; and a key to play, or -1."""
    cells = layout.cells
    status = WON if player == turn else LOST
    if has_chain(memory, layout):
        return status, -1
    head = edge_head(layout)
    for which in (FULL, SEMI):
        start = memory[head + which]
        if start and memory[start + COUNT] and (which == FULL or player == turn):
            entry = entries_of(layout, start)
            _add_frame(memory, layout, entry + 1, columns, player, sets[PROOF])
            key = key_of(log[node_of(memory[entry]) + FACTS])
            return status, key if key < 0 else _unframe(key, columns, cells, player)
    return OPEN, -1


@kernel
def _threats(memory, layout, columns, player, sets, stones):
    """Write the cells common to all semis between a player's edges, and a few that suffice."""
    sets[COMMON] = 0
    sets[UNION] = 0
    for cell in range(stones.size):
        if stones[cell] == 0:
            put(sets[COMMON], 0, cell)
    start = memory[edge_head(layout) + SEMI]
    if not start:
        return
    entry = entries_of(layout, start)
    threat = np.zeros(sets.shape[1], np.int64)
    for _ in range(memory[start + COUNT]):
        threat[:] = 0
        _add_frame(memory, layout, entry + 1, columns, player, threat)
        is_less = False
        for word in range(threat.size):
            is_less = is_less or sets[COMMON, word] & ~threat[word] != 0
        if is_less:
            for word in range(threat.size):
                sets[COMMON, word] &= threat[word]
                sets[UNION, word] |= threat[word]
        entry += 1 + len(layout.words)


@kernel
def _add_frame(memory, layout, carrier, columns, player, row):
    """Add to a row the carrier at a place of memory, which is in a player's frame."""
    for cell in range(layout.cells):
        if has(memory, carrier, cell):
            put(row, 0, _unframe(cell, columns, layout.cells, player))


@kernel
def _unpack(sets, stones):
    for cell in range(stones.size):
        stones[cell] = 1 if has(sets[BLACK], 0, cell) else 2 if has(sets[WHITE], 0, cell) else 0


@kernel
def _frame(cell, columns, size, player):
    return cell if player == 0 else cell % columns * (size // columns) + cell // columns


@kernel
def _unframe(cell, columns, size, player):
    rows = size // columns
    return cell if player == 0 else cell % rows * columns + cell // rows

"""How the minimal connections of all pairs of points, and their log, are packed into arrays.

Two one-dimensional int64 arrays hold everything, so that a call is cheap and a
copy of the two is a copy of the state::

    memory | 12 counts | regions of `Layout` | list | list | list | room
    list   | COUNT ROOM DONE BOUND | COMMON w words | entry | entry | room for entries
    entry  | tag | carrier w words            tag = node << 20 | size << 1 | processed
    log    | record | record | record | room
    record | FACTS | QUEUE | CARRIER w words | premises
                  FACTS = premises << 42 | rule << 36 | key + 1 << 24 | y << 12 | x
                  QUEUE = next node << 1 | dropped

`log` is append-only. A *node* is a connection that was accepted at some time,
identified by the start of its record. The connection never changes, so premises may
refer to it even after a better one has replaced it. Its own premises are nodes, too.

`memory` has lists. A list holds the kept fulls or semis of one pair: how many entries
are in use, how many fit, how many are processed, whether a limit has kept one out,
and the cells that all carriers processed so far share. Entries are sorted by size of
carrier and then by its bits as a number. No carrier in a list holds another, and no
semi holds a full of its pair.

A stone on b2 of 3x3 is bridged to the south edge, over a3 or b3::

    >>> from hsearch.hex.board import Board, Color
    >>> from hsearch.connect.closure import closure
    >>> from hsearch.hex.position import Position
    >>> store = closure(Position.of(Board(3, 3), black="b2"), Color.BLACK)
    >>> memory, log, layout = store.memory, store.log, store.layout
    >>> start = memory[head_of(layout, 4, 10, FULL)]
    >>> memory[start + COUNT : start + COMMON].tolist()  # one, room for two, processed
    [1, 2, 1, 0]
    >>> tag, carrier = memory[entries_of(layout, start) :][:2].tolist()
    >>> size_of(tag), is_processed(tag), f"{carrier:09b}"  # c3 b3 a3 c2 ... a1
    (2, 1, '011000000')
    >>> semis = log[node_of(tag) + CARRIER + 1 :][:2]
    >>> [(key_of(log[semi + FACTS]), f"{log[semi + CARRIER]:09b}") for semi in semis]
    [(7, '010000000'), (6, '001000000')]

Kernels take these arguments in one order: `memory, log, layout, rows`, then those
of the call. `rows` (int64, two-dimensional, a word wider than a carrier) is scratch
space for the OR rule.

Tried and lost: all arrays in one tuple with the layout, for fewer arguments. That
took half as much time again, since Numba counts a reference for each array that is
taken out. Plain numbers in a tuple cost nothing, so the options are in the layout.
"""

from typing import NamedTuple

from hsearch.kernels.cache import kernel


class Options(NamedTuple):
    """Limits: M for fulls and for semis, K, the switches as 0 or 1, the most tries.

    `shrinking` keeps only those fulls of a pair that shrink the intersection of
    those before, and replaces M and K. `flag` is the address of the flag that stops
    the search, see `hsearch.kernels.stop`.
    """

    fulls: int
    semis: int
    k: int
    edge_pivot: int
    greedy_union: int
    stop_at_win: int
    steps: int
    shrinking: int
    flag: int


class Layout(NamedTuple):
    """The regions of memory, each by where it starts; and the options of a search.

    words       a tuple as long as a row, so that the compiler knows its length
                and unrolls loops over it
    cells       how many cells the board has; the own edges are the next two points
    kind        what each point is
    captain     the captain of each own point, -1 for opponent stones
    partners    a row for each point: the points joined to it by a processed full
    touching    a row for each point: the points joined to it by a full without carrier
    buckets     for each size of carrier, the first and the last node of the queue;
                then the same for the semis, if they wait for all fulls
    conclusion  scratch, a row: the carrier of a rule's conclusion, for `add` to take
    heads       for each pair, the starts of the lists of fulls and of semis; 0 is none
    lists       where the lists begin
    options     the limits of the search; readers need none
    """

    words: tuple[int, ...]
    cells: int
    kind: int
    captain: int
    partners: int
    touching: int
    buckets: int
    conclusion: int
    heads: int
    lists: int
    options: Options = Options(0, 0, 0, 0, 0, 0, 0, 0, 0)


NOTHING, EMPTY, STONE, EDGE = 0, 1, 2, 3  # kinds of points; only captains have one
FULL, SEMI = 0, 1
ADJACENT, AND, OR, OWN_STONE, TEMPLATE = 0, 1, 2, 3, 8
FACTS, QUEUE, CARRIER = 0, 1, 2
COUNT, ROOM, DONE, BOUND, COMMON = 0, 1, 2, 3, 4
MEMORY_USED, LOG_USED, OVERFLOW, LIMIT_M, LIMIT_K, LIMIT_STEPS, LIMIT_SHRINKING = range(7)
QUEUED, WON, AND_TRIES, OR_TRIES, NODES = range(7, 12)
COUNTS = 12
BY_STEPS, BY_FLAG = 1, 2  # LIMIT_STEPS: what ended the search
NO_MEMORY, NO_LOG, NO_ROWS = 1, 2, 3  # OVERFLOW: which array was too small


# The packed fields, each by its name; LLVM inlines these functions.


@kernel
def tag_of(node, size):
    """Return the tag of an entry that waits to be processed."""
    return node << 20 | size << 1


@kernel
def node_of(tag):
    """Return the node of an entry."""
    return tag >> 20


@kernel
def size_of(tag):
    """Return how many cells the carrier of an entry has."""
    return tag >> 1 & 0x7FFFF


@kernel
def is_processed(tag):
    """Return 1 if an entry has left the queue, else 0."""
    return tag & 1


@kernel
def next_in_queue(log, node):
    """Return the node after a node in the queue, -1 if it is the last."""
    return log[node + QUEUE] >> 1


@kernel
def is_dropped(log, node):
    """Return 1 if a better connection has replaced a node, else 0."""
    return log[node + QUEUE] & 1


@kernel
def drop(log, node):
    """Record that a better connection has replaced a node."""
    log[node + QUEUE] |= 1


@kernel
def ends_of(facts):
    """Return the ends of a connection, the smaller one first."""
    return facts & 0xFFF, facts >> 12 & 0xFFF


@kernel
def key_of(facts):
    """Return the key of a connection, -1 if it is a full."""
    return (facts >> 24 & 0xFFF) - 1


@kernel
def rule_of(facts):
    """Return the rule that derived a connection."""
    return facts >> 36 & 0x3F


@kernel
def pairs_in(layout):
    """Return how many pairs of points there are."""
    return (layout.lists - layout.heads) // 2


@kernel
def edge_head(layout):
    """Return where memory holds the starts of the lists of the own edges: fulls, then semis."""
    return layout.lists - 2


@kernel
def has_chain(memory, layout):
    """Return whether stones join the own edges."""
    edge = layout.captain + layout.cells
    return memory[edge] == memory[edge + 1]


@kernel
def facts_of(x, y, key, rule, premises):
    """Return the ends, the key (-1 in a full), the rule and the number of premises, packed."""
    return min(x, y) | max(x, y) << 12 | key + 1 << 24 | rule << 36 | premises << 42


@kernel
def head_of(layout, x, y, which):
    """Return where memory holds the start of the list of a pair; the start is 0 if it has none."""
    pair = y * (y - 1) // 2 + x if x < y else x * (x - 1) // 2 + y
    return layout.heads + 2 * pair + which


@kernel
def entries_of(layout, start):
    """Return where the first entry of a list stands."""
    return start + COMMON + len(layout.words)

"""The rest of a followed connection, as a connection that can be checked.

The derivation is read in a later position, where more stones name its groups. When the owner's
stones connect, two ends of a step may become one group. Such a step is finished: its ends are
joined, and the steps that depend on it need only the rest.
"""

from dataclasses import replace

from hsearch.connect.connection import (
    Connection,
    Fill,
    Rule,
    adjacent,
    and_rule,
    conclude,
    fill_in_rule,
)
from hsearch.hex.position import captains


class Renaming:
    """Connections with the names of a later position; remembers what it has renamed."""

    def __init__(self, position, color):
        """Take the later position, and the owner of the connections."""
        self._position = position
        self._empty = position.empty
        self._color = color
        self._named = captains(position, color)
        self._known = {}

    def __call__(self, connection):
        """Derive an earlier connection again; return None if its ends are one group.

        Its carrier must hold no opponent's stone.
        """
        if id(connection) not in self._known:
            # Stored with the connection, so no other connection can get its id.
            self._known[id(connection)] = connection, self._renamed(connection)
        return self._known[id(connection)][1]

    def _renamed(self, old):
        """Return a step with renamed premises.

        A semi whose key is now an own stone has become a full, and an OR over it is no longer
        needed.
        """
        x, y = sorted((self._named[old.x], self._named[old.y]))
        if x == y:
            return None
        step = Connection(x, y, old.carrier & self._empty, old.key, old.rule, old.premises)
        if old.rule is Rule.MUSTPLAY:
            return self._after_key(step)
        premises = [new for new in map(self, old.premises) if new is not None]
        fulls = [semi for semi in premises if semi.is_full] if old.rule is Rule.OR else ()
        if fulls:
            return min(fulls, key=lambda full: full.carrier.count())
        if old.rule is Rule.AND and len(premises) == 1:
            return premises[0]
        return conclude(step, premises, self._position, self._color)

    def _after_key(self, step):
        """Return a must-play step whose premise is read in the position after its key."""
        (premise,) = step.premises
        full = Renaming(self._position.put(step.key, self._color), self._color)(premise)
        if full is not None:
            return conclude(step, (full,), self._position, self._color)
        board = self._position.board
        first, second = (adjacent(end, step.key, board) for end in step.ends)
        return and_rule(first, second, step.key, board, empty=True)


def remaining(state):
    """Return what a followed connection still holds, as one full of the current position.

    Its derivation uses the current names of groups, so it can be checked like any other. Return
    None if the owner's stones already join the ends.
    """
    if state.stones is not None:
        return _without_regions(state, state.stones)
    position = state.position
    board, named = position.board, captains(position, state.color)
    links = [link for link in map(Renaming(position, state.color), state.fulls) if link is not None]
    end, joined = named[state.connection.x], None
    for link in _way(end, named[state.connection.y], links):
        joined = link if joined is None else and_rule(joined, link, end, board, empty=False)
        end = link.other_end(end)
    return joined


def _without_regions(state, stones):
    """Return the connections held on a board with filled regions, as on the board without them."""
    fills, parts, boards = [], list(state.beside), [stones]
    for fill in state.connection.fills:
        groups, join = fill.groups, None
        if fill.color is state.color:
            here = boards[fill.since]
            named = captains(here, state.color)
            groups = tuple(sorted({named[group] for group in fill.groups}))
        if fill.color is state.color and fill.join is not None:
            join = remaining(replace(parts.pop(0), position=here))
        cells = fill.cells & boards[-1].empty
        fills.append(Fill(fill.color, groups, cells, join, fill.since))
        boards.append(fills[-1].applied(boards[-1]))
    inner = remaining(replace(state, position=boards[-1], beside=(), stones=None))
    return None if inner is None else fill_in_rule(inner, fills, state.color)


def _way(start, goal, links):
    """Return links that connect two points, visiting no point twice."""
    reached = {start: []}
    waiting = [start]
    while waiting:
        end = waiting.pop()
        for link in links:
            if end in link.ends and link.other_end(end) not in reached:
                reached[link.other_end(end)] = [*reached[end], link]
                waiting.append(link.other_end(end))
    return reached[goal]

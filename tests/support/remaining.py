"""What is left of a connection that is followed, as a connection that can be checked.

Its derivation is read in a later position, where more stones name its groups.
When the owner's stones grow together, two ends of a step may become one group.
Such a step is done with: what it joined is joined, and what rested on it rests on
the rest.
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
    """Connections as a later position names them; remembers what it has renamed."""

    def __init__(self, position, color):
        """Take the later position, and whose connections they are."""
        self._position = position
        self._empty = position.empty
        self._color = color
        self._named = captains(position, color)
        self._known = {}

    def __call__(self, connection):
        """Return a connection of an earlier position, re-derived; None if its ends are one group.

        The opponent has no stone in its carrier.
        """
        if id(connection) not in self._known:
            # With the connection, so that no other gets its id.
            self._known[id(connection)] = connection, self._renamed(connection)
        return self._known[id(connection)][1]

    def _renamed(self, old):
        """Return a step made of renamed premises.

        A semi whose key is an own stone by now has become a full, and an OR over
        it is not needed any more.
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
        """Return a must-play step, whose premise is read in the position after its key."""
        (premise,) = step.premises
        full = Renaming(self._position.put(step.key, self._color), self._color)(premise)
        if full is not None:
            return conclude(step, (full,), self._position, self._color)
        board = self._position.board
        first, second = (adjacent(end, step.key, board) for end in step.ends)
        return and_rule(first, second, step.key, board, empty=True)


def remaining(state):
    """Return what is held as one full connection of the position by now.

    Its derivation names groups as they are now, so that it can be checked like
    any other. None if the owner's stones join the ends already.
    """
    if state.stones is not None:
        return _without_regions(state, state.stones)
    position = state.position
    board, named = position.board, captains(position, state.color)
    links = [link for link in map(Renaming(position, state.color), state.held) if link is not None]
    end, joined = named[state.connection.x], None
    for link in _way(end, named[state.connection.y], links):
        joined = link if joined is None else and_rule(joined, link, end, board, empty=False)
        end = link.other_end(end)
    return joined


def _without_regions(state, stones):
    """Return what is held of a board with filled regions, as the board is without."""
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
    """Return links that lead from one point to another, no point twice."""
    reached = {start: []}
    waiting = [start]
    while waiting:
        end = waiting.pop()
        for link in links:
            if end in link.ends and link.other_end(end) not in reached:
                reached[link.other_end(end)] = [*reached[end], link]
                waiting.append(link.other_end(end))
    return reached[goal]

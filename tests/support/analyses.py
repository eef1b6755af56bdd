"""What an analysis answers, as values that can be compared."""

import inspect
from functools import cached_property

from hsearch.analysis.circuit import Circuits
from hsearch.connect.regions import FilledPosition
from hsearch.connect.store import Store
from hsearch.hex.board import Color

# What belongs to the work on the answers, not to them.
WORK = {"turnless", "memory", "cancel", "seconds"}
OF_COLORS = "edge_fulls", "edge_semis", "edge_to_edge", "edge_connection"


def answers(analysis):
    """Return all public properties of an analysis by name, and its answers about each player."""
    kind = type(analysis)
    computed = {
        name
        for name in dir(kind)
        if isinstance(inspect.getattr_static(kind, name), property | cached_property)
    }
    names = sorted(name for name in computed | vars(analysis).keys() if name[0] != "_")
    values = {name: getattr(analysis, name) for name in names if name not in WORK}
    for name in OF_COLORS:
        values |= {(name, color): getattr(analysis, name)(color) for color in Color}
    return {name: comparable(value) for name, value in values.items()}


def comparable(value):
    """Return a value, with a comparable one for those that are compared by identity."""
    match value:
        case Store():
            return value.color, list(value)
        case Circuits():
            both = value.black, value.white
            flows = [(each.resistance, *each.flow, *each.potential) for each in both]
            return value.position, flows
        case FilledPosition():
            return value.position, value.fills, comparable(value.stores)
        case dict():
            return {key: comparable(each) for key, each in value.items()}
    return value

"""Knowledge beyond the two rules that an analysis may use."""

import enum
import warnings
from collections.abc import Callable
from dataclasses import replace

from hsearch.board import Color
from hsearch.closure import Limits, closure, extended
from hsearch.position import Position
from hsearch.store import Store
from hsearch.window import CacheError, strengthen, usual_windows


class Knowledge(enum.StrEnum):
    """Methods that may find a connection between a player's edges.

    RULES  H-search under its limits, as in Anshelevich's papers
    LOCAL  and, where that proves nothing: more fulls a pair, the known templates,
           windows at the edges, and regions that a player encloses filled
    ALL    and, where nothing is proved still, must-play deduction
    """

    RULES = "rules"
    LOCAL = "local"
    ALL = "all"

    @classmethod
    def _missing_(cls, value: object) -> None:
        raise ValueError(f"no knowledge {value!r} (known: {', '.join(cls)})")


def local_limits(limits: Limits) -> Limits:
    """Return limits that keep five times the fulls and as many semis, and add the known templates.

    The long fulls that enclose a region are seldom among the smallest M; a
    closure takes about as long, since it is the semis that cost.
    """
    fulls = None if limits.M is None else 5 * limits.M
    return replace(limits, M=fulls, semis=limits.most_semis, templates=True)


def local_connections(limits: Limits) -> Callable[[Position, Color], Store]:
    """Return what finds a player's connections by H-search, templates and windows."""
    limits = local_limits(limits)

    def connections(position: Position, color: Color) -> Store:
        store = closure(position, color, limits)
        if store.has_chain or store.edge_fulls:
            return store
        found = strengthen(position, store, usual_windows(_warn))
        return extended(position, store, found, limits) if found else store

    return connections


def _warn(error: CacheError) -> None:
    warnings.warn(f"windows are searched anew: {error}", stacklevel=2)

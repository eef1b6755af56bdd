"""The packed lists of a position's connections.

A `Store` holds one player's connections as the kernels left them, and reads
`Connection` values from them when asked. `Workspace` is the room in which the
kernels work; it is the only thing here that changes. How things lie in the arrays
is known to `packed` alone, and to `hsearch.kernels.packing`, which packs them.
"""

from hsearch.store.packed import (
    RULES,
    Array,
    Reading,
    entries,
    has_chain,
    layout,
    rows_for,
    unpack,
)
from hsearch.store.values import ConnectionCounts, Given, Store
from hsearch.store.workspace import Workspace, workspace

__all__ = [
    "RULES",
    "Array",
    "ConnectionCounts",
    "Given",
    "Reading",
    "Store",
    "Workspace",
    "entries",
    "has_chain",
    "layout",
    "rows_for",
    "unpack",
    "workspace",
]

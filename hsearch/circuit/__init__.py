"""The position as two electrical circuits: resistances, currents, weak links, wires."""

from hsearch.circuit.currents import (
    HEXY,
    NO_LINKS,
    WIRINGS,
    Circuit,
    Circuits,
    FullLinks,
    circuit,
    circuits,
)
from hsearch.circuit.wire import Wire, wires

__all__ = [
    "HEXY",
    "NO_LINKS",
    "WIRINGS",
    "Circuit",
    "Circuits",
    "FullLinks",
    "Wire",
    "circuit",
    "circuits",
    "wires",
]

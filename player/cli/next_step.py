"""The line below an answer that names the next command, where several commands name the same."""

from hsearch.closure import Limits
from player.console.reading import InputSource

SOLVABLE = 75  # empty cells: with more, ten seconds of the solver rarely settle who wins


def is_solvable(source: InputSource) -> bool:
    """Return whether the solver can be asked, and may well have an answer."""
    return source.turn is not None and source.position.empty.count() <= SOLVABLE


def ask_solver(source: InputSource, wanted: str = "ask the solver who wins") -> str:
    """Return the command line that asks the solver about the position."""
    return f"{source.again('solve')} --time 10   {wanted}"


def wider(limits: Limits) -> str:
    """Return the options that let H-search keep more, where limits M and K bind."""
    return f"--M {5 * (limits.M or 1)} --K {2 * (limits.K or 1)}"

"""How far each method reaches, and what is said of a board that is too large for one."""

from player.dark.counts import TooManyError, count
from player.dark.rules import Base, Rules

MAX_NODES = 2_000_000  # of a tree in memory
DEEP = 200  # cells, beyond which counting is too deep for Python
COUNTED = 9  # cells, whose histories are counted in seconds

# The most cells for the methods that need no tree.
MOST_CELLS = {"double-oracle": 9, "mccfr-external": 9, "mccfr-outcome": 49, "sure-wins": 12}


class TooLargeError(ValueError):
    """A game that does not fit a method."""


def check_cells(rules: Rules, method: str) -> None:
    """Raise TooLargeError when a method that needs no tree does not reach the board."""
    most = MOST_CELLS[method]
    if rules.board.size > most:
        raise too_large(rules, f"{rules.board.size} cells, and {most} fit {method}")


def nodes(rules: Rules, most: int = MAX_NODES) -> int | None:
    """Return the number of histories; None if that is more than `most`, of a large board."""
    if rules.board.size > DEEP:
        return None
    try:
        return count(rules, most=None if rules.board.size <= COUNTED else most).nodes
    except TooManyError:
        return None


def too_large(rules: Rules, why: str) -> TooLargeError:
    """Return the error that says how large the tree is, what does not fit, and what remains."""
    number = nodes(rules)
    size = f"{number:,} nodes" if number is not None else f"more than {MAX_NODES:,} nodes"
    left = [
        method
        for method, most in MOST_CELLS.items()
        if rules.board.size <= most and (method != "sure-wins" or rules.base is Base.CLASSIC)
    ]
    remains = ", ".join(left) or "no method; players such as `belief` still play it"
    return TooLargeError(f"the tree of {rules.name} has {size}: {why}; what remains: {remains}")

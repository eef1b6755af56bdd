"""Largest boards of each method, and what is said of a board that is too large for one."""

from functools import cache

from player.dark.counts import TooManyError, at_least, count, count_histories, is_countable
from player.dark.rules import Base, DarkRules, Noise

MAX_NODES = 2_000_000  # of a tree in memory
DEEP = 200  # cells, beyond which walking a tree is too deep for Python
LEGIBLE = 10**30  # numbers from here on are rounded

# The methods that need the tree in memory.
ON_TREE = ("lp", "cfr", "cfr+", "pcfr+", "dcfr", "linear-cfr", "rcfr")
# The most cells for the methods that need no tree.
MOST_CELLS = {"double-oracle": 12, "mccfr-external": 9, "mccfr-outcome": 49, "sure-wins": 12}
NOISY_CELLS = 9  # for double oracle in classic games with noise, where a turn may be heard of often
# Those that can measure their policy on the tree only.
SAMPLING = ("mccfr-external", "mccfr-outcome")


class TooLargeError(ValueError):
    """A game that does not fit a method."""


def check_cells(rules: DarkRules, method: str) -> None:
    """Raise TooLargeError when a method that needs no tree does not reach the board."""
    most = most_cells(rules, method)
    if rules.board.size > most:
        raise too_large(rules, f"{rules.board.size} cells, and {most} fit {method}")


def most_cells(rules: DarkRules, method: str) -> int:
    """Return how many cells a board may have for a method that needs no tree."""
    is_heard_often = rules.base is Base.CLASSIC and rules.noise is not Noise.SILENT
    if method == "double-oracle" and is_heard_often:
        return NOISY_CELLS
    return MOST_CELLS[method]


@cache
def nodes(rules: DarkRules) -> int | None:
    """Return the number of histories; None if there are many, on a board with long sides."""
    if is_countable(rules.board):
        return count_histories(rules).nodes
    if rules.board.size > DEEP:
        return None
    try:
        return count(rules, most=MAX_NODES).nodes
    except TooManyError:
        return None


def size(rules: DarkRules) -> str:
    """Return how many nodes the tree has, in words: exactly, or what it surely exceeds."""
    number = nodes(rules)
    if number is None:
        return f"more than {legible(max(MAX_NODES, at_least(rules.board)))} nodes"
    return f"{'' if number < LEGIBLE else 'about '}{legible(number)} nodes"


def too_large(rules: DarkRules, why: str) -> TooLargeError:
    """Return the error that says how large the tree is, what does not fit, and what remains."""
    known = f"the tree of {rules.name} has {size(rules)}"
    return TooLargeError(f"{known}: {why}; what remains: {_remains(rules)}")


def is_tree_small(rules: DarkRules) -> bool:
    """Return whether the tree fits into memory."""
    number = nodes(rules)
    return number is not None and number <= MAX_NODES


def _remains(rules: DarkRules) -> str:
    """Return the methods that reach the board; without the tree, sampling tells no value."""
    left = [
        method
        for method in MOST_CELLS
        if rules.board.size <= most_cells(rules, method)
        and (method != "sure-wins" or rules.base is Base.CLASSIC)
    ]
    if is_tree_small(rules):
        return ", ".join([*ON_TREE, *left])
    remains = [method for method in left if method not in SAMPLING]
    sampling = [method for method in left if method in SAMPLING]
    if sampling:
        remains.append(f"{' and '.join(sampling)} (a policy, but no value)")
    return ", ".join(remains) or "no method; players such as `belief` still play it"


def legible(number: int) -> str:
    """Return a number; those from `LEGIBLE` on to one place, rounded down."""
    if number < LEGIBLE:
        return f"{number:,}"
    digits = str(number)
    return f"{digits[0]}.{digits[1]}e{len(digits) - 1}"

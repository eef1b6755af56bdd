"""The methods that find the value of a game: their options, and the boards they can solve."""

import math
from dataclasses import dataclass
from functools import cache

from player.dark.counts import TooManyError, at_least, count, count_histories, is_countable
from player.dark.rules import Base, DarkRules, Noise

MAX_NODES = 2_000_000  # of a tree in memory
DEEP = 200  # cells of a board; beyond, a walk over the tree is too deep for Python
LEGIBLE = 10**30  # larger numbers are rounded
NOISY_CELLS = 9  # for double oracle in classic games with noise, where a turn may have many sounds


@dataclass(frozen=True, slots=True)
class Weighting:
    """The weights of earlier iterations in iteration t of CFR.

    alpha  positive regrets are scaled by (t-1)^alpha / ((t-1)^alpha + 1)
    beta   negative regrets likewise, by (t-1)^beta / ((t-1)^beta + 1)
    gamma  iteration t has weight t^gamma in the average
    floor  smaller regrets are raised to it
    predictive  the next policy assumes that the last regrets recur
    """

    alpha: float = math.inf
    beta: float = math.inf
    gamma: float = 0
    floor: float = -math.inf
    predictive: bool = False


_PROVES = frozenset({"certificate"})
_LONG = _PROVES | {"iterations", "until", "time", "resume", "curve", "plot"}
_SEEDED = _LONG | {"seed"}
_REGRESSION = frozenset({"features", "regressor", "link", "power"})


@dataclass(frozen=True, slots=True)
class SolvingMethod:
    """A way to find the value of a game.

    options    the options of `hsearch dark solve` that it uses, of those not all methods use
    cells      the most cells of a board; None if it needs the tree in memory
    weighting  the weights of CFR; None for other methods
    samples    whether it samples games, and so measures its policy only if a tree fits
    """

    options: frozenset[str]
    cells: int | None = None
    weighting: Weighting | None = None
    samples: bool = False


METHODS = {
    "lp": SolvingMethod(_PROVES),
    "pure-lp": SolvingMethod(frozenset()),
    "cfr": SolvingMethod(_LONG, weighting=Weighting()),
    "cfr+": SolvingMethod(_LONG, weighting=Weighting(gamma=1, floor=0.0)),
    "pcfr+": SolvingMethod(_LONG, weighting=Weighting(gamma=2, floor=0.0, predictive=True)),
    "dcfr": SolvingMethod(_LONG, weighting=Weighting(1.5, 0, 2)),
    "linear-cfr": SolvingMethod(_LONG, weighting=Weighting(1, 1, 1)),
    "mccfr-external": SolvingMethod(_SEEDED, cells=9, samples=True),
    "mccfr-outcome": SolvingMethod(_SEEDED, cells=49, samples=True),
    "rcfr": SolvingMethod(_LONG | _REGRESSION),
    "double-oracle": SolvingMethod(_SEEDED, cells=12),
    "sure-wins": SolvingMethod(_PROVES, cells=12),
}
OPTIONAL = _SEEDED | _REGRESSION  # options that not every method uses
MEASURED = frozenset({"until", "plot", "certificate"})  # options that need a measured policy
VARIANTS = {name: method.weighting for name, method in METHODS.items() if method.weighting}


class GameTooLargeError(ValueError):
    """A game that is too large for a method."""


def check_cells(rules: DarkRules, method: str) -> None:
    """Raise GameTooLargeError when the board has too many cells for a method without a tree."""
    most = _most_cells(rules, method)
    if most is not None and rules.board.size > most:
        raise too_large(rules, f"{rules.board.size} cells, and {most} fit {method}")


def _most_cells(rules: DarkRules, method: str) -> int | None:
    """Return the most cells of a board for a method; None if it needs the tree."""
    is_heard_often = rules.base is Base.CLASSIC and rules.noise is not Noise.SILENT
    if method == "double-oracle" and is_heard_often:
        return NOISY_CELLS
    return METHODS[method].cells


@cache
def nodes(rules: DarkRules) -> int | None:
    """Return the number of histories; None if it is large and cannot be counted quickly."""
    if is_countable(rules.board):
        return count_histories(rules).nodes
    if rules.board.size > DEEP:
        return None
    try:
        return count(rules, most=MAX_NODES).nodes
    except TooManyError:
        return None


def size(rules: DarkRules) -> str:
    """Return the number of nodes of the tree in words: exact, or a lower bound."""
    number = nodes(rules)
    if number is None:
        return f"more than {legible(max(MAX_NODES, at_least(rules.board)))} nodes"
    return f"{'' if number < LEGIBLE else 'about '}{legible(number)} nodes"


def too_large(rules: DarkRules, why: str) -> GameTooLargeError:
    """Return an error with the size of the tree, why it does not fit, and the other methods."""
    known = f"the tree of {rules.name} has {size(rules)}"
    return GameTooLargeError(f"{known}: {why}; what remains: {_remains(rules)}")


def is_tree_small(rules: DarkRules) -> bool:
    """Return whether the tree fits into memory."""
    number = nodes(rules)
    return number is not None and number <= MAX_NODES


def _remains(rules: DarkRules) -> str:
    """Return the methods that fit the board; without the tree, sampling gives no value."""
    fitting = [
        name
        for name in METHODS
        if (most := _most_cells(rules, name)) is not None
        and rules.board.size <= most
        and (name != "sure-wins" or rules.base is Base.CLASSIC)
    ]
    if is_tree_small(rules):
        on_tree = [name for name, method in METHODS.items() if method.cells is None]
        return ", ".join(name for name in [*on_tree, *fitting] if name != "pure-lp")
    remains = [name for name in fitting if not METHODS[name].samples]
    sampling = [name for name in fitting if METHODS[name].samples]
    if sampling:
        remains.append(f"{' and '.join(sampling)} (a policy, but no value)")
    return ", ".join(remains) or "no method; players such as `belief` still play it"


def legible(number: int) -> str:
    """Return a number as text; from `LEGIBLE` on with one decimal, rounded down."""
    if number < LEGIBLE:
        return f"{number:,}"
    digits = str(number)
    return f"{digits[0]}.{digits[1]}e{len(digits) - 1}"

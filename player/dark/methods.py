"""The methods that find the value of a game: what each takes, and how far it reaches."""

import math
from dataclasses import dataclass
from functools import cache

from player.dark.counts import TooManyError, at_least, count, count_histories, is_countable
from player.dark.rules import Base, DarkRules, Noise

MAX_NODES = 2_000_000  # of a tree in memory
DEEP = 200  # cells, beyond which walking a tree is too deep for Python
LEGIBLE = 10**30  # numbers from here on are rounded
NOISY_CELLS = 9  # for double oracle in classic games with noise, where a turn may be heard of often


@dataclass(frozen=True, slots=True)
class Weighting:
    """Weights that an iteration of CFR gives to what came before it.

    alpha  positive regrets are first scaled by (t-1)^alpha / ((t-1)^alpha + 1)
    beta   negative ones likewise
    gamma  iteration t has weight t^gamma in the average
    floor  regrets are cut off below
    predictive  the next policy takes the last regrets to come once more
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

    options    those of `hsearch dark solve` that it has a use for, of those not every method has
    cells      the most cells of a board; None if it needs the tree in memory
    weighting  that of the regrets, if it is CFR with no more to it
    samples    whether it draws games: then it can measure its policy on the tree only
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
OPTIONAL = _SEEDED | _REGRESSION  # options that not every method has a use for
MEASURED = frozenset({"until", "plot", "certificate"})  # those that need a policy that is measured
VARIANTS = {name: method.weighting for name, method in METHODS.items() if method.weighting}


class TooLargeError(ValueError):
    """A game that does not fit a method."""


def check_cells(rules: DarkRules, method: str) -> None:
    """Raise TooLargeError when a method that needs no tree does not reach the board."""
    most = _most_cells(rules, method)
    if most is not None and rules.board.size > most:
        raise too_large(rules, f"{rules.board.size} cells, and {most} fit {method}")


def _most_cells(rules: DarkRules, method: str) -> int | None:
    """Return how many cells a board may have; None for a method that needs the tree."""
    is_heard_often = rules.base is Base.CLASSIC and rules.noise is not Noise.SILENT
    if method == "double-oracle" and is_heard_often:
        return NOISY_CELLS
    return METHODS[method].cells


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
    """Return a number; those from `LEGIBLE` on to one place, rounded down."""
    if number < LEGIBLE:
        return f"{number:,}"
    digits = str(number)
    return f"{digits[0]}.{digits[1]}e{len(digits) - 1}"

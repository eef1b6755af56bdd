"""The methods that find the value of a game: their options, and the boards they can solve."""

import math
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache

from player.dark.counts import TooManyError, at_least, count, count_histories, is_countable
from player.dark.rules import Base, DarkRules, Noise

MAX_NODES = 2_000_000  # of a tree in memory
DEEP = 200  # cells of a board; beyond, a walk over the tree is too deep for Python
LEGIBLE = 10**30  # larger numbers are rounded; Python writes none of 4,300 digits


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


class Runner(Enum):
    """The function of `player.dark.solve` that runs a method; here only its name loads."""

    LINEAR_PROGRAM = auto()
    NORMAL_FORM = auto()
    MINIMIZER = auto()
    REGRESSION = auto()
    SAMPLER = auto()
    DOUBLE_ORACLE = auto()
    SURE_WINS = auto()


_PROVES = frozenset({"certificate"})
_LONG = _PROVES | {"iterations", "until", "time", "resume", "curve", "plot"}
_SEEDED = _LONG | {"seed"}
_REGRESSION = frozenset({"features", "regressor", "link", "power"})


@dataclass(frozen=True, slots=True)
class SolvingMethod:
    """A way to find the value of a game.

    runner       the function that runs it
    options      the options of `hsearch dark solve` that it uses, of those not all methods use
    cells        the most cells of a board; None if it needs the tree in memory
    noisy_cells  the same in classic games with noise, where a turn may have many sounds
    is_classic   whether it solves classic games only
    is_offered   whether an error offers it where another method does not fit
    weighting    the weights of CFR, for the minimizer
    explores     whether the sampled games contain random attempts
    """

    runner: Runner
    options: frozenset[str]
    cells: int | None = None
    noisy_cells: int | None = None
    is_classic: bool = False
    is_offered: bool = True
    weighting: Weighting = Weighting()
    explores: bool = False

    @property
    def samples(self) -> bool:
        """Whether it samples games, and so measures its policy only if a tree fits."""
        return self.runner is Runner.SAMPLER

    def most_cells(self, rules: DarkRules) -> int | None:
        """Return the most cells of a board in this game; None if it needs the tree."""
        is_heard_often = rules.base is Base.CLASSIC and rules.noise is not Noise.SILENT
        return self.noisy_cells if is_heard_often and self.noisy_cells else self.cells

    def fits(self, rules: DarkRules) -> bool:
        """Return whether it solves the game without the tree."""
        most = self.most_cells(rules)
        is_right = rules.base is Base.CLASSIC or not self.is_classic
        return is_right and most is not None and rules.board.size <= most


def _minimizer(weighting: Weighting) -> SolvingMethod:
    return SolvingMethod(Runner.MINIMIZER, _LONG, weighting=weighting)


METHODS = {
    "lp": SolvingMethod(Runner.LINEAR_PROGRAM, _PROVES),
    "pure-lp": SolvingMethod(Runner.NORMAL_FORM, frozenset(), is_offered=False),
    "cfr": _minimizer(Weighting()),
    "cfr+": _minimizer(Weighting(gamma=1, floor=0.0)),
    "pcfr+": _minimizer(Weighting(gamma=2, floor=0.0, predictive=True)),
    "dcfr": _minimizer(Weighting(1.5, 0, 2)),
    "linear-cfr": _minimizer(Weighting(1, 1, 1)),
    "mccfr-external": SolvingMethod(Runner.SAMPLER, _SEEDED, cells=9),
    "mccfr-outcome": SolvingMethod(Runner.SAMPLER, _SEEDED, cells=49, explores=True),
    "rcfr": SolvingMethod(Runner.REGRESSION, _LONG | _REGRESSION),
    "double-oracle": SolvingMethod(Runner.DOUBLE_ORACLE, _SEEDED, cells=12, noisy_cells=9),
    "sure-wins": SolvingMethod(Runner.SURE_WINS, _PROVES, cells=12, is_classic=True),
}
OPTIONAL = _SEEDED | _REGRESSION  # options that not every method uses
MEASURED = frozenset({"until", "plot", "certificate"})  # options that need a measured policy
VARIANTS = {
    name: method.weighting for name, method in METHODS.items() if method.runner is Runner.MINIMIZER
}


class GameTooLargeError(ValueError):
    """A game that is too large for a method."""


def check_cells(rules: DarkRules, method: str) -> None:
    """Raise GameTooLargeError when the board has too many cells for a method without a tree."""
    most = METHODS[method].most_cells(rules)
    if most is not None and rules.board.size > most:
        raise too_large(rules, f"{rules.board.size} cells, and {most} fit {method}")


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
    fact = f"the tree of {rules.name} has {size(rules)}"
    return GameTooLargeError(f"{fact}: {why}; methods that fit: {_fitting(rules)}")


def is_tree_small(rules: DarkRules) -> bool:
    """Return whether the tree fits into memory."""
    number = nodes(rules)
    return number is not None and number <= MAX_NODES


def _fitting(rules: DarkRules) -> str:
    """Return the methods that fit the board; without the tree, sampling gives no value."""
    offer = {name: method for name, method in METHODS.items() if method.is_offered}
    fitting = [name for name, method in offer.items() if method.fits(rules)]
    if is_tree_small(rules):
        on_tree = [name for name, method in offer.items() if method.cells is None]
        return ", ".join([*on_tree, *fitting])
    remains = [name for name in fitting if not METHODS[name].samples]
    sampling = [name for name in fitting if METHODS[name].samples]
    if sampling:
        remains.append(f"{' and '.join(sampling)} (a policy, but no value)")
    return ", ".join(remains) or "none (players such as `belief` still play it)"


def legible(number: int) -> str:
    """Return a number as text; from `LEGIBLE` on with one decimal, rounded down."""
    if number < LEGIBLE:
        return f"{number:,}"
    digits = str(number)
    return f"{digits[0]}.{digits[1]}e{len(digits) - 1}"

"""The classic evaluators, each with the paper it comes from.

`EVALUATORS` at the end lists all by name.
"""

import math
import numbers
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.analysis.circuit import HEXY, circuits
from hsearch.hex import Color, Position
from hsearch.hex.frame import Frame
from hsearch.kernels.stop import Stopped
from player.evaluate.exact import exact
from player.kernels import classic
from player.work.naming import is_own, own


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluator's measure for each player, and the evaluation computed from them.

    black, white  the measures, in the evaluator's own units; nan if it has none
    evaluation    negative is good for Black, -inf if Black has won, inf if White has
    """

    black: float
    white: float
    evaluation: float

    def __str__(self) -> str:
        better = "neither player"
        if self.evaluation:
            better = "Black" if self.evaluation < 0 else "White"
        kind = "an estimate that favors"
        if math.isinf(self.evaluation):
            kind = "the value of a win for"
        text = f"{self.evaluation:+z.2f}, {kind} {better}"
        if math.isnan(self.black) and math.isnan(self.white):
            return f"{text}."
        return f"{text} (Black {self.black:g}, White {self.white:g})."


def frames(position: Position) -> tuple[Frame, Frame]:
    """Return a position as Black sees it, and as White does."""
    return Frame.of(position, Color.BLACK), Frame.of(position, Color.WHITE)


def evaluation_of(
    sides: tuple[Frame, Frame], black: float, white: float, value: float
) -> Evaluation:
    """Return an evaluation; its value is replaced by infinity if a player has won."""
    paths = [path(side)[0] for side in sides]
    if 0 in paths:
        value = math.copysign(math.inf, paths[0] - paths[1])
    return Evaluation(black, white, value)


def path(side: Frame) -> tuple[float, np.ndarray]:
    """Return the length of a player's shortest path, and of that from the first edge to each cell.

    A length is the number of empty cells; it is infinite if there is no path.
    """
    distances = np.empty(side.stones.size)
    length = classic.path_length(side.columns, side.rows, side.stones, distances)
    distances[distances == classic.FAR] = math.inf
    return finite(length), distances


def finite(length: int) -> float:
    """Return a kernel's length, with `FAR` as infinity."""
    return math.inf if length == classic.FAR else length


# Connected: the size of the player's largest chain (Schiavone).
#
# The source counts "connected own stones" without defining how chains add up; here
# the largest counts. A chain is a set of stones that touch each other; stones that
# only touch the same edge are not one chain.


def connected(position: Position) -> Evaluation:
    """Return the size of each player's largest chain; White's minus Black's."""
    sides = frames(position)
    black, white = (classic.largest_chain(side.columns, side.rows, side.stones) for side in sides)
    return evaluation_of(sides, black, white, white - black)


# Shortest path: the fewest stones that would join a player's edges (Schiavone).
#
# A path consists of own and empty cells; its length is the number of empty ones:
# 0 if the player has won, infinite if the opponent has.


def shortest_path(position: Position) -> Evaluation:
    """Return the length of each player's shortest path; Black's minus White's."""
    sides = frames(position)
    black, white = (path(side)[0] for side in sides)
    return evaluation_of(sides, black, white, 0.0 if black == white else black - white)


def path_cells(position: Position, color: Color) -> NDArray[np.float64]:
    """Return for each cell the length of a player's shortest path through it."""
    side = Frame.of(position, color)
    there, back = path(side)[1], path(side.rotate())[1][::-1]
    return side.back(there + back - (side.stones == 0))


# Two-distance: the distance of an edge if the opponent blocks the best path at each step.
#
# Two empty cells are neighbors if they touch each other or the same own chain;
# edges do not join their chains. A cell that touches the edge, or a chain that
# does, has distance 1; any other cell 1 plus the second smallest distance of its
# neighbors, infinite with fewer than two finite ones. From edge to edge it is 1
# plus the second smallest distance of the cells that touch the other edge, or a
# chain that does. Van Rijswijck (2000, 2002); from edge to edge Schiavone.
#
# The result depends on the edge at which one starts; ours is the mean of both directions.
#
# A player who has won has no two-distance, not even 0: it is computed over empty
# cells, which do not show that the edges are joined. The number computed then is
# meaningless (often 2; infinite on a full board). The opponent's is correctly infinite.


def two_distance(position: Position, *, averaged: bool = True) -> Evaluation:
    """Return each player's two-distance from edge to edge; Black's minus White's.

    With `averaged` it is the mean of both directions, infinite if either is; else, as
    in the source, only that from the player's first edge. If one player's is infinite,
    the evaluation is 100 against that player plus the difference of the shortest
    paths; if both are, that difference alone.
    """
    sides = frames(position)
    ways = [_distances(side)[2] for side in sides]
    black, white = (sum(both) / 2 if averaged else both[0] for both in ways)
    return evaluation_of(sides, black, white, difference(sides, black, white))


def difference(sides: tuple[Frame, Frame], black: float, white: float) -> float:
    """Return Black's distance minus White's, or its substitute if one is infinite."""
    if math.isfinite(black) and math.isfinite(white):
        return black - white
    paths = [path(side)[0] for side in sides]
    if not all(map(math.isfinite, paths)):
        return 0.0  # a player has won: `evaluation_of` replaces this value
    return classic.LACKING * (math.isinf(black) - math.isinf(white)) + paths[0] - paths[1]


def two_distance_cells(position: Position, color: Color) -> NDArray[np.float64]:
    """Return for each cell the sum of a player's two-distances to both edges."""
    side = Frame.of(position, color)
    first, second, _ = _distances(side)
    return side.back(first + second)


def _distances(
    side: Frame,
) -> tuple[NDArray[np.float64], NDArray[np.float64], tuple[float, float]]:
    """Return each cell's two-distances to both edges, and those from edge to edge both ways.

    Cells are in the order of the frame; those with a stone have infinity.
    """
    first, second = np.empty(side.stones.size), np.empty(side.stones.size)
    one, other = classic.two_distances(side.columns, side.rows, side.stones, first, second)
    for distances in (first, second):
        distances[distances == classic.FAR] = math.inf
    return first, second, (finite(one), finite(other))


# Potentials: two-distance as Queenbee used it (van Rijswijck 2000, 2002).
#
# The potential of an empty cell is the sum of its two-distances to both edges of
# a player, here counted from 0 for cells that touch the edge. A player's
# potential is the smallest; the number of cells that attain it breaks ties. The
# source does not give the weights of the two. A player who has won has no
# potential, because there is no two-distance.


def queenbee(position: Position) -> Evaluation:
    """Return each player's potential; Black's minus White's.

    Each cell that attains it counts for its player; together they count less than one
    step of the potential. If a potential is infinite, `difference` defines the evaluation.
    """
    sides = frames(position)
    (black, blacks), (white, whites) = (_potential(position, color) for color in Color)
    ties = (whites - blacks) / (position.board.size + 1) if blacks and whites else 0.0
    return evaluation_of(sides, black, white, difference(sides, black, white) + ties)


def _potential(position: Position, color: Color) -> tuple[float, int]:
    """Return the smallest potential, and how many cells attain it if it is finite."""
    potentials = two_distance_cells(position, color) - 2
    smallest = float(potentials.min())
    return smallest, int(np.count_nonzero(potentials == smallest)) if np.isfinite(smallest) else 0


# Y-reduction: the probability that a player owns the last cell of a shrinking triangle.
#
# The board is part of a board of Y, a triangle in which the rest belongs to the
# edges. An empty cell is either player's with probability 1/2. Each step replaces
# three cells that touch each other by one, whose owner is their majority, as if
# they were independent: the triangle's side becomes one cell shorter. On a full
# board this finds the winner. Van Rijswijck (2002).
#
# The result depends on which corner of the board is the triangle's; ours is the mean.


def y_reduction(position: Position, *, averaged: bool = True) -> Evaluation:
    """Return each player's probability; White's minus Black's.

    With `averaged` it is the mean over the position and its half turn, else, as in the
    source, that of the position with a1 in the corner of the triangle.
    """
    sides = frames(position)
    surplus = _surplus(sides[0], averaged=averaged)
    return evaluation_of(sides, (1 + surplus) / 2, (1 - surplus) / 2, 0.0 - surplus)


def influence_cells(position: Position, color: Color) -> NDArray[np.float64]:
    """Return for each empty cell how much owning it adds to the probability of the last cell.

    The same for both players; 0 for cells with a stone.
    """
    side = Frame.of(position, color)
    influence = np.zeros(side.stones.size)
    for cell in np.flatnonzero(side.stones == 0).tolist():
        own, opponent = side.put(cell, 1), side.put(cell, 2)
        influence[cell] = (_surplus(own, averaged=True) - _surplus(opponent, averaged=True)) / 2
    return side.back(influence)


def _surplus(side: Frame, *, averaged: bool) -> float:
    """Return the player's probability minus the opponent's."""
    ways = (side, side.rotate()) if averaged else (side,)
    reductions = [classic.y_reduction(way.columns, way.rows, way.stones) for way in ways]
    return float(sum(reductions) / len(reductions))


# Maximum flow between a player's edges over own and empty cells (Schiavone).
#
# The capacity is 1 between cells that touch, and unlimited between own stones that
# touch and between a border cell and its edge. If only one row lies between a
# player's edges, a cell that touches both passes unlimited flow before the game is
# over: the player's flow is infinite, and so is the evaluation unless both are.


def max_flow(position: Position) -> Evaluation:
    """Return each player's maximum flow; White's minus Black's."""
    sides = frames(position)
    black, white = (finite(_flow(side)[0]) for side in sides)
    return evaluation_of(sides, black, white, 0.0 if black == white else white - black)


def flow_cells(position: Position, color: Color) -> NDArray[np.float64]:
    """Return the flow through each empty cell, in a player's maximum flow.

    0 for cells with a stone, and everywhere if the flow is infinite. Of the many
    maximum flows it is the one furthest to the west (for White, to the north).
    """
    side = Frame.of(position, color)
    value, across = _flow(side)
    through = np.zeros(side.stones.size)
    if value == classic.FAR:
        return side.back(through)
    width = side.columns + 2
    for cell in np.flatnonzero(side.stones == 0).tolist():
        row, column = divmod(cell, side.columns)
        at = width * (row + 1) + column + 1
        # The six faces around a cell, in cyclic order. Faces between it and two cells of an
        # edge have no distance; the flow from that edge equals the flow that leaves elsewhere.
        below, above = 2 * at, 2 * (at - width)
        around = across[[below, below - 1, below - 2, above - 1, above, above + 1]]
        between = around - np.roll(around, 1)
        between[(around == classic.FAR) | (np.roll(around, 1) == classic.FAR)] = 0
        through[cell] = max(between.clip(min=0).sum(), -between.clip(max=0).sum())
    return side.back(through)


def _flow(side: Frame) -> tuple[int, NDArray[np.int64]]:
    across = np.empty(2 * (side.columns + 2) * (side.rows + 2), np.int64)
    return classic.max_flow(side.columns, side.rows, side.stones, across), across


# Resistance between a player's edges, with wires only between adjacent cells.
#
# The circuits of `hsearch.analysis.circuit` without virtual connections. The evaluation is
# the difference of the resistances, as in Schiavone, not the logarithm of their ratio.


def resistance(position: Position) -> Evaluation:
    """Return the resistance of each player's circuit; Black's minus White's."""
    both = circuits(position, links="none")
    black, white = both.black.resistance, both.white.resistance
    return evaluation_of(frames(position), black, white, black - white)


# The chance to win at random turns: the share of all fillings that a player wins.
#
# A coin colors each empty cell; a game at random turns has the same distribution if
# both play well (Peres, Schramm, Sheffield and Wilson 2007). All fillings are
# counted, not sampled, so the shorter side of the board may be 13 at most.


def fillings(position: Position) -> Evaluation:
    """Return each player's chance; White's minus Black's.

    Raise ValueError when both sides of the board are too long to count.
    """
    odds = exact(position)
    black, white = odds.chance(Color.BLACK), odds.chance(Color.WHITE)
    return evaluation_of(frames(position), black, white, white - black)


def critical_cells(position: Position, _color: Color) -> NDArray[np.float64]:
    """Return how often each empty cell decides a filling: the same for both players.

    0 for cells with a stone. Raise ValueError as `fillings` does.
    """
    cells = np.zeros(position.board.size)
    for cell, share in exact(position).critical.items():
        cells[cell] = share
    return cells


# Anshelevich's evaluation: the resistance of two circuits that see virtual connections.
#
# E = ln(R_black / R_white), where points joined by a full connection are wired
# too (`hsearch.analysis.circuit`). It is the only evaluator here that looks beyond adjacency.
# V. Anshelevich: A hierarchical approach to computer Hex (2002).


def hexy(position: Position, *, links: str = HEXY) -> Evaluation:
    """Return the resistance of each player's circuit; E, the logarithm of Black's over White's.

    E is infinite as soon as a full connection joins a player's edges. `links` names the wiring.
    """
    circuits = ConnectionAnalysis(position, links=links).circuits
    return Evaluation(circuits.black.resistance, circuits.white.resistance, circuits.evaluation)


def circuit_flow(position: Position, color: Color, *, links: str = HEXY) -> NDArray[np.float64]:
    """Return the current through each cell of a player's circuit; 0 for cells with a stone."""
    circuits = ConnectionAnalysis(position, links=links).circuits
    return (circuits.black if color is Color.BLACK else circuits.white).flow


# Evaluators by name.
#
# Each is a function of a position; all but `hexy` do without virtual connections.
# `evaluate` calls one. A user's own evaluator is a function, too, or the text
# `FILE.py:FUNCTION`, which may replace a name anywhere: `ab:eval=mine.py:worth`.

EvaluatorFunction: TypeAlias = Callable[[Position], Evaluation | float]

EVALUATORS: Mapping[str, Callable[[Position], Evaluation]] = {
    "connected": connected,
    "shortest_path": shortest_path,
    "two_distance": two_distance,
    "two_distance_one_way": partial(two_distance, averaged=False),
    "queenbee": queenbee,
    "y_reduction": y_reduction,
    "y_reduction_one_way": partial(y_reduction, averaged=False),
    "max_flow": max_flow,
    "resistance": resistance,
    "fillings": fillings,
    "hexy": hexy,
}
# These measure empty cells only, so they have no measure for a player who has won.
BY_TWO_DISTANCE = frozenset({"two_distance", "two_distance_one_way", "queenbee"})


class EvaluatorError(ValueError):
    """An evaluator in a user's file that failed or did not return an evaluation."""


def evaluator(name: str) -> EvaluatorFunction:
    """Return the evaluator with this name, or the function that `FILE.py:FUNCTION` names.

    Raise ValueError when no evaluator has that name, or the file has no such function.
    """
    if name in EVALUATORS:
        return EVALUATORS[name]
    if not is_own(name):
        names = ", ".join(EVALUATORS)
        raise ValueError(f"unknown evaluator {name!r} (known: {names}, FILE.py:FUNCTION)")
    function: EvaluatorFunction = own(name)
    return function


def evaluate(position: Position, with_: str | EvaluatorFunction) -> Evaluation:
    """Evaluate a position with an evaluator, which is given by name or as a function.

    A function returns an `Evaluation` or a number, negative if Black stands better. It need
    not recognize won positions. Raise ValueError when no evaluator has the name, TypeError
    when a function returns anything else, and EvaluatorError (a ValueError) when a function
    named by its file fails or returns anything else.
    """
    if not isinstance(with_, str):
        return _evaluation(position, with_)
    if with_ in EVALUATORS:
        return EVALUATORS[with_](position)
    function = evaluator(with_)
    try:
        return _evaluation(position, function)
    except Stopped:
        raise
    except (Exception, SystemExit) as error:
        raise EvaluatorError(f"{with_}: {type(error).__name__}: {error}") from error


def _evaluation(position: Position, function: EvaluatorFunction) -> Evaluation:
    """Return the evaluation by a user's function, infinite if a player has won."""
    answer = function(position)
    black, white, value = math.nan, math.nan, answer
    if isinstance(answer, Evaluation):
        black, white, value = answer.black, answer.white, answer.evaluation
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or math.isnan(value):
        raise TypeError(f"an evaluator returned {answer!r}, neither a number nor an Evaluation")
    return evaluation_of(frames(position), black, white, float(value))

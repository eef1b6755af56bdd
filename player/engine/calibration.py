"""How much a player searches in a given time, and how much alpha-beta saves over minimax."""

import math
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hsearch.formats import moves
from hsearch.hex import Board, Cell, Color, Game, Move, Position, winner
from hsearch.hex.frame import Frame
from player.engine.player import MoveRequest, Player
from player.engine.spec import player
from player.evaluate.evaluators import evaluate
from player.evaluate.ordering import ORDERINGS, OrderingContext
from player.search.opening_estimates import load_balanced

# Calibration: the node budget with which a player's move takes a given time.
#
# Time is processor time, so other load on the machine hardly matters. The budget
# is determined once and becomes part of the player's name: results then depend on
# the names, not on any clock.

GUIDE = "ab:eval=two_distance,order=charge,depth=1"
GAMES, PLIES, STEP = 4, 15, 5
FIRST, TRIES, NEAR = 8, 7, 0.04


def samples(side: int) -> list[Game]:
    """Return games on a square board for timing players, from openings to the middle game."""
    guide, positions = player(GUIDE), []
    for opening in load_balanced(side, side)[:GAMES]:
        game = moves.read(opening, Board(side, side))
        for ply in range(PLIES + 1):
            position = game.position()
            if winner(position) is not None:
                break
            if ply % STEP == 0:
                positions.append(game)
            choice = guide.choose(game, MoveRequest(), np.random.default_rng(0))
            game = game.append(Move(position.turn, choice.action))
    return positions


def calibrate(spec: str, games: Sequence[Game], seconds: float) -> str:
    """Return `spec` with the node budget with which a searched move takes `seconds`.

    `spec` must have an option already, but none for the depth or the length of the search.
    """
    nodes, trials = FIRST, set()
    for _ in range(TRIES):
        trials.add(nodes)
        ratio = seconds / _seconds(player(f"{spec},nodes={nodes}"), games)
        target = max(1, round(nodes * min(ratio, 20.0)))
        if target in trials or abs(ratio - 1) < NEAR:
            break
        nodes = target
    return f"{spec},nodes={nodes}"


def _seconds(one: Player, games: Sequence[Game]) -> float:
    """Return the mean time of a searched move, without the time to compile."""
    one.prepare(games[0].board)
    one.choose(games[0], MoveRequest(), np.random.default_rng(0))
    times = []
    for game in games:
        begin = time.process_time()
        choice = one.choose(game, MoveRequest(), np.random.default_rng(0))
        # A proved win is played without a search and takes almost no time.
        if choice.account.findings is not None:
            times.append(time.process_time() - begin)
    return statistics.fmean(times)


# Node counts of minimax and of alpha-beta with any ordering of moves.
#
# The searches are a few lines: fixed depth, all moves, a classic evaluator. They
# return the same score. The players use `player.search` instead.

MINIMAX = "minimax"


@dataclass(frozen=True, slots=True)
class PruningEffort:
    """The work of a search.

    score   the value of the position for the player to move
    nodes   positions visited, the root included
    leaves  positions evaluated
    """

    score: float
    nodes: int
    leaves: int


class _Search:
    """One search with its counts."""

    def __init__(self, evaluator: str, ordering: str, seed: int) -> None:
        self.evaluator, self.ordering, self.seed = evaluator, ordering, seed
        self.nodes = self.leaves = 0

    def minimax(self, position: Position, depth: int) -> float:
        """Return the score after searching every move."""
        score = self._static(position, depth)
        if score is not None:
            return score
        moves = position.empty.search(1)
        return max(-self.minimax(position.play(move), depth - 1) for move in moves)

    def alpha_beta(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """Return the score, or a bound on it outside the window from alpha to beta."""
        score = self._static(position, depth)
        if score is not None:
            return score
        best = -math.inf
        for move in self._order(position):
            best = max(best, -self.alpha_beta(position.play(move), depth - 1, -beta, -alpha))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    def _static(self, position: Position, depth: int) -> float | None:
        """Count a node, and return its score if the search ends there."""
        self.nodes += 1
        won_by = winner(position)
        if won_by is not None:
            return math.inf if won_by is position.turn else -math.inf
        if depth > 0 and position.empty.any():
            return None
        self.leaves += 1
        value = evaluate(position, self.evaluator).evaluation
        return -value if position.turn is Color.BLACK else value

    def _order(self, position: Position) -> list[Cell]:
        stones = Frame.of(position, Color.BLACK).stones
        context = OrderingContext(position.board, stones, _no_flow, self.seed)
        order: list[int] = ORDERINGS[self.ordering](context, np.flatnonzero(stones == 0)).tolist()
        return order


def effort(
    position: Position, depth: int, *, evaluator: str, how: str = MINIMAX, seed: int = 0
) -> PruningEffort:
    """Search a position and return the work; `how` is MINIMAX or the name of an ordering."""
    search = _Search(evaluator, how, seed)
    if how == MINIMAX:
        score = search.minimax(position, depth)
    else:
        score = search.alpha_beta(position, depth, -math.inf, math.inf)
    return PruningEffort(score, search.nodes, search.leaves)


def openings(size: int, count: int, seed: int) -> list[Position]:
    """Return random positions with one stone of each player."""
    board, generator = Board(size, size), np.random.default_rng(seed)
    pairs = (generator.choice(board.size, 2, replace=False).tolist() for _ in range(count))
    return [Position.of(board).play(first).play(second) for first, second in pairs]


def least_leaves(moves: int, depth: int) -> int:
    """Return how many leaves alpha-beta evaluates with the best order (Knuth and Moore 1975).

    The root has `moves` moves, each ply below one fewer; no game ends before `depth`.
    """
    ceiling, floor = 1, 1
    for ply in range(depth):
        if ply % 2:
            ceiling *= moves - ply
        else:
            floor *= moves - ply
    return ceiling + floor - 1


def _no_flow() -> NDArray[np.float64]:
    raise ValueError("no circuits are computed here: weak_links cannot order")

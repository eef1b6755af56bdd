"""How much a player searches in a given time, and how much alpha-beta saves of minimax."""

import math
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hsearch.formats import moves
from hsearch.hex.board import Board, Cell, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Move
from hsearch.hex.position import Position, winner
from player.engine.player import MoveRequest, Player
from player.engine.spec import player
from player.evaluate.evaluators import evaluate
from player.evaluate.ordering import ORDERINGS, OrderingContext
from player.search.opening_estimates import balanced

# Calibration: positions a player may visit so that a move takes a given time.
#
# Time is that of the processor, so that it hardly matters what else the machine
# is doing. The number is found once and then belongs to the player's name:
# results follow from the names and do not depend on any clock.

GUIDE = "ab:eval=two_distance,order=charge,depth=1"
GAMES, PLIES, STEP = 4, 15, 5
FIRST, TRIES, NEAR = 8, 7, 0.04


def samples(side: int) -> list[Game]:
    """Return games on a square board to measure players on, from openings to the middle game."""
    guide, positions = player(GUIDE), []
    for opening in balanced(side, side)[:GAMES]:
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


def calibrated(spec: str, games: Sequence[Game], seconds: float) -> str:
    """Return the player with the budget of nodes that makes a searched move take so long.

    `spec` has an option already, and none that says how deep or how long to search.
    """
    nodes, tried = FIRST, set()
    for _ in range(TRIES):
        tried.add(nodes)
        ratio = seconds / _seconds(player(f"{spec},nodes={nodes}"), games)
        wanted = max(1, round(nodes * min(ratio, 20.0)))
        if wanted in tried or abs(ratio - 1) < NEAR:
            break
        nodes = wanted
    return f"{spec},nodes={nodes}"


def _seconds(one: Player, games: Sequence[Game]) -> float:
    """Return the mean time of a move that is searched, without that for compiling."""
    one.prepare(games[0].board)
    one.choose(games[0], MoveRequest(), np.random.default_rng(0))
    spent = []
    for game in games:
        begin = time.process_time()
        choice = one.choose(game, MoveRequest(), np.random.default_rng(0))
        # A proved win is played without a search, and costs next to nothing.
        if choice.account.findings is not None:
            spent.append(time.process_time() - begin)
    return statistics.fmean(spent)


# Nodes of minimax, alpha-beta, and alpha-beta that orders its moves.
#
# The three searches in a few lines, of fixed depth over all moves, for a classic
# evaluator; `player.search` is the one that plays. All three find the same score.

MINIMAX = "minimax"


@dataclass(frozen=True, slots=True)
class PruningEffort:
    """Work of a search.

    score   what the position is worth to the player to move
    nodes   positions looked at, the first one too
    leaves  those that were evaluated
    """

    score: float
    nodes: int
    leaves: int


class _Search:
    """One search; holds the counts."""

    def __init__(self, evaluator: str, ordering: str, seed: int) -> None:
        self.evaluator, self.ordering, self.seed = evaluator, ordering, seed
        self.nodes = self.leaves = 0

    def minimax(self, position: Position, depth: int) -> float:
        """Return the score, having looked at every move."""
        score = self._static(position, depth)
        if score is not None:
            return score
        return max(-self.minimax(position.play(move), depth - 1) for move in self._cells(position))

    def alpha_beta(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """Return the score, or a bound of it that lies outside of alpha and beta."""
        score = self._static(position, depth)
        if score is not None:
            return score
        best = -math.inf
        for move in self._ordered(position):
            best = max(best, -self.alpha_beta(position.play(move), depth - 1, -beta, -alpha))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    def _static(self, position: Position, depth: int) -> float | None:
        """Count a node, and return its score if the search ends there."""
        self.nodes += 1
        won = winner(position)
        if won is not None:
            return math.inf if won is position.turn else -math.inf
        if depth > 0 and position.empty.any():
            return None
        self.leaves += 1
        value = evaluate(position, self.evaluator).evaluation
        return -value if position.turn is Color.BLACK else value

    def _cells(self, position: Position) -> Iterator[Cell]:
        yield from position.empty.search(1)

    def _ordered(self, position: Position) -> list[Cell]:
        stones = np.zeros(position.board.size, np.int8)
        for color in Color:
            stones[list(position.stones(color).search(1))] = 1 + color
        scene = OrderingContext(position.board, stones, _no_flow, self.seed)
        cells = np.fromiter(self._cells(position), np.int64)
        order: list[int] = ORDERINGS[self.ordering](scene, cells).tolist()
        return order


def effort(
    position: Position, depth: int, *, evaluator: str, how: str = MINIMAX, seed: int = 0
) -> PruningEffort:
    """Return what a search of a position takes; `how` is MINIMAX or an ordering's name."""
    search = _Search(evaluator, how, seed)
    if how == MINIMAX:
        score = search.minimax(position, depth)
    else:
        score = search.alpha_beta(position, depth, -math.inf, math.inf)
    return PruningEffort(score, search.nodes, search.leaves)


def openings(size: int, count: int, seed: int) -> list[Position]:
    """Return positions with a stone of each player, drawn by chance."""
    board, chance = Board(size, size), np.random.default_rng(seed)
    drawn = (chance.choice(board.size, 2, replace=False).tolist() for _ in range(count))
    return [Position.of(board).play(first).play(second) for first, second in drawn]


def least_leaves(moves: int, depth: int) -> int:
    """Return how many leaves alpha-beta needs with the best order (Knuth and Moore 1975).

    `moves` at the first node and one fewer at each ply below; nobody wins before.
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

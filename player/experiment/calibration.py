"""Calibration: positions a player may visit so that a move takes a given time.

Time is that of the processor, so that it hardly matters what else the machine
is doing. The number is found once and then belongs to the player's name:
results follow from the names and do not depend on any clock.
"""

import statistics
import time
from collections.abc import Sequence

import numpy as np

from hsearch.board import Board
from hsearch.formats import moves
from hsearch.game import Game, Move
from hsearch.position import winner
from player.engine import MoveRequest, Player, player
from player.openings import balanced

GUIDE = "ab:eval=two_distance,order=charge,depth=1"
GAMES, PLIES, STEP = 4, 15, 5
FIRST, TRIES, NEAR = 8, 7, 0.04


def samples(side: int) -> list[Game]:
    """Return games on a square board to measure players on, from openings to the middle game."""
    guide, found = player(GUIDE), []
    for opening in balanced(side, side)[:GAMES]:
        game = moves.read(opening, Board(side, side))
        for ply in range(PLIES + 1):
            position = game.position()
            if winner(position) is not None:
                break
            if ply % STEP == 0:
                found.append(game)
            choice = guide.choose(game, MoveRequest(), np.random.default_rng(0))
            game = game.append(Move(position.turn, choice.action))
    return found


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

"""A game of the tree against itself, from a few random stones to the proof of who wins.

H-search looks at each position on the way, so a game ends long before the board is
full, and who has won is proved, not played out.
"""

from dataclasses import dataclass

import numpy as np

from hsearch.board import Board, Cell, Color
from hsearch.position import Position
from player.ordering import weak_links
from player.search.line import SearchPosition
from player.tree import TreeFindings, TreeSearch, TreeSettings

MOST_RANDOM = 3  # stones
SAMPLED = 8  # moves that are drawn by visits, not chosen


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that was played to be learned from.

    opening  cells of the random stones, Black first
    moves    cells of the moves that the search chose
    visits   at each of these moves, the cells that the search tried, and how often
    winner   who is proved to win
    carrier  cells of the winner's smallest connection between the edges at the end; None where
             the proof is not a single connection
    chances  at each of these moves, the mover's as the search saw it, in thousandths
    """

    opening: tuple[Cell, ...]
    moves: tuple[Cell, ...]
    visits: tuple[tuple[tuple[Cell, int], ...], ...]
    winner: Color
    carrier: tuple[Cell, ...] | None
    chances: tuple[int, ...]


def play(board: Board, settings: TreeSettings, generator: np.random.Generator) -> PlayedGame:
    """Play a game; the settings say how many simulations a move is worth."""
    opening = _opening(board, generator)
    position = Position.of(board)
    for cell in opening:
        position = position.play(cell)
    search = TreeSearch(position, settings)
    moves: list[Cell] = []
    visits: list[tuple[tuple[Cell, int], ...]] = []
    chances: list[int] = []
    while (found := search.run(generator)).winner is None:
        tried = _tried(found)
        visits.append(tried)
        chances.append(_chance(found))
        moves.append(_chosen(tried, generator if len(moves) < SAMPLED else None))
        search.advance(moves[-1:])
    carrier = _carrier(found.position, found.winner, settings)
    return PlayedGame(opening, tuple(moves), tuple(visits), found.winner, carrier, tuple(chances))


def _opening(board: Board, generator: np.random.Generator) -> tuple[Cell, ...]:
    """Return up to three different cells; on the smallest boards fewer, so that one is left."""
    count = min(int(generator.integers(1, MOST_RANDOM + 1)), board.size - 1)
    return tuple(generator.choice(board.size, count, replace=False).tolist())


def _tried(found: TreeFindings) -> tuple[tuple[Cell, int], ...]:
    """Return the open moves that were tried, and how often; the first one if none was."""
    still = [each for each in found.candidates if each.winner is None]
    tried = [(each.cell, each.visits) for each in still if each.visits]
    return tuple(tried) or ((still[0].cell, 1),)


def _chance(found: TreeFindings) -> int:
    """Return the mover's chance over all simulations, in thousandths; a half if none tells it."""
    tried = [each for each in found.candidates if each.winner is None and each.visits]
    visits = sum(each.visits for each in tried)
    total = sum(each.visits * each.chance for each in tried if each.chance is not None)
    return round(1000 * total / visits) if visits else 500


def _chosen(tried: tuple[tuple[Cell, int], ...], generator: np.random.Generator | None) -> Cell:
    """Return the move that was tried most, or one drawn by how often it was."""
    if generator is None:
        return tried[0][0]
    counts = np.array([count for _, count in tried])
    return tried[generator.choice(len(tried), p=counts / counts.sum())][0]


def _carrier(position: Position, winner: Color, settings: TreeSettings) -> tuple[Cell, ...] | None:
    """Return the smallest connection that H-search finds for the winner from scratch, if any."""
    line = SearchPosition(position, settings.limits, weak_links)
    return line.carrier() if line.probe().winner is winner else None

"""Samples to learn from: positions of games, with the results of search and proof."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from hsearch.hex import Board, Cell, Color, Position
from player.evaluate.ordering import weak_links
from player.search.line import SearchPosition
from player.search.tree import TreeFindings, TreeSearch, TreeSettings

# Samples to learn from: positions, with the results of search and proof.
#
# Each is seen from the player to move, who joins top and bottom: if White is to move,
# it is transposed. So the rows of a sample's board are those between the mover's edges.

ARRAYS = {  # by name: the type, and the number of dimensions
    "planes": (np.bool_, 4),
    "policy": (np.float32, 3),
    "value": (np.float32, 1),
    "chance": (np.float32, 1),
    "owners": (np.int8, 3),
    "is_proved": (np.bool_, 1),
    "games": (np.int32, 1),
}


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Positions of one board size, n of them.

    planes     n x 2 x rows x columns: the stones of the mover, and of the other player
    policy     n x rows x columns: the share of the search that each cell got; 0 for stones,
               1 in all
    value      n: 1 if the mover won, 0 if the other player did
    chance     n: the mover's chance by the search
    owners     n x rows x columns: 1 in the carrier of a proved connection of the mover, -1 in
               one of the other player, 0 elsewhere
    is_proved  n: whether there is such a connection; if not, the owners are unknown
    games      n: the number of its game

    Raise ValueError when the arrays do not fit together.
    """

    planes: NDArray[np.bool_]
    policy: NDArray[np.float32]
    value: NDArray[np.float32]
    chance: NDArray[np.float32]
    owners: NDArray[np.int8]
    is_proved: NDArray[np.bool_]
    games: NDArray[np.int32]

    def __post_init__(self) -> None:
        shape = self.planes.shape
        of_cells = (shape[0], *shape[2:])
        for name, (kind, dimensions) in ARRAYS.items():
            array = getattr(self, name)
            form = shape[:1] if dimensions == 1 else of_cells
            if name == "planes":
                form = (shape[0], 2, *shape[2:])
            if array.dtype != kind or array.ndim != dimensions or array.shape != form:
                raise ValueError(f"{name} of samples: {array.dtype} {array.shape}")

    def __len__(self) -> int:
        return len(self.value)

    @property
    def rows(self) -> int:
        """Rows of the board, between the mover's edges."""
        return int(self.planes.shape[2])

    @property
    def columns(self) -> int:
        """Columns of the board."""
        return int(self.planes.shape[3])

    def take(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> "Samples":
        """Return some of the samples, by number or by mask."""
        return Samples(*(getattr(self, each.name)[rows] for each in fields(self)))


def concatenate(parts: Sequence[Samples]) -> Samples:
    """Concatenate samples of one board size."""
    return Samples(
        *(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(Samples))
    )


# A game of the tree against itself, from a few random stones to the proof of who wins.
#
# H-search examines each position of the game, so it ends long before the board is
# full, and the winner is proved, not found by playing on.

MOST_RANDOM = 3  # stones of an opening
SAMPLED = 8  # first moves, which are drawn in proportion to visits; later ones have most visits


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that was played to learn from.

    opening  cells of the random stones, Black's first
    moves    cells of the moves that the search chose
    visits   for each of these moves, the cells that the search tried, and how often
    winner   the proved winner
    carrier  cells of the winner's smallest connection between the edges at the end; None if
             the proof is not a single connection
    chances  for each of these moves, the mover's chance by the search, in thousandths
    """

    opening: tuple[Cell, ...]
    moves: tuple[Cell, ...]
    visits: tuple[tuple[tuple[Cell, int], ...], ...]
    winner: Color
    carrier: tuple[Cell, ...] | None
    chances: tuple[int, ...]


def play(board: Board, settings: TreeSettings, generator: np.random.Generator) -> PlayedGame:
    """Play a game; `settings` are those of the search for each move."""
    opening = _opening(board, generator)
    position = Position.of(board)
    for cell in opening:
        position = position.play(cell)
    search = TreeSearch(position, settings)
    moves: list[Cell] = []
    visits: list[tuple[tuple[Cell, int], ...]] = []
    chances: list[int] = []
    while (findings := search.run(generator)).winner is None:
        counts = _visit_counts(findings)
        visits.append(counts)
        chances.append(_chance(findings))
        moves.append(_choose(counts, generator if len(moves) < SAMPLED else None))
        search.advance(moves[-1:])
    carrier = _carrier(findings.position, findings.winner, settings)
    return PlayedGame(
        opening, tuple(moves), tuple(visits), findings.winner, carrier, tuple(chances)
    )


def _opening(board: Board, generator: np.random.Generator) -> tuple[Cell, ...]:
    """Return one to three different cells; on the smallest boards fewer, so one stays empty."""
    count = min(int(generator.integers(1, MOST_RANDOM + 1)), board.size - 1)
    return tuple(generator.choice(board.size, count, replace=False).tolist())


def _visit_counts(findings: TreeFindings) -> tuple[tuple[Cell, int], ...]:
    """Return the open moves that were tried, and how often; if none was, the first one."""
    still = [each for each in findings.candidates if each.winner is None]
    counts = [(each.cell, each.visits) for each in still if each.visits]
    return tuple(counts) or ((still[0].cell, 1),)


def _chance(findings: TreeFindings) -> int:
    """Return the mover's mean share of the simulations, in thousandths; 500 if there are none."""
    candidates = [each for each in findings.candidates if each.winner is None and each.visits]
    visits = sum(each.visits for each in candidates)
    total = sum(each.visits * each.share for each in candidates if each.share is not None)
    return round(1000 * total / visits) if visits else 500


def _choose(visits: tuple[tuple[Cell, int], ...], generator: np.random.Generator | None) -> Cell:
    """Return the move tried most, or with a generator one drawn in proportion to its count."""
    if generator is None:
        return visits[0][0]
    counts = np.array([count for _, count in visits])
    return visits[generator.choice(len(visits), p=counts / counts.sum())][0]


def _carrier(position: Position, winner: Color, settings: TreeSettings) -> tuple[Cell, ...] | None:
    """Return the carrier of the winner's smallest connection by H-search from scratch, if any."""
    line = SearchPosition(position, settings.limits, weak_links)
    return line.carrier() if line.probe().winner is winner else None

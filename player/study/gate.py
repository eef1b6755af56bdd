"""Whether a net is better than another, or than none: what it has to pass to be shipped.

Two things are asked: whether what the tree proves with it is what the solver says, and
whether the player `tree` wins more with it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hsearch.hex.board import Board
from hsearch.hex.position import Position, winner
from player.engine.ladder import DuelResults, duel, games_of
from player.engine.results import Event, Rows
from player.search.opening_estimates import balanced
from player.search.tree import TreeSearch, TreeSettings
from player.solve.solver import Solver

FULLEST = 0.33  # of the board


@dataclass(frozen=True, slots=True)
class ComparedVerdict:
    """A position, who is proved to win by the tree, and whether the solver says the same."""

    position: Position
    is_root: bool
    is_same: bool


def verdicts(
    board: Board, settings: TreeSettings, positions: int
) -> Iterator[list[ComparedVerdict]]:
    """Yield, of random positions, what the tree proves: at the root, and of every move."""
    solver = Solver(board)
    for number in range(positions):
        position = _drawn(board, np.random.default_rng((0, number)))
        findings = TreeSearch(position, settings).run(np.random.default_rng(number))
        after = [(position.play(each.cell), each.winner) for each in findings.candidates]
        yield [
            ComparedVerdict(each, each is position, solver.outcome(each) is won_by)
            for each, won_by in [(position, findings.winner), *after]
            if won_by is not None
        ]


def _drawn(board: Board, generator: np.random.Generator) -> Position:
    """Return a position of stones by turns on random cells, that nobody has won."""
    while True:
        stones = generator.integers(board.size // 12, round(FULLEST * board.size))
        position = Position.of(board)
        for cell in generator.permutation(board.size)[:stones].tolist():
            position = position.play(cell)
        if winner(position) is None:
            return position


# The player `tree` meets itself with either net and as many simulations a move, from
# even openings with both colors, until a sequential test tells: 20 points of Elo more
# against none, either mistaken once in twenty times. Where there is a net it takes the
# place of playouts. And what the tree with the net proves must be what the solver says.

LEAST, GAINED = 0.0, 20.0  # points of Elo that the test tells apart

Play = Callable[[Rows, Sequence[int], Callable[[], bool]], None]


def gate_event(
    side: int, net: str, other: str, *, simulations: int, seed: int, int8: bool = False
) -> Event:
    """Return the games of a net and another on a board; each is a file or `none`.

    A net is asked about each new node, in numbers of eight bits if `int8` says so; without one
    games are played out.

    Raise ValueError when one cannot be read, when they are the same, or when no even openings
    are known.
    """
    bits = ",int8=yes" if int8 else ""
    players = tuple(
        f"tree:simulations={simulations},net={each}{',patterns=none' if each == 'none' else bits}"
        for each in (net, other)
    )
    openings = balanced(side, side)
    return Event(f"gate-{side}x{side}", side, side, players, seed, openings=openings)


@dataclass(frozen=True, slots=True)
class Gate:
    """The games of a net and another on one board. It holds state: the results.

    rows  the results so far
    most  games that are played at most
    """

    rows: Rows
    most: int

    @property
    def duel(self) -> DuelResults:
        """The verdict of the games so far."""
        net, other = self.rows.event.players
        numbers = games_of(self.rows, net, other, self.most)
        middle, margin = (GAINED + LEAST) / 2, (GAINED - LEAST) / 2
        return duel(self.rows, numbers, net, other, middle=middle, margin=margin)

    @property
    def is_passed(self) -> bool | None:
        """Whether the net is better; None while that is not clear."""
        duel = self.duel
        return None if duel.verdict is None else duel.better == self.rows.event.players[0]

    def run(self, play: Play) -> None:
        """Play what is missing until the test is clear."""
        play(self.rows, range(self.most), self._is_clear)

    def _is_clear(self) -> bool:
        return self.is_passed is not None


def rows_path(folder: Path, side: int) -> Path:
    """Return where the games on a board are kept."""
    return folder / f"gate-{side}x{side}.jsonl"

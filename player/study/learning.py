"""A net learns, from samples or from games that it plays, and passes a gate to be shipped.

No torch is needed before `fit` or `cycle` is called; it is in the extra `learn`. Whatever is
finished is kept, so that a kill loses one epoch or one generation.
"""

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hsearch.hex.board import Board
from hsearch.hex.position import Position, winner
from player.engine.ladder import DuelResults, duel, games_of
from player.engine.results import Event, Rows
from player.engine.tournament import Play
from player.net.net import Net
from player.search.opening_estimates import balanced
from player.search.tree import TreeSearch, TreeSettings
from player.solve.solver import Solver
from player.study.cycle import CycleSettings, Generation, OnProgress
from player.study.fitting import FitSettings, FittedNet, Steps, parts_of
from player.study.samples import Samples

NEEDED = "learning needs the extra learn: pip install 'hsearch[learn]'"


def fit(  # noqa: PLR0913 - each is of another kind
    samples: Sequence[Samples],
    settings: FitSettings,
    folder: Path,
    *,
    start: Net | None = None,
    threads: int = 1,
    device: str = "cpu",
    on_progress: Callable[[Steps], None] = lambda _steps: None,
) -> FittedNet:
    """Return the net that samples and settings make, and keep each epoch in a folder.

    start    a net of the same shape to start from; None for random weights
    threads  of the processor; sums may differ by it in their last bits
    device   where torch computes, such as `cuda`

    A run that is in the folder is resumed, and the outcome is the same. Every tenth
    game is kept apart, to see how well the net knows what it has not learned from.

    Raise FitError, naming the file, when another training is kept there or the file is
    damaged; ValueError when there is nothing to learn from, `start` is of another shape, or
    the device has too little memory;
    ModuleNotFoundError without torch; OSError when the disk does not take an epoch.
    """
    if not is_installed():
        raise ModuleNotFoundError(NEEDED)
    if start is not None and (start.blocks, start.channels) != (settings.blocks, settings.channels):
        shape = f"{start.blocks}x{start.channels}"
        raise ValueError(f"the net is {shape}, not {settings.blocks}x{settings.channels}")
    from player.study.training import Training, within_memory  # noqa: PLC0415 - it needs torch

    parts = parts_of(samples)
    with within_memory("use a smaller --batch"):
        return Training(parts, settings, folder, start, device).run(threads, on_progress)


def is_installed() -> bool:
    """Return whether there is torch."""
    return importlib.util.find_spec("torch") is not None


# Games and learning in turn.


def cycle(  # noqa: PLR0913 - each is of another kind
    folder: Path,
    settings: CycleSettings,
    *,
    start: Net | None = None,
    device: str = "cpu",
    threads: int = 1,
    seconds: float | None = None,
    on_progress: OnProgress = lambda _what, _part: None,
) -> list[Generation]:
    """Play and learn until the last generation, and return all of them.

    folder       gets the net, the games and the state of each generation; a run that is
                 there is resumed after its last generation
    start        a net to start from: of the same shape it goes on learning, of another one
                 it plays until the learning net knows the games better
    device       where torch computes, such as `cuda`
    threads      that play the games
    seconds      of the whole run; the learning rate falls to its end, which may come before the
                 last generation
    on_progress  is called with what is being done, and the part of it that is done

    Raise FitError, naming the file, when another run is kept there or the file is damaged;
    GamesError likewise for games; ValueError when there is no such device, or when it has too
    little memory; ModuleNotFoundError without torch; OSError when the disk does not take a file.
    """
    if not is_installed():
        raise ModuleNotFoundError(NEEDED)
    from player.study.cycle_training import Cycle  # noqa: PLC0415 - it needs torch

    run = Cycle(folder, settings, start=start, device=device, threads=threads, seconds=seconds)
    return run.run(on_progress)


# Whether a net is better than another: what it has to pass to be shipped.
#
# Two things are asked: whether what the tree proves with it is what the solver says, and
# whether the player `tree` wins more with it.

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

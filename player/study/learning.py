"""Train a net on samples or on its own games, and test whether it is good enough to ship.

Only `fit` and `cycle` need torch, which is in the extra `learn`. They write each finished
epoch or generation, so a kill loses at most one.
"""

import hashlib
import importlib.util
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from hsearch.formats.files import contents
from hsearch.hex import Board, Position, winner
from player.engine.ladder import duel, games_of
from player.engine.results import Event, Rows
from player.engine.tournament import Duel, PlayRows
from player.evaluate.net import Net
from player.search.opening_estimates import load_balanced
from player.search.tree import TreeSearch, TreeSettings
from player.solve.solver import Solver
from player.study.cycle import CycleSettings, Generation, OnStep
from player.study.fitting import FitSettings, FittedNet, Steps, parts_of
from player.study.samples import Samples

NEEDED = "learning needs the extra learn: pip install 'hsearch[learn]'"


def fit(  # noqa: PLR0913 - the arguments have nothing in common
    samples: Sequence[Samples],
    settings: FitSettings,
    folder: Path,
    *,
    start: Net | None = None,
    threads: int = 1,
    device: str = "cpu",
    on_progress: Callable[[Steps], None] = lambda _steps: None,
) -> FittedNet:
    """Return a net trained on samples, and write each epoch to a folder.

    start    a net of the same shape to start from; None for random weights
    threads  of the processor; the last bits of sums may depend on it
    device   where torch computes, such as `cuda`

    A run in the folder is resumed, with the same result as without a break. Every tenth
    game is held out, to test the net on games that it has not learned from.

    Raise FitError, naming the file, when the folder belongs to another training or the file is
    damaged, and without a file when the training diverges;
    ValueError when there is nothing to learn from, `start` has another shape, or
    the device has too little memory;
    ModuleNotFoundError without torch; OSError when an epoch cannot be written.
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
    """Return whether torch is installed."""
    return importlib.util.find_spec("torch") is not None


# Self-play and learning in turn.


def cycle(  # noqa: PLR0913 - the arguments have nothing in common
    folder: Path,
    settings: CycleSettings,
    *,
    start: Net | None = None,
    device: str = "cpu",
    threads: int = 1,
    seconds: float | None = None,
    on_progress: OnStep = lambda _what, _part: None,
) -> list[Generation]:
    """Play and learn until the last generation, and return all of them.

    folder       for the net, the games and the state of each generation; a run in it
                 is resumed after its last generation
    start        a net to start from: if it has the same shape, it continues to learn; if not,
                 it plays until the learning net predicts the games better
    device       where torch computes, such as `cuda`
    threads      that play the games
    seconds      time limit of the whole run, which may end before the last generation; the
                 learning rate falls until then
    on_progress  called with the current step, and the fraction of it that is done

    Raise FitError, naming the file, when the folder belongs to another run or the file is damaged,
    and without a file when the training diverges;
    GamesError likewise for games; ValueError when there is no such device, or when it has too
    little memory; ModuleNotFoundError without torch; OSError when a file cannot be written.
    """
    if not is_installed():
        raise ModuleNotFoundError(NEEDED)
    from player.study.cycle_training import Cycle  # noqa: PLC0415 - it needs torch

    run = Cycle(folder, settings, start=start, device=device, threads=threads, seconds=seconds)
    return run.run(on_progress)


# The gate: whether a net is better than another, as it must be to be shipped.
#
# There are two conditions: every proof of the tree with the net agrees with the solver, and
# the player `tree` wins more games with it.

FULLEST = 0.33  # largest fraction of the board that is filled


@dataclass(frozen=True, slots=True)
class ComparedVerdict:
    """A position that the tree proved, and whether the solver agrees on the winner."""

    position: Position
    is_same: bool


def verdicts(
    board: Board, settings: TreeSettings, positions: int
) -> Iterator[list[ComparedVerdict]]:
    """Yield, for random positions, the tree's proofs: of the position, and of its moves."""
    solver = Solver(board)
    for number in range(positions):
        position = _draw_position(board, np.random.default_rng((0, number)))
        findings = TreeSearch(position, settings).run(np.random.default_rng(number))
        after = [(position.play(each.cell), each.winner) for each in findings.candidates]
        yield [
            ComparedVerdict(each, solver.outcome(each) is won_by)
            for each, won_by in [(position, findings.winner), *after]
            if won_by is not None
        ]


def _draw_position(board: Board, generator: np.random.Generator) -> Position:
    """Return a position with stones of both colors on random cells, not yet won."""
    while True:
        stones = generator.integers(board.size // 12, round(FULLEST * board.size))
        position = Position.of(board)
        for cell in generator.permutation(board.size)[:stones].tolist():
            position = position.play(cell)
        if winner(position) is None:
            return position


# The player `tree` with one net plays itself with the other, with the same number of
# simulations a move, from even openings with both colors, until a sequential test decides:
# a gain of 20 points of Elo or of none, each wrong at most once in twenty times. A net
# replaces playouts.

LEAST, GAINED = 0.0, 20.0  # points of Elo that the test distinguishes
MARK = 8  # digits


def gate_event(
    side: int, net: str, other: str, *, simulations: int, seed: int, int8: bool = False
) -> Event:
    """Return the event in which two nets meet on a board; each is a file or `none`.

    A net evaluates each new node, in 8-bit numbers if `int8`; `none` plays games out. The name of
    the event has marks of the nets: a net that is written later to the same file is another one.

    Raise ValueError when a net cannot be read, when they are the same, or when no even
    openings are known.
    """
    bits = ",int8=yes" if int8 else ""
    players = tuple(
        f"tree:simulations={simulations},net={each}{',patterns=none' if each == 'none' else bits}"
        for each in (net, other)
    )
    openings = load_balanced(side, side)
    event = Event(f"gate-{side}x{side}", side, side, players, seed, openings=openings)
    return replace(event, name="-".join((event.name, _mark(net), _mark(other))))


def _mark(net: str) -> str:
    """Return the first digits of a digest of a net's file; `none` is its own mark."""
    return net if net == "none" else hashlib.sha256(contents(Path(net))).hexdigest()[:MARK]


@dataclass(frozen=True, slots=True)
class Gate:
    """The games between two nets on one board. Holds state: the results.

    rows  the results so far
    most  most games to play
    """

    rows: Rows
    most: int

    @property
    def duel(self) -> Duel:
        """The verdict on the games so far."""
        net, other = self.rows.event.players
        numbers = games_of(self.rows, net, other, self.most)
        middle, margin = (GAINED + LEAST) / 2, (GAINED - LEAST) / 2
        return duel(self.rows, numbers, net, other, middle=middle, margin=margin)

    @property
    def is_passed(self) -> bool | None:
        """Whether the net is better; None while that is open."""
        duel = self.duel
        return None if duel.verdict is None else duel.better == self.rows.event.players[0]

    def run(self, play: PlayRows) -> None:
        """Play missing games until the test decides."""
        play(self.rows, range(self.most), self._is_clear)

    def _is_clear(self) -> bool:
        return self.is_passed is not None


def rows_path(folder: Path, side: int) -> Path:
    """Return the file of the games on a board."""
    return folder / f"gate-{side}x{side}.jsonl"

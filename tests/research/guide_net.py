"""Train the small net that guides the solver, with the shipped net as its teacher.

    python tests/research/guide_net.py collect 1.npz --seed 1 --minutes 26
    python tests/research/guide_net.py collect 2.npz --seed 2 --minutes 26
    python tests/research/guide_net.py collect 3.npz --seed 11 --minutes 6 --openings
    python tests/research/guide_net.py collect 4.npz --seed 12 --minutes 6 --openings
    python tests/research/guide_net.py teach [1-4].npz --student 4 32 positions/guide.npz
        --minutes 8 --device cuda

`collect` plays games by the shipped net, solves some of their positions for a few hundred
evaluations, and records each node where the solver asks the net, with the winner once the search
is over. It needs the extra `fast`. The net in `positions` was trained with more runs and other
`sides`: 26 minutes with as many boards of 9, 10, 12 and 14 as of 11, and 22 minutes mostly of 6x6
openings. It started from a net trained on positions one by one, on two cores; its record has each
step.

`teach` needs torch, and an accelerator to be useful. A small net learns the shipped net's outputs
for these positions, and for those that follow them (`guide_lesson.py`). Several can learn from the
same outputs: `--student` gives the blocks, the channels and the file of each, which is written
every minute and at the end; if the file exists, its net is trained further. On validation
positions it prints, by board size, how often each student prefers the target's move, how far its
policy is from the target, and how often it predicts the winner and the winning move.
"""

import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

from hsearch.hex.board import Board
from hsearch.hex.position import Position, winner
from player.evaluate.int8 import Int8Evaluator
from player.evaluate.net import load_net, read_net
from player.solve import guide, proof_number
from player.solve.solver import Solver
from player.study.fitting import FitSettings
from player.work.clock import now

# Collecting.

SURE = 0.97  # chance that ends a game
UNKNOWN = -1


class Kind(NamedTuple):
    """A kind of search: its board sizes, the phase of the game, and the evaluations.

    sides  board sizes, and how often each is drawn
    """

    sides: dict[int, int]
    part: tuple[float, float]
    looks: tuple[int, ...]


SIDES = {6: 2, 7: 4, 8: 9, 9: 9, 10: 8, 11: 46, 12: 6, 13: 12, 14: 4}
MIDDLE = Kind(SIDES, (0.25, 0.85), (150, 400, 800))
OPENINGS = Kind({6: 3, 7: 5, 8: 3}, (0.0, 0.5), (400, 1000, 2500))


class Row(NamedTuple):
    """A position that the solver asked about.

    stones  a byte per cell: 0 empty, 1 Black's, 2 White's
    turn    0 for Black
    open    the cells that the solver still considers
    is_won  whether the mover wins, once the search was over; `UNKNOWN` if undecided
    first   the winning move, else `UNKNOWN`
    """

    stones: NDArray[np.int8]
    turn: int
    open: NDArray[np.uint8]
    is_won: int = UNKNOWN
    first: int = UNKNOWN


class Collector:
    """Play games, solve positions and record rows. Holds state."""

    def __init__(self, kind: Kind, seed: int) -> None:
        """Start without rows."""
        self.rows: dict[int, list[Row]] = {side: [] for side in kind.sides}
        self._kind = kind
        self._generator = np.random.default_rng(seed)
        self._evaluators: dict[int, Int8Evaluator] = {}

    def evaluator(self, side: int) -> Int8Evaluator:
        """Return the shipped net for a board."""
        if side not in self._evaluators:
            net = load_net()
            assert net is not None
            self._evaluators[side] = Int8Evaluator(net, Board(side))
        return self._evaluators[side]

    def game(self, side: int) -> list[Position]:
        """Return the positions of a game by the net's policy, until the winner seems sure."""
        position, seen, draw = Position.of(Board(side)), [], self._generator
        heat = draw.choice([0.5, 1.0, 1.5])
        while winner(position) is None:
            policy, chance = self.evaluator(side).advise(_stones(position), position.turn)
            policy = policy ** (1 / 3 if len(seen) < 3 else 1 / heat)
            if len(seen) > 6 and max(chance, 1 - chance) > SURE:
                break
            position = position.play(int(draw.choice(policy.size, p=policy / policy.sum())))
            seen.append(position)
        return seen

    def collect(self) -> None:
        """Solve three positions of a game, and record the positions that the solver asks about."""
        shares = np.array(list(self._kind.sides.values())) / sum(self._kind.sides.values())
        side = int(self._generator.choice(list(self._kind.sides), p=shares))
        seen = self.game(side)
        for part in self._generator.uniform(*self._kind.part, 3) if len(seen) > 1 else ():
            root = seen[min(len(seen) - 1, int(part * len(seen)))]
            if winner(root) is None:
                self.rows[side] += self._asked(root)

    def _asked(self, root: Position) -> list[Row]:
        noted = []

        def take(descent: Any, place: Any, node: Any) -> None:
            stones = np.zeros(root.board.size, np.int8)
            for color, cells in enumerate(node.stones, 1):
                stones[[cell for cell in root.board.cells if cells >> cell & 1]] = color
            left = np.zeros(root.board.size, np.uint8)
            left[list(node.moves)] = 1
            noted.append((Row(stones, int(place.turn), left), node))
            as_ever(descent, place, node)

        as_ever = proof_number.Descent._take_advice  # noqa: SLF001 - this is where it asks
        proof_number.Descent._take_advice = take  # noqa: SLF001
        try:
            Solver(root.board).solve(
                root, nodes=int(self._generator.choice(self._kind.looks)), seconds=20
            )
        finally:
            proof_number.Descent._take_advice = as_ever  # noqa: SLF001
        return [_settled(row, node) for row, node in noted]


def _settled(row: Row, node: Any) -> Row:
    if node.winner is None:
        return row
    is_won = int(node.winner == row.turn)
    first = node.first if is_won and node.first is not None else UNKNOWN
    return row._replace(is_won=is_won, first=first)


def _stones(position: Position) -> NDArray[np.int8]:
    stones = np.zeros(position.board.size, np.int8)
    for number, cells in enumerate((position.black, position.white), 1):
        stones[list(cells.search(1))] = number
    return stones


# Learning.

WEIGHTS = {6: 2, 7: 4, 8: 10, 9: 8, 10: 6, 11: 14, 12: 2, 13: 4, 14: 2}  # how often each is drawn
APART = 0.03  # share of each file and size for validation: its last rows


def read_rows(paths: Sequence[Path]) -> dict[int, tuple[Row, Row]]:
    """Return by side the files' positions as movers see them: for training, and for validation.

    Each is a row of arrays, n x side x side or n.
    """
    learned, apart = defaultdict(list), defaultdict(list)
    for path in paths:
        with np.load(path) as arrays:
            for side in WEIGHTS:
                if f"stones{side}" in arrays:
                    row = as_mover(Row(*(arrays[f"{field}{side}"] for field in Row._fields)), side)
                    least = int(len(row.turn) * (1 - APART))
                    learned[side].append([each[:least] for each in row])
                    apart[side].append([each[least:] for each in row])
    return {side: (_joined(learned[side]), _joined(apart[side])) for side in learned}


def _joined(parts: Sequence[Sequence[NDArray[Any]]]) -> Row:
    return Row(*map(np.concatenate, zip(*parts, strict=True)))


def as_mover(rows: Row, side: int) -> Row:
    """Return rows as their movers see them: own stones are 1, White's boards are transposed."""
    stones, left = rows.stones.reshape(-1, side, side), rows.open.reshape(-1, side, side)
    white = np.asarray(rows.turn == 1)[:, None, None]
    stones = np.where(white, (3 - stones) * (stones > 0), stones)
    stones, left = (np.where(white, each.transpose(0, 2, 1), each) for each in (stones, left))
    row, column = np.divmod(rows.first, side)
    is_turned = (rows.turn == 1) & (rows.first != UNKNOWN)
    first = np.where(is_turned, column * side + row, rows.first)
    return Row(stones, rows.turn, left, rows.is_won, first)


@click.group()
def main() -> None:
    """Train the net that guides the solver."""


@main.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--seed", type=int, required=True)
@click.option("--minutes", type=float, required=True)
@click.option("--openings", is_flag=True, help="Collect from the first stones on, on small boards.")
def collect(path: Path, seed: int, minutes: float, *, openings: bool) -> None:
    """Write the positions that the solver asks about in some minutes."""
    guide.EASY = guide.COUNTED = 3
    collector, end = Collector(OPENINGS if openings else MIDDLE, seed), now() + 60 * minutes
    while now() < end:
        collector.collect()
    arrays = {
        f"{field}{side}": np.array([getattr(row, field) for row in rows])
        for side, rows in collector.rows.items()
        for field in (Row._fields if rows else ())
    }
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]
    sys.stderr.write(f"{sum(map(len, collector.rows.values()))} positions asked about\n")


SHAPE_AND_FILE = (int, int, click.Path(path_type=Path))


@main.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--student", "students", type=SHAPE_AND_FILE, multiple=True, required=True)
@click.option("--minutes", type=float, required=True)
@click.option("--device", default="cpu")
@click.option("--rate", type=float, default=4e-3, help="The highest; it falls with the clock.")
@click.option("--batch", type=int, default=4096)
def teach(
    paths: Sequence[Path],
    students: Sequence[tuple[int, int, Path]],
    minutes: float,
    device: str,
    rate: float,
    batch: int,
) -> None:
    """Train small nets for some minutes on the shipped net's outputs, and write them."""
    from guide_lesson import Lesson, Student  # noqa: PLC0415 - it imports torch

    teacher, learners = load_net(), []
    assert teacher is not None
    for blocks, channels, path in students:
        begun = read_net(path) if path.exists() else None
        if begun is not None and (begun.blocks, begun.channels) != (blocks, channels):
            raise click.UsageError(f"{path}: a net of {begun.blocks} x {begun.channels}")
        settings = FitSettings(blocks=blocks, channels=channels, batch=batch, rate=rate)
        learners.append(Student(settings, begun, path, device))
    Lesson(read_rows(paths), WEIGHTS, teacher, learners, device).learn(60 * minutes)


if __name__ == "__main__":
    main()

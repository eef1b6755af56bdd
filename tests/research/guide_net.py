"""Make the small net that guides the solver, taught by the net that is shipped.

    python tests/research/guide_net.py collect 1.npz --seed 1 --minutes 26
    python tests/research/guide_net.py collect 2.npz --seed 2 --minutes 26
    python tests/research/guide_net.py fit 1.npz 2.npz --into first.npz --epochs 6 --rate 0.004
    python tests/research/guide_net.py collect 3.npz --seed 11 --minutes 6 --openings
    python tests/research/guide_net.py collect 4.npz --seed 12 --minutes 6 --openings
    python tests/research/guide_net.py fit [1-4].npz --into second.npz --epochs 3 --rate 0.002
        --start first.npz
    python tests/research/guide_net.py fit [1-4].npz --into positions/guide.npz --epochs 4
        --rate 0.003 --start second.npz

Of the net in `positions`, the second `fit` ended by the clock after 2.7 epochs, the third after
3.6; the rate fell with the clock.

`collect` plays games by the shipped net, solves positions of them for some hundred looks, and
notes each node where the solver asks the net, with what that says and, once the question is over,
who won; and positions after it. It needs the extra `fast`. `fit` needs torch; it prints how often
the small net likes the same move best, in positions that are kept apart.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner
from player.net.int8 import Int8Evaluator
from player.net.net import read_net, shipped_net, write_net
from player.solve import proof_number
from player.solve.solver import Solver
from player.study.fitting import FitSettings
from player.work.clock import now

# What is collected.

SURE = 0.97  # a chance that ends a game
UNKNOWN = -1


class Kind(NamedTuple):
    """A kind of questions: of which boards, after which part of a game, of how many looks.

    sides  of boards, and how often each is drawn
    after  how many positions are noted after each that the net is asked about
    """

    sides: dict[int, int]
    part: tuple[float, float]
    looks: tuple[int, ...]
    after: int


SIDES = {6: 2, 7: 4, 8: 9, 9: 9, 10: 8, 11: 46, 12: 6, 13: 12, 14: 4}
MIDDLE = Kind(SIDES, (0.25, 0.85), (150, 400, 800), 2)
OPENINGS = Kind({6: 3, 7: 5, 8: 3}, (0.0, 0.5), (400, 1000, 2500), 1)


class Row(NamedTuple):
    """A position as the solver asked about it, and what the shipped net says.

    stones  a byte a cell: 0 empty, 1 Black's, 2 White's
    turn    0 for Black
    policy  the chance that each cell is the best move
    chance  the mover's
    open    the cells that the solver has left
    is_won  whether the mover wins, once the question was over; `UNKNOWN` if it stayed open
    first   the move that won, else `UNKNOWN`
    """

    stones: NDArray[np.int8]
    turn: int
    policy: NDArray[np.float16]
    chance: float
    open: NDArray[np.uint8]
    is_won: int = UNKNOWN
    first: int = UNKNOWN


class Collector:
    """Plays, solves and notes. Holds state."""

    def __init__(self, kind: Kind, seed: int) -> None:
        """Begin with no rows."""
        self.rows: dict[int, list[Row]] = {side: [] for side in kind.sides}
        self._kind = kind
        self._generator = np.random.default_rng(seed)
        self._evaluators: dict[int, Int8Evaluator] = {}

    def evaluator(self, side: int) -> Int8Evaluator:
        """Return the shipped net for a board."""
        if side not in self._evaluators:
            net = shipped_net()
            assert net is not None
            self._evaluators[side] = Int8Evaluator(net, Board(side))
        return self._evaluators[side]

    def game(self, side: int) -> list[Position]:
        """Return the positions of a game by the net's policy, until who wins seems sure."""
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
        """Solve three positions of a game, and note what the net is asked about."""
        shares = np.array(list(self._kind.sides.values())) / sum(self._kind.sides.values())
        side = int(self._generator.choice(list(self._kind.sides), p=shares))
        seen = self.game(side)
        for part in self._generator.uniform(*self._kind.part, 3) if len(seen) > 1 else ():
            root = seen[min(len(seen) - 1, int(part * len(seen)))]
            if winner(root) is None:
                self.rows[side] += self._asked(root)

    def _asked(self, root: Position) -> list[Row]:
        side, noted = root.board.columns, []

        def take(descent: Any, place: Any, node: Any) -> None:
            stones = np.zeros(root.board.size, np.int8)
            for color, cells in enumerate(node.stones, 1):
                stones[[cell for cell in root.board.cells if cells >> cell & 1]] = color
            policy, chance = self.evaluator(side).advise(stones, Color(place.turn))
            left = np.zeros(root.board.size, np.uint8)
            left[list(node.moves)] = 1
            noted.append((Row(stones, int(place.turn), np.float16(policy), chance, left), node))
            as_ever(descent, place, node)

        as_ever = proof_number.Descent._take_advice  # noqa: SLF001 - the place where it asks
        proof_number.Descent._take_advice = take  # noqa: SLF001
        try:
            Solver(root.board).solve(
                root, nodes=int(self._generator.choice(self._kind.looks)), seconds=20
            )
        finally:
            proof_number.Descent._take_advice = as_ever  # noqa: SLF001
        return [_settled(row, node) for row, node in noted]

    def after(self, side: int) -> Iterator[Row]:
        """Yield positions after those that are noted, with what the net says of them."""
        for row in self.rows[side]:
            for _ in range(self._kind.after):
                likely = (row.policy.astype(float) + 1e-6) ** 0.6 * (row.stones == 0)
                weights = likely if self._generator.random() < 0.5 else row.open.astype(float)
                move = int(self._generator.choice(weights.size, p=weights / weights.sum()))
                stones, left = row.stones.copy(), row.open.copy()
                stones[move], left[move] = 1 + row.turn, 0
                policy, chance = self.evaluator(side).advise(stones, Color(1 - row.turn))
                left = left if left.sum() > 1 else (stones == 0).astype(np.uint8)
                yield Row(stones, 1 - row.turn, np.float16(policy), chance, left)


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


# What is learned.

TRUTH, FIRST = 0.7, 0.4  # what who won counts beside the net's chance, and the move that won
APART = 0.03  # of the positions of each file and size: the last


def targets(rows: Sequence[Row], side: int) -> list[NDArray[Any]]:
    """Return planes, policy, chance and the moves left of rows, as their movers see the board."""
    stones, policy, left = (
        np.array([getattr(row, name) for row in rows]).reshape(-1, side, side)
        for name in ("stones", "policy", "open")
    )
    chance = np.array([row.chance for row in rows], np.float32)
    won, first = (np.array([getattr(row, name) for row in rows]) for name in ("is_won", "first"))
    chance = np.where(won == UNKNOWN, chance, (1 - TRUTH) * chance + TRUTH * (won == 1))
    policy, known = policy.astype(np.float32), np.flatnonzero(first != UNKNOWN)
    policy[known] *= 1 - FIRST
    policy.reshape(len(rows), -1)[known, first[known]] += FIRST
    own, other = stones == 1, stones == 2
    white = np.array([row.turn for row in rows]) == 1
    own[white], other[white] = (
        other[white].transpose(0, 2, 1),
        own[white].transpose(0, 2, 1),
    )
    for array in (policy, left):
        array[white] = array[white].transpose(0, 2, 1)
    planes = np.stack([own, other], axis=1)
    return [planes, policy.astype(np.float16), chance.astype(np.float32), left]


def _read(paths: Sequence[Path]) -> Iterator[tuple[int, list[Row]]]:
    for path in paths:
        with np.load(path) as arrays:
            for side in SIDES:
                names = [f"{field}{side}" for field in Row._fields]
                if names[0] in arrays:
                    yield side, [Row(*row) for row in zip(*map(arrays.get, names), strict=True)]


@click.group()
def main() -> None:
    """Make the net that guides the solver."""


@main.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--seed", type=int, required=True)
@click.option("--minutes", type=float, required=True)
@click.option("--openings", is_flag=True, help="Of small boards, from their first stones on.")
def collect(path: Path, seed: int, minutes: float, *, openings: bool) -> None:
    """Write positions that the solver asks about, as many as there are in some minutes."""
    proof_number.EASY = proof_number.COUNTED = 3
    collector, end = Collector(OPENINGS if openings else MIDDLE, seed), now() + 60 * minutes
    while now() < end:
        collector.collect()
    arrays = {}
    for side, asked in collector.rows.items():
        rows = [*asked, *collector.after(side)]
        for field in Row._fields if rows else ():
            arrays[f"{field}{side}"] = np.array([getattr(row, field) for row in rows])
    np.savez(path, **arrays)  # type: ignore[arg-type]
    sys.stderr.write(f"{sum(map(len, collector.rows.values()))} positions asked about\n")


@main.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--into", required=True, type=click.Path(path_type=Path))
@click.option("--start", type=click.Path(path_type=Path, exists=True))
@click.option("--epochs", type=int, required=True)
@click.option("--rate", type=float, required=True)
def fit(paths: Sequence[Path], into: Path, start: Path | None, epochs: int, rate: float) -> None:
    """Teach a small net what the files say, and write it. This needs torch."""
    from guide_lesson import Lesson  # noqa: PLC0415 - which imports torch

    learned, apart = {}, {}
    for side in SIDES:
        parts = [targets(rows, side) for at, rows in _read(paths) if at == side]
        if parts:
            joined = [np.concatenate(each) for each in zip(*parts, strict=True)]
            least = int(len(joined[0]) * (1 - APART))
            learned[side] = [each[:least] for each in joined]
            apart[side] = [each[least:] for each in joined]
    begun, teacher = None if start is None else read_net(start), shipped_net()
    assert teacher is not None
    lesson = Lesson(learned, FitSettings(epochs=epochs, rate=rate), begun)
    for epoch in range(1, epochs + 1):
        lesson.learn()
        agreed = (f"{side}x{side} {lesson.agreement(some):.0%}" for side, some in apart.items())
        sys.stderr.write(f"epoch {epoch}: the first move is the same on {', '.join(agreed)}\n")
    step = {
        "epochs": epochs,
        "rate": rate,
        "positions": sum(len(each[0]) for each in learned.values()),
    }
    steps = [*(begun.record["steps"] if begun is not None else ()), step]
    record = {"made by": "tests/research/guide_net.py", "teacher": teacher.key, "steps": steps}
    write_net(into, lesson.net(record))


if __name__ == "__main__":
    main()

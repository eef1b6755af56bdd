"""Patterns that learn from a net: lessons, made anywhere, and two looks at each."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Board
from player.kernels import pattern_fit as kernel
from player.kernels.pattern_fit import Lessons
from player.kernels.patterns import REPLIES, SLOTS
from player.kernels.playout import place_of
from player.learn.lessons import LessonOrigin, make, turned
from player.net import Net
from player.patterns import PatternWeights
from player.patterns.around import around
from player.patterns.weights import in_bytes
from player.tournament.spread import Call, spread

GAMES = 100  # of a chunk: half a minute of a core at most
APART = 20  # every so many chunks one is kept apart
RATES = (0.03, 0.01)  # of the first and of the second time
OnProgress = Callable[[float, str], None]


@dataclass(frozen=True, slots=True)
class PatternRun:
    """Patterns that are to be learned.

    boards  taken in turn, a chunk of games each
    games   in all
    seed    of all that is drawn
    int8    whether the net is asked in numbers of eight bits
    """

    boards: tuple[Board, ...]
    games: int
    seed: int
    int8: bool = False

    def origins(self) -> list[LessonOrigin]:
        """Return what each chunk of lessons hangs on, in order."""
        return [
            LessonOrigin(
                self.boards[number % len(self.boards)],
                min(GAMES, self.games - number * GAMES),
                self.seed,
                number,
                self.int8,
            )
            for number in range(-(-self.games // GAMES))
        ]


@dataclass(frozen=True, slots=True)
class PatternScore:
    """How well patterns know lessons kept apart from their learning.

    positions     how many there are
    first         part of them whose best move is the net's
    winner        part of them whose likelier winner is the net's
    policy_loss   cross entropy of the net's moves, and of its word on who wins; 0 where none are
    value_loss    kept apart
    """

    positions: int
    first: float
    winner: float
    policy_loss: float
    value_loss: float


def learn(
    wanted: PatternRun,
    net: Net,
    *,
    workers: int = 1,
    executor: Callable[[], Executor] | None = None,
    on_progress: OnProgress = lambda _part, _what: None,
) -> tuple[PatternWeights, PatternScore]:
    """Return patterns, and how well they know what was kept apart.

    They hang on the run and the net alone. `on_progress` hears what part is done, and of what.
    Raise WorkersError when workers keep dying.
    """
    chunks = _chunks(wanted, net, workers, executor, on_progress)
    generator = np.random.default_rng(wanted.seed)
    weights = kernel.Weights(
        np.zeros((2, SLOTS, 2), np.float32),
        np.zeros((REPLIES, 2), np.float32),
        np.zeros((1, 2), np.float32),
    )
    apart = [number for number in range(len(chunks)) if number % APART == APART - 1]
    learned = [number for number in range(len(chunks)) if number % APART != APART - 1]
    for time, rate in enumerate(RATES):
        for done, number in enumerate(generator.permutation(learned).tolist()):
            lessons = chunks[number][1]
            order = generator.permutation(len(lessons.turns))
            half = turned(lessons, generator.random(len(lessons.turns)) < 0.5)
            _fit(weights, chunks[number][0], half, order, rate)
            on_progress((time + done / len(learned)) / len(RATES), "learning")
    score = _score(weights, [chunks[number] for number in apart])
    record = {
        "net": net.key,
        "boards": [str(board) for board in wanted.boards],
        "games": wanted.games,
        "seed": wanted.seed,
        "int8": wanted.int8,
        "positions": sum(len(chunks[number][1].turns) for number in learned),
        "apart": {name: round(getattr(score, name), 4) for name in score.__slots__},
    }
    tables, replies = weights.tables[..., 0], weights.replies[:, 0]
    return in_bytes(tables, replies, float(weights.bias[0, 0]), record), score


def _chunks(
    wanted: PatternRun,
    net: Net,
    workers: int,
    executor: Callable[[], Executor] | None,
    on_progress: OnProgress,
) -> list[tuple[Board, Lessons]]:
    """Return all lessons, in the order of their chunks."""
    origins = wanted.origins()
    made: dict[int, Lessons] = {}

    def missing() -> Sequence[Call]:
        return [(_numbered, each, net) for each in origins if each.number not in made]

    def keep(result: tuple[int, Lessons]) -> bool:
        made[result[0]] = result[1]
        on_progress(len(made) / len(origins), "asking the net")
        return False

    spread(missing, keep, workers=workers, executor=executor, things="chunks of lessons")
    return [(each.board, made[each.number]) for each in origins]


def _numbered(origin: LessonOrigin, net: Net) -> tuple[int, Lessons]:
    return origin.number, make(origin, net)


def _fit(
    weights: kernel.Weights, board: Board, lessons: Lessons, order: NDArray[np.int64], rate: float
) -> NDArray[np.float64]:
    places = np.array([place_of(cell, board.columns) for cell in board.cells])
    near, spots = around(board)
    lost: NDArray[np.float64] = kernel.fit(weights, near, spots, lessons, places, order, rate)
    return lost


def _score(weights: kernel.Weights, chunks: Sequence[tuple[Board, Lessons]]) -> PatternScore:
    count = sum(len(lessons.turns) for _, lessons in chunks)
    lost = np.zeros(4)
    for board, lessons in chunks:
        lost += _fit(weights, board, lessons, np.arange(len(lessons.turns)), 0.0)
    value, policy, winner, first = (lost / max(count, 1)).tolist()
    return PatternScore(count, first, winner, policy, value)

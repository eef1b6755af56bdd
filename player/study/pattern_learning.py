"""Train patterns on a net's answers: make the lessons with any workers, then fit to them.

Only `learn` needs torch, which is in the extra `learn`.
"""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from hsearch.formats.files import hold
from hsearch.hex import Board
from player.evaluate.net import Net
from player.evaluate.patterns import PatternWeights, round_parts
from player.study.cycle import OnStep
from player.study.learning import NEEDED, is_installed
from player.study.lessons import (
    LessonError,
    LessonOrigin,
    Lessons,
    by_shape,
    make,
    path_in,
    read_lessons,
    write_lessons,
)
from player.work.spread import ONE_WORKER, PickledCall, WorkerPool, spread

GAMES = 100  # of a chunk: at most half a minute of a core
APART = 20  # every twentieth chunk is held out


@dataclass(frozen=True, slots=True)
class PatternRun:
    """A run that learns patterns.

    boards  taken in turn, one chunk of games each
    games   in all
    seed    of all random numbers
    epochs  how often each position is learned from
    int8    whether the net computes in 8-bit numbers
    """

    boards: tuple[Board, ...]
    games: int
    seed: int
    epochs: int
    int8: bool = False

    def origins(self) -> list[LessonOrigin]:
        """Return the origins of all chunks of lessons, in order."""
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
    """Scores of patterns on held-out lessons; all are 0 if there are none.

    positions    how many there are
    first        fraction where the best move is the net's
    winner       fraction where the likelier winner is the net's
    policy_loss  cross entropy of the net's policy
    value_loss   cross entropy of the net's chance to win
    """

    positions: int
    first: float
    winner: float
    policy_loss: float
    value_loss: float


def learn(
    plan: PatternRun,
    net: Net,
    *,
    keep: Path | None = None,
    workers: WorkerPool = ONE_WORKER,
    threads: int = 1,
    on_progress: OnStep = lambda _what, _part: None,
) -> tuple[PatternWeights, PatternScore]:
    """Return patterns, and their scores on held-out lessons.

    keep     a folder to store lessons in; lessons already there are not made again
    threads  of the processor that learn; the last bits of sums may depend on it

    The result depends only on the run and the net. `on_progress` is called with the current
    step, and the fraction of it that is done.
    Raise WorkersError when workers keep dying, LessonError when the folder has other lessons
    or another process learns into it, OSError when a file cannot be written,
    ModuleNotFoundError without torch.
    """
    if not is_installed():
        raise ModuleNotFoundError(NEEDED)
    from player.study import pattern_training  # noqa: PLC0415 - it needs torch

    chunks = lessons_of(plan, net, keep=keep, workers=workers, on_progress=on_progress)
    apart = by_shape(chunks[APART - 1 :: APART])
    lessons = by_shape([each for number, each in enumerate(chunks) if (number + 1) % APART])
    del chunks  # lessons are large
    weights = round_parts(
        pattern_training.fit(
            lessons,
            plan.epochs,
            plan.seed,
            threads,
            lambda part: on_progress("learning", part),
        ),
        {},
    )
    count = _count(apart)
    losses = pattern_training.score(weights.parts(), apart) / max(count, 1)
    worth, draws, winner, first = losses.tolist()
    score = PatternScore(count, first, winner, draws, worth)
    record = {
        "made by": "hsearch learn patterns",
        "net": net.key,
        "boards": [str(board) for board in plan.boards],
        "games": plan.games,
        "seed": plan.seed,
        "epochs": plan.epochs,
        "int8": plan.int8,
        "positions": _count(lessons),
        "apart": {name: round(getattr(score, name), 4) for name in score.__slots__},
    }
    return replace(weights, record=record), score


def _count(lessons: Mapping[Board, Lessons]) -> int:
    return sum(len(each.turns) for each in lessons.values())


def lessons_of(
    plan: PatternRun,
    net: Net,
    *,
    keep: Path | None = None,
    workers: WorkerPool = ONE_WORKER,
    on_progress: OnStep = lambda _what, _part: None,
) -> list[tuple[Board, Lessons]]:
    """Return all lessons, in the order of their chunks; the arguments are those of `learn`."""
    origins = plan.origins()
    by_number: dict[int, Lessons] = {}

    def missing() -> Sequence[PickledCall]:
        return [(_make_numbered, each, net) for each in origins if each.number not in by_number]

    def take(result: tuple[int, Lessons]) -> bool:
        number, lessons = result
        by_number[number] = lessons
        if keep is not None:
            write_lessons(path_in(keep, origins[number]), origins[number], net.key, lessons)
        on_progress("asking the net", len(by_number) / len(origins))
        return False

    lock = nullcontext() if keep is None else hold(keep, doing="learns into", error=LessonError)
    with lock:
        if keep is not None:
            by_number.update(_read_stored(keep, origins, net))
        spread(missing, take, workers=workers, things="chunks of lessons")
    return [(each.board, by_number[each.number]) for each in origins]


def _read_stored(folder: Path, origins: Sequence[LessonOrigin], net: Net) -> dict[int, Lessons]:
    """Return the lessons in a folder, by the numbers of their chunks.

    An incomplete last chunk, from a run of fewer games, is left out: it is made again.
    """
    chunks = {
        each.number: read_lessons(path_in(folder, each), each, net.key)
        for each in origins
        if path_in(folder, each).exists()
    }
    return {number: lessons for number, lessons in chunks.items() if lessons is not None}


def _make_numbered(origin: LessonOrigin, net: Net) -> tuple[int, Lessons]:
    return origin.number, make(origin, net)

"""Patterns that learn from a net: lessons, made anywhere, and some epochs with them.

No torch is needed before `learn` is called; it is in the extra `learn`.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path

from hsearch.hex.board import Board
from player.net.net import Net
from player.net.patterns import PatternWeights, rounded
from player.study.learning import NEEDED, is_installed
from player.study.lessons import (
    LessonOrigin,
    Lessons,
    by_shape,
    make,
    path_in,
    read_lessons,
    write_lessons,
)
from player.work.spread import Call, spread

GAMES = 100  # of a chunk: half a minute of a core at most
APART = 20  # every so many chunks one is kept apart
OnProgress = Callable[[float, str], None]


@dataclass(frozen=True, slots=True)
class PatternRun:
    """Patterns that are to be learned.

    boards  taken in turn, a chunk of games each
    games   in all
    seed    of all that is drawn
    epochs  how often each position is learned from
    int8    whether the net is asked in numbers of eight bits
    """

    boards: tuple[Board, ...]
    games: int
    seed: int
    epochs: int
    int8: bool = False

    def origins(self) -> list[LessonOrigin]:
        """Return what each chunk of lessons depends on, in order."""
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


def learn(  # noqa: PLR0913 - each is of another kind
    wanted: PatternRun,
    net: Net,
    *,
    keep: Path | None = None,
    workers: int = 1,
    threads: int = 1,
    executor: Callable[[], Executor] | None = None,
    on_progress: OnProgress = lambda _part, _what: None,
) -> tuple[PatternWeights, PatternScore]:
    """Return patterns, and how well they know what was kept apart.

    keep     a folder where lessons are kept, and from which those that are kept are taken
    threads  of the processor that learn; sums may differ by it in their last bits

    They depend on the run and the net alone. `on_progress` hears what part is done, and of what.
    Raise WorkersError when workers keep dying, LessonError when other lessons are kept, OSError
    when a file cannot be written, ModuleNotFoundError without torch.
    """
    if not is_installed():
        raise ModuleNotFoundError(NEEDED)
    from player.study import pattern_training  # noqa: PLC0415 - it needs torch

    chunks = lessons_of(
        wanted, net, keep=keep, workers=workers, executor=executor, on_progress=on_progress
    )
    apart = by_shape(chunks[APART - 1 :: APART])
    learned = by_shape([each for number, each in enumerate(chunks) if (number + 1) % APART])
    del chunks  # lessons are large
    weights = rounded(
        pattern_training.fit(
            learned,
            wanted.epochs,
            wanted.seed,
            threads,
            lambda part: on_progress(part, "learning"),
        ),
        {},
    )
    count = _count(apart)
    lost = pattern_training.score(weights.parts(), apart) / max(count, 1)
    worth, draws, winner, first = lost.tolist()
    score = PatternScore(count, first, winner, draws, worth)
    record = {
        "made by": "hsearch learn patterns",
        "net": net.key,
        "boards": [str(board) for board in wanted.boards],
        "games": wanted.games,
        "seed": wanted.seed,
        "epochs": wanted.epochs,
        "int8": wanted.int8,
        "positions": _count(learned),
        "apart": {name: round(getattr(score, name), 4) for name in score.__slots__},
    }
    return replace(weights, record=record), score


def _count(lessons: Mapping[Board, Lessons]) -> int:
    return sum(len(each.turns) for each in lessons.values())


def lessons_of(
    wanted: PatternRun,
    net: Net,
    *,
    keep: Path | None = None,
    workers: int = 1,
    executor: Callable[[], Executor] | None = None,
    on_progress: OnProgress = lambda _part, _what: None,
) -> list[tuple[Board, Lessons]]:
    """Return all lessons, in the order of their chunks, as `learn` takes and keeps them."""
    origins = wanted.origins()
    made = {} if keep is None else _kept(keep, origins, net)

    def missing() -> Sequence[Call]:
        return [(_numbered, each, net) for each in origins if each.number not in made]

    def take(result: tuple[int, Lessons]) -> bool:
        number, lessons = result
        made[number] = lessons
        if keep is not None:
            write_lessons(path_in(keep, origins[number]), origins[number], net.key, lessons)
        on_progress(len(made) / len(origins), "asking the net")
        return False

    spread(missing, take, workers=workers, executor=executor, things="chunks of lessons")
    return [(each.board, made[each.number]) for each in origins]


def _kept(folder: Path, origins: Sequence[LessonOrigin], net: Net) -> dict[int, Lessons]:
    """Return the lessons that are in a folder, by the numbers of their chunks.

    The last chunk of a run of fewer games is made anew: it begins with the same ones.
    """
    folder.mkdir(parents=True, exist_ok=True)
    found = {
        each.number: read_lessons(path_in(folder, each), each, net.key)
        for each in origins
        if path_in(folder, each).exists()
    }
    return {number: lessons for number, lessons in found.items() if lessons is not None}


def _numbered(origin: LessonOrigin, net: Net) -> tuple[int, Lessons]:
    return origin.number, make(origin, net)

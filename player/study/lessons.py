"""Lessons for patterns: positions of many kinds, a net's answers for each, and their files."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hsearch.formats import npz
from hsearch.hex import Board, Color
from player.evaluate.int8 import Int8Evaluator
from player.evaluate.net import Net, NetEvaluator
from player.kernels.patterns import AROUND, CORNER, place_of, set_up

# Lessons for patterns: positions of many kinds, and a net's answers for each.
#
# The net plays against itself without search. Moves are drawn, mostly from its policy, sometimes
# from a flatter one, sometimes from all empty cells alike, because a search also reaches
# positions after bad moves.

MOST_RANDOM = 3  # most random stones at the start of a game
MOST_FILLED = 0.6  # fraction of the board at which a game ends
SURE, LAST_SURE = 0.02, 6  # a game ends after this many moves with a side's chance below this
EVEN, ANY = 0.22, 0.13  # fractions of moves drawn from a flatter policy, and from all cells
EVENER = 0.4  # exponent of the flatter policy
WHOLE = 65535


class Lessons(NamedTuple):
    """Positions on one board, n of them, and a net's answers.

    stones  n x places of the board in its rim
    turns   n: 0 if Black is to move, 1 if White is
    lasts   n: the place of the last stone, -1 for none
    values  n: the mover's chance to win
    policy  n x cells: the chance that each is the best move, in units of 1 / `WHOLE`
    """

    stones: NDArray[np.int8]
    turns: NDArray[np.int8]
    lasts: NDArray[np.int32]
    values: NDArray[np.float32]
    policy: NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class LessonOrigin:
    """Everything that the lessons of a chunk depend on, except the net."""

    board: Board
    games: int
    seed: int
    number: int
    int8: bool


def make(origin: LessonOrigin, net: Net) -> Lessons:
    """Play the games of a chunk; return their lessons."""
    generator = np.random.default_rng([origin.seed, origin.number])
    board, kind = origin.board, Int8Evaluator if origin.int8 else NetEvaluator
    evaluator, lessons = kind(net, board), _LessonBuffer(board)
    for _ in range(origin.games):
        _play(evaluator, lessons, generator)
    return lessons.lessons()


class _LessonBuffer:
    """Lessons while they are collected."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.stones: list[NDArray[np.int8]] = []
        self.turns: list[int] = []
        self.lasts: list[int] = []
        self.values: list[float] = []
        self.policy: list[NDArray[np.uint16]] = []

    def add(
        self, stones: NDArray[np.int8], last: int, value: float, policy: NDArray[np.float64]
    ) -> None:
        self.stones.append(in_rim(stones, self.board))
        self.turns.append(int((stones > 0).sum()) % 2)
        self.lasts.append(-1 if last < 0 else place_of(last, self.board.columns))
        self.values.append(value)
        self.policy.append(np.round(policy * WHOLE).astype(np.uint16))

    def lessons(self) -> Lessons:
        return Lessons(
            np.array(self.stones, np.int8),
            np.array(self.turns, np.int8),
            np.array(self.lasts, np.int32),
            np.array(self.values, np.float32),
            np.array(self.policy, np.uint16),
        )


def _play(
    evaluator: NetEvaluator | Int8Evaluator, lessons: _LessonBuffer, generator: np.random.Generator
) -> None:
    size = evaluator.board.size
    stones, last, sure = np.zeros(size, np.int8), -1, 0
    count = min(int(generator.integers(MOST_RANDOM + 1)), size - 1)
    for number, cell in enumerate(generator.choice(size, count, replace=False).tolist()):
        stones[cell], last = 1 + number % 2, cell
    while count < MOST_FILLED * size and sure < LAST_SURE:
        policy, value = evaluator.advise(stones, Color(count % 2))
        policy /= policy.sum()
        lessons.add(stones, last, value, policy)
        sure = sure + 1 if min(value, 1 - value) < SURE else 0
        last = _draw_move(policy, stones, generator)
        stones[last] = 1 + count % 2
        count += 1


def _draw_move(
    policy: NDArray[np.float64], stones: NDArray[np.int8], generator: np.random.Generator
) -> int:
    """Return a random move."""
    kind = generator.random()
    if kind < ANY:
        policy = (stones == 0).astype(float)
    elif kind < ANY + EVEN:
        policy = policy**EVENER
    return int(generator.choice(policy.size, p=policy / policy.sum()))


def in_rim(stones: NDArray[np.int8], board: Board) -> NDArray[np.int8]:
    """Return stones in the rim that `player.kernels.patterns` uses."""
    rim = np.zeros((board.columns + 2) * (board.rows + 2), np.int8)
    steps, spots = np.zeros(AROUND, np.int64), np.zeros(rim.size, np.int64)
    set_up(board.columns, board.rows, stones, rim, steps, np.zeros(board.size, np.int64), spots)
    return rim


def turn(lessons: Lessons, mask: NDArray[np.bool_]) -> Lessons:
    """Return lessons, the chosen ones turned by half; the answers are the same."""
    stones, policy, lasts = lessons.stones.copy(), lessons.policy.copy(), lessons.lasts.copy()
    stones[mask], policy[mask] = stones[mask, ::-1], policy[mask, ::-1]
    moves = mask & (lasts >= 0)
    lasts[moves] = stones.shape[1] - 1 - lasts[moves]
    return lessons._replace(stones=stones, policy=policy, lasts=lasts)


def mirror(lessons: Lessons, board: Board) -> Lessons:
    """Return White's lessons as Black's: the board transposed, the colors exchanged."""
    count, rows, columns = len(lessons.turns), board.rows + 2, board.columns + 2
    stones = lessons.stones.reshape(count, rows, columns).transpose(0, 2, 1).reshape(count, -1)
    stones = np.where((stones == 0) | (stones == CORNER), stones, 3 - stones)
    down, right = np.divmod(lessons.lasts, columns)
    policy = lessons.policy.reshape(count, board.rows, board.columns).transpose(0, 2, 1)
    return lessons._replace(
        stones=stones,
        turns=1 - lessons.turns,
        lasts=np.where(lessons.lasts < 0, -1, right * rows + down).astype(np.int32),
        policy=policy.reshape(count, -1),
    )


def by_shape(chunks: Sequence[tuple[Board, Lessons]]) -> dict[Board, Lessons]:
    """Return all lessons as Black's, by board, in the order of the chunks."""
    parts: dict[Board, list[Lessons]] = {}
    for board, lessons in chunks:
        is_black = lessons.turns == 0
        across = Board(board.rows, board.columns)
        parts.setdefault(board, []).append(select(lessons, is_black))
        parts.setdefault(across, []).append(mirror(select(lessons, ~is_black), board))
    return {board: concatenate(some) for board, some in parts.items()}


def concatenate(parts: Sequence[Lessons]) -> Lessons:
    """Concatenate lessons on one board."""
    arrays: Any = (np.concatenate(each) for each in zip(*parts, strict=True))
    return Lessons(*arrays)


def select(lessons: Lessons, which: NDArray[np.bool_] | NDArray[np.int64]) -> Lessons:
    """Return some of the lessons, by number or by mask."""
    arrays: Any = (each[which] for each in lessons)
    return Lessons(*arrays)


# The file of a chunk, which depends only on the net and the origin.

SCHEMA = "hsearch/lessons/1"
DTYPES: dict[str, Any] = {
    "stones": np.int8,
    "turns": np.int8,
    "lasts": np.int32,
    "values": np.float32,
    "policy": np.uint16,
}
LARGEST = {"stones": 3, "turns": 1, "values": 1, "policy": WHOLE}


class LessonError(ValueError):
    """A file that has no lessons, is damaged, or belongs to another run."""


def path_in(folder: Path, origin: LessonOrigin) -> Path:
    """Return the file of a chunk."""
    return folder / f"{origin.number:06}.npz"


def write_lessons(path: Path, origin: LessonOrigin, net: str, lessons: Lessons) -> None:
    """Write a chunk, whole or not at all. Raise OSError, naming the file, when that fails.

    net  the key of the net
    """
    npz.save(path, SCHEMA, {"origin": _description(origin, net)}, lessons._asdict())


def read_lessons(path: Path, origin: LessonOrigin, net: str) -> Lessons | None:
    """Return the lessons of a file; None if it has only the first games of the chunk.

    Raise LessonError, naming the file, when it is damaged or belongs to another run.
    """
    about, arrays = npz.load(path, SCHEMA, "file of lessons", LessonError)
    ours = _description(origin, net)
    theirs = about.get("origin")
    if theirs != ours:
        if _is_shorter_version(theirs, ours):
            return None
        fields = theirs if isinstance(theirs, dict) else {}
        differs = [name for name in ours if fields.get(name) != ours[name]]
        raise LessonError(f"{path}: lessons of another run: {', '.join(differs) or 'origin'}")
    if wrong := _find_wrong_array(arrays, origin):
        raise LessonError(f"{path}: not a file of lessons, kept as it is: {wrong}")
    return Lessons(**arrays)


def _description(origin: LessonOrigin, net: str) -> dict[str, Any]:
    return asdict(origin) | {"board": str(origin.board), "net": net}


def _is_shorter_version(part: Any, whole: dict[str, Any]) -> bool:
    """Return whether a chunk is a shorter version of `whole`, from a run of fewer games."""
    games = part.get("games") if isinstance(part, dict) else None
    is_part = type(games) is int and 0 < games < whole["games"]
    return is_part and part == whole | {"games": games}


def _find_wrong_array(arrays: npz.Arrays, origin: LessonOrigin) -> str | None:
    """Return the name of a missing, extra or invalid array; None if all are valid."""
    if set(arrays) != set(DTYPES):
        return ", ".join(sorted(set(arrays) ^ set(DTYPES)))
    board, count = origin.board, len(arrays["turns"]) if arrays["turns"].ndim else 0
    places = (board.rows + 2) * (board.columns + 2)
    shapes = {"stones": (count, places), "policy": (count, board.size)}
    for name, kind in DTYPES.items():
        array = arrays[name]
        if array.dtype != kind or array.shape != shapes.get(name, (count,)):
            return name
        least, most = -1 if name == "lasts" else 0, LARGEST.get(name, places - 1)
        if not ((least <= array) & (array <= most)).all():
            return name
    return None

"""Collect puzzles of many games: no two alike, a quota for each grade, the same for any workers."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hsearch.game import Game
from player.experiment.self_play import SelfPlay
from player.puzzle.find import Puzzle, PuzzleSearch, puzzles_of
from player.puzzle.grade import grade


@dataclass(frozen=True, slots=True)
class PuzzleSource:
    """A source of puzzles: a game that was read, or one that is to be played.

    source  what the suite says of it
    """

    source: str
    game: Game | None = None
    play: SelfPlay | None = None
    number: int = 0

    def puzzles(self, search: PuzzleSearch) -> list[Puzzle]:
        """Return its puzzles, from the end of the game backward."""
        game = self.game
        if game is None:
            assert self.play is not None  # noqa: S101 - one of the two is there
            game = self.play.game(self.number)
        return list(puzzles_of(game, search))


class Collection:
    """Puzzles that were taken. Holds state: what was seen, and how many of each kind."""

    def __init__(self, per_grade: int | None = None) -> None:
        """Begin with nothing; `per_grade` is the most of one grade on one board."""
        self.per_grade = per_grade
        self._seen: set[object] = set()
        self._counts: Counter[object] = Counter()

    def taken(self, puzzles: Iterable[Puzzle]) -> Iterator[tuple[Puzzle, int]]:
        """Yield those of a game that are new, one of a grade, with their numbers in it."""
        grades: set[int] = set()
        for puzzle in puzzles:
            level = grade(puzzle.measures)
            kind = puzzle.position.board, level
            full = self.per_grade is not None and self._counts[kind] >= self.per_grade
            if level in grades or full or puzzle.signature in self._seen:
                continue
            grades.add(level)
            self._seen.add(puzzle.signature)
            self._counts[kind] += 1
            yield puzzle, self._counts[kind]

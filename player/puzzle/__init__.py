"""Proved puzzles: positions of games in which hardly any move wins, found, graded, written."""

from player.puzzle.find import Puzzle, PuzzleSearch, puzzles_of
from player.puzzle.grade import GRADES, Measures, grade, measured
from player.puzzle.same import signature
from player.puzzle.suite import entry_text

__all__ = [
    "GRADES",
    "Measures",
    "Puzzle",
    "PuzzleSearch",
    "entry_text",
    "grade",
    "measured",
    "puzzles_of",
    "signature",
]

"""Grade of a puzzle, from 1 to 5, by numbers that anybody can count again.

Four things make a puzzle hard: other moves that look as good, a long proof, a
deep one, and that the two rules of H-search do not see the win at once. Each
adds to a score, and the score decides the grade.
"""

import math
from dataclasses import dataclass
from typing import Any

from hsearch.analysis import Analysis
from hsearch.board import Cell
from hsearch.files import strict

GRADES = range(1, 6)
BOUNDS = (0.5, 2.5, 5.0, 7.0)  # of the score, between the grades
NEAR = 0.8  # of the flow of the winning move, from which another looks as good


@dataclass(frozen=True, slots=True)
class Measures:
    """Numbers that make the grade.

    looks  empty cells that look about as good as the winning move, by weak links
    size   positions of the proof, and `steps` derived connections in them
    depth  how many moves of the loser the proof follows, one after the other
    seen   whether the two rules see the win at once
    """

    looks: int
    size: int
    depth: int
    seen: bool

    @property
    def score(self) -> float:
        """Difficulty of the puzzle."""
        unseen = 0.0 if self.seen else 1.5
        return (
            0.6 * math.log2(1 + self.looks) + 0.6 * math.log2(self.size) + self.depth / 2 + unseen
        )


def grade(measures: Measures) -> int:
    """Return the grade, from 1, the easiest, to 5."""
    return 1 + sum(measures.score >= bound for bound in BOUNDS)


def measured(analysis: Analysis, wins: tuple[Cell, ...], proof: str) -> Measures:
    """Return what is counted of a puzzle, whose winning moves and written proof are known."""
    flows = dict(analysis.circuits.weak_links)
    best = max(flows[cell] for cell in wins)
    looks = sum(flow >= NEAR * best for cell, flow in flows.items() if cell not in wins)
    size, depth = _extent(proof)
    return Measures(looks, size, depth, analysis.winner is analysis.position.turn)


def _extent(proof: str) -> tuple[int, int]:
    """Return how many positions a proof has, and how deep it is."""
    head, *lines = (strict.read(line, dict[str, Any]) for line in proof.splitlines())
    depths: list[int] = []
    for line in lines:
        below = [depths[number - 1] for _, number in line.get("replies", {}).values()]
        depths.append(1 + max(below) if below else 0)
    return len(lines), depths[head["root"] - 1]

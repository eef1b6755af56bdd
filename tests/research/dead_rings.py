"""Derive by trying everything which rings of six neighbors make a cell dead.

As a program it prints the table that hsearch ships::

    python tests/research/dead_rings.py > hsearch/connect/dead.txt

A ring is written as six characters in cyclic order: `B` and `W` are stones, `.` is an empty cell.
A cell is dead if its color never matters, however the board is filled. With all six neighbors
colored, it matters only if the neighbors of one color are not connected around it. Then the rest
of the board may connect one part to one edge and the other part to the other edge, and the cell
decides whether they meet. If the neighbors of each color are connected around the cell, any path
through the cell can go around it instead.
"""

from itertools import product

EMPTY, BLACK, WHITE = ".BW"
NEIGHBORS = 6


def is_dead(ring: str) -> bool:
    """Return whether the cell matters in no filling of its empty neighbors."""
    choices = (stone if stone != EMPTY else BLACK + WHITE for stone in ring)
    return not any(matters(filled) for filled in product(*choices))


def matters(filled: tuple[str, ...]) -> bool:
    """Return whether a cell can matter when all its neighbors are colored."""
    changes = sum(stone != filled[place - 1] for place, stone in enumerate(filled))
    return changes > 2


def smallest_dead_rings() -> list[str]:
    """Return the dead rings from which no stone can be removed, in order."""
    dead = {"".join(ring) for ring in product(EMPTY + BLACK + WHITE, repeat=NEIGHBORS)}
    dead = {ring for ring in dead if is_dead(ring)}
    return sorted(ring for ring in dead if dead.isdisjoint(_with_one_less(ring)))


def _with_one_less(ring: str) -> list[str]:
    return [
        ring[:place] + EMPTY + ring[place + 1 :]
        for place, stone in enumerate(ring)
        if stone != EMPTY
    ]


if __name__ == "__main__":
    print("# Rings that make a cell dead, whoever fills the empty places.")  # noqa: T201 - its output
    print("# Made by: python tests/research/dead_rings.py")  # noqa: T201 - its output
    print(*smallest_dead_rings(), sep="\n")  # noqa: T201 - its output

"""Derive which sets of cells are captured, by playing them out in all surroundings.

Run as a program it prints the table that lies beside it::

    python -m hsearch.inferior.derive_captured > hsearch/inferior/captured.txt

A set of empty cells is captured by a player who, moving second, can see to it
that the opponent's stones in it can become theirs one after the other, each dead
by then. Then it may be filled with their stones. Whether a cell is dead is told
by the rings of `dead.txt`, so that only the neighbors of the set matter. Pairs
are left to `fill_in`, which tries them by itself; a set in which a single cell
or a pair can be filled is no news.

A line of the table is a set and what has to lie around it, as steps right and
down from its first cell: `captured`, its cells, `own`, `opponent`. Each stone
in it is needed. The other cells around may be anything. Turns and reflections
are left out, and so is the same for the other color.
"""

import sys
from collections.abc import Iterator
from functools import cache
from itertools import product

from hsearch.board import DIRECTIONS
from hsearch.inferior.derive import is_dead

Step = tuple[int, int]
Stones = dict[Step, str]

EMPTY, OWN, OPPONENT = ".", "B", "W"
LARGEST = 4


def around(cell: Step) -> list[Step]:
    """Return the six cells around a cell, in cyclic order."""
    return [(cell[0] + right, cell[1] + down) for right, down in DIRECTIONS]


def shapes(size: int) -> list[tuple[Step, ...]]:
    """Return the connected sets of this many cells, one of those that turns make of each other."""
    grown: set[tuple[Step, ...]] = {((0, 0),)}
    for _ in range(size - 1):
        grown = {
            smallest_turn((*shape, cell))
            for shape in grown
            for place in shape
            for cell in around(place)
            if cell not in shape
        }
    return sorted(grown)


def turns(cell: Step) -> Iterator[Step]:
    """Yield where the six turns of the board around a cell, and their reflections, put another."""
    right, down = cell
    for _ in range(6):
        yield right, down
        yield down, right
        right, down = -down, right + down


def smallest_turn(shape: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the first of all turns of a set, its first cell at the origin."""
    return min(map(_at_origin, zip(*map(turns, shape), strict=True)))


def _at_origin(cells: tuple[Step, ...]) -> tuple[Step, ...]:
    first = min(cells)
    return tuple(sorted((right - first[0], down - first[1]) for right, down in cells))


@cache
def _is_dead(ring: str) -> bool:
    return is_dead(ring)


def is_captured(shape: tuple[Step, ...], surrounding: Stones) -> bool:
    """Return whether the owner, moving second in a set, makes all of it theirs or dead."""
    rings = [
        [shape.index(cell) if cell in shape else surrounding.get(cell, EMPTY) for cell in around(c)]
        for c in shape
    ]

    def dead(place: int, colors: str) -> bool:
        return _is_dead("".join(x if isinstance(x, str) else colors[x] for x in rings[place]))

    def turned(colors: str) -> str:
        """Return the colors after one dead stone after the other has become the owner's."""
        for place, color in enumerate(colors):
            if color == OPPONENT and dead(place, colors):
                return turned(_put(colors, place, OWN))
        return colors

    @cache
    def holds(colors: str) -> bool:
        """Return whether it is, with the opponent to move."""
        left = [place for place, color in enumerate(colors) if color == EMPTY]
        if not left:
            return turned(colors) == OWN * len(colors)
        return all(_answered(_put(colors, place, OPPONENT)) for place in left)

    def _answered(colors: str) -> bool:
        replies = (place for place, color in enumerate(colors) if color == EMPTY)
        return any(holds(_put(colors, place, OWN)) for place in replies) or holds(colors)

    return holds(EMPTY * len(shape))


def _put(colors: str, place: int, color: str) -> str:
    return colors[:place] + color + colors[place + 1 :]


def patterns(size: int) -> Iterator[tuple[tuple[Step, ...], Stones]]:
    """Yield the captured sets of a size, each with the least stones around that make it one."""
    for shape in shapes(size):
        rim = sorted({cell for place in shape for cell in around(place)} - set(shape))
        full = {
            colors: is_captured(shape, dict(zip(rim, colors, strict=True)))
            for colors in product(OWN + OPPONENT, repeat=len(rim))
        }
        seen: set[tuple[tuple[Step, str], ...]] = set()
        for colors in product(EMPTY + OWN + OPPONENT, repeat=len(rim)):
            fillings = (
                tuple(filling if color == EMPTY else color for color in colors)
                for filling in (OWN, OPPONENT)
            )
            if not all(full[filling] for filling in fillings):
                continue  # the rest may be anything
            stones = {
                cell: color for cell, color in zip(rim, colors, strict=True) if color != EMPTY
            }
            if not is_captured(shape, stones):
                continue
            fewer = ({c: s for c, s in stones.items() if c != cell} for cell in stones)
            if any(is_captured(shape, some) for some in fewer) or _is_known(shape, stones):
                continue
            name = _name(shape, stones)
            if name not in seen:
                seen.add(name)
                yield shape, stones


def _is_known(shape: tuple[Step, ...], stones: Stones) -> bool:
    """Return whether a part of a set is captured, or dead, by itself."""
    parts = range(1, 2 ** len(shape) - 1)
    subsets = (tuple(c for n, c in enumerate(shape) if part >> n & 1) for part in parts)
    return any(is_captured(some, stones) for some in subsets)


def _name(shape: tuple[Step, ...], stones: Stones) -> tuple[tuple[Step, str], ...]:
    """Return the same for all turns of a set onto itself with its stones."""
    things = {**dict.fromkeys(shape, EMPTY), **stones}
    found = []
    for places in zip(*map(turns, things), strict=True):
        of_shape = places[: len(shape)]
        first = min(of_shape)
        moved = [(right - first[0], down - first[1]) for right, down in places]
        found.append(tuple(sorted(zip(moved, things.values(), strict=True))))
    return min(found)


def line(shape: tuple[Step, ...], stones: Stones) -> str:
    """Return a line of the table."""
    parts = ["captured", *map(_word, shape)]
    for name, color in (("own", OWN), ("opponent", OPPONENT)):
        cells = sorted(cell for cell, stone in stones.items() if stone == color)
        parts += [name, *map(_word, cells)] if cells else []
    return " ".join(parts)


def _word(cell: Step) -> str:
    return f"{cell[0]},{cell[1]}"


if __name__ == "__main__":
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else LARGEST
    print("# Sets of cells that their owner captures, and the stones around them.")  # noqa: T201 - its output
    print("# Made by: python -m hsearch.inferior.derive_captured")  # noqa: T201 - its output
    for number in range(3, largest + 1):
        for found in patterns(number):
            print(line(*found))  # noqa: T201 - its output

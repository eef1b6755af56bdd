"""Hex by brute force, sharing no code with the package: the winner, and connected points.

Cells are numbered row by row, and a set of cells is an integer with one bit per cell. Colors are
the words `black`, which connects north and south, and `white`, which connects west and east.
"""

from functools import cache

AROUND = (1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)
OTHER = {"black": "white", "white": "black"}
EDGES = {"black": ("north", "south"), "white": ("west", "east")}


class PlainHex:
    """The rules on a board, and all results for its positions. Holds state."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows, self.size = columns, rows, columns * rows
        self.everything = (1 << self.size) - 1
        self.names = [f"{chr(97 + c)}{r + 1}" for r in range(rows) for c in range(columns)]
        self.touching = [
            sum(
                1 << (row + down) * columns + column + right
                for right, down in AROUND
                if 0 <= column + right < columns and 0 <= row + down < rows
            )
            for row in range(rows)
            for column in range(columns)
        ]
        places = range(self.size)
        self.edge_cells = {
            "north": sum(1 << n for n in places if n < columns),
            "south": sum(1 << n for n in places if n >= self.size - columns),
            "west": sum(1 << n for n in places if n % columns == 0),
            "east": sum(1 << n for n in places if n % columns == columns - 1),
        }
        self._chains: dict[tuple[str, int], bool] = {}
        self._winners: dict[tuple[int, int, str], str] = {}

    @property
    def known(self) -> int:
        """Return how many positions are remembered."""
        return len(self._winners)

    def forget(self) -> None:
        """Forget all positions."""
        self._winners.clear()

    def cells(self, cells: int) -> list[int]:
        """Return the numbers of the cells of a set."""
        return [n for n in range(self.size) if cells >> n & 1]

    def named(self, cells: int) -> list[str]:
        """Return the names of the cells of a set."""
        return [self.names[n] for n in self.cells(cells)]

    def set_of(self, names: list[str]) -> int:
        """Return the set of named cells."""
        return sum(1 << self.names.index(name) for name in set(names))

    def reach(self, start: int, stones: int) -> int:
        """Return the stones that can be reached from `start` through adjacent stones."""
        reached = start & stones
        while True:
            more = reached
            for n in self.cells(reached):
                more |= self.touching[n]
            if more & stones == reached:
                return reached
            reached = more & stones

    def has_chain(self, color: str, stones: int) -> bool:
        """Return whether stones connect both edges of their player."""
        known = self._chains.get((color, stones))
        if known is None:
            first, second = (self.edge_cells[edge] for edge in EDGES[color])
            known = self._chains[color, stones] = bool(self.reach(first, stones) & second)
        return known

    def winner(self, black: int, white: int, turn: str) -> str:
        """Return the player who wins, or has won, by trying every move."""
        key = black, white, turn
        known = self._winners.get(key)
        if known is None:
            known = self._winners[key] = self._winner(black, white, turn)
        return known

    def _winner(self, black: int, white: int, turn: str) -> str:
        for color, stones in (("black", black), ("white", white)):
            if self.has_chain(color, stones):
                return color
        for n in self.cells(self.everything & ~(black | white)):
            bit = 1 << n
            after = (black | bit, white) if turn == "black" else (black, white | bit)
            if self.winner(*after, OTHER[turn]) == turn:
                return turn
        return OTHER[turn]

    def holds(self, color: str, stones: int, cells: int) -> bool:
        """Return whether a player with some stones, moving second, wins inside some cells.

        All other stones are the opponent's.
        """
        rest = self.everything & ~(stones | cells)
        black, white = (stones, rest) if color == "black" else (rest, stones)
        return self.winner(black, white, OTHER[color]) == color

    def joins(
        self,
        color: str,
        stones: int,
        ends: tuple[int | str, int | str],
        cells: int,
        key: int | None,
    ) -> bool:
        """Return whether a player can join two ends inside some cells, the opponent moving first.

        An end is a cell or the name of an edge; an empty one counts as the player's. With a `key`,
        the player has already moved there.
        """
        stones |= sum(1 << end for end in set(ends) if isinstance(end, int))
        if key is not None:
            stones, cells = stones | 1 << key, cells & ~(1 << key)

        @cache
        def wins(own: int, free: int) -> bool:
            """Return whether the player joins the ends if the opponent is to move."""
            if self._are_joined(color, own, ends) or not self._are_joined(color, own | free, ends):
                return self._are_joined(color, own, ends)
            return all(
                any(wins(own | 1 << n, left & ~(1 << n)) for n in self.cells(left))
                for left in (free & ~(1 << m) for m in self.cells(free))
            )

        return wins(stones, cells)

    def _are_joined(self, color: str, own: int, ends: tuple[int | str, int | str]) -> bool:
        """Return whether stones join two ends; a player's edge joins all its adjacent stones."""
        touched, reached = {ends[0]}, -1
        while True:
            start = 0
            for end in touched:
                start |= self.edge_cells[end] if isinstance(end, str) else 1 << end
            found = self.reach(start, own)
            if found == reached:
                last = ends[1]
                return last in touched or (isinstance(last, int) and bool(found >> last & 1))
            reached = found
            touched |= {edge for edge in EDGES[color] if reached & self.edge_cells[edge]}

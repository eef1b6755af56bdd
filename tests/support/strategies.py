"""Hypothesis strategies for the values of the project.

Strategies that are drawn from are made once: hypothesis examines each new one, which takes a
quarter of the time of an example.
"""

from functools import cache

from hypothesis import strategies as st

from hsearch.connect.limits import Limits
from hsearch.hex.board import Board, Color, cell_set
from hsearch.hex.position import Position, winner

COLORS = st.sampled_from(Color)


@cache
def boards(max_side: int = 4, *, square: bool = False) -> st.SearchStrategy[Board]:
    """Return boards, square or of any sides."""
    sides = st.integers(1, max_side)
    return sides.map(lambda n: Board(n, n)) if square else st.builds(Board, sides, sides)


@cache
def owners(stones: str, cells: int) -> st.SearchStrategy[list[str]]:
    """Return the owners of so many cells, each one of the letters."""
    return st.lists(st.sampled_from(stones), min_size=cells, max_size=cells)


@st.composite
def positions(
    draw: st.DrawFn, max_side: int = 4, *, square: bool = False, stones: str = "...BW"
) -> Position:
    """Return positions with any stones, not always equal in number.

    Most cells are empty: on a crowded board nearly every carrier is empty, and a broken rule stays
    unseen.
    """
    board = draw(boards(max_side, square=square))
    owner = draw(owners(stones, board.size))
    black, white = (
        cell_set((cell for cell, stone in enumerate(owner) if stone == color), board.size)
        for color in "BW"
    )
    return Position(board, black, white, draw(COLORS))


@st.composite
def early_positions(draw: st.DrawFn, sides: tuple[int, int] = (4, 6)) -> Position:
    """Return early positions on boards of about 5x5, often undecided, often with threats."""
    board = Board(draw(st.integers(*sides)), draw(st.integers(*sides)))
    cells = draw(st.permutations(board.cells))
    black, white = draw(st.integers(0, 4)), draw(st.integers(0, 4))
    return Position(
        board,
        board.only(*cells[:black]),
        board.only(*cells[black : black + white]),
        draw(COLORS),
    )


@st.composite
def played_positions(draw: st.DrawFn, board: Board, least: int = 0) -> Position:
    """Return positions after at least `least` random moves, in which nobody has won."""
    position = Position.of(board)
    for cell in draw(st.permutations(board.cells))[: draw(st.integers(least, board.size - 2))]:
        after = position.play(cell)
        if winner(after) is not None:
            break
        position = after
    return position


def limits() -> st.SearchStrategy[Limits]:
    """Return limits for both engines that take effect even on small boards."""
    return st.builds(
        Limits,
        M=st.integers(1, 8),
        semis=st.one_of(st.none(), st.integers(1, 20)),
        K=st.integers(1, 5),
        edge_pivot=st.booleans(),
        greedy_union=st.booleans(),
        shrinking=st.booleans(),
    )

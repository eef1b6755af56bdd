"""Shortest wins: found, as JSON, in sentences, and as a picture with numbered moves."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from hsearch.hex import Cell, CellSet, Position
from hsearch.render import svg
from hsearch.render.text import Marks, quantity
from player.answers.memory import MEMORY
from player.answers.objects import number, position_object, word
from player.solve.shortest import ShortestSearch, ShortestWin
from player.solve.solver import NOT_SOLVED, UNLESS_SWAPPED


def find_shortest(
    position: Position,
    *,
    every: bool = False,
    seconds: float | None = None,
    megabytes: int = 1000,
    on_step: Callable[[int, int], object] = lambda _least, _nodes: None,
    before_swap: bool = False,
) -> ShortestWin:
    """Return the win with the fewest stones, with one first move or every one, and its line.

    An earlier proof names the winner. `on_step` receives each new lower bound of the stones, and
    the number of positions so far. `before_swap` marks a win that a swap may still exchange.
    Raise ValueError for a board that is too large.
    """
    search = ShortestSearch(position.board, memory=megabytes)
    proved = MEMORY.recall(position)
    win = search.solve(
        position,
        every=every,
        seconds=seconds,
        won_by=None if proved is None else proved.winner,
        on_step=lambda least: on_step(least, search.nodes),
    )
    return replace(win, before_swap=before_swap)


def shortest_object(win: ShortestWin) -> dict[str, Any]:
    """Return a shortest win as a JSON object."""
    name = win.position.board.name
    return {
        "schema": "hsearch/shortest/1",
        "position": position_object(win.position),
        "winner": word(win.winner),
        "stones": win.stones,
        "plies": win.plies,
        "least": win.least,
        "winning_moves": list(map(name, win.moves)),
        "complete": win.complete,
        "line": list(map(name, win.line)),
        "nodes": win.nodes,
        "seconds": number(win.seconds),
        "before_swap": win.before_swap,
    }


def sentences(win: ShortestWin, *, every: bool = False) -> Iterator[str]:
    """Yield who wins with how many stones, and the line; `every` if all moves were wanted."""
    first, *more = _sentences(win, every=every)
    yield UNLESS_SWAPPED * (win.before_swap and win.winner is not None) + first
    yield from more


def _sentences(win: ShortestWin, *, every: bool) -> Iterator[str]:
    name = win.position.board.name
    if win.winner is None:
        yield NOT_SOLVED
        return
    won_by = win.winner.title
    if win.stones is None:
        yield f"{won_by} wins, and needs at least {quantity(win.least, 'stone')}: the time was up."
        return
    if not win.stones:
        yield f"{won_by} has won."
        return
    fewer = "" if win.stones == 1 else " and no fewer"
    moves = quantity(win.plies or 0, "move")
    start = f"{won_by} wins with {quantity(win.stones, 'stone')}{fewer}, in {moves} of both"
    if win.moves:
        yield f"{start}: {' or '.join(map(name, win.moves))}."
    else:
        yield f"{start}, whatever {win.position.turn.title} does."
    if every and win.moves and not win.complete:
        yield "There was no time for the other moves: more of them may win as soon."
    if len(win.line) > 1:
        cut = "" if len(win.line) == win.plies else " ..."
        yield f"Against the longest defense: {' '.join(map(name, win.line))}{cut}"


def text(win: ShortestWin) -> str:
    """Return the answer in sentences."""
    return "\n".join(sentences(win))


def marks(win: ShortestWin) -> Marks:
    """Return the line as numbers on its cells, and the first moves shaded."""
    return Marks(
        labels=numbers(win), shade=first_moves(win), shade_as="first moves of a shortest win"
    )


def numbers(win: ShortestWin) -> dict[Cell, str]:
    """Return the number of each move of the line, by cell."""
    return {cell: str(place) for place, cell in enumerate(win.line, 1)}


def first_moves(win: ShortestWin) -> CellSet:
    """Return the first moves of the shortest wins."""
    return win.position.board.only(*win.moves)


def final_position(win: ShortestWin) -> Position:
    """Return the position after the line."""
    position = win.position
    for cell in win.line:
        position = position.play(cell)
    return position


def picture(win: ShortestWin) -> str:
    """Return a picture of the board after the line, with its stones numbered."""
    return svg.write(final_position(win), Marks(labels=numbers(win)), title=next(sentences(win)))

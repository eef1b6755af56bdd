"""Cells that do not matter, as marks on a board and as lines of text."""

from collections.abc import Mapping

from hsearch.board import Board, Cell, Color
from hsearch.cells import CellSet
from hsearch.inferior import FillIn, dominated, fill_in, reversible, vulnerable
from hsearch.position import Position
from hsearch.render import Marks

DEAD, VULNERABLE, REVERSIBLE, DOMINATED = "d", "v", "r", "-"
CAPTURED = {Color.BLACK: "b", Color.WHITE: "w"}
KINDS = {
    CAPTURED[Color.WHITE]: "captured by White",
    CAPTURED[Color.BLACK]: "captured by Black",
    DEAD: "dead",
    VULNERABLE: "vulnerable",
    REVERSIBLE: "reversible",
    DOMINATED: "dominated",
}


def inferior_marks(
    position: Position, last: Cell | None, *, turn_is_known: bool
) -> tuple[Marks, list[str]]:
    """Return a letter for each inferior cell, and a line for each kind of them."""
    board = position.board
    filled = fill_in(position)
    labels: dict[Cell, str] = {}
    lines = []

    def add(letter: str, cells: list[Cell], text: str) -> None:
        fresh = [cell for cell in cells if cell not in labels]
        labels.update(dict.fromkeys(fresh, letter))
        if fresh:
            lines.append(f"{letter}  {text}")

    dead = filled.dead
    add(DEAD, list(dead.search(1)), f"dead, of no use to anyone: {_names(board, dead)}")
    for color, letter in CAPTURED.items():
        cells = filled.captured(color)
        text = f"captured by {color.word}, as good as {color.word} stones: {_names(board, cells)}"
        add(letter, list(cells.search(1)), text)
    takes = _carriers(board, filled)
    if takes:
        lines.append(f"   who counts on one as a stone has to answer in {takes}")
    mover = position.turn.word
    if not turn_is_known:
        lines.append("   which others are inferior depends on who is to move: say --turn")
        return _marks(last, labels), lines
    undone = reversible(filled.position)  # the vulnerable moves are among them
    for letter, found, why in (
        (VULNERABLE, vulnerable(filled.position), f"vulnerable, a reply makes {mover}'s move dead"),
        (REVERSIBLE, undone, f"reversible, a reply undoes {mover}'s move"),
        (DOMINATED, dominated(position, undone), f"dominated, {mover} has a better move"),
    ):
        news = {cell: by for cell, by in found.items() if cell not in labels}
        add(letter, list(news), f"{why}: {_pairs(board, news)}")
    return _marks(last, labels), lines or ["No inferior cells are known."]


def _marks(last: Cell | None, labels: Mapping[Cell, str]) -> Marks:
    """Return the letters, with a tint for each kind of cell and its name in the legend."""
    kinds = tuple(KINDS)
    return Marks(
        last=last,
        labels=labels,
        tints={cell: kinds.index(letter) for cell, letter in labels.items()},
        tint_names=tuple(f"{letter}  {name}" for letter, name in KINDS.items()),
    )


def _names(board: Board, cells: CellSet) -> str:
    return " ".join(board.names(cells))


def _carriers(board: Board, filled: FillIn) -> str:
    """Return what filled stones cost, those together that cost the same."""
    alike: dict[CellSet, list[Cell]] = {}
    for cell in sorted(filled.costs):
        alike.setdefault(filled.carrier(cell), []).append(cell)
    return "; ".join(
        f"{_names(board, carrier)} for {' '.join(map(board.name, cells))}"
        for carrier, cells in alike.items()
        if carrier.any()
    )


def _pairs(board: Board, found: Mapping[Cell, Cell]) -> str:
    return " ".join(f"{board.name(cell)}({board.name(by)})" for cell, by in sorted(found.items()))

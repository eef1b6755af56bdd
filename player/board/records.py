"""Positions and games as the page has them, read strictly.

Cells go by name. A game is its tree: nodes in the order of a walk that finishes
one variation before it starts the next, each with the number of its parent.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from hsearch.formats.sgf_tree import text_of
from hsearch.hex.board import Board, Cell, Color
from hsearch.hex.game import Game, Move, Node, Special, check
from hsearch.hex.position import Position

MAX_SIDE = 19
MAX_NODES = 10_000

ColorWord: TypeAlias = Literal["black", "white"]
_SPECIAL = {special.value: special for special in Special}
# Marks of SGF that the page draws, by property.
_MARKS = {"TR": "triangle", "SQ": "square", "CR": "circle", "MA": "cross", "SL": "square"}


@dataclass(frozen=True, slots=True)
class Stones:
    """A position; what `--json` calls one, whose turn it is included."""

    columns: int
    rows: int
    black: list[str]
    white: list[str]
    turn: ColorWord

    def position(self) -> Position:
        """Return the position. Raise ValueError when there is no such board or cell."""
        return Position.of(
            board_of(self.columns, self.rows),
            black=self.black,
            white=self.white,
            turn=Color.named(self.turn),
        )


@dataclass(frozen=True, slots=True)
class Step:
    """A node of a game: a move, stones set up, what was written about them."""

    parent: int = -1
    color: ColorWord | None = None
    move: str | None = None
    black: list[str] = field(default_factory=list)
    white: list[str] = field(default_factory=list)
    cleared: list[str] = field(default_factory=list)
    turn: ColorWord | None = None
    comment: str = ""
    properties: list[tuple[str, list[str]]] = field(default_factory=list)

    def node(self, board: Board) -> Node:
        """Return the node of a game. Raise ValueError when it names no cell of the board."""
        move = None
        if self.color is not None and self.move is not None:
            move = Move(Color.named(self.color), _action(self.move, board))
        return Node(
            self.parent,
            move,
            _cells(self.black, board),
            _cells(self.white, board),
            _cells(self.cleared, board),
            None if self.turn is None else Color.named(self.turn),
            self.comment,
            tuple((name, tuple(values)) for name, values in self.properties),
        )


@dataclass(frozen=True, slots=True)
class Record:
    """A whole game."""

    columns: int
    rows: int
    nodes: list[Step]
    info: list[tuple[str, str]] = field(default_factory=list)
    cursor: int | None = None

    def game(self) -> Game:
        """Return the game. Raise ValueError when it is none, or breaks a rule."""
        if not 1 <= len(self.nodes) <= MAX_NODES:
            raise ValueError(f"a game of {len(self.nodes)} nodes: at most {MAX_NODES} are read")
        board = board_of(self.columns, self.rows)
        nodes = tuple(step.node(board) for step in self.nodes)
        game = Game(board, nodes, tuple(self.info), self.cursor)
        check(board, nodes)
        return game


def board_of(columns: int, rows: int) -> Board:
    """Return a board. Raise ValueError when the page shows none that large, or there is none."""
    if max(columns, rows) > MAX_SIDE:
        raise ValueError(f"a board of {columns}x{rows}: the page shows up to {MAX_SIDE}x{MAX_SIDE}")
    return Board(columns, rows)


def record_object(game: Game) -> dict[str, Any]:
    """Return a game in the JSON of the page. Raise ValueError when it is too large for the page."""
    board_of(game.board.columns, game.board.rows)
    if len(game.nodes) > MAX_NODES:
        raise ValueError(f"a game of {len(game.nodes)} nodes: the page shows up to {MAX_NODES}")
    return {
        "columns": game.board.columns,
        "rows": game.board.rows,
        "nodes": [_node_object(node, game.board) for node in game.nodes],
        "info": [list(entry) for entry in game.info],
        "cursor": game.cursor,
    }


def _node_object(node: Node, board: Board) -> dict[str, Any]:
    def names(cells: tuple[Cell, ...]) -> list[str]:
        return list(map(board.name, cells))

    return {
        "parent": node.parent,
        "color": None if node.move is None else node.move.color.word,
        "move": None if node.move is None else node.move.name(board),
        "black": names(node.black),
        "white": names(node.white),
        "cleared": names(node.cleared),
        "turn": None if node.turn is None else node.turn.word,
        "comment": node.comment,
        "properties": [[name, list(values)] for name, values in node.properties],
        "marks": list(_marks(node, board)),
    }


def _marks(node: Node, board: Board) -> Iterator[dict[str, str]]:
    """Yield the marks that a file has on cells; one on no cell of the board is passed over."""
    for name, values in node.properties:
        for value in values:
            place, _, text = value.partition(":")
            try:
                cell = board.name(board.cell(place))
            except ValueError:
                continue
            if name == "LB":
                yield {"cell": cell, "shape": "label", "text": text_of(text)[:3]}
            elif name in _MARKS:
                yield {"cell": cell, "shape": _MARKS[name], "text": ""}


def _action(word: str, board: Board) -> Cell | Special:
    return _SPECIAL[word] if word in _SPECIAL else board.cell(word)


def _cells(names: list[str], board: Board) -> tuple[Cell, ...]:
    return tuple(map(board.cell, names))

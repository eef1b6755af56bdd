"""Positions and games as the page exchanges them, read strictly.

Cells have names. A game is a tree: its nodes in depth-first order, each with the number of its
parent. The page does not know the rules, so each node that it gets has its state: the changes on
the board, the player to move, and whether the move may be a swap.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from hsearch.formats.sgf_tree import text_of
from hsearch.hex import Board, Cell, Color, Game, GameNode, Move, Position, Special, winner
from hsearch.hex.tree import TurnUnknownError, check, follow, turn_by_parity
from player.answers.objects import word
from player.variants.plain import may_swap

MAX_SIDE = 19
MAX_NODES = 10_000

ColorWord: TypeAlias = Literal["black", "white"]
_SPECIAL = {special.value: special for special in Special}
# Marks of SGF that the page draws, by property.
_MARKS = {"TR": "triangle", "SQ": "square", "CR": "circle", "MA": "cross", "SL": "square"}


@dataclass(frozen=True, slots=True)
class PositionObject:
    """A position, as in `--json`; the turn is required."""

    columns: int
    rows: int
    black: list[str]
    white: list[str]
    turn: ColorWord

    def position(self) -> Position:
        """Return the position. Raise ValueError when the board or a cell is invalid."""
        return Position.of(
            board_of(self.columns, self.rows),
            black=self.black,
            white=self.white,
            turn=Color.named(self.turn),
        )


@dataclass(frozen=True, slots=True)
class Step:
    """A node of a game: a move, stones set up, and a comment."""

    parent: int = -1
    color: ColorWord | None = None
    move: str | None = None
    black: list[str] = field(default_factory=list)
    white: list[str] = field(default_factory=list)
    cleared: list[str] = field(default_factory=list)
    turn: ColorWord | None = None
    comment: str = ""
    properties: list[tuple[str, list[str]]] = field(default_factory=list)

    def node(self, board: Board) -> GameNode:
        """Return the node. Raise ValueError when a cell is not on the board."""
        move = None
        if self.color is not None and self.move is not None:
            move = Move(Color.named(self.color), _action(self.move, board))
        return GameNode(
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
        """Return the game. Raise ValueError when it is malformed or breaks a rule."""
        if not 1 <= len(self.nodes) <= MAX_NODES:
            raise ValueError(f"a game of {len(self.nodes)} nodes: at most {MAX_NODES} are read")
        board = board_of(self.columns, self.rows)
        nodes = tuple(step.node(board) for step in self.nodes)
        game = Game(board, nodes, tuple(self.info), self.cursor)
        check(board, nodes)
        return game


@dataclass(frozen=True, slots=True)
class PositionQuestion:
    """A question with a position as its only field."""

    position: PositionObject


@dataclass(frozen=True, slots=True)
class GameQuestion:
    """A question with a game as its only field."""

    game: Record


def board_of(columns: int, rows: int) -> Board:
    """Return a board. Raise ValueError when the size is invalid or too large for the page."""
    if max(columns, rows) > MAX_SIDE:
        raise ValueError(f"a board of {columns}x{rows}: the page shows up to {MAX_SIDE}x{MAX_SIDE}")
    return Board(columns, rows)


def record_object(game: Game) -> dict[str, Any]:
    """Return a game as a JSON object for the page, each node with its marks and its state.

    If the record does not determine who moves first, that is Black, and `guessed` is true. Raise
    ValueError when the game is too large for the page.
    """
    guessed = _tells_no_turn(game)
    if guessed:
        first, *others = game.nodes
        game = replace(game, nodes=(replace(first, turn=Color.BLACK), *others))
    record = page_record(game)
    for step, node, state in zip(record["nodes"], game.nodes, states(game), strict=True):
        step |= {"marks": list(_marks(node, game.board)), "state": state}
    return record | {"guessed": guessed}


def page_record(game: Game) -> dict[str, Any]:
    """Return a game as the page sends it, the JSON of `Record`. Raise ValueError if too large."""
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


def states(game: Game) -> list[dict[str, Any]]:
    """Return the state after each node, by the rules.

    set    the new color of each cell that the node changes, null if it is emptied
    turn   the player to move; Black if unknown
    moves  the number of moves so far
    last   the cell of the last stone
    swap   whether the next move may be a swap
    """
    board, name = game.board, game.board.name
    places = list[_Place]()
    states = []
    for node, following in zip(game.nodes, _following(game.nodes), strict=True):
        before = places[node.parent] if node.parent >= 0 else _Place(Position.of(board))
        after = before.then(node)
        places.append(after)
        position = replace(after.position, turn=after.turn(following))
        old = before.position
        difference = (old.black ^ position.black) | (old.white ^ position.white)
        states.append(
            {
                "set": {name(cell): word(position.color_at(cell)) for cell in difference.search(1)},
                "turn": position.turn.word,
                "moves": after.moves,
                "last": None if after.last is None else name(after.last),
                "swap": after.moves == 1 and may_swap(position) and winner(position) is None,
            }
        )
    return states


@dataclass(frozen=True, slots=True)
class _Place:
    """The state of a line of a game after some nodes.

    next_color  the player to move by the record so far; None if it does not determine that
    moves       the number of moves
    last        the cell of the last stone
    """

    position: Position
    next_color: Color | None = None
    moves: int = 0
    last: Cell | None = None

    def then(self, node: GameNode) -> "_Place":
        """Return the place after one more node. Raise IllegalMoveError if it is illegal."""
        position, move = follow(self.position, node), node.move
        color = self.next_color if node.turn is None else node.turn
        if move is None:
            return replace(self, position=position, next_color=color)
        last = self.last if move.cell is None else move.cell
        if move.special is Special.SWAP_PIECES:
            last = next(iter(position.stones(move.color).search(1)))
        color = color if move.gives_up and color is not None else move.next_color
        return _Place(position, color, self.moves + 1, last)

    def turn(self, following: Move | None) -> Color:
        """Return the player to move: by the next move, else the record so far, else the stones."""
        if following is not None and not (following.gives_up and self.next_color is not None):
            return following.color
        if self.next_color is not None:
            return self.next_color
        with suppress(TurnUnknownError):
            return turn_by_parity(self.position)
        return Color.BLACK


def _tells_no_turn(game: Game) -> bool:
    """Return whether neither the record nor its stones determine who moves first."""
    if any(node.turn is not None or node.move is not None for node in game.main_line):
        return False
    try:
        turn_by_parity(game.position(0, turn=Color.BLACK))
    except TurnUnknownError:
        return True
    return False


def _following(nodes: Sequence[GameNode]) -> list[Move | None]:
    """Return for each node the next move of its line; None if a turn is set before that."""
    first: dict[int, int] = {}
    for number, node in enumerate(nodes):
        first.setdefault(node.parent, number)
    moves: list[Move | None] = [None] * len(nodes)
    for number in reversed(range(len(nodes))):
        child = first.get(number)
        if child is not None and nodes[child].turn is None:
            moves[number] = nodes[child].move or moves[child]
    return moves


def _node_object(node: GameNode, board: Board) -> dict[str, Any]:
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
    }


def _marks(node: GameNode, board: Board) -> Iterator[dict[str, str]]:
    """Yield the marks on cells of the board, and skip all others."""
    for name, values in node.properties:
        for value in values:
            place, _, text = value.partition(":")
            try:
                cell = board.name(board.cell(place))
            except ValueError:
                continue
            if name == "LB":
                yield {"cell": cell, "shape": "label", "text": text_of(text)[:3]}
            elif name == "AR":  # from this cell to another
                with suppress(ValueError):
                    yield {"cell": cell, "shape": "arrow", "text": board.name(board.cell(text))}
            elif name in _MARKS:
                yield {"cell": cell, "shape": _MARKS[name], "text": ""}


def _action(word: str, board: Board) -> Cell | Special:
    return _SPECIAL[word] if word in _SPECIAL else board.cell(word)


def _cells(names: list[str], board: Board) -> tuple[Cell, ...]:
    return tuple(map(board.cell, names))

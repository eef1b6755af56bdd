"""A game record: its tree, the information about it, and what follows from both."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from numbers import Integral

from hsearch.hex.board import Board, Cell, Color
from hsearch.hex.face import Pictured, expect, expect_names, guide
from hsearch.hex.move import WORDS, Move, Outcome, Special, count_moves, outcome
from hsearch.hex.position import Position
from hsearch.hex.tree import (
    SEALED,
    GameNode,
    TurnUnknownError,
    follow,
    is_tree,
    main_line_length,
    out_of_turn,
    recorded_turn,
    turn_by_parity,
)

# A record is a value. It keeps everything from its file, even what the program does
# not use, so that nothing is lost when it is written again.


_INFO = "names and texts, such as {'PB': 'Ana', 'RE': 'B+'}"


class MoveNumberError(ValueError):
    """A move number that a game does not have."""


@guide
@dataclass(frozen=True, slots=True)
class Game(Pictured):
    """A game record with its variations.

    board     the board
    nodes     the tree of moves and setup, see `GameNode`
    info      names and texts about the game, with names of SGF: PB, PW, EV, DT, RE; other
              names cannot be written
    cursor    the number of moves before the current position, on the main line; None at the end
    warnings  about the text that it was read from

    Raise ValueError if the nodes are not a tree, or the cursor is beyond the end.

    >>> import hsearch
    >>> game = hsearch.Game.of(3, "b2 a3 c1", info={"PB": "Ana"})
    >>> game, game.position(2).turn
    (<Game 3x3, 3 moves, Ana>, Color.BLACK)
    """

    board: Board
    nodes: tuple[GameNode, ...] = (GameNode(),)
    info: tuple[tuple[str, str], ...] = ()
    cursor: int | None = None
    warnings: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        """Raise ValueError if the nodes are not a tree, or the cursor is beyond the end."""
        if not isinstance(self.board, Board):
            object.__setattr__(self, "board", Board(self.board))
        is_line = isinstance(self.nodes, Iterable)
        if is_line:
            object.__setattr__(self, "nodes", tuple(self.nodes))
        object.__setattr__(self, "info", tuple(self.info))
        if not (is_line and all(isinstance(node, GameNode) for node in self.nodes)):
            raise TypeError(
                f"nodes= takes a tree of nodes: use hsearch.Game.of({self.board}, moves)"
            )
        if not is_tree(self.nodes):
            raise ValueError("the nodes of a game must form a tree, variation by variation")
        if self.cursor is not None:
            expect("cursor", self.cursor, Integral, "a number of moves, or None")
        if self.cursor is not None and not 0 <= self.cursor <= len(self.moves):
            raise MoveNumberError(f"no move {self.cursor}: the game has {len(self.moves)} moves")

    @classmethod
    @guide
    def of(
        cls,
        board: Board | int,
        moves: str | Iterable[Cell | str | Special] = (),
        *,
        info: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    ) -> "Game":
        """Return the game of these moves; Black begins, and the players alternate.

        Moves may be names of cells and words such as `swap` and `resign`, and a number is the
        side of a square board. Raise ValueError if a name is not a cell of the board.
        """
        if not isinstance(board, Board):
            board = Board(board)
        expect_names("moves", moves)
        expect("info", info, Iterable, _INFO)
        info = tuple(info.items() if isinstance(info, Mapping) else info)
        for entry in info:
            if not (isinstance(entry, tuple) and [*map(type, entry)] == [str, str]):
                raise TypeError(f"info= takes {_INFO}, not {repr(entry)[:80]}")
        if isinstance(moves, str):
            moves = moves.split()
        nodes, color = [GameNode()], Color.BLACK
        for word in moves:
            action = Special(word) if isinstance(word, str) and word in WORDS else word
            move = Move(color, action if isinstance(action, Special) else board.cell(action))
            nodes.append(GameNode(len(nodes) - 1, move))
            color = move.next_color
        return cls(board, tuple(nodes), info)

    @classmethod
    def of_position(cls, position: Position) -> "Game":
        """Return the game without moves that starts from a position."""
        expect("position", position, Position, "a position")
        black, white = (tuple(position.stones(color).search(1)) for color in Color)
        return cls(position.board, (GameNode(black=black, white=white, turn=position.turn),))

    def _display_module(self) -> str:
        return "hsearch.render.display"

    def __repr__(self) -> str:
        moves = f"{len(self.moves)} move{'' if len(self.moves) == 1 else 's'}"
        names = " - ".join(name for name in self.players if name)
        return f"<Game {', '.join(part for part in (str(self.board), moves, names) if part)}>"

    @property
    def main_line(self) -> tuple[GameNode, ...]:
        """The nodes of the main line, without the variations."""
        return self.nodes[: main_line_length(self.nodes)]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the main line: stones, swap, pass, resignation."""
        return tuple(node.move for node in self.main_line if node.move is not None)

    @property
    def players(self) -> tuple[str | None, str | None]:
        """The names of the players who began as Black and as White; None if unknown."""
        return self.about("PB"), self.about("PW")

    @property
    def result(self) -> str | None:
        """The result as it was written, such as `B+`; None if there is none."""
        return self.about("RE")

    @property
    def outcome(self) -> Outcome | None:
        """Who won, by resignation or forfeit, else by the result; None if neither gives a winner.

        Chains of stones are not examined.
        """
        return outcome(self.moves, self.result_by_color)

    @property
    def result_by_color(self) -> str | None:
        """The result, with a player's name replaced by that player's color at the end."""
        result = self.result
        names = {(self.player(color) or "").lower(): color for color in Color}
        for name in sorted(names, key=len, reverse=True):  # `MoHex 2.0` before `MoHex`
            if result and name and len(names) == 2 and f"{result} ".lower().startswith(f"{name} "):
                return f"{names[name].word} {result.lower()[len(name) :].strip()}"
        return result

    def ending(self, moves: int | None = None) -> Outcome | None:
        """Return who won if the record ends after `moves` moves, by default at the cursor.

        None if more moves follow, and for a record without moves.
        """
        count = len(self.moves)
        stands = sum(node.move is not None for node in self._until(moves))
        return self.outcome if count and stands >= count else None

    @property
    def played(self) -> int:
        """The number of moves before the resignation, forfeit and passes at the end."""
        return count_moves(self.moves)

    @property
    def swap_of_sides(self) -> int | None:
        """The number of the move that swaps sides; None if there is none."""
        swaps = [n for n, move in enumerate(self.moves, 1) if move.special is Special.SWAP_SIDES]
        return swaps[0] if swaps else None

    def player(self, color: Color | str, moves: int | None = None) -> str | None:
        """Return the name of the player of a color after `moves` moves, by default at the end.

        PB and PW name the players as they began; a swap of sides exchanges their colors.
        """
        swap = self.swap_of_sides
        is_swapped = swap is not None and (moves is None or swap <= moves)
        return self.about("PB" if (Color.of(color) is Color.BLACK) is not is_swapped else "PW")

    def about(self, name: str) -> str | None:
        """Return the text of an entry of `info`; None if there is none."""
        return next((text for entry, text in self.info if entry == name), None)

    def without(self, name: str) -> "Game":
        """Return the game without an entry of `info`, such as `RE` if more moves follow."""
        return replace(self, info=tuple(entry for entry in self.info if entry[0] != name))

    @property
    def is_sealed(self) -> bool:
        """Whether the moves are hidden, as in an unfinished game of Dark Hex."""
        return self.nodes[0].sealed is not None

    @property
    def out_of_turn(self) -> int | None:
        """The number of the first move out of turn; None if there is none."""
        return out_of_turn(self.main_line)

    def append(self, move: Move, *, comment: str = "") -> "Game":
        """Return the game with one more move on its main line, unchecked."""
        expect("move", move, Move, "a move, as hsearch.Move('black', board.cell('c3')) is one")
        return self.append_node(GameNode(move=move, comment=comment))

    def append_node(self, node: GameNode) -> "Game":
        """Return the game with one more node on its main line; its `parent` is ignored."""
        end = main_line_length(self.nodes)
        tail = (
            replace(later, parent=later.parent + (later.parent >= end))
            for later in self.nodes[end:]
        )
        nodes = (*self.nodes[:end], replace(node, parent=end - 1), *tail)
        return replace(self, nodes=nodes, cursor=None)

    def cut(self, moves: int | None = None) -> "Game":
        """Return the game after `moves` moves, by default at the cursor, without variations.

        Nodes without a move that follow the last of these moves stay. If moves are cut off, so is
        the result, and the last node names the player to move, whom the next move had shown.
        """
        nodes = self._until(moves) or (GameNode(),)  # where the first node has a move already
        game = replace(self, nodes=nodes, cursor=None)
        if len(game.moves) == len(self.moves):
            return game
        return game.without("RE").with_turn(self.recorded_turn(moves))

    def with_variations(self, record: "Game") -> "Game":
        """Return the game with the variations, comments and properties of a record.

        As long as the main lines have the same moves and setup, the nodes of the record replace
        those of the game. What follows there in the record becomes a variation if the game has
        other moves, and is left out if the game ends.
        """
        line, source = self.main_line, record.main_line
        pairs = zip(line, source, strict=False)
        same = [*takewhile(lambda pair: _bare(pair[0]) == _bare(pair[1]), pairs)]
        if not same:
            return self
        shared, is_longer = len(same), len(line) > len(same)
        nodes = [*source[:shared], *line[shared:]]
        numbers: list[int | None] = [*range(shared)]  # of the record's nodes in the result
        for node in record.nodes[shared:]:
            parent = None if node.parent == shared - 1 and not is_longer else numbers[node.parent]
            numbers.append(None if parent is None else len(nodes))
            if parent is not None:
                nodes.append(replace(node, parent=parent))
        return replace(self, nodes=tuple(nodes), cursor=None)

    def continues(self, record: "Game") -> bool:
        """Return whether a record holds the beginning of this game, and nothing that is not here.

        Its names and its result count, and so do comments, but not its date or the like.
        """
        line = record.nodes
        ours = self.main_line[: len(line)]
        names = [*zip(record.players, self.players, strict=True), (record.result, self.result)]
        return (
            record.board == self.board
            and len(record.main_line) == len(line)
            and (line == ours or line[-1] == GameNode(len(line) - 2, turn=line[-1].turn))
            and line[:-1] == ours[: len(line) - 1]
            and all(theirs in {None, mine} for theirs, mine in names)
        )

    def with_turn(self, turn: Color | str | None) -> "Game":
        """Return the game with a player to move at the end of its main line.

        A node names the player there, unless the record implies it already.
        """
        turn = None if turn is None else Color.of(turn)
        try:
            is_implied = turn is None or self.position(len(self.moves)).turn is turn
        except TurnUnknownError:
            is_implied = False
        if is_implied:
            return self
        end = main_line_length(self.nodes)
        before, last, after = self.nodes[: end - 1], self.nodes[end - 1], self.nodes[end:]
        # The turn of a node applies before its move, and an existing one may record a coin toss.
        if last.move is not None or last.turn is not None:
            return self.append_node(GameNode(turn=turn))
        return replace(self, nodes=(*before, replace(last, turn=turn), *after), cursor=None)

    def position(self, moves: int | None = None, turn: Color | str | None = None) -> Position:
        """Return the position after `moves` moves of the main line, by default at the cursor.

        Setup that follows those moves is included. The player to move is
        `turn`, else `recorded_turn`, else derived from the number of stones. Raise
        MoveNumberError if there are fewer moves, IllegalMoveError if one is
        illegal, and TurnUnknownError if it is not known who is to move.
        """
        position = Position.of(self.board)
        for node in self._until(moves):
            position = follow(position, node)
        mover = self.recorded_turn(moves) if turn is None else Color.of(turn)
        return replace(position, turn=turn_by_parity(position) if mover is None else mover)

    def recorded_turn(self, moves: int | None = None) -> Color | None:
        """Return who is to move according to the record; None if it is not known."""
        return recorded_turn(self.main_line, self._count(moves))

    def last_cell(self, moves: int | None = None) -> Cell | None:
        """Return the cell of the last stone played or taken over; None if it is not there."""
        last = None
        for node in self._until(moves):
            if last in {*node.black, *node.white, *node.cleared}:
                last = None
            if node.move is None:
                continue
            if node.move.cell is not None:
                last = node.move.cell
            elif node.move.special is Special.SWAP_PIECES and last is not None:
                last = self.board.transpose(last)
        return last

    def _count(self, moves: int | None) -> int:
        length = len(self.moves)
        if moves is None:
            return moves_at_cursor(self)
        expect("moves", moves, Integral, "a number of moves")
        if not 0 <= moves <= length:
            raise MoveNumberError(
                f"no move {moves}: the game has {length} move{'s' if length != 1 else ''}"
            )
        return moves

    def _until(self, moves: int | None) -> tuple[GameNode, ...]:
        """Return the nodes of the main line before move `moves` + 1."""
        count, line, number = self._count(moves), self.main_line, 0
        for index, node in enumerate(line):
            if node.move is not None:
                if number == count:
                    return line[:index]
                number += 1
        return line


def _bare(node: GameNode) -> GameNode:
    """Return a node without its comment and its other properties."""
    return replace(node, comment="", properties=())


def moves_at_cursor(game: Game) -> int:
    """Return the number of moves at the cursor, which in a HexWorld link may precede the end."""
    return len(game.moves) if game.cursor is None else game.cursor


def position_of(value: Position | Game) -> Position:
    """Return a position unchanged, or that of a game at its cursor; raise TypeError for others.

    Raise ValueError for a sealed game, whose stones are hidden.
    """
    if isinstance(value, Position):
        return value
    if not isinstance(value, Game):
        what = f"{type(value).__name__} is neither a position nor a game"
        raise TypeError(f"{what}: hsearch.read reads a text, and hsearch.load a file")
    if value.is_sealed:
        raise ValueError(f"no position: {SEALED}")
    return value.position()

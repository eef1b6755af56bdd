"""A game as it was written down: a tree of moves and setup, and what follows from it.

From the parts to the whole: a move, the tree, the replay, whose turn it is, who won, the game.
"""

import enum
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import TypeAlias

from hsearch.hex.board import Board, Cell, Color
from hsearch.hex.calls import Pictured, expect, guided
from hsearch.hex.position import NO_SWAP, IllegalMoveError, Position


class Special(enum.Enum):
    """A move that places no stone, by the word that SGF has for it."""

    PASS = "pass"  # noqa: S105 - no password
    SWAP_PIECES = "swap-pieces"
    SWAP_SIDES = "swap-sides"
    RESIGN = "resign"
    FORFEIT = "forfeit"


SWAPS = (Special.SWAP_PIECES, Special.SWAP_SIDES)


@dataclass(frozen=True, slots=True)
class Move:
    """A move of a player.

    color   the player
    action  the cell of the new stone, or a special move
    """

    color: Color
    action: Cell | Special

    @property
    def cell(self) -> Cell | None:
        """The cell of the new stone; None if the move places none."""
        return None if isinstance(self.action, Special) else self.action

    @property
    def special(self) -> Special | None:
        """The special move; None if the move places a stone."""
        return self.action if isinstance(self.action, Special) else None

    @property
    def gives_up(self) -> bool:
        """Whether the player gives up, so that no move may follow."""
        return self.action in {Special.RESIGN, Special.FORFEIT}

    @property
    def swaps(self) -> bool:
        """Whether the player swaps, in either way."""
        return self.action in SWAPS

    @property
    def next_color(self) -> Color:
        """The player to move afterwards.

        Whoever swaps sides moves again, because the players trade colors. A
        player who resigns was to move, and so is still.
        """
        if self.gives_up or self.action is Special.SWAP_SIDES:
            return self.color
        return self.color.opponent

    def name(self, board: Board) -> str:
        """Return how the move is written: a cell's name or a special word."""
        return self.action.value if isinstance(self.action, Special) else board.name(self.action)


# The tree of a record, as a flat row of nodes.
#
# Each node knows its parent's number, and the nodes stand in the order of a walk
# that finishes one variation before it starts the next::
#
#     0 - 1 - 2 - 3    the main line: every node follows its parent
#          \
#           4 - 5       a variation after node 1
#
# A game of a thousand moves is a tree a thousand deep, so nothing here recurses.

Property: TypeAlias = tuple[str, tuple[str, ...]]

ROOT = -1
HIDDEN = "XA"  # the private property that packs the attempts of a sealed record
SEALED = "the attempts are sealed while the game goes on"


@dataclass(frozen=True, slots=True)
class Node:
    """One step of a record: stones set up, then a move; either may be missing.

    parent      the number of the node before; -1 for the first
    move        the move
    black       cells that get a black stone by hand, whatever was there
    white       cells that get a white stone by hand
    cleared     cells that are emptied by hand
    turn        the player who is said to move next
    comment     what was written about it
    properties  everything else, as SGF writes it: names, and values still escaped
    """

    parent: int = ROOT
    move: Move | None = None
    black: tuple[Cell, ...] = ()
    white: tuple[Cell, ...] = ()
    cleared: tuple[Cell, ...] = ()
    turn: Color | None = None
    comment: str = ""
    properties: tuple[Property, ...] = ()

    @property
    def is_setup(self) -> bool:
        """Whether the node puts or removes stones by hand."""
        return bool(self.black or self.white or self.cleared)

    @property
    def sealed(self) -> str | None:
        """The packed attempts of a record of which this is the first node; None if there are none.

        They are hidden from sight, as in a game of Dark Hex under way.
        """
        return next((values[0] for name, values in self.properties if name == HIDDEN), None)


def main_line_length(nodes: Sequence[Node]) -> int:
    """Return how many nodes the main line has: it always comes first."""
    for index, node in enumerate(nodes):
        if node.parent != index - 1:
            return index
    return len(nodes)


def is_tree(nodes: Sequence[Node]) -> bool:
    """Return whether each node's parent is on the way to the node before it."""
    path: list[int] = []
    for index, node in enumerate(nodes):
        while path and path[-1] != node.parent:
            path.pop()
        if bool(path) != bool(index) or (not index and node.parent != ROOT):
            return False
        path.append(index)
    return bool(nodes)


# Replay of a record: the stones after each node.


class IllegalNodeError(IllegalMoveError):
    """A node that the rules do not allow; `node` is its number."""

    def __init__(self, node: int, message: str) -> None:
        super().__init__(message)
        self.node = node


def follow(position: Position, node: Node) -> Position:
    """Return the position after a node: first its setup, then its move.

    Raise IllegalMoveError when the move breaks a rule.
    """
    if node.is_setup:
        position = _set_up(position, node)
    return position if node.move is None else _play(position, node.move)


def check(board: Board, nodes: Sequence[Node]) -> None:
    """Raise IllegalNodeError for the first node, in any variation, that breaks a rule."""
    path: list[tuple[int, Position, Move | None, bool]] = [(-1, Position.of(board), None, False)]
    for index, node in enumerate(nodes):
        while path[-1][0] != node.parent:
            path.pop()
        _, position, end, swapped = path[-1]
        move = node.move
        if move is not None and end is not None:
            how = "a resignation" if end.special is Special.RESIGN else "a forfeit"
            raise IllegalNodeError(index, f"{move.name(board)} after {how}, which ends the game")
        swaps = move is not None and move.swaps
        if swaps and swapped:  # the position alone, of one stone, would allow it again
            raise IllegalNodeError(index, NO_SWAP)
        try:
            position = follow(position, node)
        except ValueError as error:
            raise IllegalNodeError(index, str(error)) from None
        path.append((index, position, move if move and move.gives_up else end, swapped or swaps))


def _set_up(position: Position, node: Node) -> Position:
    board = position.board
    black, white, cleared = (board.only(*c) for c in (node.black, node.white, node.cleared))
    return replace(
        position,
        black=(position.black & ~(white | cleared)) | black,
        white=(position.white & ~(black | cleared)) | white,
    )


def _play(position: Position, move: Move) -> Position:
    position = replace(position, turn=move.color)
    if not isinstance(move.action, Special):
        return position.play(move.action)
    if move.action is Special.SWAP_PIECES:
        return position.swap()
    if move.action is Special.SWAP_SIDES and not _one_stone(position, move.color.opponent):
        raise IllegalMoveError(NO_SWAP)
    return replace(position, turn=move.next_color)


def _one_stone(position: Position, color: Color) -> bool:
    return position.stones(color).count() == 1 and not position.stones(color.opponent).any()


# Whose turn it is, as far as a record tells.


class TurnUnknownError(ValueError):
    """A position of which nothing tells who is to move."""


def recorded_turn(nodes: Iterable[Node], moves: int) -> Color | None:
    """Return who is to move after the first `moves` moves of a line; None if it is not said.

    The next move tells, else the last one, unless a later node names the
    player. Giving up needs no turn, so it tells only when nothing else does.
    """
    turn, played = None, 0
    for node in nodes:
        move = node.move
        if move is not None and played == moves:
            return turn if move.gives_up and turn is not None else move.color
        if node.turn is not None:
            turn = node.turn
        if move is not None:
            played += 1
            turn = turn if move.gives_up and turn is not None else move.next_color
    return turn


def out_of_turn(nodes: Iterable[Node]) -> int | None:
    """Return the number of the first move of a line, from 1, by whoever was not to move.

    None if there is none. After setup, or where the record names who is to move,
    anybody may be; and giving up needs no turn.
    """
    expected, number = None, 0
    for node in nodes:
        if node.is_setup or node.turn is not None:
            expected = None
        move = node.move
        if move is None:
            continue
        number += 1
        if expected not in {None, move.color} and not move.gives_up:
            return number
        expected = move.next_color
    return None


def turn_by_parity(position: Position) -> Color:
    """Return who is to move if the players took turns from Black on.

    Raise TurnUnknownError when the numbers of stones do not allow it.
    """
    black, white = position.black.count(), position.white.count()
    if black - white not in {0, 1}:
        raise TurnUnknownError(f"{black} black and {white} white stones do not tell who is to move")
    return Color.WHITE if black > white else Color.BLACK


# Who won and how, as a record says it: by its last move, or by RE.
#
# A resignation, a forfeit and a pass at the end place no stone, so a game is decided
# before them. Many programs write no such move at all and say in RE how the game ended::
#
#     RE[B+]  RE[W+Resign]  RE[B+T]  RE[W+Forfeit]  RE[B]
#     RE[Black wins]  RE[White won by resignation]  RE[Red resigns]  RE[Blue lost on time]

_WHO = r"\s*+(b|w|black|white|red|blue)\s*+"
_RESULT = re.compile(
    _WHO + r"(?:\+[^\w+]*+([a-z]*+)[^+]*+|(?:wins|won)(?: (?:by|on) ([a-z]++))?\.?\s*+)?",
    re.IGNORECASE,
)
_LOSS = re.compile(
    _WHO + r"(resign|forfeit|lost on t|loses on t|timed out)[a-z]*+\.?\s*+", re.IGNORECASE
)
_AT_THE_END = {Special.RESIGN, Special.FORFEIT, Special.PASS}


class Ending(enum.Enum):
    """How a game ended, by what the loser did."""

    RESIGNED = "resigned"
    FORFEITED = "forfeited"
    LOST_ON_TIME = "lost on time"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The winner as a record names them, and how they won.

    winner  their color
    ending  how; None where the record only says who
    """

    winner: Color
    ending: Ending | None = None


_LETTERS = {"r": Ending.RESIGNED, "f": Ending.FORFEITED, "t": Ending.LOST_ON_TIME}
_ENDINGS = {Special.RESIGN: Ending.RESIGNED, Special.FORFEIT: Ending.FORFEITED}


def outcome(moves: Sequence[Move], result: str | None) -> Outcome | None:
    """Return who won by the last of the moves, else by a result as in SGF; None if neither says."""
    last = moves[-1] if moves else None
    if last is not None and last.special in _ENDINGS:
        return Outcome(last.color.opponent, _ENDINGS[last.special])
    if (match := _LOSS.fullmatch(result or "")) is not None:
        loser = Color.named(match[1].lower(), letters=True, foreign=True)
        return Outcome(loser.opponent, _LETTERS.get(match[2][:1].lower(), Ending.LOST_ON_TIME))
    if (match := _RESULT.fullmatch(result or "")) is None:
        return None
    how = (match[2] or match[3] or "")[:1].lower()
    return Outcome(Color.named(match[1], letters=True, foreign=True), _LETTERS.get(how))


def played(moves: Sequence[Move]) -> int:
    """Return how many moves there are before the resignation, forfeit and passes at the end."""
    count = len(moves)
    while count and moves[count - 1].special in _AT_THE_END:
        count -= 1
    return count


# A game as it was written down.
#
# A record is a value. It keeps all that a file said, also what the program has
# no use for, so that nothing is lost when it is written again.


class MoveNumberError(ValueError):
    """A number of moves that a game does not have."""


@guided
@dataclass(frozen=True, slots=True)
class Game(Pictured):
    """A game record with its variations.

    board     the board
    nodes     the tree of moves and setup, see `Node`
    info      names and texts about the game, named as in SGF: PB, PW, EV, DT, RE
    cursor    after how many moves of the main line the record stands; None at the end
    warnings  what was odd about the text that it was read from
    """

    board: Board
    nodes: tuple[Node, ...] = (Node(),)
    info: tuple[tuple[str, str], ...] = ()
    cursor: int | None = None
    warnings: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        """Raise ValueError when the nodes form no tree, or the cursor is beyond the end."""
        if not isinstance(self.board, Board):
            object.__setattr__(self, "board", Board(self.board))
        if not is_tree(self.nodes):
            raise ValueError("the nodes of a game must form a tree, variation by variation")
        if self.cursor is not None and not 0 <= self.cursor <= len(self.moves):
            raise MoveNumberError(f"no move {self.cursor}: the game has {len(self.moves)} moves")

    @classmethod
    @guided
    def of(
        cls,
        board: Board | int,
        moves: str | Iterable[Cell | str | Special] = (),
        *,
        info: Iterable[tuple[str, str]] = (),
    ) -> "Game":
        """Return the game of these moves, the players taking turns from Black on.

        A cell may be named, and a number is the side of a square board. Raise ValueError
        when a name is not a cell of the board.
        """
        if not isinstance(board, Board):
            board = Board(board)
        if isinstance(moves, str):
            moves = moves.split()
        nodes, color = [Node()], Color.BLACK
        for action in moves:
            move = Move(color, action if isinstance(action, Special) else board.cell(action))
            nodes.append(Node(len(nodes) - 1, move))
            color = move.next_color
        return cls(board, tuple(nodes), tuple(info))

    @classmethod
    def of_position(cls, position: Position) -> "Game":
        """Return the game without moves that starts from a position."""
        black, white = (tuple(position.stones(color).search(1)) for color in Color)
        return cls(position.board, (Node(black=black, white=white, turn=position.turn),))

    def _shown_by(self) -> str:
        return "hsearch.render.drawn"

    def __repr__(self) -> str:
        moves = f"{len(self.moves)} move{'' if len(self.moves) == 1 else 's'}"
        names = " - ".join(name for name in self.players if name)
        return f"<Game {', '.join(part for part in (str(self.board), moves, names) if part)}>"

    @property
    def main_line(self) -> tuple[Node, ...]:
        """The nodes of the game itself, without the variations."""
        return self.nodes[: main_line_length(self.nodes)]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the main line: stones, swap, pass, resignation."""
        return tuple(node.move for node in self.main_line if node.move is not None)

    @property
    def players(self) -> tuple[str | None, str | None]:
        """The names of Black and White."""
        return self.about("PB"), self.about("PW")

    @property
    def result(self) -> str | None:
        """The result as it was written, such as `B+`."""
        return self.about("RE")

    @property
    def outcome(self) -> Outcome | None:
        """Who won by resignation or forfeit, else as the result says; None if nothing says so.

        Chains are not looked at.
        """
        return outcome(self.moves, self.result_by_color)

    @property
    def result_by_color(self) -> str | None:
        """The result, in which a player whom the record names is the color they have at the end."""
        result = self.result
        for color in Color:
            name = self.player(color)
            if result is not None and name and result.lower().startswith(f"{name.lower()} "):
                return f"{color.word} {result[len(name) :].strip()}"
        return result

    def ending(self, moves: int | None = None) -> Outcome | None:
        """Return who won, if the record ends after so many moves, by default where it stands.

        None if moves follow, and for a record of setup alone.
        """
        count = len(self.moves)
        stands = sum(node.move is not None for node in self._until(moves))
        return self.outcome if count and stands >= count else None

    @property
    def played(self) -> int:
        """How many moves there are before the resignation, forfeit and passes at the end."""
        return played(self.moves)

    @property
    def swap_of_sides(self) -> int | None:
        """The number of the move after which the players have each other's color; None if none."""
        swaps = [n for n, move in enumerate(self.moves, 1) if move.special is Special.SWAP_SIDES]
        return swaps[0] if swaps else None

    def player(self, color: Color | str, moves: int | None = None) -> str | None:
        """Return the name of who has a color after some moves, by default at the end.

        PB and PW name the players as they began; a swap of sides exchanges their colors.
        """
        swap = self.swap_of_sides
        is_swapped = swap is not None and (moves is None or swap <= moves)
        return self.about("PB" if (Color.of(color) is Color.BLACK) is not is_swapped else "PW")

    def about(self, name: str) -> str | None:
        """Return the text of an entry of `info`; None if there is none."""
        return next((text for entry, text in self.info if entry == name), None)

    @property
    def is_sealed(self) -> bool:
        """Whether the moves are hidden, as in a game of Dark Hex under way."""
        return self.nodes[0].sealed is not None

    @property
    def out_of_turn(self) -> int | None:
        """The number of the first move by whoever was not to move; None if there is none."""
        return out_of_turn(self.main_line)

    def append(self, move: Move, *, comment: str = "") -> "Game":
        """Return the game with one more move on its main line. Do not check it."""
        return self.append_node(Node(move=move, comment=comment))

    def append_node(self, node: Node) -> "Game":
        """Return the game with one more node on its main line, whatever its parent says."""
        end = main_line_length(self.nodes)
        shifted = (
            replace(later, parent=later.parent + (later.parent >= end))
            for later in self.nodes[end:]
        )
        nodes = (*self.nodes[:end], replace(node, parent=end - 1), *shifted)
        return replace(self, nodes=nodes, cursor=None)

    def cut(self, moves: int | None = None) -> "Game":
        """Return the game up to where it stands, or so far, without variations.

        What follows the last of these moves and is not a move itself stays. Where moves are
        cut off, so is the result, for the game went on; whose turn it is, which the next move
        alone may have said, is said by the last node.
        """
        nodes = self._until(moves) or (Node(),)  # where the first node has a move already
        game = replace(self, nodes=nodes, cursor=None)
        if len(game.moves) == len(self.moves):
            return game
        info = tuple(entry for entry in self.info if entry[0] != "RE")
        return replace(game, info=info).with_turn(self.recorded_turn(moves))

    def with_turn(self, turn: Color | str | None) -> "Game":
        """Return the game with a player to move at the end of its main line.

        The player is named there, unless something tells already.
        """
        turn = None if turn is None else Color.of(turn)
        try:
            is_said = turn is None or self.position(len(self.moves)).turn is turn
        except TurnUnknownError:
            is_said = False
        if is_said:
            return self
        end = main_line_length(self.nodes)
        before, last, after = self.nodes[: end - 1], self.nodes[end - 1], self.nodes[end:]
        # What a node says of the turn is of before its move; and it may be what a coin says.
        if last.move is not None or last.turn is not None:
            return self.append_node(Node(turn=turn))
        return replace(self, nodes=(*before, replace(last, turn=turn), *after), cursor=None)

    def position(self, moves: int | None = None, turn: Color | str | None = None) -> Position:
        """Return the position after some moves of the main line, by default where it stands.

        Setup that follows those moves is included. The player to move is
        `turn`, else `recorded_turn`, else told by the number of stones. Raise
        MoveNumberError when there are fewer moves, IllegalMoveError when
        one is illegal, and TurnUnknownError when nothing tells who is to move.
        """
        position = Position.of(self.board)
        for node in self._until(moves):
            position = follow(position, node)
        mover = self.recorded_turn(moves) if turn is None else Color.of(turn)
        return replace(position, turn=turn_by_parity(position) if mover is None else mover)

    def recorded_turn(self, moves: int | None = None) -> Color | None:
        """Return who is to move according to the record; None if it does not say."""
        return recorded_turn(self.main_line, self._count(moves))

    def last_cell(self, moves: int | None = None) -> Cell | None:
        """Return where the stone lies that was played last, or taken over; None if none was."""
        last = None
        for node in self._until(moves):
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
            return length if self.cursor is None else self.cursor
        expect("moves", moves, Integral, "a number of moves")
        if not 0 <= moves <= length:
            raise MoveNumberError(f"no move {moves}: the game has {length} moves")
        return moves

    def _until(self, moves: int | None) -> tuple[Node, ...]:
        """Return the main line up to and without the move after the first `moves`."""
        count, line, played = self._count(moves), self.main_line, 0
        for index, node in enumerate(line):
            if node.move is not None:
                if played == count:
                    return line[:index]
                played += 1
        return line


def position_of(value: Position | Game) -> Position:
    """Return a position, or where a game stands; raise TypeError for anything else.

    Raise ValueError for a game that hides its stones: nothing is known of where it stands.
    """
    if isinstance(value, Position):
        return value
    if not isinstance(value, Game):
        what = f"{type(value).__name__} is neither a position nor a game"
        raise TypeError(f"{what}: hsearch.read reads a text, and hsearch.load a file")
    if value.is_sealed:
        raise ValueError(f"no position: {SEALED}")
    return value.position()

"""The tree of a record: nodes of moves and setup, their replay, and whose turn it is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from hsearch.hex.board import Board, Cell, Color
from hsearch.hex.move import Move, Special
from hsearch.hex.position import NO_SWAP, IllegalMoveError, Position

# The tree of a record, as a flat sequence of nodes.
#
# Each node has its parent's number, and the nodes are in depth-first order: one
# variation ends before the next begins::
#
#     0 - 1 - 2 - 3    the main line: every node follows its parent
#          \
#           4 - 5       a variation after node 1
#
# A game of a thousand moves is a tree a thousand levels deep, so nothing here recurses.

Property: TypeAlias = tuple[str, tuple[str, ...]]

ROOT = -1
HIDDEN = "XA"  # the private property with the packed attempts of a sealed record
SEALED = "the attempts are sealed while the game goes on"


@dataclass(frozen=True, slots=True)
class GameNode:
    """One step of a record: setup, then a move; either may be missing.

    parent      the number of the parent node; -1 for the root
    move        the move
    black       cells set up with a black stone, whatever was there
    white       cells set up with a white stone
    cleared     cells emptied by setup
    turn        the player to move after the setup, if the record names one
    comment     the comment on the node
    properties  everything else, as in SGF: names, and values still escaped
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
        """Whether the node sets up or removes stones."""
        return bool(self.black or self.white or self.cleared)

    @property
    def sealed(self) -> str | None:
        """The packed attempts if this is the root of a sealed record, else None.

        A sealed record hides the moves, as in an unfinished game of Dark Hex.
        """
        return next(iter(self.about(HIDDEN)), None)

    def about(self, name: str) -> tuple[str, ...]:
        """Return the values of a property; empty if the node has no such property."""
        return next((values for entry, values in self.properties if entry == name), ())


def main_line_length(nodes: Sequence[GameNode]) -> int:
    """Return the number of nodes of the main line, which always comes first."""
    for index, node in enumerate(nodes):
        if node.parent != index - 1:
            return index
    return len(nodes)


def is_tree(nodes: Sequence[GameNode]) -> bool:
    """Return whether the nodes are one tree in depth-first order."""
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


def follow(position: Position, node: GameNode) -> Position:
    """Return the position after a node: first its setup, then its move.

    Raise IllegalMoveError when the move breaks a rule.
    """
    if node.is_setup:
        position = _set_up(position, node)
    return position if node.move is None else _play(position, node.move)


def check(board: Board, nodes: Sequence[GameNode]) -> None:
    """Raise IllegalNodeError for the first node, in any variation, that breaks a rule."""
    path: list[tuple[int, Position, Move | None, bool]] = [(-1, Position.of(board), None, False)]
    for index, node in enumerate(nodes):
        while path[-1][0] != node.parent:
            path.pop()
        _, position, end, swapped = path[-1]
        move = node.move
        if move is not None and end is not None:
            how = "a resignation" if end.special is Special.RESIGN else "a forfeit"
            what = "a swap" if move.swaps else move.name(board)
            raise IllegalNodeError(index, f"{what} after {how}, which ends the game")
        swaps = move is not None and move.swaps
        if swaps and swapped:  # the position has one stone, and alone would allow it again
            raise IllegalNodeError(index, NO_SWAP)
        try:
            position = follow(position, node)
        except ValueError as error:
            raise IllegalNodeError(index, str(error)) from None
        path.append((index, position, move if move and move.gives_up else end, swapped or swaps))


def _set_up(position: Position, node: GameNode) -> Position:
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
    if move.action is Special.SWAP_SIDES and position.opening_stone is None:
        raise IllegalMoveError(NO_SWAP)
    return replace(position, turn=move.next_color)


# Whose turn it is, according to a record.


class TurnUnknownError(ValueError):
    """A position in which it is not known who is to move."""


def recorded_turn(nodes: Iterable[GameNode], moves: int) -> Color | None:
    """Return who is to move after the first `moves` moves of a line; None if it is not known.

    The next move decides; else a node after the last move that names the player; else the
    last move. A player may give up out of turn, so a resignation or a forfeit decides only
    if nothing else does.
    """
    turn, number = None, 0
    for node in nodes:
        move = node.move
        if move is not None and number == moves:
            return turn if move.gives_up and turn is not None else move.color
        if node.turn is not None:
            turn = node.turn
        if move is not None:
            number += 1
            turn = turn if move.gives_up and turn is not None else move.next_color
    return turn


def out_of_turn(nodes: Iterable[GameNode]) -> int | None:
    """Return the number, from 1, of the first move out of turn in a line; None if there is none.

    After setup, or where the record names the player to move, either player may move.
    A player may also give up out of turn.
    """
    next_color, number = None, 0
    for node in nodes:
        if node.is_setup or node.turn is not None:
            next_color = None
        move = node.move
        if move is None:
            continue
        number += 1
        if next_color not in {None, move.color} and not move.gives_up:
            return number
        next_color = move.next_color
    return None


def turn_by_parity(position: Position) -> Color:
    """Return who is to move if Black began and the players alternated.

    Raise TurnUnknownError if the numbers of stones rule that out.
    """
    black, white = position.black.count(), position.white.count()
    if black - white not in {0, 1}:
        raise TurnUnknownError(
            f"{black} black and {white} white stones do not determine who is to move"
        )
    return Color.WHITE if black > white else Color.BLACK

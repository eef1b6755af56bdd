"""Replay of a record: the stones after each node."""

from collections.abc import Sequence
from dataclasses import replace

from hsearch.board import Board, Color
from hsearch.game.move import Move, Special
from hsearch.game.node import Node
from hsearch.position import IllegalMoveError, Position


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
    path: list[tuple[int, Position, bool]] = [(-1, Position.of(board), False)]
    for index, node in enumerate(nodes):
        while path[-1][0] != node.parent:
            path.pop()
        _, position, ended = path[-1]
        if node.move is not None and ended:
            name = node.move.name(board)
            raise IllegalNodeError(index, f"{name} after the game was given up")
        try:
            position = follow(position, node)
        except ValueError as error:
            raise IllegalNodeError(index, str(error)) from None
        ended = ended or (node.move is not None and node.move.gives_up)
        path.append((index, position, ended))


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
        raise IllegalMoveError("swap is the second move of a game or none")
    return replace(position, turn=move.next_color)


def _one_stone(position: Position, color: Color) -> bool:
    return position.stones(color).count() == 1 and not position.stones(color.opponent).any()

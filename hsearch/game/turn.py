"""Whose turn it is, as far as a record tells."""

from collections.abc import Iterable

from hsearch.board import Color
from hsearch.game.node import Node
from hsearch.position import Position


class TurnUnknownError(ValueError):
    """A position of which nothing tells who is to move."""


def recorded_turn(nodes: Iterable[Node], moves: int) -> Color | None:
    """Return who is to move after the first `moves` moves of a line; None if it is not said.

    The next move tells, else the last one, unless a later node names the
    player. Giving up needs no turn, so it tells only when nothing else does.
    """
    said, played = None, 0
    for node in nodes:
        move = node.move
        if move is not None and played == moves:
            return said if move.gives_up and said is not None else move.color
        if node.turn is not None:
            said = node.turn
        if move is not None:
            played += 1
            said = said if move.gives_up and said is not None else move.next_color
    return said


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
        raise TurnUnknownError(
            f"{black} black and {white} white stones do not tell who is to move: "
            "say --turn black or --turn white"
        )
    return Color.WHITE if black > white else Color.BLACK

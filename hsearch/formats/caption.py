"""The line below a board that is printed for people: its size, who is to move or has won.

::

    11x11, white to move; last stone f6; move 5 of 5.
    7x7, black or white to move.
"""

import re
from dataclasses import dataclass

from hsearch.board import Color
from hsearch.game import Game, Special
from hsearch.position import Position, winner

_ENDINGS = {Special.RESIGN: "resigned", Special.FORFEIT: "forfeited"}
_SEALED = "the attempts are sealed while the game goes on"
_LINE = re.compile(
    r"\s*+([0-9]{1,3})x([0-9]{1,3}), (black or white(?= to move)|black|white)"
    rf"(?:( to move)| has won(?:: (?:black|white) (?:{'|'.join(_ENDINGS.values())}))?)"
    r"(?:; last stone [a-z][0-9]{1,3})?(?:; move [0-9]{1,9} of [0-9]{1,9})?"
    rf"(?:; {_SEALED})?\.\s*+"
)


@dataclass(frozen=True, slots=True)
class Caption:
    """Facts that a caption tells of a position.

    size  columns and rows
    turn  who is to move, or has lost; None if nobody knows
    """

    size: tuple[int, int]
    turn: Color | None


def write(game: Game, moves: int, position: Position, *, turn_is_known: bool = True) -> str:
    """Return a line about a position, the one of a game after some moves."""
    board, last = position.board, game.last_cell(moves)
    words = [f"{board.columns}x{board.rows}, {_state(game, moves, position, turn_is_known)}"]
    if last is not None:
        words.append(f"last stone {board.name(last)}")
    if moves:
        words.append(f"move {moves} of {len(game.moves)}")
    if game.is_sealed:
        words.append(_SEALED)
    return "; ".join(words) + "."


def read(line: str) -> Caption | None:
    """Return what a caption says; None if a line is none."""
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    named = next((color for color in Color if color.word == match[3]), None)
    turn = named if match[4] or named is None else named.opponent
    return Caption((int(match[1]), int(match[2])), turn)


def _state(game: Game, moves: int, position: Position, turn_is_known: bool) -> str:  # noqa: FBT001
    """Return who has won, and why if no chain says so, or else who is to move."""
    won = winner(position)
    last = game.moves[moves - 1] if moves else None
    if won is not None:
        return f"{won.word} has won"
    if last is not None and last.special in _ENDINGS:
        loser = last.color
        return f"{loser.opponent.word} has won: {loser.word} {_ENDINGS[last.special]}"
    return f"{position.turn.word if turn_is_known else 'black or white'} to move"

"""The record of a game at the terminal: who plays, by which rules, and how to go on with it."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

from hsearch.board import Board, Color
from hsearch.game import Game
from hsearch.position import winner
from player.console.errors import InputError, reading
from player.engine import SpecError, participant
from player.terminal.seat import HUMAN, Seat, usual_white
from player.variants import State, Variant, recorded_variant
from player.variants.plain import SWAP
from player.variants.variant import end_words, informed

NAMES = {Color.BLACK: "PB", Color.WHITE: "PW"}


def laid_out(game: Game, variant: Variant[Any], file: str) -> State:
    """Return the state of a game that goes on from a record; raise InputError if none can."""
    other = recorded_variant(game)
    if other is not None and other.name != variant.name:
        raise InputError(f"{file}: a game of {other.name}, not of {variant.name}")
    with reading(file):
        state: State = variant.start(game)
        return state


def recorded_seats(game: Game, variant: Variant[Any]) -> dict[Color, str]:
    """Return who sat where when a game was saved here; nobody whom only the record knows.

    A program of another name is not started because a file says so.
    """
    found: dict[Color, str] = {}
    for name, text in game.info:
        for color in Color:
            if name == NAMES[color] and (text in HUMAN or _is_known(text, variant)):
                found[color] = text
    return found


def may_go_on(game: Game, variant: Variant[Any]) -> bool:
    """Return whether a record is one of `play` that is not over, so that it may be written over.

    Both players sit here, there is no result, and nobody added comments or variations.
    """
    names = [game.about(name) or "" for name in NAMES.values()]
    return (
        all(n in HUMAN or n.startswith("gtp:") or _is_known(n, variant) for n in names)
        and game.result is None
        and len(game.main_line) == len(game.nodes)
        and not any(node.comment for node in game.nodes if node.sealed is None)
        and not any(move.gives_up for move in game.moves[-1:])
        and winner(game.position(turn=Color.BLACK)) is None
    )


def _is_known(text: str, variant: Variant[Any]) -> bool:
    if text.startswith("gtp:"):
        return False
    try:
        participant(text, variant.name)
    except SpecError:
        return False
    return True


def seated(game: Game, seats: dict[Color, Seat], *, swap: bool) -> Game:
    """Return a game that goes on with these players and this rule, without a result."""
    game = replace(game, info=tuple(entry for entry in game.info if entry[0] != "RE"))
    game = informed(game, **{NAMES[color]: seats[color].name for color in Color})
    return informed(game, RU=SWAP) if swap else game


def ended(state: State) -> tuple[str, Game]:
    """Return who has won a game that is over, in a sentence, and the game with its result."""
    won = state.winner
    assert won is not None  # noqa: S101 - the game is over
    result = f"{won.word[0].upper()}+{'Resign' if state.is_given_up else ''}"
    return end_words(state), informed(state.game, RE=result)


def to_go_on(record: Path, seats: dict[Color, Seat], variant: Variant[Any], board: Board) -> str:
    """Return the command that goes on with a saved game, with the same players."""
    black, white = (seats[color].name for color in Color)
    words = ["hsearch", "play", "--resume", str(record)]
    if black != "human":
        words += ["--black", black]
    if white != usual_white(black, variant, board):
        words += ["--white", white]
    return shlex.join(words)

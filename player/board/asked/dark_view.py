"""`dark-view`: what one seat of a game of hidden stones knows; all of it once the game is over."""

from dataclasses import dataclass
from typing import Any

from hsearch.board import Color
from player.board.dark_games import SharedDarkGame
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import record_object
from player.report.objects import position_object, word
from player.variants.dark import heard_between, remembered, symbol_words


@dataclass(frozen=True, slots=True)
class Question:
    """A seat, by its key; `supposes` asks for guesses at what is hidden as well."""

    game: str
    key: str
    supposes: bool = False


def answer(desk: Desk, _job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return what the seat sees, and what the referee said last."""
    game, color = desk.dark.of(asked.game, asked.key)
    with game.lock:
        return view_object(game, color) | (_supposed(game, color) if asked.supposes else {})


def view_object(game: SharedDarkGame, color: Color) -> dict[str, Any]:
    """Return what a seat sees. Only when the game is over is that everything."""
    seen = game.variant.seen(game.state, color)
    heard = heard_between(game.looked[color], game.state, color)
    game.looked[color] = game.state
    ended = seen.ended
    return {
        "seat": color.word,
        "position": position_object(seen.position),
        "heard": [symbol_words(seen.rules, color, symbol) for symbol in heard],
        "remembered": remembered(seen.rules.board, seen.history) + ".",
        "winner": None if ended is None else word(ended.winner),
        "record": None if ended is None else record_object(ended.game),
        "words": [] if ended is None else list(game.variant.moves(ended.game)),
    }


def _supposed(game: SharedDarkGame, color: Color) -> dict[str, Any]:
    """Return guesses at what is hidden, for a person who is to move."""
    from player.dark.supposed import supposed  # noqa: PLC0415 - few ask

    seen = game.variant.seen(game.state, color)
    if seen.turn is not color:
        raise ValueError("guesses are for whoever is to move")
    marks, lines = supposed(seen.rules, color, seen.history)
    return {
        "supposed": {
            "said": lines,
            "cells": {seen.rules.board.name(cell): text for cell, text in marks.labels.items()},
        }
    }

"""`dark-view`: what one seat of a game of hidden stones knows; all of it once the game is over."""

from dataclasses import dataclass
from typing import Any

from hsearch.board import Color
from hsearch.position import winner
from player.board.dark_games import SharedDarkGame
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import record_object
from player.dark.information import view
from player.dark.match.record import words
from player.dark.policy import seen_position
from player.dark.terminal.referee import remembered, said
from player.report.objects import position_object, word


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
    rules, known = game.play.rules, game.play.information_state(color)
    truth = game.game.position(turn=game.play.state.turn)
    won = winner(truth)
    position = seen_position(rules.board, color, view(known)) if won is None else truth
    heard = known[game.told[color] :]
    game.told[color] = len(known)
    return {
        "seat": color.word,
        "position": position_object(position) | {"turn": game.play.state.turn.word},
        "heard": [said(rules, color, symbol) for symbol in heard],
        "remembered": remembered(rules.board, known) + ".",
        "winner": word(won),
        "record": None if won is None else record_object(game.game),
        "words": list(words(game.game)) if won is not None else [],
    }


def _supposed(game: SharedDarkGame, color: Color) -> dict[str, Any]:
    """Return guesses at what is hidden, for a person who is to move."""
    from player.dark.terminal.supposed import supposed  # noqa: PLC0415 - few ask

    if game.play.state.turn is not color:
        raise ValueError("guesses are for whoever is to move")
    rules = game.play.rules
    marks, lines = supposed(rules, color, game.play.information_state(color))
    return {
        "supposed": {
            "said": lines,
            "cells": {rules.board.name(cell): text for cell, text in marks.labels.items()},
        }
    }

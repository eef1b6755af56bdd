"""Games of hidden stones, `dark-start` to `dark-suppose`: a loop around their variant.

A page gets what a seat knows, by the key of that seat, and everything once the game is over.
"""

from dataclasses import dataclass
from typing import Any, Literal

from hsearch.hex import Color, Game
from hsearch.kernels.stop import holding
from player.answers.objects import position_object, word
from player.board.desk import DarkSpec, Desk, SharedDarkGame, new_key
from player.board.records import ColorWord, board_of, record_object
from player.board.threads import BoardJob
from player.dark.rules import Base, Noise
from player.variants.dark import Dark, DarkState, heard_between, history_line, symbol_words

MOST_SIDE = 11


@dataclass(frozen=True, slots=True)
class StartQuestion:
    """The board, the rules, and the engine of each seat, None for a person.

    elsewhere  the seat of a person at another page
    """

    size: int = 5
    base: Literal["classic", "abrupt"] = "classic"
    noise: Literal["silent", "noisy", "flash"] = "silent"
    black: DarkSpec | None = None
    white: DarkSpec | None = None
    elsewhere: ColorWord | None = None


@dataclass(frozen=True, slots=True)
class JoinQuestion:
    """An invitation to a game that was begun at another page; it is valid once."""

    invitation: str


@dataclass(frozen=True, slots=True)
class SeatQuestion:
    """A seat, by its key."""

    game: str
    key: str


@dataclass(frozen=True, slots=True)
class AttemptQuestion(SeatQuestion):
    """A seat, and the cell of its attempt."""

    cell: str


def start(desk: Desk, job: BoardJob, request: StartQuestion) -> dict[str, Any]:
    """Return the name of the game, the key of each person's seat, and the rules in a sentence.

    A seat elsewhere gets an invitation instead of a key.
    """
    if not 2 <= request.size <= MOST_SIDE:
        raise ValueError(f"a board of {request.size}: from 2 to {MOST_SIDE}")
    specs = zip(Color, (request.black, request.white), strict=True)
    engines: dict[Color, str] = {color: spec for color, spec in specs if spec is not None}
    if len(engines) == len(Color):
        raise ValueError("one seat at least is a person's")
    variant = Dark(Base(request.base), Noise(request.noise))
    state = variant.start(Game(board_of(request.size, request.size)))
    away = None if request.elsewhere is None else Color.named(request.elsewhere)
    if away in engines:
        raise ValueError(f"{request.elsewhere} is the engine's: nobody can be invited to it")
    keys = {color: new_key() for color in Color if color not in engines and color is not away}
    invitations = {} if away is None else {new_key(): away}
    new = SharedDarkGame(variant, state, engines, keys, invitations=invitations)
    new.state = _after_engines(desk, job, new, state)
    return {
        "game": desk.dark.add(new),
        "keys": {color.word: key for color, key in keys.items()},
        "rules": variant.rules,
        "invitation": next(iter(invitations), None),
    }


def join(desk: Desk, _job: BoardJob, request: JoinQuestion) -> dict[str, Any]:
    """Return the object of `start` with the key of this seat alone, and the size of the board."""
    name, game, color = desk.dark.join(request.invitation)
    return {
        "game": name,
        "keys": {color.word: game.keys[color]},
        "rules": game.variant.rules,
        "invitation": None,
        "size": game.state.game.board.columns,
    }


def turn(desk: Desk, _job: BoardJob, request: SeatQuestion) -> dict[str, Any]:
    """Return who is to move, whether there is news, whether all seats are taken, and who left.

    A page polls this while it waits for the other player, so it does not lock the game.
    """
    game, color = desk.dark.of(request.game, request.key)
    state = game.state
    return {
        "turn": game.variant.view(state, color).turn.word,
        "heard": len(heard_between(game.last_states[color], state, color)) > 0,
        "complete": not game.invitations,
        "left": word(game.leaver),
    }


def leave(desk: Desk, _job: BoardJob, request: SeatQuestion) -> dict[str, Any]:
    """Record, for the other seat, that the person of this one has left; the game stays open."""
    game, color = desk.dark.of(request.game, request.key)
    if game.leaver is None:
        game.leaver = color
    return {}


def attempt(desk: Desk, job: BoardJob, request: AttemptQuestion) -> dict[str, Any]:
    """Attempt a cell; return what the seat sees then. Raise ValueError if that is illegal.

    If the engine's answer fails or is cancelled, the attempt is undone.
    """
    game, color = desk.dark.of(request.game, request.key)
    with holding(game.turn_lock):
        cell = game.state.game.board.cell(request.cell)
        after = game.variant.after(game.state, color, cell)
        state = _after_engines(desk, job, game, after)
        with game.view_lock:
            game.state = state
            return _view_object(game, color)


def view(desk: Desk, _job: BoardJob, request: SeatQuestion) -> dict[str, Any]:
    """Return what the seat sees, and its observations since the last view.

    It waits for no attempt: until the engine has answered, nothing of it is known.
    """
    game, color = desk.dark.of(request.game, request.key)
    with game.view_lock:
        return _view_object(game, color)


def suppose(desk: Desk, _job: BoardJob, request: SeatQuestion) -> dict[str, Any]:
    """Return guesses at the hidden stones, for a person who is to move; it can take seconds.

    It does not lock the game: the guesses depend only on what the seat knows now.
    """
    from player.dark.outlook import describe_belief  # noqa: PLC0415 - rarely used

    game, color = desk.dark.of(request.game, request.key)
    seat_view = game.variant.view(game.state, color)
    if seat_view.end is not None:
        raise ValueError("the game is over: nothing is hidden any more")
    if seat_view.turn is not color:
        raise ValueError("guesses are for whoever is to move")
    marks, lines = describe_belief(seat_view.rules, color, seat_view.history)
    cells = {seat_view.rules.board.name(cell): text for cell, text in marks.labels.items()}
    return {"said": lines, "cells": cells}


def _after_engines(desk: Desk, job: BoardJob, game: SharedDarkGame, state: DarkState) -> DarkState:
    """Return the state after the engine's attempts, once a person is to move or the game is over.

    Report only once that it thinks: a report for each attempt would reveal collisions.
    """
    import numpy as np  # noqa: PLC0415 - needed by engines only

    from player.engine.player import MoveRequest  # noqa: PLC0415
    from player.engine.referee import act_of, prepare  # noqa: PLC0415

    variant, board = game.variant, state.game.board
    if _engine_due(game, state) is not None:
        job.tell({"text": "thinking"})
    while (color := _engine_due(game, state)) is not None:
        with desk.seats.of(game.engines[color], variant.name, board) as engine:
            prepare(engine, variant, board)
            chance = np.random.default_rng()
            act, _ = act_of(engine, variant, state, color, MoveRequest(), chance)
        job.check()
        state = variant.after(state, color, act)
    return state


def _engine_due(game: SharedDarkGame, state: DarkState) -> Color | None:
    """Return the color of the engine to move; None if a person is, or at the end."""
    return next((c for c in game.variant.to_act(state) if c in game.engines), None)


def _view_object(game: SharedDarkGame, color: Color) -> dict[str, Any]:
    """Return what a seat sees, which is everything once the game is over."""
    seat_view = game.variant.view(game.state, color)
    heard = heard_between(game.last_states[color], game.state, color)
    game.last_states[color] = game.state
    end = seat_view.end
    return {
        "seat": color.word,
        "position": position_object(seat_view.position),
        "heard": [symbol_words(seat_view.rules, color, symbol) for symbol in heard],
        "remembered": history_line(seat_view.rules.board, seat_view.history) + ".",
        "winner": None if end is None else word(end.winner),
        "record": None if end is None else record_object(end.game),
        "words": [] if end is None else game.variant.attempt_words(end.game),
    }

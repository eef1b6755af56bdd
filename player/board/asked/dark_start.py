"""`dark-start`: begin a game of hidden stones; people get keys, engines take their seats."""

from dataclasses import dataclass
from typing import Any, Literal

from hsearch.board import Color
from hsearch.game import Game
from player.board.asked.dark_attempt import let_engines_move
from player.board.dark_games import DarkGame, new_key
from player.board.desk import Desk
from player.board.job import Job
from player.board.records import board_of
from player.board.seats import DarkSpec
from player.dark.match.record import replayed
from player.dark.match.variant import DarkAbrupt, DarkClassic
from player.dark.rules import Noise
from player.dark.terminal.referee import explained

MOST_SIDE = 11


@dataclass(frozen=True, slots=True)
class Question:
    """The board, the rules, and the engine of a seat, None for a person."""

    size: int = 5
    base: Literal["classic", "abrupt"] = "classic"
    noise: Literal["silent", "noisy", "flash"] = "silent"
    black: DarkSpec | None = None
    white: DarkSpec | None = None


def answer(desk: Desk, job: Job, asked: Question) -> dict[str, Any]:
    """Return the name of the game, the key of each person's seat, and the rules in a sentence."""
    if not 2 <= asked.size <= MOST_SIDE:
        raise ValueError(f"a board of {asked.size}: from 2 to {MOST_SIDE}")
    engines = {
        color: spec
        for color, spec in zip(Color, (asked.black, asked.white), strict=True)
        if spec is not None
    }
    if len(engines) == len(Color):
        raise ValueError("one seat at least is a person's")
    noise = Noise(asked.noise)
    variant = DarkClassic(noise) if asked.base == "classic" else DarkAbrupt(noise)
    game = variant.start(Game(board_of(asked.size, asked.size)))
    play = replayed(variant.rules(game.board), game)
    keys = {color: new_key() for color in Color if color not in engines}
    started = DarkGame(variant, game, play, dict(engines), keys)
    with started.lock:
        let_engines_move(desk, job, started)
    return {
        "game": desk.dark.add(started),
        "keys": {color.word: key for color, key in keys.items()},
        "rules": explained(play.rules),
    }

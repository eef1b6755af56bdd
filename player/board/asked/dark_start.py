"""`dark-start`: begin a game of hidden stones; people get keys, engines take their seats."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from hsearch.board import Color
from hsearch.game import Game
from player.board.asked.dark_attempt import let_engines_move
from player.board.dark_games import SharedDarkGame, new_key
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import ColorWord, board_of
from player.board.seats import DarkSpec
from player.variants import variant as variant_of

if TYPE_CHECKING:
    from player.variants.dark import Dark

MOST_SIDE = 11


@dataclass(frozen=True, slots=True)
class Question:
    """The board, the rules, and the engine of a seat, None for a person.

    elsewhere  the seat of a person who has another page
    """

    size: int = 5
    base: Literal["classic", "abrupt"] = "classic"
    noise: Literal["silent", "noisy", "flash"] = "silent"
    black: DarkSpec | None = None
    white: DarkSpec | None = None
    elsewhere: ColorWord | None = None


def answer(desk: Desk, job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return the name of the game, the key of each person's seat, and the rules in a sentence.

    For a seat elsewhere there is an invitation, and no key.
    """
    if not 2 <= asked.size <= MOST_SIDE:
        raise ValueError(f"a board of {asked.size}: from 2 to {MOST_SIDE}")
    engines = {
        color: spec
        for color, spec in zip(Color, (asked.black, asked.white), strict=True)
        if spec is not None
    }
    if len(engines) == len(Color):
        raise ValueError("one seat at least is a person's")
    variant = cast("Dark", variant_of(f"dark-{asked.base}:noise={asked.noise}"))
    state = variant.start(Game(board_of(asked.size, asked.size)))
    away = None if asked.elsewhere is None else Color.named(asked.elsewhere)
    if away in engines:
        raise ValueError(f"{asked.elsewhere} is the engine's: nobody can be invited to it")
    keys = {color: new_key() for color in Color if color not in engines and color is not away}
    invited = {} if away is None else {new_key(): away}
    started = SharedDarkGame(variant, state, dict(engines), keys, invited=invited)
    with started.lock:
        let_engines_move(desk, job, started)
    return {
        "game": desk.dark.add(started),
        "keys": {color.word: key for color, key in keys.items()},
        "rules": variant.rules,
        "invitation": next(iter(invited), None),
    }

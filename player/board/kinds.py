"""The table of what a page may ask: each kind with its fields, and what answers it.

An answer is a JSON object. Whatever is wrong with a question is a ValueError,
whose message the page shows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.threads import Lane

SMALL = 64 * 1024
LARGE = 4 * 1024 * 1024

Handler = Callable[[Desk, BoardJob, Any], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question.

    module  where a class `Question` and a function `answer` lie; with a name behind a colon,
            as `dark:start`, the class and the function have that name
    lane    slow if it takes longer than a person waits for without a word
    most    bytes that a question may have
    """

    module: str
    lane: Lane = "quick"
    most: int = SMALL

    def load(self) -> tuple[type[Any], Handler]:
        """Return the type of its questions, and what answers one."""
        place, _, name = self.module.partition(":")
        module = import_module(f"player.board.{place}")
        if not name:
            return module.Question, module.answer
        return getattr(module, name.capitalize()), getattr(module, name)


GUEST = frozenset({"dark-join", "dark-turn", "dark-view", "dark-attempt"})
"""What a page may ask that was invited to one seat: nothing that begins work of its own."""

KINDS = {
    "analyze": Kind("asked.analyze"),
    "explain": Kind("asked.explain"),
    "follow": Kind("asked.follow"),
    "links": Kind("asked.links"),
    "connections": Kind("asked.connections"),
    "draw": Kind("asked.draw"),
    "shipped": Kind("asked.shipped", "trifle"),
    "graph": Kind("asked.graph", "slow", most=LARGE),
    "solve": Kind("asked.solve", "slow"),
    "prove": Kind("asked.prove", "slow"),
    "verify": Kind("asked.verify", "slow", most=LARGE),
    "review": Kind("asked.review", "slow", most=LARGE),
    "choose": Kind("asked.choose", "slow", most=LARGE),
    "odds": Kind("asked.odds", "slow"),
    "turn": Kind("asked.turn", "slow", most=LARGE),
    "dark-start": Kind("asked.dark:start", "slow"),
    "dark-join": Kind("asked.dark:join"),
    "dark-turn": Kind("asked.dark:turn", "trifle"),
    "dark-view": Kind("asked.dark:view"),
    "dark-attempt": Kind("asked.dark:attempt", "slow"),
    "puzzle": Kind("asked.puzzle", "slow"),
    "read": Kind("asked.read", "trifle", most=LARGE),
    "write": Kind("asked.write", "trifle", most=LARGE),
}

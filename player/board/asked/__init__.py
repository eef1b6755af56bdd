"""The table of the page's questions: each kind with its fields and its function.

An answer is a JSON object. An invalid question raises ValueError, whose message
the page shows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from player.board.desk import Desk
from player.board.threads import BoardJob, Lane

SMALL = 64 * 1024
LARGE = 4 * 1024 * 1024

QuestionHandler = Callable[[Desk, BoardJob, Any], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question.

    handler  the module of its function and, after a colon, its name; the type of the parameter
             `request` has the fields of the question
    lane     the lane of its thread; `slow` if a person would want to see progress
    most     characters that a question may have
    """

    handler: str
    lane: Lane = "quick"
    most: int = SMALL

    def load(self) -> tuple[type[Any], QuestionHandler]:
        """Return the type of its questions, and the function that answers one."""
        place, _, name = self.handler.partition(":")
        answer: QuestionHandler = getattr(import_module(f"player.board.{place}"), name)
        return answer.__annotations__["request"], answer


GUEST = frozenset(
    {"dark-join", "dark-turn", "dark-view", "dark-suppose", "dark-attempt", "dark-leave"}
)
"""The kinds that a guest may ask, who is invited to one seat: only those about that game."""

KINDS = {
    "analyze": Kind("asked.position:analyze", most=LARGE),
    "explain": Kind("asked.connection:explain"),
    "follow": Kind("asked.connection:follow"),
    "links": Kind("asked.connection:links"),
    "connections": Kind("asked.connection:connections"),
    "moves": Kind("asked.position:moves", "slow"),
    "openings": Kind("asked.position:openings"),
    "policy": Kind("asked.position:policy"),
    "shipped": Kind("asked.records:shipped", "trifle"),
    "graph": Kind("asked.position:graph", "slow", most=LARGE),
    "solve": Kind("asked.solving:solve", "slow", most=LARGE),
    "prove": Kind("asked.solving:prove", "slow"),
    "verify": Kind("asked.solving:verify", "slow", most=LARGE),
    "review": Kind("asked.records:review", "slow", most=LARGE),
    "hint": Kind("asked.position:hint", "slow", most=LARGE),
    "odds": Kind("asked.playing:odds", "slow"),
    "turn": Kind("asked.playing:turn", "slow", most=LARGE),
    "dark-start": Kind("asked.dark:start", "slow"),
    "dark-join": Kind("asked.dark:join"),
    "dark-turn": Kind("asked.dark:turn", "trifle"),
    "dark-view": Kind("asked.dark:view"),
    "dark-suppose": Kind("asked.dark:suppose", "slow"),
    "dark-leave": Kind("asked.dark:leave", "trifle"),
    "dark-attempt": Kind("asked.dark:attempt", "slow"),
    "puzzle": Kind("asked.solving:puzzle", "slow"),
    "read": Kind("asked.records:read", "trifle", most=LARGE),
    "states": Kind("asked.records:states", "trifle", most=LARGE),
    "write": Kind("asked.records:write", "trifle", most=LARGE),
}

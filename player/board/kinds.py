"""The table of what a page may ask: each kind with its fields, and what answers it.

An answer is a JSON object. Whatever is wrong with a question is a ValueError,
whose message the page shows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from player.board.desk import Desk
from player.board.job import Job

SMALL = 64 * 1024
LARGE = 4 * 1024 * 1024

Handler = Callable[[Desk, Job, Any], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question.

    module   where a class `Question` and a function `answer` lie
    is_slow  whether it takes longer than a person waits for without a word
    most     bytes that a question may have
    """

    module: str
    is_slow: bool = False
    most: int = SMALL

    def load(self) -> tuple[type[Any], Handler]:
        """Return the type of its questions, and what answers one."""
        module = import_module(f"player.board.{self.module}")
        return module.Question, module.answer


KINDS = {
    "analyze": Kind("asked.analyze"),
    "explain": Kind("asked.explain"),
    "follow": Kind("asked.follow"),
    "links": Kind("asked.links"),
    "connections": Kind("asked.connections"),
    "draw": Kind("asked.draw"),
    "shipped": Kind("asked.shipped"),
    "graph": Kind("asked.graph", is_slow=True, most=LARGE),
    "solve": Kind("asked.solve", is_slow=True),
    "prove": Kind("asked.prove", is_slow=True),
    "verify": Kind("asked.verify", is_slow=True, most=LARGE),
    "review": Kind("asked.review", is_slow=True, most=LARGE),
    "choose": Kind("asked.choose", is_slow=True, most=LARGE),
    "odds": Kind("asked.odds", is_slow=True),
    "bidding": Kind("asked.bidding", is_slow=True, most=LARGE),
    "coin": Kind("asked.coin", is_slow=True, most=LARGE),
    "dark-start": Kind("asked.dark_start", is_slow=True),
    "dark-view": Kind("asked.dark_view"),
    "dark-attempt": Kind("asked.dark_attempt", is_slow=True),
    "puzzle": Kind("asked.puzzle", is_slow=True),
    "winner": Kind("asked.winner"),
    "read": Kind("asked.read", most=LARGE),
    "write": Kind("asked.write", most=LARGE),
}

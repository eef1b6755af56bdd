"""One question under way, as the thread that works on it sees it."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


class CancelledError(Exception):
    """The page no longer wants the answer."""


@dataclass(frozen=True, slots=True)
class BoardJob:
    """A question that can be cancelled, and that tells how far it has come.

    tell    sends progress to the page; may be called in any thread
    cancel  set when the page no longer wants the answer, or is gone
    """

    tell: Callable[[dict[str, Any]], None]
    cancel: threading.Event = field(default_factory=threading.Event)

    def check(self) -> None:
        """Raise CancelledError once the job is cancelled."""
        if self.cancel.is_set():
            raise CancelledError

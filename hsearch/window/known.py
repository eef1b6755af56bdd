"""Answers that are remembered, so that a window is searched once.

What is answered does not depend on what is remembered: an answer that took more
closures than a budget allows is not given for it.
"""

import threading
from dataclasses import replace

from hsearch.window.search import Answer, Room
from hsearch.window.shape import Window


class Known:
    """The windows that have been searched. Holds state; threads may share it."""

    def __init__(self, most: int = 200_000) -> None:
        """Begin with none; of more than `most`, the oldest go."""
        self.most = most
        self.searched = 0
        self._answers: dict[Window, Answer] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return how many windows have been searched."""
        return len(self._answers)

    def ask(self, window: Window, budget: int) -> Answer:
        """Return whether a window's ends are joined, as far as so many closures tell."""
        answer = self._answers.get(window)
        if answer is None or (answer.joined is None and answer.used < budget):
            answer, _ = Room(window).solve(budget)
            self.searched += 1
            with self._lock:
                while len(self._answers) >= self.most:
                    del self._answers[next(iter(self._answers))]
                self._answers[window] = answer
        if answer.used > budget:
            return replace(answer, joined=None, carrier=0, used=budget)
        return answer

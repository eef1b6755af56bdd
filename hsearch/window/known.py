"""Answers that are remembered, so that a window is searched once.

What is answered does not depend on what is remembered: an answer that took more
closures than a budget allows is not given for it. Anybody may have written a file,
so an answer from there that joins two ends, on which a win may rest, is searched
again before it is given. These are few: what files save is the many other answers.
A false one of those can hide a connection, but not make one.
"""

import atexit
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from hsearch.formats.shipped import shipped
from hsearch.window.cache import CacheError, CacheFile, user_file
from hsearch.window.search import Room, WindowAnswer
from hsearch.window.shape import Window

_TOGETHER = 100  # new answers that are written at once


def _raise(error: CacheError) -> None:
    raise error


class SearchedWindows:
    """The windows that have been searched. Holds state; threads may share it."""

    def __init__(
        self,
        *files: CacheFile,
        most: int = 200_000,
        on_error: Callable[[CacheError], None] = _raise,
    ) -> None:
        """Begin with what some files know; the first also takes what is new.

        Of more than `most` answers in memory the oldest go. A file that cannot
        be used is handed to `on_error` once and left alone from then on.
        """
        self.most = most
        self.searched = 0
        self._on_error = on_error
        self._files: Sequence[CacheFile] = files
        self._takes_new = files[0] if files else None
        self._answers: dict[Window, WindowAnswer] = {}
        self._new: dict[Window, WindowAnswer] = {}
        self._lock = threading.RLock()

    def __len__(self) -> int:
        """Return how many windows are remembered, those in files that nobody asked for aside."""
        return len(self._answers)

    def ask(self, window: Window, budget: int) -> WindowAnswer:
        """Return whether a window's ends are joined, as far as this many closures tell."""
        answer = self._answers.get(window)
        if answer is None:
            answer = self._read(window, budget)
        if answer is None or not _suffices(answer, budget):
            answer, _ = Room(window).solve(budget)
            self._learn(window, answer)
        if answer.used > budget:
            return replace(answer, joined=None, carrier=0, used=budget)
        return answer

    def flush(self) -> None:
        """Write what is new; while another process writes, it stays for the next time."""
        with self._lock:
            file = self._takes_new
            if file is None or not self._new:
                return
            try:
                file.put(self._new.items())
                self._new.clear()
            except TimeoutError:
                pass
            except CacheError as error:
                self._give_up(file, error)

    def _read(self, window: Window, budget: int) -> WindowAnswer | None:
        """Return what a file knows and is true, at best an answer that a budget asks for."""
        found = None
        with self._lock:
            for file in self._files:
                try:
                    answer = file.get(window)
                except TimeoutError:
                    continue
                except CacheError as error:
                    self._give_up(file, error)
                    continue
                if answer is not None and answer.joined:
                    answer = self._searched_again(window, answer, budget, file)
                if answer is not None and (found is None or not _suffices(found, budget)):
                    found = answer
            if found is not None:
                self._remember(window, found)
        return found

    def _searched_again(
        self, window: Window, answer: WindowAnswer, budget: int, file: CacheFile
    ) -> WindowAnswer | None:
        """Return what of an answer from a file holds; None, and drop it there, if it is false."""
        if answer.used > budget:
            return WindowAnswer(joined=None, carrier=0, used=budget)
        again, _ = Room(window).solve(answer.used)
        if again == answer:
            return answer
        try:
            file.drop(window)
        except TimeoutError:  # it is searched again the next time, too
            pass
        except CacheError as error:
            self._give_up(file, error)
        return None

    def _learn(self, window: Window, answer: WindowAnswer) -> None:
        with self._lock:
            self.searched += 1
            self._remember(window, answer)
            if self._takes_new is not None:
                self._new[window] = answer
            if len(self._new) >= _TOGETHER:
                self.flush()

    def _remember(self, window: Window, answer: WindowAnswer) -> None:
        self._answers[window] = answer
        if len(self._answers) > self.most:
            del self._answers[next(iter(self._answers))]

    def _give_up(self, file: CacheFile, error: CacheError) -> None:
        """Leave a file alone from now on, and say so."""
        self._files = [other for other in self._files if other is not file]
        if self._takes_new is file:
            self._takes_new = None
            self._new.clear()
        self._on_error(error)


def _suffices(answer: WindowAnswer, budget: int) -> bool:
    """Return whether a search with this budget would say no more."""
    return answer.joined is not None or answer.used >= budget


@cache
def usual_windows(on_error: Callable[[CacheError], None] = _raise) -> SearchedWindows:
    """Return what this user's processes and real games have asked for, once a process."""
    files = [CacheFile(user_file())]
    warm = shipped("windows.db")
    if warm is not None:
        files.append(CacheFile(warm, is_fixed=True))
    known = SearchedWindows(*files, on_error=on_error)
    atexit.register(known.flush)
    return known

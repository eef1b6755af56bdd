"""Answers to windows: searched by the kernel, remembered, and stored on disk."""

import atexit
import os
import sqlite3
import threading
import weakref
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.request import pathname2url

import numpy as np

from hsearch.connect.closure import heeding, limited_by
from hsearch.connect.limits import Limits
from hsearch.connect.store import Array, layout, workspace
from hsearch.connect.window_shape import STRIDE, Window, bits_of, graph_of, places_of
from hsearch.formats.files import shipped
from hsearch.kernels import stop
from hsearch.kernels import window as kernel
from hsearch.kernels.folder import user_folder
from hsearch.kernels.packing import OVERFLOW

# Version of the answers: raise it when they change, and make the shipped file anew.
VERSION = 1
LIMITS = Limits(shrinking=True, stop_at_win=True)
_CHILDREN = 20


@dataclass(frozen=True, slots=True)
class WindowAnswer:
    """Result of a search in a window.

    joined   whether the ends are joined; None if the budget did not suffice
    carrier  if they are, the places that takes, else none
    used     how much work it was: the number of closures, or more where there is little hope
    """

    joined: bool | None
    carrier: int
    used: int


class WindowRoom:
    """A window laid out for the kernel. Holds state: the arrays that it works in."""

    def __init__(self, window: Window) -> None:
        """Lay a window out."""
        self.window = window
        self._points = window.points
        self._layout = limited_by(LIMITS, layout(len(self._points)))
        self._graph = graph_of(window)
        self._space = workspace(kernel.MOST_POINTS)

    def solve(self, budget: int) -> tuple[WindowAnswer, Array]:
        """Return whether the ends are joined, the opponent moving first, and the search tree.

        The budget is how much work it may be, see `WindowAnswer`. Raise Stopped when
        `hsearch.kernels.stop` ends the search before.
        """
        window, space = self.window, self._space
        self._layout = heeding(self._layout)
        tree = np.zeros((_CHILDREN * budget + kernel.MOST_POINTS + 1, kernel.FIELDS), np.int64)
        while True:
            used = kernel.solve(
                space.memory,
                space.log,
                self._layout,
                space.rows,
                tree,
                self._graph,
                bits_of(window, window.other),
                bits_of(window, window.empty),
                budget,
            )
            stop.check(late=True)
            if used >= 0:
                break
            if space.memory[OVERFLOW]:
                space.grow()
            else:
                tree = np.zeros((2 * len(tree), kernel.FIELDS), np.int64)
        state = int(tree[0, kernel.STATE])
        joined = {kernel.JOINED: True, kernel.CUT: False}.get(state)
        carrier = places_of(window, int(tree[0, kernel.CARRIER])) if joined else 0
        return WindowAnswer(joined, carrier, int(used)), tree

    def closure(self, own: int, free: int) -> tuple[Array, Array]:
        """Return what H-search finds with these points the owner's and these empty.

        The arrays are those of `hsearch.kernels.packing`, and hold it until the next call.
        """
        space = self._space
        self._layout = heeding(self._layout)
        while True:
            arrays = space.memory, space.log, self._layout, space.rows
            kernel.closure(*arrays, self._graph, own, free)
            stop.check(late=True)
            if not space.memory[OVERFLOW]:
                return space.memory, space.log
            space.grow()


# Answers to windows on disk, for every process of a user at once.
#
# The file is an SQLite database, so that a process that is killed leaves what was
# written before, and two that write at the same time wait for each other. A row
# is a window, packed, with what was found in it and a checksum of both, which shows
# accidents and no forgery: see `SearchedWindows`. The name of the file holds the
# version of the search: what another version has found is left alone.

MOST = 200_000
_APPLICATION = 0x48455857  # HEXW, tells the file from other databases
_WAIT = 5.0  # seconds for another process that writes
_OPEN = 2  # for the answer that the budget did not suffice
_SAID = {0: False, 1: True, _OPEN: None}
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    id INTEGER PRIMARY KEY, window BLOB NOT NULL UNIQUE,
    joined INTEGER NOT NULL, used INTEGER NOT NULL, carrier BLOB NOT NULL, sum INTEGER NOT NULL
)"""
_ENTER = f"""
INSERT INTO answers (window, joined, used, carrier, sum) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (window) DO UPDATE
SET joined = excluded.joined, used = excluded.used, carrier = excluded.carrier, sum = excluded.sum
WHERE answers.joined = {_OPEN} AND (excluded.joined < {_OPEN} OR excluded.used > answers.used)
"""  # noqa: S608 - a constant


class CacheError(ValueError):
    """A file that is not a cache of windows, or a damaged one, or one that cannot be written."""


class CacheFile:
    """Answers in a file. Holds state: the connection to it, one for each process."""

    def __init__(self, path: Path, *, most: int = MOST, is_fixed: bool = False) -> None:
        """Name the file; it is opened, and made if it is not there, when it is first used.

        Of more than `most` answers the oldest go. A fixed file is only read.
        """
        self.path = path
        self._most = most
        self._is_fixed = is_fixed
        self._connection: tuple[int, sqlite3.Connection] | None = None

    def get(self, window: Window) -> WindowAnswer | None:
        """Return what is known of a window; None if it is not there.

        Raise CacheError when the file is damaged.
        """
        key, _ = _packed(window)
        with self._opened() as file:
            row = file.execute(
                "SELECT joined, used, carrier, sum FROM answers WHERE window = ?", (key,)
            ).fetchone()
        return None if row is None else self._answer(key, *row)

    def put(self, answers: Iterable[tuple[Window, WindowAnswer]]) -> None:
        """Enter answers, where they say more than what is there.

        Raise CacheError when the file is damaged or the disk does not take it. A file that
        another process holds for seconds raises TimeoutError; nothing is lost then.
        """
        rows = [_row(window, answer) for window, answer in answers]
        with self._opened() as file, self._changing(file):
            file.executemany(_ENTER, rows)
            file.execute(
                "DELETE FROM answers WHERE id <= (SELECT MAX(id) FROM answers) - ?", (self._most,)
            )

    def drop(self, window: Window) -> None:
        """Forget a window, unless the file is fixed; raise what `put` raises."""
        if self._is_fixed:
            return
        with self._opened() as file, self._changing(file):
            file.execute("DELETE FROM answers WHERE window = ?", (_packed(window)[0],))

    def merge(self, other: "CacheFile") -> None:
        """Enter all that another file knows; raise CacheError when one of the two is damaged."""
        with other._opened() as file:  # noqa: SLF001 - one of its own kind
            rows = file.execute("SELECT window, joined, used, carrier, sum FROM answers").fetchall()
        for row in rows:
            other._answer(*row)  # noqa: SLF001
        with self._opened() as file, self._changing(file):
            file.executemany(_ENTER, rows)

    def __len__(self) -> int:
        """Return how many windows it knows."""
        with self._opened() as file:
            return int(file.execute("SELECT COUNT(*) FROM answers").fetchone()[0])

    def _answer(self, key: Any, joined: Any, used: Any, carrier: Any, check: Any) -> WindowAnswer:
        """Return what a row says, whatever the database holds in its place."""
        kinds = (bytes, int, int, bytes, int)
        row = (key, joined, used, carrier, check)
        if any(type(value) is not kind for value, kind in zip(row, kinds, strict=True)):
            raise CacheError(f"{self.path}: damaged: a window has values of another kind")
        if check != _sum(key, joined, used, carrier):
            raise CacheError(f"{self.path}: damaged: a window does not have its checksum")
        width, height = (*key[:2], 0, 0)[:2]
        if not (width and joined in _SAID and used >= 0 and len(carrier) * 8 < width * height + 8):
            raise CacheError(f"{self.path}: damaged: what it says of a window cannot be")
        return WindowAnswer(_SAID[joined], unpacked(carrier, width), used)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection to the file, opened once a process."""
        try:
            if self._connection is None or self._connection[0] != os.getpid():
                self._connection = os.getpid(), self._open()
                weakref.finalize(self, _close, *self._connection)
            yield self._connection[1]
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY:
                raise TimeoutError(f"{self.path}: another process is writing") from None
            raise CacheError(f"{self.path}: {error}") from None
        except UnicodeDecodeError:  # SQLite quotes what it found
            raise CacheError(f"{self.path}: damaged: no text where text should be") from None
        except OSError as error:
            raise CacheError(f"{self.path}: {error.strerror or error}") from None

    def _open(self) -> sqlite3.Connection:
        if self._is_fixed:
            address = f"file:{pathname2url(str(self.path.absolute()))}?mode=ro&immutable=1"
            file = sqlite3.connect(address, uri=True, check_same_thread=False)
        else:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            file = sqlite3.connect(
                self.path, timeout=_WAIT, isolation_level=None, check_same_thread=False
            )
        try:
            self._expect_windows(file)
        except BaseException:
            file.close()
            raise
        return file

    def _expect_windows(self, file: sqlite3.Connection) -> None:
        """Make the table in a new file; raise CacheError when another file has none of ours."""
        # A damaged file may seem to have no tables, so only an empty one is a new one. No other is
        # opened to be changed here: SQLite would write into it.
        if not self._is_fixed and not self.path.stat().st_size:
            with self._changing(file):
                if not file.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()[0]:
                    file.execute(f"PRAGMA application_id = {_APPLICATION}")
                    file.execute(f"PRAGMA user_version = {VERSION}")
                    file.execute(_TABLE)
        kind = file.execute("PRAGMA application_id").fetchone()[0]
        version = file.execute("PRAGMA user_version").fetchone()[0]
        if kind != _APPLICATION:
            raise CacheError(f"{self.path}: a database, but no cache of windows")
        if version != VERSION:
            raise CacheError(f"{self.path}: a cache of version {version}, not {VERSION}")

    @contextmanager
    def _changing(self, file: sqlite3.Connection) -> Iterator[None]:
        """Do all of it or nothing, alone."""
        file.execute("BEGIN IMMEDIATE")
        try:
            yield
            file.execute("COMMIT")  # a process that is reading may keep it from that
        except BaseException:
            if file.in_transaction:  # SQLite may have taken all back
                file.execute("ROLLBACK")
            raise


def _close(process: int, file: sqlite3.Connection) -> None:
    """Close a connection, unless it is that of another process: Python 3.13 warns of open ones."""
    if process == os.getpid():
        file.close()


def user_file() -> Path:
    """Return where a user's answers are kept."""
    return user_folder() / f"windows-{VERSION}.db"


def _row(window: Window, answer: WindowAnswer) -> tuple[bytes, int, int, bytes, int]:
    key, width = _packed(window)
    joined = _OPEN if answer.joined is None else int(answer.joined)
    carrier = _bytes(answer.carrier, width)
    return key, joined, answer.used, carrier, _sum(key, joined, answer.used, carrier)


def _sum(key: bytes, joined: int, used: int, carrier: bytes) -> int:
    return zlib.crc32(b"%b %d %d %b" % (key, joined, used, carrier))


def _packed(window: Window) -> tuple[bytes, int]:
    """Return a window in as few bytes as its width and height allow, and the width."""
    parts = window.parts()
    height = -(-max(part.bit_length() for part in parts) // STRIDE)
    columns = 0
    for part in parts:
        for row in range(height):
            columns |= part >> row * STRIDE & (1 << STRIDE) - 1
    width = columns.bit_length()
    length = -(-width * height // 8)
    packed = (_bytes(part, width).ljust(length, b"\0") for part in parts)
    return bytes((width, height)) + b"".join(packed), width


def _bytes(places: int, width: int) -> bytes:
    """Return places with this many bits a row."""
    row, packed = 0, 0
    while places >> row * STRIDE:
        packed |= (places >> row * STRIDE & (1 << width) - 1) << row * width
        row += 1
    return packed.to_bytes(-(-packed.bit_length() // 8), "little")


def unpacked(packed: bytes, width: int) -> int:
    """Return the places of a part of a window that is packed with this many columns."""
    number, row, places = int.from_bytes(packed, "little"), 0, 0
    while number >> row * width:
        places |= (number >> row * width & (1 << width) - 1) << row * STRIDE
        row += 1
    return places


# Answers that are remembered, so that a window is searched once.
#
# What is answered does not depend on what is remembered: an answer that took more
# closures than a budget allows is not given for it. Anybody may have written a file,
# so an answer from there that joins two ends, on which a win may rest, is searched
# again before it is given. These are few: what files save is the many other answers.
# A false one of those can hide a connection, but not make one.

_TOGETHER = 100  # new answers that are written at once
_LOOK = 0.05  # seconds between two looks whether a thread that waits is stopped


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
        # What is asked at the moment, whose turn it is, and how many wait or are at it.
        self._asked: dict[tuple[Window, int], tuple[threading.Lock, int]] = {}

    def __len__(self) -> int:
        """Return how many windows are remembered, those in files that nobody asked for aside."""
        return len(self._answers)

    def ask(self, window: Window, budget: int) -> WindowAnswer:
        """Return whether a window's ends are joined, as far as this many closures tell."""
        answer = self._answers.get(window)
        if answer is None or not _suffices(answer, budget):
            with self._alone(window, budget):
                answer = self._found(window, budget)
        if answer.used > budget:
            return replace(answer, joined=None, carrier=0, used=budget)
        return answer

    def _found(self, window: Window, budget: int) -> WindowAnswer:
        answer = self._answers.get(window)
        if answer is None:
            answer = self._read(window, budget)
        if answer is None or not _suffices(answer, budget):
            answer, _ = WindowRoom(window).solve(budget)
            self._learn(window, answer)
        return answer

    @contextmanager
    def _alone(self, window: Window, budget: int) -> Iterator[None]:
        """Let one thread ask a question; another that has the same waits for it, and knows then.

        Raise Stopped where the work of one that waits is canceled.
        """
        question = window, budget
        with self._lock:
            turn, count = self._asked.get(question, (threading.Lock(), 0))
            self._asked[question] = turn, count + 1
        try:
            while not turn.acquire(timeout=_LOOK):
                stop.check(late=True)
            try:
                yield
            finally:
                turn.release()
        finally:
            with self._lock:
                turn, count = self._asked.pop(question)
                if count > 1:
                    self._asked[question] = turn, count - 1

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
        best = None
        for file in self._files:
            with self._lock:
                try:
                    answer = file.get(window)
                except TimeoutError:
                    continue
                except CacheError as error:
                    self._give_up(file, error)
                    continue
            if answer is not None and answer.joined:
                answer = self._searched_again(window, answer, budget, file)
            if answer is not None and (best is None or not _suffices(best, budget)):
                best = answer
        if best is not None:
            with self._lock:
                self._remember(window, best)
        return best

    def _searched_again(
        self, window: Window, answer: WindowAnswer, budget: int, file: CacheFile
    ) -> WindowAnswer | None:
        """Return what of an answer from a file holds; None, and drop it there, if it is false."""
        if answer.used > budget:
            return WindowAnswer(joined=None, carrier=0, used=budget)
        again, _ = WindowRoom(window).solve(answer.used)
        if again == answer:
            return answer
        with self._lock:
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
            known = self._answers.get(window)
            if known is not None and _suffices(known, answer.used):
                return  # another thread had a larger budget
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

"""Answers to windows: searched by the kernel, remembered, and stored on disk."""

import atexit
import os
import sqlite3
import threading
import warnings
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

from hsearch.connect.closure import heeding, with_limits
from hsearch.connect.limits import Limits
from hsearch.connect.store import Array, layout, workspace
from hsearch.connect.window_shape import STRIDE, Window, bits_of, graph_of, places_of
from hsearch.formats.files import find_shipped
from hsearch.kernels import exhaustive, folder, packing, stop
from hsearch.kernels import window as kernel

# Version of the answers: raise it when they change, and make a new shipped file.
VERSION = 1
LIMITS = Limits(shrinking=True, stop_at_win=True)
_CHILDREN = 20


@dataclass(frozen=True, slots=True)
class WindowAnswer:
    """Result of a search in a window.

    joined   whether the ends are joined; None if the budget did not suffice
    carrier  the places that this needs; none unless they are joined
    work     the work done: the number of closures, or more where there is little hope
    """

    joined: bool | None
    carrier: int
    work: int


class WindowRoom:
    """A window laid out for the kernel. Holds state: the arrays that it works in."""

    def __init__(self, window: Window) -> None:
        """Lay out a window."""
        self.window = window
        self._points = window.points
        self._layout = with_limits(LIMITS, layout(len(self._points)))
        self._graph = graph_of(window)
        self._space = workspace(exhaustive.MOST_POINTS)

    def solve(self, budget: int) -> tuple[WindowAnswer, Array]:
        """Return whether the ends are joined, the opponent moving first, and the search tree.

        The budget limits the work, counted as in `WindowAnswer`. Raise Stopped if
        `hsearch.kernels.stop` ends the search early.
        """
        window, space = self.window, self._space
        self._layout = heeding(self._layout)
        tree = np.zeros((_CHILDREN * budget + exhaustive.MOST_POINTS + 1, kernel.FIELDS), np.int64)
        while True:
            work = kernel.solve(
                space.memory,
                space.log,
                self._layout,
                space.rows,
                tree,
                self._graph,
                (bits_of(window, window.other), bits_of(window, window.empty)),
                budget,
            )
            stop.check(late=True)
            if work >= 0:
                break
            if space.memory[packing.OVERFLOW]:
                space.grow()
            else:
                tree = np.zeros((2 * len(tree), kernel.FIELDS), np.int64)
        state = int(tree[0, kernel.STATE])
        joined = {kernel.JOINED: True, kernel.CUT: False}.get(state)
        carrier = places_of(window, int(tree[0, kernel.CARRIER])) if joined else 0
        return WindowAnswer(joined, carrier, int(work)), tree

    def closure(self, own: int, free: int) -> tuple[Array, Array]:
        """Run H-search with the points `own` owned and `free` empty; return the memory and the log.

        `hsearch.kernels.packing` describes these arrays. They are valid until the next call.
        """
        space = self._space
        self._layout = heeding(self._layout)
        for arrays in space.attempts(self._layout):
            kernel.closure(*arrays, self._graph, own, free)
            stop.check(late=True)
        return space.memory, space.log


# Answers to windows on disk, shared by all processes of a user.
#
# The file is an SQLite database: a process that is killed leaves what it has written
# before, and processes that write at the same time wait for each other. A row holds
# a packed window, its answer, and a checksum of both, which detects accidents but not
# forgery: see `SearchedWindows`. The file's name contains the version of the search,
# so that answers of other versions are left alone.

MOST = 200_000
_APPLICATION = 0x48455857  # HEXW: distinguishes the file from other databases
_WAIT = 5.0  # seconds to wait for another process that writes
_OPEN = 2  # stored if the budget did not suffice
_JOINED_BY_CODE = {0: False, 1: True, _OPEN: None}
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
        """Name the file; it is opened, or created if it is missing, on first use.

        Beyond `most` answers the oldest are deleted. A fixed file is only read.
        """
        self.path = path
        self._most = most
        self._is_fixed = is_fixed
        self._connection: tuple[int, sqlite3.Connection] | None = None

    def get(self, window: Window) -> WindowAnswer | None:
        """Return the answer to a window; None if the file has none.

        Raise CacheError when the file is damaged.
        """
        key, _ = _pack(window)
        with self._connect() as file:
            row = file.execute(
                "SELECT joined, used, carrier, sum FROM answers WHERE window = ?", (key,)
            ).fetchone()
        return None if row is None else self._answer(key, *row)

    def put(self, answers: Iterable[tuple[Window, WindowAnswer]]) -> None:
        """Write answers, unless the file has better ones.

        Raise CacheError if the file is damaged or cannot be written, and TimeoutError if
        another process holds it for seconds; the file is then unchanged.
        """
        rows = [_row(window, answer) for window, answer in answers]
        with self._connect() as file, self._changing(file):
            file.executemany(_ENTER, rows)
            file.execute(
                "DELETE FROM answers WHERE id <= (SELECT MAX(id) FROM answers) - ?", (self._most,)
            )

    def drop(self, window: Window) -> None:
        """Delete the answer to a window, unless the file is fixed; raise what `put` raises."""
        if self._is_fixed:
            return
        with self._connect() as file, self._changing(file):
            file.execute("DELETE FROM answers WHERE window = ?", (_pack(window)[0],))

    def __len__(self) -> int:
        """Return how many answers the file has."""
        with self._connect() as file:
            return int(file.execute("SELECT COUNT(*) FROM answers").fetchone()[0])

    def _answer(self, key: Any, joined: Any, work: Any, carrier: Any, check: Any) -> WindowAnswer:
        """Return the answer in a row, after checking each value: the file may hold anything."""
        kinds = (bytes, int, int, bytes, int)
        row = (key, joined, work, carrier, check)
        if any(type(value) is not kind for value, kind in zip(row, kinds, strict=True)):
            raise CacheError(f"{self.path}: damaged: a window has values of another kind")
        if check != _sum(key, joined, work, carrier):
            raise CacheError(f"{self.path}: damaged: a window does not have its checksum")
        width, height = (*key[:2], 0, 0)[:2]
        if not (
            width
            and joined in _JOINED_BY_CODE
            and work >= 0
            and len(carrier) * 8 < width * height + 8
        ):
            raise CacheError(f"{self.path}: damaged: its answer for a window is impossible")
        return WindowAnswer(_JOINED_BY_CODE[joined], unpack(carrier, width), work)

    @contextmanager
    def _connect(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection to the file, opened once for each process."""
        try:
            if self._connection is None or self._connection[0] != os.getpid():
                self._connection = os.getpid(), self._open()
                weakref.finalize(self, _close, *self._connection)
            yield self._connection[1]
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY:
                raise TimeoutError(f"{self.path}: another process is writing") from None
            raise CacheError(f"{self.path}: {error}") from None
        except UnicodeDecodeError:  # SQLite's message quotes the bytes
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
        """Make the table in a new file; raise CacheError if another file is not such a cache."""
        # A damaged file may seem to have no tables, so only an empty file counts as new. Other
        # files get no transaction here, since SQLite would write into them.
        if not self._is_fixed and not self.path.stat().st_size:
            with self._changing(file):
                if not file.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()[0]:
                    file.execute(f"PRAGMA application_id = {_APPLICATION}")
                    file.execute(f"PRAGMA user_version = {VERSION}")
                    file.execute(_TABLE)
        kind = file.execute("PRAGMA application_id").fetchone()[0]
        version = file.execute("PRAGMA user_version").fetchone()[0]
        if kind != _APPLICATION:
            raise CacheError(f"{self.path}: a database, but not a cache of windows")
        if version != VERSION:
            raise CacheError(f"{self.path}: a cache of version {version}, not {VERSION}")

    @contextmanager
    def _changing(self, file: sqlite3.Connection) -> Iterator[None]:
        """Make all changes or none, while no other process writes."""
        file.execute("BEGIN IMMEDIATE")
        try:
            yield
            file.execute("COMMIT")  # fails if another process reads for too long
        except BaseException:
            if file.in_transaction:  # SQLite may have rolled back already
                file.execute("ROLLBACK")
            raise


def _close(process: int, file: sqlite3.Connection) -> None:
    """Close a connection that this process opened: Python 3.13 warns of open ones."""
    if process == os.getpid():
        file.close()


def user_file() -> Path:
    """Return the path of a user's answers."""
    return folder.user_folder() / f"windows-{VERSION}.db"


def _row(window: Window, answer: WindowAnswer) -> tuple[bytes, int, int, bytes, int]:
    key, width = _pack(window)
    joined = _OPEN if answer.joined is None else int(answer.joined)
    carrier = _bytes(answer.carrier, width)
    return key, joined, answer.work, carrier, _sum(key, joined, answer.work, carrier)


def _sum(key: bytes, joined: int, work: int, carrier: bytes) -> int:
    return zlib.crc32(b"%b %d %d %b" % (key, joined, work, carrier))


def _pack(window: Window) -> tuple[bytes, int]:
    """Return a window in as few bytes as its width and height allow, and the width."""
    parts = window.parts()
    height = -(-max(part.bit_length() for part in parts) // STRIDE)
    columns = 0
    for part in parts:
        for row in range(height):
            columns |= part >> row * STRIDE & (1 << STRIDE) - 1
    width = columns.bit_length()
    length = -(-width * height // 8)
    chunks = (_bytes(part, width).ljust(length, b"\0") for part in parts)
    return bytes((width, height)) + b"".join(chunks), width


def _bytes(places: int, width: int) -> bytes:
    """Return places packed with this many bits a row."""
    row, bits = 0, 0
    while places >> row * STRIDE:
        bits |= (places >> row * STRIDE & (1 << width) - 1) << row * width
        row += 1
    return bits.to_bytes(-(-bits.bit_length() // 8), "little")


def unpack(data: bytes, width: int) -> int:
    """Return places that were packed with this many bits a row."""
    number, row, places = int.from_bytes(data, "little"), 0, 0
    while number >> row * width:
        places |= (number >> row * width & (1 << width) - 1) << row * STRIDE
        row += 1
    return places


# Answers in memory, so that a window is searched once.
#
# An answer does not depend on what was searched before: one that took more work than
# the budget allows is not returned. Anybody may have written a file, so if an answer
# from a file joins two ends, on which a win may depend, the search is repeated before
# the answer is used. Such answers are few; files save the work of the many others. A
# false one among those can hide a connection, but not invent one: nothing is concluded from
# a window that is not joined (`hsearch.connect.window.strengthen` alone asks).

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
        """Begin with the answers of some files; new ones are written to the first.

        Beyond `most` answers in memory the oldest are dropped. The error of a file
        that cannot be used goes to `on_error` once, and the file is not used again.
        """
        self.most = most
        self.searches = 0
        self._on_error = on_error
        self._files: Sequence[CacheFile] = files
        self._takes_new = files[0] if files else None
        self._answers: dict[Window, WindowAnswer] = {}
        self._new: dict[Window, WindowAnswer] = {}
        self._lock = threading.RLock()
        # Questions in work, each with its lock and the number of threads that hold or await it.
        self._questions: dict[tuple[Window, int], tuple[threading.Lock, int]] = {}

    def __len__(self) -> int:
        """Return how many answers are in memory; the files may have more."""
        return len(self._answers)

    def ask(self, window: Window, budget: int) -> WindowAnswer:
        """Return whether a window's ends are joined, as far as a search with this budget finds."""
        answer = self._answers.get(window)
        if answer is None or not _suffices(answer, budget):
            with self._answering_alone(window, budget):
                answer = self._find_answer(window, budget)
        if answer.work > budget:
            return replace(answer, joined=None, carrier=0, work=budget)
        return answer

    def _find_answer(self, window: Window, budget: int) -> WindowAnswer:
        answer = self._answers.get(window)
        if answer is None:
            answer = self._read(window, budget)
        if answer is None or not _suffices(answer, budget):
            answer, _ = WindowRoom(window).solve(budget)
            self._learn(window, answer)
        return answer

    @contextmanager
    def _answering_alone(self, window: Window, budget: int) -> Iterator[None]:
        """Let one thread answer a question, while others with the same question wait.

        Raise Stopped if the work of a waiting thread is canceled.
        """
        question = window, budget
        with self._lock:
            turn, count = self._questions.get(question, (threading.Lock(), 0))
            self._questions[question] = turn, count + 1
        try:
            with stop.holding(turn, late=True):
                yield
        finally:
            with self._lock:
                turn, count = self._questions.pop(question)
                if count > 1:
                    self._questions[question] = turn, count - 1

    def flush(self) -> None:
        """Write the new answers; if another process is writing, leave them for the next call."""
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
        """Return an answer from a file, verified if it joins; if possible one for the budget."""
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
                answer = self._verify(window, answer, budget, file)
            if answer is not None and (best is None or not _suffices(best, budget)):
                best = answer
        if best is not None:
            with self._lock:
                self._remember(window, best)
        return best

    def _verify(
        self, window: Window, answer: WindowAnswer, budget: int, file: CacheFile
    ) -> WindowAnswer | None:
        """Verify an answer from a file by a search; if it is false, delete it and return None."""
        if answer.work > budget:
            return WindowAnswer(joined=None, carrier=0, work=budget)
        again, _ = WindowRoom(window).solve(answer.work)
        if again == answer:
            return answer
        with self._lock:
            try:
                file.drop(window)
            except TimeoutError:  # the next process verifies it again
                pass
            except CacheError as error:
                self._give_up(file, error)
        return None

    def _learn(self, window: Window, answer: WindowAnswer) -> None:
        with self._lock:
            self.searches += 1
            previous = self._answers.get(window)
            if previous is not None and _suffices(previous, answer.work):
                return  # another thread searched with a larger budget
            self._remember(window, answer)
            if self._takes_new is not None:
                self._new[window] = answer
            if self._new and len(self._new) % _TOGETHER == 0:  # a busy file may take `_WAIT`
                self.flush()

    def _remember(self, window: Window, answer: WindowAnswer) -> None:
        self._answers[window] = answer
        if len(self._answers) > self.most:
            del self._answers[next(iter(self._answers))]

    def _give_up(self, file: CacheFile, error: CacheError) -> None:
        """Stop using a file, and report the error."""
        self._files = [other for other in self._files if other is not file]
        if self._takes_new is file:
            self._takes_new = None
            self._new.clear()
        self._on_error(error)


def _suffices(answer: WindowAnswer, budget: int) -> bool:
    """Return whether a search with this budget could not improve an answer."""
    return answer.joined is not None or answer.work >= budget


@cache
def usual_windows() -> SearchedWindows:
    """Return the windows of the user's file and of the shipped one, once for each process.

    A file that cannot be used is a warning.
    """
    files = [CacheFile(user_file())]
    warm = find_shipped("windows.db")
    if warm is not None:
        files.append(CacheFile(warm, is_fixed=True))
    windows = SearchedWindows(*files, on_error=_warn)
    atexit.register(windows.flush)
    return windows


def _warn(error: CacheError) -> None:
    warnings.warn(f"windows are searched anew: {error}", stacklevel=2)

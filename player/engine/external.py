"""External engines as players: each speaks GTP in its own process."""

import contextlib
import os
import queue
import shlex
import subprocess
import threading
from collections import deque
from collections.abc import Iterable
from types import TracebackType
from typing import IO, Self

import numpy as np

from hsearch.hex import Board, Cell, Color, Game, Move, Special
from player.engine.player import Choice, MoveRequest, PlayerError, Rationale
from player.work.clock import Clock, TimeLeft, current_clock
from player.work.spread import below, kill

# A client of the Go Text Protocol, independent of any game.
#
# A fault of the engine, such as an exit, a timeout or a malformed reply, becomes an
# `EngineError` that reports what the engine wrote on stderr.

WINDOWS = os.name == "nt"  # a command is not split there: its paths have backslashes
STDERR_LINES = 20  # the last lines of stderr that a failure reports
LONGEST_LINE = 1_000_000
QUIT_SECONDS = 2.0


class EngineError(Exception):
    """An engine that cannot be used any more: it ended, hangs or writes garbage."""


class RefusedError(Exception):
    """A command that the engine answered with an error; the message is the engine's."""


class Client:
    """A running engine. Use it in a `with` block, which ends the process."""

    def __init__(self, command: str) -> None:
        """Start the engine; `command` is split as the system's shell would split it.

        Raise EngineError when it does not start.
        """
        self.command = command
        try:
            self._process = subprocess.Popen(  # noqa: S603 - running a given engine is the point
                command if WINDOWS else shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
        except (OSError, ValueError, IndexError) as error:
            why = getattr(error, "strerror", None) or error
            raise EngineError(f"cannot start {command!r}: {why}") from error
        self._stdin, self._stdout, self._stderr_pipe = _pipes(self._process)
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._threads = [
            threading.Thread(target=self._read_stdout, daemon=True),
            threading.Thread(target=self._read_stderr, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def send(self, *words: str, seconds: float | None = None) -> str:
        """Send a command, wait at most `seconds` for the reply, and return its text.

        Raise RefusedError when the engine reports an error, and EngineError when it gives
        no valid reply. After an EngineError no more commands can be sent.
        """
        line = " ".join(words)
        time_left = TimeLeft(seconds)
        try:
            self._stdin.write(line + "\n")
            self._stdin.flush()
        except (OSError, ValueError):
            raise self._end_error(line) from None
        return self._reply(line, time_left)

    def close(self) -> None:
        """End the engine: by `quit` first, then by force, with the processes that it has started.

        Do not wait for a process that outlives the engine and holds its pipes.
        """
        with contextlib.suppress(OSError, ValueError):
            self._stdin.write("quit\n")
            self._stdin.flush()
        with contextlib.suppress(OSError, ValueError):
            self._stdin.close()
        try:
            self._process.wait(QUIT_SECONDS)
        except subprocess.TimeoutExpired:
            _kill(self._process)
        for thread in self._threads:  # each closes what it reads
            thread.join(QUIT_SECONDS)

    def _reply(self, command: str, time_left: TimeLeft) -> str:
        first = self._line(command, time_left)
        while not first.strip():
            first = self._line(command, time_left)
        if first[0] not in "=?":
            message = f"{self.command!r} answered {command!r} with garbage: {first[:80]!r}"
            raise EngineError(message + self._stderr_words())
        lines = [first[1:].lstrip("0123456789").strip()]
        while line := self._line(command, time_left).rstrip():
            lines.append(line)
        text = "\n".join(lines).strip()
        if first[0] == "?":
            raise RefusedError(text or "failed without a message")
        return text

    def _line(self, command: str, time_left: TimeLeft) -> str:
        try:
            line = self._lines.get(timeout=time_left.left)
        except queue.Empty:
            raise EngineError(
                f"{self.command!r} did not answer {command!r} in time" + self._stderr_words()
            ) from None
        if line is None:
            raise self._end_error(command)
        return line

    def _end_error(self, command: str) -> EngineError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_SECONDS)
        self._threads[1].join(QUIT_SECONDS)
        code = self._process.returncode
        how = "closed its output" if code is None else f"ended with status {code}"
        return EngineError(f"{self.command!r} {how} at {command!r}" + self._stderr_words())

    def _stderr_words(self) -> str:
        return "; on stderr: " + " | ".join(self._stderr) if self._stderr else ""

    def _read_stdout(self) -> None:
        for line in _lines(self._stdout):
            self._lines.put(line)
        self._lines.put(None)

    def _read_stderr(self) -> None:
        for line in _lines(self._stderr_pipe):
            if line.strip():
                self._stderr.append(line.strip()[:500])


def _pipes(process: "subprocess.Popen[str]") -> tuple[IO[str], IO[str], IO[str]]:
    """Return stdin, stdout and stderr of a process that was started with pipes."""
    stdin, stdout, stderr = process.stdin, process.stdout, process.stderr
    assert stdin and stdout and stderr  # noqa: S101, PT018 - the type of Popen does not say so
    return stdin, stdout, stderr


def _lines(stream: IO[str]) -> Iterable[str]:
    """Yield the lines of a stream, and close it at its end."""
    with stream, contextlib.suppress(OSError, ValueError):
        while line := stream.readline(LONGEST_LINE):
            yield line


def _kill(process: "subprocess.Popen[str]") -> None:
    """Kill a process and its descendants, because a script may have started the engine."""
    started = below(process.pid)
    process.kill()
    process.wait()
    kill(started)


# The player.

START_SECONDS = 60.0  # the engine may compile kernels or load a net
SHORT_SECONDS = 10.0
LONG_SECONDS = 600.0  # for a move without a time limit
GRACE = 1.0  # beyond the time for a move, before the engine counts as hanging


class ExternalPlayer:
    """Any Hex engine that speaks GTP. It receives the game move by move.

    Close it after use.
    """

    def __init__(self, command: str, *, name: str) -> None:
        """Store the command; `prepare` starts the engine."""
        self.name = name
        self.command = command
        self._client: Client | None = None
        self._engine_game: Game | None = None

    def prepare(self, board: Board) -> None:
        """Start the engine and send it the board. Raise PlayerError when that fails."""
        self._prepare(board)

    def _prepare(self, board: Board) -> Client:
        """Return the engine, started, with a board."""
        client = self._client = self._client or self._start()
        self._engine_game = None
        self._send(client, "boardsize", str(board.columns), str(board.rows))
        self._send(client, "clear_board")
        self._engine_game = Game.of(board)
        return client

    def choose(self, game: Game, terms: MoveRequest, _generator: np.random.Generator) -> Choice:
        """Return the engine's move. Raise PlayerError when there is none."""
        client = self._client
        if client is None or self._engine_game is None or self._engine_game.board != game.board:
            client = self._prepare(game.board)
        time_left = TimeLeft(None if terms.seconds is None else terms.seconds + GRACE)
        if terms.swap or any(move.swaps for move in game.moves):
            self._try(client, "param_game", "allow_swap", "1")
        # After a failure, the next move starts over.
        engine_game, self._engine_game = self._engine_game, None
        self._catch_up(client, game, engine_game)
        color = game.position().turn
        if terms.seconds is not None:
            # The protocol has whole seconds; less than one is sent as a fraction.
            limit = str(int(terms.seconds)) if terms.seconds >= 1 else f"{terms.seconds:.2f}"
            self._try(client, "time_left", color.word, limit, "1")
        # With processor time, only the referee decides what is late.
        seconds = time_left.left if current_clock() is Clock.DAY else None
        seconds = LONG_SECONDS if seconds is None else seconds
        reply = self._send(client, "genmove", color.word, seconds=seconds).lower()
        action = self._action(game, reply)
        self._engine_game = game.append(Move(color, action))
        line = () if isinstance(action, Special) else (action,)
        return Choice(action, Rationale(f"Played by {self.command}.", line=line))

    def close(self) -> None:
        """End the engine."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _start(self) -> Client:
        client: Client | None = None
        try:
            client = Client(self.command)
            client.send("name", seconds=START_SECONDS)
        except (EngineError, RefusedError) as error:
            if client is not None:
                client.close()
            raise PlayerError(str(error)) from error
        return client

    def _catch_up(self, client: Client, game: Game, engine_game: Game | None) -> None:
        """Send the engine the missing moves; start over if others were sent."""
        if _has_later_setup(game):
            self._set_up(client, game)
            return
        moves = () if engine_game is None else engine_game.moves
        if game.moves[: len(moves)] != moves or (
            engine_game is not None
            and (game.nodes[0] != engine_game.nodes[0] or _has_later_setup(engine_game))
        ):
            self._send(client, "clear_board")
            moves = ()
        if not moves:
            for name, cells in (("black", game.nodes[0].black), ("white", game.nodes[0].white)):
                for cell in cells:
                    self._send(client, "play", name, game.board.name(cell))
        for move in game.moves[len(moves) :]:
            self._send(client, "play", move.color.word, move.name(game.board))

    def _set_up(self, client: Client, game: Game) -> None:
        """Send the engine only the stones, because no command of the protocol removes one."""
        self._send(client, "clear_board")
        for color in Color:
            for cell in game.position().stones(color).search(1):
                self._send(client, "play", color.word, game.board.name(cell))

    def _action(self, game: Game, reply: str) -> Cell | Special:
        if reply == "resign":
            return Special.RESIGN
        if reply in {"swap", "swap-pieces"}:
            return Special.SWAP_PIECES
        try:
            return game.board.cell(reply)
        except ValueError as error:
            raise PlayerError(f"{self.command!r} moved {reply[:80]!r}: {error}") from error

    def _send(self, client: Client, *words: str, seconds: float | None = SHORT_SECONDS) -> str:
        try:
            return self._ask(client, *words, seconds=seconds)
        except RefusedError as error:
            text = f"{self.command!r} refused {' '.join(words)!r}: {error}"
            raise PlayerError(text) from error

    def _try(self, client: Client, *words: str) -> None:
        """Send a command that not every engine has."""
        with contextlib.suppress(RefusedError):
            self._ask(client, *words, seconds=SHORT_SECONDS)

    def _ask(self, client: Client, *words: str, seconds: float | None) -> str:
        """Return the reply; close an engine that gives none, so the next game starts a new one."""
        try:
            return client.send(*words, seconds=seconds)
        except EngineError as error:
            self.close()
            raise PlayerError(str(error)) from error


def _has_later_setup(game: Game) -> bool:
    """Return whether a game has setup beyond its initial stones."""
    return bool(game.nodes[0].cleared) or any(node.is_setup for node in game.main_line[1:])

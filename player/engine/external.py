"""A player in a process of its own, that speaks the Go Text Protocol."""

import time

import numpy as np

from hsearch.board import Board, Cell
from hsearch.game import Game, Move, Special
from player.clock import Clock, counted
from player.engine.player import Choice, MoveRequest, PlayerError, Rationale
from player.gtp.client import Client, EngineError, RefusedError

START_SECONDS = 60.0  # compiling kernels or loading a net takes its time
SHORT_SECONDS = 10.0
LONG_SECONDS = 600.0  # for a move where no time is set
GRACE = 1.0  # beyond the time for a move, before an engine is said to hang


class ExternalPlayer:
    """Any Hex engine that speaks GTP. It is told of the game move by move.

    Close it after use.
    """

    def __init__(self, command: str, *, name: str) -> None:
        """Remember how to start the engine; it starts with `prepare`."""
        self.name = name
        self.command = command
        self._client: Client | None = None
        self._told: Game | None = None

    def prepare(self, board: Board) -> None:
        """Start the engine and tell it the board. Raise PlayerError when that fails."""
        self._client = self._client or self._started()
        self._told = None
        self._send(self._client, "boardsize", str(board.columns), str(board.rows))
        self._send(self._client, "clear_board")
        self._told = Game.of(board)

    def choose(self, game: Game, terms: MoveRequest, _generator: np.random.Generator) -> Choice:
        """Return the engine's move. Raise PlayerError when there is none."""
        if self._client is None or self._told is None or self._told.board != game.board:
            self.prepare(game.board)
        client = self._client
        assert client is not None  # noqa: S101 - prepare made it
        begin = time.monotonic()
        if terms.swap:
            self._try(client, "param_game", "allow_swap", "1")
        self._catch_up(client, game)
        color = game.position().turn
        if terms.seconds is not None:
            self._try(client, "time_left", color.word, str(max(1, int(terms.seconds))), "1")
        seconds = LONG_SECONDS  # a referee who counts the processor tells himself what was late
        if terms.seconds is not None and counted() is Clock.DAY:
            seconds = terms.seconds + GRACE - (time.monotonic() - begin)
        reply = self._send(client, "genmove", color.word, seconds=seconds).lower()
        action = self._action(game, reply)
        self._told = game.append(Move(color, action))
        line = () if isinstance(action, Special) else (action,)
        return Choice(action, Rationale(f"Played by {self.command}.", line=line))

    def close(self) -> None:
        """End the engine."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _started(self) -> Client:
        try:
            client = Client(self.command)
            client.send("name", seconds=START_SECONDS)
        except (EngineError, RefusedError) as error:
            raise PlayerError(str(error)) from error
        return client

    def _catch_up(self, client: Client, game: Game) -> None:
        """Tell the engine the moves that it does not know; start over if it knows others."""
        told = self._told
        known = () if told is None else told.moves
        if game.moves[: len(known)] != known or (
            told is not None and game.nodes[0] != told.nodes[0]
        ):
            self._send(client, "clear_board")
            known = ()
        if not known:
            for name, cells in (("black", game.nodes[0].black), ("white", game.nodes[0].white)):
                for cell in cells:
                    self._send(client, "play", name, game.board.name(cell))
        for move in game.moves[len(known) :]:
            self._send(client, "play", move.color.word, move.name(game.board))
        self._told = game

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
            return client.send(*words, seconds=seconds)
        except RefusedError as error:
            text = f"{self.command!r} refused {' '.join(words)!r}: {error}"
            raise PlayerError(text) from error
        except EngineError as error:
            self.close()
            raise PlayerError(str(error)) from error

    def _try(self, client: Client, *words: str) -> None:
        """Send a command that not every engine knows."""
        try:
            client.send(*words, seconds=SHORT_SECONDS)
        except RefusedError:
            return
        except EngineError as error:
            raise PlayerError(str(error)) from error

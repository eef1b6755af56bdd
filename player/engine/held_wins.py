"""Win by a connection: find it, remember it, and answer what the opponent plays into it."""

from hsearch.board import Cell
from hsearch.closure import Limits, closure
from hsearch.connection import Connection
from hsearch.game import Game
from hsearch.position import Position
from player.engine.player import Choice, MoveRequest, Rationale
from player.search import probe_seconds
from player.search.hold import WinningStrategy, start

REMEMBERED = 1000  # won positions


class HeldWins:
    """Remembers, for positions that a player won, the connection that it holds."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._holds: dict[Position, WinningStrategy] = {}

    def answer(self, game: Game, limits: Limits, terms: MoveRequest) -> Choice | None:
        """Return the move of a connection that wins; None if none is known."""
        position = game.position()
        hold, intrusion = self._remembered(game)
        if hold is None:
            if terms.seconds is not None and terms.seconds < probe_seconds(position.board):
                return None
            store = closure(position, position.turn, limits)
            found = next(iter(store.edge_fulls or store.edge_semis), None)
            return None if found is None else self.taken(position, found)
        return self._answer(position, hold, intrusion)

    def taken(self, position: Position, connection: Connection) -> Choice:
        """Return the first move of a connection that wins."""
        if connection.is_full:
            return self._answer(position, WinningStrategy.of(connection), None)
        key, rest = start(connection)
        return self._held(position, key, rest, "starts a winning connection")

    def _answer(self, position: Position, hold: WinningStrategy, intrusion: Cell | None) -> Choice:
        """Return the reply to the opponent's last move, if it needs one."""
        board = position.board
        cell, rest = hold.reply(intrusion)
        is_hit = any(intrusion is not None and link.carrier[intrusion] for link in hold.links)
        return self._held(
            position,
            cell,
            rest,
            f"answers {board.name(intrusion)} in the winning connection"
            if is_hit and intrusion is not None
            else "shortens the winning connection",
        )

    def _remembered(self, game: Game) -> tuple[WinningStrategy | None, Cell | None]:
        """Return what was held before the opponent's last move, and that move."""
        moves = game.moves
        if not moves or moves[-1].cell is None:
            return None, None
        held = self._holds.get(game.position(len(moves) - 1))
        return (held, moves[-1].cell) if held is not None and not held.is_done else (None, None)

    def _held(self, position: Position, cell: Cell, rest: WinningStrategy, what: str) -> Choice:
        if len(self._holds) >= REMEMBERED:
            self._holds.clear()
        self._holds[position.play(cell)] = rest
        mover = position.turn
        left = (
            f"; {rest.carrier(position.board).count()} cells left"
            if not rest.is_done
            else ", and joins the edges"
        )
        reason = (
            f"Proved: {mover.word.capitalize()} wins. {position.board.name(cell)} {what}{left}."
        )
        return Choice(cell, Rationale(reason, mover, (cell,), rest))

"""Write down why a player wins: one reply to every move, down to connections.

A proof is a text, one JSON object a line. The first line tells the position
and the winner; each other line is a position with the loser to move, in which
the winner is joined already (`joined`), or answers everything (`threats` and
`replies`): each empty cell lies outside a threat, or outside all that the
winner needs after one of the replies. A line only refers to lines above it.
`steps` are the derivations of its connections, each from earlier steps.
`player.solve.verify` reads it, and knows nothing of how it was found.
"""

from typing import Any, Protocol

from hsearch.board import Board, Cell, Color
from hsearch.cells import CellSet
from hsearch.closure import Limits, closure
from hsearch.connection import Connection
from hsearch.files import strict
from hsearch.position import Position, winner
from player.solve.verify import SCHEMA

LIMITS = Limits(M=20, K=4)


class Oracle(Protocol):
    """Knows who wins, as the solver does."""

    def outcome(self, position: Position) -> Color:
        """Return who wins, or has won."""
        ...

    def winning_move(self, position: Position) -> Cell | None:
        """Return a move that wins for the player to move; None if there is none."""
        ...


def write(solver: Oracle, position: Position) -> str:
    """Return the proof for the winner of a position, as the solver finds it."""
    won_by = solver.outcome(position)
    writing = _Writing(solver, won_by)
    first = None
    start = position
    if position.turn is won_by and winner(position) is None:
        first = writing.reply(position)
        start = position.play(first)
    elif position.turn is won_by:
        start = Position(position.board, position.black, position.white, won_by.opponent)
    root = writing.line(start)
    head = {
        "schema": SCHEMA,
        **stones_object(position),
        "columns": position.board.columns,
        "rows": position.board.rows,
        "turn": position.turn.word,
        "winner": won_by.word,
        "first": None if first is None else position.board.name(first),
        "root": root,
        "lines": len(writing.lines),
    }
    return "\n".join(strict.write(line) for line in (head, *writing.lines)) + "\n"


def stones_object(position: Position) -> dict[str, Any]:
    """Return the stones of a position, as a line of a proof has them."""
    names = position.board.names
    return {"black": names(position.black), "white": names(position.white)}


class _Writing:
    """The lines written so far. Holds state."""

    def __init__(self, solver: Oracle, won_by: Color) -> None:
        self.lines: list[dict[str, Any]] = []
        self._solver = solver
        self._won_by = won_by
        self._known: dict[Position, tuple[int, CellSet]] = {}

    def reply(self, position: Position) -> int:
        """Return the winner's move."""
        semis = closure(position, self._won_by, LIMITS).edge_semis
        if semis and semis[0].key is not None:
            return semis[0].key
        move = self._solver.winning_move(position)
        assert move is not None  # noqa: S101 - the position is won
        return move

    def line(self, position: Position) -> int:
        """Write a position with the loser to move; return the number of its line, from 1."""
        return self._line(position)[0]

    def _line(self, position: Position) -> tuple[int, CellSet]:
        if position not in self._known:
            entry, carrier = self._entry(position)
            self.lines.append(stones_object(position) | entry)
            self._known[position] = len(self.lines), carrier
        return self._known[position]

    def _entry(self, position: Position) -> tuple[dict[str, Any], CellSet]:
        board = position.board
        if winner(position) is self._won_by:
            return {"steps": [], "joined": None}, board.only()
        store = closure(position, self._won_by, LIMITS)
        if store.edge_fulls:
            full = store.edge_fulls[0]
            steps = _Steps(board)
            return {"joined": steps.number(full), "steps": steps.lines}, full.carrier
        left, carrier = position.empty, board.only()
        steps, threats = _Steps(board), []
        for semi in store.edge_semis:
            if (left & ~semi.carrier).any():
                left, carrier = left & semi.carrier, carrier | semi.carrier
                threats.append(steps.number(semi))
        replies: dict[str, Any] = {}
        while left.any():
            move = next(left.search(1))
            after = position.play(move)
            reply = self.reply(after)
            number, needed = self._line(after.play(reply))
            needed = needed | board.only(reply)
            left, carrier = left & needed, carrier | needed
            replies[board.name(move)] = [board.name(reply), number]
        return {"threats": threats, "replies": replies, "steps": steps.lines}, carrier


class _Steps:
    """The derivations of a line, premises first. Holds state."""

    def __init__(self, board: Board) -> None:
        self.lines: list[list[Any]] = []
        self._board = board
        self._numbers: dict[int, int] = {}

    def number(self, connection: Connection) -> int:
        """Return the number of the step that derives a connection, from 0."""
        if id(connection) not in self._numbers:
            premises = [self.number(premise) for premise in connection.premises]
            names, key = self._board.names, connection.key
            self.lines.append(
                [
                    connection.rule.value,
                    *map(self._board.name, connection.ends),
                    " ".join(names(connection.carrier)),
                    None if key is None else self._board.name(key),
                    premises,
                ]
            )
            self._numbers[id(connection)] = len(self.lines) - 1
        return self._numbers[id(connection)]

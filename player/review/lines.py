"""Lines that play out a proved win: a few moves for the record.

The winner follows the proof, the loser plays where the current is strongest
inside of what the winner still needs.
"""

import threading

from hsearch.board import Cell, Color
from hsearch.cells import CellSet
from hsearch.circuit import circuits
from hsearch.closure import Limits, closure
from hsearch.connection import Connection
from hsearch.deduction import expand
from hsearch.position import Position, winner
from player.search.hold import WinningStrategy, start
from player.solve import Solver

LONGEST = 10
_NODES = 200  # for the solver, whose table knows the way already


def winning_line(
    position: Position,
    won_by: Color,
    known: Connection | None,
    solver: Solver | None,
    limits: Limits,
    cancel: threading.Event | None = None,
) -> tuple[Cell, ...]:
    """Return moves from a position that a player wins, the player to move first."""
    line: list[Cell] = []
    connection = known
    while len(line) < LONGEST and winner(position) is None:
        if connection is None:
            connection = _connection(position, won_by, limits)
        if connection is not None:
            return tuple(line + _held(position, won_by, connection, LONGEST - len(line)))
        move = _solved(position, won_by, solver, cancel)
        if move is None:
            break
        line.append(move)
        position = position.play(move)
    return tuple(line)


def _connection(position: Position, won_by: Color, limits: Limits) -> Connection | None:
    """Return what H-search has that wins for a player, if it has anything."""
    store = closure(position, won_by, limits)
    semis = store.edge_semis if position.turn is won_by else []
    return next(iter(store.edge_fulls or semis), None)


def _solved(
    position: Position, won_by: Color, solver: Solver | None, cancel: threading.Event | None
) -> Cell | None:
    """Return the winner's move as the solver knows it, or the strongest try of the loser."""
    if position.turn is not won_by:
        return _strongest(position, position.empty)
    if solver is None:
        return None
    answer = solver.solve(position, nodes=_NODES, cancel=cancel)
    return next(iter(answer.winning_moves), None)


def _held(position: Position, won_by: Color, connection: Connection, most: int) -> list[Cell]:
    """Return moves in which a player holds a connection, a semi from its key on."""
    connection = expand(position, won_by, connection)
    line: list[Cell] = []
    hold: WinningStrategy
    if connection.key is not None:
        key, hold = start(connection)
        line.append(key)
        position = position.play(key)
    else:
        hold = WinningStrategy.of(connection)
    while len(line) < most and not hold.is_done and winner(position) is None:
        if position.turn is won_by:
            cell, hold = hold.reply(line[-1] if line else None)
        else:
            cell = _strongest(position, hold.carrier(position.board) & position.empty)
        if not position.is_legal(cell):
            break  # the hold names what is played already: nothing more to show
        line.append(cell)
        position = position.play(cell)
    return line


def _strongest(position: Position, cells: CellSet) -> Cell:
    """Return the weakest link among some cells."""
    return next(cell for cell, _ in circuits(position).weak_links if cells[cell])

"""A move tried in a puzzle: whether it wins, what shows it, and what the opponent answers."""

import threading
from dataclasses import dataclass

from hsearch.analysis import Analysis
from hsearch.board import Cell
from hsearch.closure import closure
from hsearch.connection import Connection
from hsearch.position import Position, winner
from player.solve import Solver


@dataclass(frozen=True, slots=True)
class Trial:
    """A move that was tried.

    after  the position after it
    wins   whether whoever tried it still wins
    proof  what joins the edges of the one who wins; None if the two rules do not find it
    reply  the opponent's move: it refutes, or is the strongest of those that lose all the
           same; None when the puzzle is solved
    nodes  positions that the solver looked at
    """

    cell: Cell
    after: Position
    wins: bool
    proof: Connection | None
    reply: Cell | None
    nodes: int

    @property
    def is_solved(self) -> bool:
        """Whether the edges are joined, whatever the opponent does."""
        return self.reply is None


def tried(
    position: Position,
    cell: Cell,
    solver: Solver,
    *,
    seconds: float | None = None,
    cancel: threading.Event | None = None,
) -> Trial:
    """Try a move for the player to move.

    Raise ValueError when it is none, TimeoutError when nobody knows in time who wins.
    """
    me, after = position.turn, position.play(cell)
    found = solver.solve(after, seconds=seconds, cancel=cancel)
    if found.winner is None:
        raise TimeoutError
    wins = found.winner is me
    store = closure(after, found.winner)
    fulls, semis = store.edge_fulls, store.edge_semis
    reply: Cell | None
    if wins:
        proof = fulls[0] if fulls else None
        reply = None if fulls or winner(after) is me else _defense(after)
    else:
        proof = next(iter(fulls or semis), None)
        reply = semis[0].key if semis else solver.winning_move(after)
    return Trial(cell, after, wins, proof, reply, found.nodes)


def _defense(after: Position) -> Cell:
    """Return the loser's strongest try: in the must-play region, the weakest link."""
    analysis = Analysis(after)
    region = analysis.mustplay.cells
    links = [cell for cell, _ in analysis.circuits.weak_links]
    return next((cell for cell in links if region[cell]), links[0])

"""A move tried in a puzzle: whether it wins, what shows it, and what the opponent answers."""

import threading

from hsearch.analysis.analysis import Analysis
from hsearch.connect.closure import closure
from hsearch.hex.board import Cell
from hsearch.hex.position import Position, winner
from player.solve.solver import Solver
from player.variants.puzzle import Verdict


def tried(
    position: Position,
    cell: Cell,
    solver: Solver,
    *,
    seconds: float | None = None,
    cancel: threading.Event | None = None,
) -> Verdict:
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
    return Verdict(cell, after, wins, proof, reply, found.nodes)


def _defense(after: Position) -> Cell:
    """Return the loser's strongest try: in the must-play region, the weakest link."""
    analysis = Analysis(after)
    region = analysis.mustplay.cells
    links = [cell for cell, _ in analysis.circuits.weak_links]
    return next((cell for cell in links if region[cell]), links[0])

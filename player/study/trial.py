"""A move tried in a puzzle: whether it wins, what shows it, and what the opponent answers."""

import threading

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.connect.closure import closure
from hsearch.hex.board import Cell
from hsearch.hex.position import Position, winner
from player.solve.shortest import ShortestSearch
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
    answer = solver.solve(after, seconds=seconds, cancel=cancel)
    if answer.winner is None:
        raise TimeoutError
    wins = answer.winner is me
    store = closure(after, answer.winner)
    fulls, semis = store.edge_fulls, store.edge_semis
    reply: Cell | None
    if wins:
        proof = fulls[0] if fulls else None
        reply = None if fulls or winner(after) is me else _defense(after)
    else:
        proof = next(iter(fulls or semis), None)
        reply = semis[0].key if semis else solver.winning_move(after)
    return Verdict(cell, after, wins, proof, reply, answer.nodes)


def tried_within(position: Position, cell: Cell, search: ShortestSearch, stones: int) -> Verdict:
    """Try a move with which the player to move is to win with so many stones, this one included.

    A right one is answered by the longest defense. Raise ValueError when it is not legal.
    """
    me, after, before = position.turn, position.play(cell), search.nodes
    rest = search.needs(after, me, stones - 1)
    assert rest is not None  # noqa: S101 - no time was given
    reply: Cell | None = None
    if not rest.wins:
        reply = next(iter(rest.moves), min(after.empty.search(1)))
    elif winner(after) is not me:
        reply = search.longest_reply(after, me, stones - 1)
    return Verdict(cell, after, rest.wins, None, reply, search.nodes - before, stones)


def _defense(after: Position) -> Cell:
    """Return the loser's strongest try: in the must-play region, the weakest link."""
    analysis = ConnectionAnalysis(after)
    region = analysis.mustplay.cells
    links = [cell for cell, _ in analysis.circuits.weak_links]
    return next((cell for cell in links if region[cell]), links[0])

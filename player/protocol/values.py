"""Commands about what a position is worth: circuits, and the values of moves."""

import math
import time
from dataclasses import replace

from hsearch.analysis import Analysis
from hsearch.board import Color
from player.protocol.arguments import Arguments
from player.protocol.region import region_of
from player.protocol.replies import pairs
from player.protocol.session import Session

SECONDS = 2.0  # no button of HexGui stops these


def resistance(session: Session, arguments: Arguments) -> str:
    """Return the resistances of both circuits, and E."""
    if arguments:
        arguments.color(0)
    both = session.analysis.circuits
    return (
        f"black {both.black.resistance:.4g} white {both.white.resistance:.4g} "
        f"E {both.evaluation:+.4g}"
    )


def currents(session: Session, arguments: Arguments) -> str:
    """Return the current through each empty cell in a player's circuit, if there is any."""
    both = session.analysis.circuits
    flow = (both.black if arguments.color(0) is Color.BLACK else both.white).flow
    shown = ((cell, f"{flow[cell]:.3f}") for cell in session.position.empty.search(1))
    return pairs(session.board, ((cell, text) for cell, text in shown if float(text)))


def move_values(session: Session, arguments: Arguments) -> str:
    """Return E after each move that the region allows, weakest links first, as time allows."""
    color, end = arguments.color(0), time.monotonic() + SECONDS
    if session.result is not None:
        return ""
    position = replace(session.position, turn=color)
    cells = region_of(session, color).cells
    links = [cell for cell, _ in session.analysis.circuits.weak_links if cells[cell]]
    found = []
    for cell in links:
        found.append((cell, value(Analysis(position.play(cell), session.analysis.limits), color)))
        if time.monotonic() > end or session.call.cancel.is_set():
            break
    return pairs(session.board, found)


def value(analysis: Analysis, mover: Color) -> str:
    """Return what a position is worth in at most five characters: `win`, `loss`, or E."""
    if analysis.winner is not None:
        return "win" if analysis.winner is mover else "loss"
    evaluation = analysis.circuits.evaluation
    if math.isinf(evaluation):
        return "+inf" if evaluation > 0 else "-inf"
    return f"{max(-99.0, min(99.0, evaluation)):+.2f}"[:5]

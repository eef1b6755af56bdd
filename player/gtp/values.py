"""Commands about what a position and its moves are worth: at random turns, and by circuits."""

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from hsearch.hex.board import Color
from hsearch.kernels.stop import Stopped
from player.gtp.arguments import Arguments, pairs, percent, share
from player.gtp.connections import region_of
from player.gtp.session import Session

if TYPE_CHECKING:
    from player.answers.knowledge import Analysis
    from player.evaluate.fillings import Odds


CHIPS = 200  # of both players together


def random_turn(session: Session, arguments: Arguments) -> str:
    """Return a player's chance to win after each move; nothing if the game is over."""
    color = arguments.color(0)
    if session.winner is not None:
        return ""
    odds = _odds(session)
    chances = ((cell, odds.chance(color) + odds.critical[cell] / 2) for cell in odds.ranked())
    return pairs(session.board, ((cell, percent(chance)) for cell, chance in chances))


def bids(session: Session, arguments: Arguments) -> str:
    """Return what each move is worth to either player, where each has half the chips."""
    from player.bidding.advice import fair_bid  # noqa: PLC0415 - it loads numba

    arguments.color(0)
    if session.winner is not None:
        return ""
    odds = _odds(session)
    worth = ((cell, fair_bid(odds, cell, CHIPS)) for cell in odds.ranked())
    return pairs(session.board, ((cell, str(chips)) for cell, chips in worth))


def _odds(session: Session) -> "Odds":
    import numpy as np  # noqa: PLC0415 - it takes its time to load

    from player.evaluate.exact import weigh  # noqa: PLC0415 - it loads numba

    return weigh(session.position, np.random.default_rng(session.settings.seed))


# Commands about what a position is worth: circuits, and the values of moves.

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
    shown = ((cell, float(flow[cell])) for cell in session.position.empty.search(1))
    return pairs(session.board, ((cell, share(value)) for cell, value in shown if value >= 0.005))


def move_values(session: Session, arguments: Arguments) -> str:
    """Return the chance after each move of the region, weakest links first, as time allows."""
    color, end = arguments.color(0), time.monotonic() + SECONDS
    if session.winner is not None:
        return ""
    position = replace(session.position, turn=color)
    cells = region_of(session, color).cells
    links = [cell for cell, _ in session.analysis.circuits.weak_links if cells[cell]]
    values, options = [], session.settings.options()
    for cell in links:
        try:
            values.append((cell, value(options.analysis(position.play(cell), search=0), color)))
        except Stopped:
            break
        if time.monotonic() > end or session.call.cancel.is_set():
            break
    return pairs(session.board, values)


def value(analysis: "Analysis", mover: Color) -> str:
    """Return what a position is worth to a player: `W`, `L`, or the chance to win in per cent."""
    if analysis.winner is not None:
        return "W" if analysis.winner is mover else "L"
    return percent(analysis.chance.of(mover))

"""Commands that explain, in sentences."""

from hsearch.board import Color
from hsearch.strategy import explain, missing, words
from player.gtp import CommandError
from player.protocol.arguments import Arguments
from player.protocol.region import region_of
from player.protocol.session import Session
from player.report.numbers import numbered
from player.report.wrapping import wrapped

FEW = 5


def position(session: Session, arguments: Arguments) -> str:
    """Return who is proved to win or stands better, where to play, and why."""
    color = arguments.color(0)
    return wrapped(_verdict(session, color) + _moves(session, color))


def _verdict(session: Session, color: Color) -> list[str]:
    analysis = session.analysis_of(color)
    winner, board = analysis.winner, session.board
    if winner is None:
        evaluation = analysis.circuits.evaluation
        side = "Black" if evaluation < 0 else "White"
        better = "neither stands better" if evaluation == 0 else f"{side} stands better"
        return [f"Not proved. Estimated: {better}, E = {evaluation:+.2f}."]
    name = winner.word.capitalize()
    if analysis.proof == "chain":
        return [f"{name} has won."]
    connection = analysis.edge_connection(winner)
    assert connection is not None  # noqa: S101 - it is the proof
    ends = " and ".join(map(board.name, connection.ends))
    cells = " ".join(board.names(connection.carrier))
    start = "" if connection.key is None else f" starts at {board.name(connection.key)} and"
    return [f"Proved: {name} wins. A {analysis.proof} connection of {ends}{start} needs {cells}."]


def _moves(session: Session, color: Color) -> list[str]:
    board, region = session.board, region_of(session, color)
    mover, opponent = (each.word.capitalize() for each in (color, color.opponent))
    if session.result is not None:
        return []
    lines = []
    if region.is_lost:
        lines.append(f"No move of {mover} stops {opponent}.")
    elif region.is_forced:
        cells = " ".join(board.names(region.cells))
        count = len(region.threats)
        lines.append(
            f"{opponent} has {numbered(count, 'threat')} to win. {mover} must play {cells}."
        )
    links = session.analysis.circuits.weak_links
    best = [(cell, flow) for cell, flow in links if region.cells[cell] and flow][:FEW]
    if best:
        shown = ", ".join(f"{board.name(cell)} {flow:.2f}" for cell, flow in best)
        lines.append(f"Weakest links: {shown}.")
    return lines


def connection(session: Session, arguments: Arguments) -> str:
    """Return why two points are connected, or what they lack."""
    color, x, y = arguments.color(0), arguments.point(1), arguments.point(2)
    store, board, place = session.analysis.stores[color], session.board, session.position
    for number, point in ((2, x), (3, y)):
        if store.captain(point) is None:
            name = board.name(point)
            raise CommandError(f"argument {number}: {name} is not {color.word}'s to connect")
    names = board.name(x), board.name(y)
    if store.captain(x) == store.captain(y):
        return f"{names[0]} and {names[1]} are of one group."
    lines: list[str] = []
    fulls = session.fulls(color, x, y)
    if not fulls:
        lines += words.shortfall(missing(place, store, x, y), place, color, names)
    for found in [*fulls[:1], *store.semis(x, y)[:1]][:1]:
        why = explain(place, color, found)
        lines += words.summary(why)
        if why.arguments or why.captured:
            lines.append(words.guide(why))
        for argument in why.arguments:
            lines.append(words.heading(why, argument))
            lines += ("   " + case for case in words.cases(why, argument))
    return wrapped(lines)

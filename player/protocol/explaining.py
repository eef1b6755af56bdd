"""Commands that explain, in sentences."""

from hsearch.strategy import explain, missing, words
from player.gtp import CommandError
from player.protocol.arguments import Arguments
from player.protocol.session import Session
from player.report.analysis import (
    estimate,
    mustplay,
    proof_of,
    technical,
    verdict,
    weakest,
)
from player.report.wrapping import wrapped


def position(session: Session, arguments: Arguments) -> str:
    """Return who is proved to win or stands better, where to play, and why."""
    color = arguments.color(0)
    analysis = session.analysis_of(color)
    lines = [verdict(analysis, is_shown=False)]
    proof = proof_of(analysis)
    if proof is not None:
        lines.append(f"It needs {' '.join(session.board.names(proof.carrier))}.")
    if analysis.winner is None:
        lines.append(estimate(analysis))
    if session.result is None:
        lines += [mustplay(analysis, is_shown=False), weakest(analysis)]
    lines.append(technical(analysis, is_proved=analysis.winner is not None))
    return wrapped(lines)


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

"""Commands that explain, in sentences."""

from player.gtp import CommandError
from player.protocol.arguments import Arguments
from player.protocol.session import Session
from player.report.wrapping import wrapped


def position(session: Session, arguments: Arguments) -> str:
    """Return who is proved to win or stands better, where to play, and why."""
    from player.report.analysis import (  # noqa: PLC0415 - it loads numba
        estimate,
        mustplay,
        proof_of,
        technical,
        verdict,
        weakest,
    )

    color = arguments.color(0)
    analysis = session.analysis_of(color)
    lines = [verdict(analysis, is_shown=False)]
    proof = proof_of(analysis)
    if proof is not None:
        lines.append(f"It needs {' '.join(session.board.names(proof.carrier))}.")
    if analysis.winner is None:
        lines.append(estimate(analysis))
    if session.winner is None:
        lines += [mustplay(analysis, is_shown=False), weakest(analysis)]
    lines.append(technical(analysis, is_proved=analysis.winner is not None))
    return wrapped(lines)


def connection(session: Session, arguments: Arguments) -> str:
    """Return why two points are connected, or what they lack."""
    from player.hsearch_options import HSearchOptions  # noqa: PLC0415
    from player.report.explanation import statements  # noqa: PLC0415 - it loads numba
    from player.report.question import ask  # noqa: PLC0415

    color, x, y = arguments.color(0), arguments.point(1), arguments.point(2)
    analysis, board = session.analysis, session.board
    store = analysis.stores[color]
    for number, point in ((2, x), (3, y)):
        if store.captain(point) is None:
            name = board.name(point)
            raise CommandError(f"argument {number}: {name} is not {color.word}'s to connect")
    options = HSearchOptions.used_by(analysis)
    question = ask(session.position, None, color, (x, y), options, store=store)
    return wrapped(statements(question, question.why(), question.lack()))

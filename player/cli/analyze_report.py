"""The lines below the board of `hsearch analyze`."""

from collections.abc import Iterable, Iterator, Mapping

from hsearch.analysis import Analysis
from hsearch.board import Color
from player.cli.next_step import ask_solver, is_solvable, wider
from player.console.compiling import has_compiled
from player.console.reading import InputSource
from player.report.analysis import Analyses, statements, winner_of


def report(
    analyses: Analyses,
    source: InputSource,
    said: Iterable[str],
    searched: Mapping[Color, Color],
) -> Iterator[str]:
    """Yield what is known, what a player has said, how long it took, and what to ask next.

    `searched` has whom the player proves to win, by who may be to move.
    """
    yield from statements(analyses, searched)
    yield from said
    analysis = next(iter(analyses.values()))
    times = (f"{name} {1000 * seconds:.1f} ms" for name, seconds in analysis.seconds.items())
    yield f"Time: {', '.join(times)}{', compiling included' if has_compiled() else ''}."
    yield "Next: " + _next(analysis, winner_of(analyses), source, is_open=not searched)


def _next(analysis: Analysis, won: Color | None, source: InputSource, *, is_open: bool) -> str:
    if won is not None and analysis.proof != "chain":
        board = analysis.position.board
        edges = " ".join(board.name(edge) for edge in board.edges(won))
        return f"{source.again('connections')} --between {edges}   all ways to join them"
    if won is None and is_solvable(source):
        return ask_solver(source) if is_open else ask_solver(source, "let the solver say the same")
    if won is None and not analysis.complete and analysis.limits.shrinking:
        return f"{source.again('analyze')} --limits mk   with what the limits M and K keep"
    if won is None and not analysis.complete and analysis.limits.M is not None:
        return f"{source.again('analyze')} {wider(analysis.limits)}   look further"
    return f"{source.again('show')} --svg board.svg   a picture"

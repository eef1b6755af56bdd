"""An analysis in words, and what a picture of it points out.

What H-search proves is called proved; what the circuits tell is called an
estimate, and never more.
"""

import math
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from hsearch.analysis import Analysis
from hsearch.board import Cell, Color
from hsearch.connection import Connection
from hsearch.render import Marks
from player.cli.compiling import has_compiled
from player.cli.reading import Source
from player.report.numbers import numbered

Analyses: TypeAlias = Mapping[Color, Analysis]  # by who may be to move
LINKS = 5  # weakest links named
# How far E is from 0, and what that is called.
DEGREES = ((0.1, "about even"), (0.5, "{} slightly better"), (1.5, "{} better"))


def proof(analysis: Analysis) -> Connection | None:
    """Return the connection that proves who wins; None if a chain does, or nothing."""
    if analysis.winner is None or analysis.proof == "chain":
        return None
    return analysis.edge_connection(analysis.winner)


def marks(analyses: Analyses, last: Cell | None) -> Marks:
    """Return what a board on a terminal points out.

    The carrier of the proof; if there is none, the must-play region and the
    weakest links, numbered. A proof or a region only if whoever is to move has it.
    """
    analysis = next(iter(analyses.values()))
    if _winner(analyses) is not None:
        return _proof_marks(analysis, last)
    is_forced = len(analyses) == 1 and analysis.mustplay.is_forced
    region = analysis.mustplay.cells if is_forced else None
    links = enumerate(analysis.circuits.weak_links[:LINKS], start=1)
    labels = {cell: str(place) for place, (cell, flow) in links if flow > 0}
    return Marks(shaded=region, shaded_as="must-play", last=last, labels=labels)


def picture_marks(analyses: Analyses, last: Cell | None) -> Marks:
    """Return what a picture points out: the proof, or else all weak links by strength."""
    analysis = next(iter(analyses.values()))
    if _winner(analyses) is not None:
        return _proof_marks(analysis, last)
    heat = dict(analysis.circuits.weak_links)
    return Marks(
        last=last,
        heat=heat,
        heat_as="weak link: current in both circuits",
        labels={
            cell: f"{flow:.2f}"
            for cell, flow in analysis.circuits.weak_links[:LINKS]
            if flow >= 0.005
        },
    )


def subject(analyses: Analyses) -> str:
    """Return what a picture shows, in a few words."""
    analysis, won = next(iter(analyses.values())), _winner(analyses)
    if won is None:
        return "weak links"
    how = "has won" if analysis.proof == "chain" else f"wins by a {analysis.proof} connection"
    return f"{_name(won)} {how}"


def _winner(analyses: Analyses) -> Color | None:
    """Return who is proved to win, whoever is to move of those who may be; None if nobody is."""
    winners = {analysis.winner for analysis in analyses.values()}
    return winners.pop() if len(winners) == 1 else None


def report(analyses: Analyses, source: Source) -> Iterator[str]:
    """Yield the lines below the board."""
    analysis = next(iter(analyses.values()))
    if len(analyses) == 1 or analysis.chain is not None:
        yield verdict(analysis)
    else:
        for color, each in analyses.items():
            region = f" {mustplay(each)}" if each.winner is None else ""
            yield f"If {_name(color)} is to move: {verdict(each, is_shown=False)}{region}"
    yield estimate(analysis, is_proved=_winner(analyses) is not None)
    if analysis.chain is None:
        if len(analyses) == 1:
            yield mustplay(analysis)
        yield weakest(analysis)
    yield _counts(analysis)
    times = (f"{name} {1000 * seconds:.1f} ms" for name, seconds in analysis.seconds.items())
    yield f"Time: {', '.join(times)}{', compiling included' if has_compiled() else ''}."
    yield "Next: " + _next(analysis, _winner(analyses), source)


def _proof_marks(analysis: Analysis, last: Cell | None) -> Marks:
    found = proof(analysis)
    if found is None:
        return Marks(last=last)
    return Marks(shaded=found.carrier, key=found.key, ends=found.ends, last=last)


def verdict(analysis: Analysis, *, is_shown: bool = True) -> str:
    """Return what is proved of who wins; the board shows it, unless that is said."""
    won, board = analysis.winner, analysis.position.board
    if won is None:
        return "Who wins is unknown: neither player's edges are proved to be connected."
    edges = " and ".join(board.name(edge) for edge in board.edges(won))
    found = proof(analysis)
    if found is None:
        return f"{_name(won)} has won: a chain of stones joins {edges}."
    cells = f"of {numbered(found.carrier.count(), 'cell')}{' (*)' * is_shown}"
    if found.key is None:
        joined = f"{edges} are joined by a full connection {cells}"
        return f"Proved: {_name(won)} wins, whoever moves: {joined}."
    joined = f"{edges} are joined by a semi connection {cells} that starts at"
    return f"Proved: {_name(won)}, who is to move, wins: {joined} {board.name(found.key)}."


def estimate(analysis: Analysis, *, is_proved: bool) -> str:
    """Return who stands better by the circuits; that is nothing where it is proved who wins."""
    circuits = analysis.circuits
    e = circuits.evaluation
    better = Color.BLACK if e < 0 else Color.WHITE
    if math.isinf(e):
        return f"Circuits: E = {e}, as {_name(better)}'s edges are joined."
    degree = next((words for most, words in DEGREES if abs(e) < most), "{} much better")
    stands = degree.format(f"{_name(better)} stands")
    ratio = f"{math.exp(abs(e)):.2f} times {_name(better)}'s"
    if is_proved:
        return f"Circuits: E = {e:+.2f}, an estimate that the proof overrules."
    return (
        f"Estimated: {stands}: E = {e:+.2f}, {_name(better.opponent)}'s resistance is {ratio} "
        "(below 0 is good for Black)."
    )


def mustplay(analysis: Analysis) -> str:
    """Return where the player to move must play."""
    position, region = analysis.position, analysis.mustplay
    mover = f"Must-play for {_name(position.turn)}"
    if region.is_lost:
        return f"{mover}: none, every move loses."
    if not region.is_forced:
        return f"{mover}: every empty cell, for nothing is threatened."
    names = " ".join(position.board.names(region.cells))
    count = f"{region.cells.count()} of {numbered(position.empty.count(), 'empty cell')}"
    shown = " (*)" if analysis.winner is None else ""
    return f"{mover}{shown}: {names} ({count}); any other move loses."


def weakest(analysis: Analysis) -> str:
    """Return where the weakest links are, numbered as `marks` does."""
    links = [
        f"{place} {analysis.position.board.name(cell)} {flow:.2f}"
        for place, (cell, flow) in enumerate(analysis.circuits.weak_links[:LINKS], start=1)
        if flow > 0
    ]
    return f"Weakest links: {', '.join(links)}." if links else "Weakest links: no current flows."


def _counts(analysis: Analysis) -> str:
    counts = "; ".join(
        f"{_name(color)} {store.counts.full} full and {store.counts.semi} semi"
        for color, store in analysis.stores.items()
    )
    if analysis.complete:
        return f"Connections: {counts}: all that the rules derive."
    if analysis.limits.shrinking:
        kept = "kept is what leaves those of a pair less in common"
        return f"Connections: {counts} ({kept}: there may be more)."
    limits = f"M={analysis.limits.M}, K={analysis.limits.K}"
    return f"Connections: {counts} (the limits {limits} bound: there may be more)."


def _next(analysis: Analysis, won: Color | None, source: Source) -> str:
    if won is not None and analysis.proof != "chain":
        board = analysis.position.board
        edges = " ".join(board.name(edge) for edge in board.edges(won))
        return f"{source.again('connections')} --between {edges}   all ways to join them"
    if won is None and not analysis.complete and analysis.limits.shrinking:
        return f"{source.again('analyze')} --limits mk   with what the limits M and K keep"
    if won is None and not analysis.complete and analysis.limits.M is not None:
        more = f"--M {5 * analysis.limits.M} --K {2 * (analysis.limits.K or 1)}"
        return f"{source.again('analyze')} {more}   look further"
    return f"{source.again('show')} --svg board.svg   a picture"


def _name(color: Color) -> str:
    return color.word.capitalize()

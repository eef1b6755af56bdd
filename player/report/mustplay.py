"""The must-play region in words, as JSON, and as marks on a board."""

from collections.abc import Iterator
from typing import Any

from hsearch.analysis import Analysis
from hsearch.board import Board, Cell, Color
from hsearch.cells import CellSet
from hsearch.connection import Connection
from hsearch.render import Marks
from player.hsearch_options import HSearchOptions
from player.report.analysis import Analyses
from player.report.connections import connection_marks, connection_object
from player.report.objects import for_either, position_object, word


def mustplay_object(analyses: Analyses) -> dict[str, Any]:
    """Return the region and the threats as a JSON object, for each player who may be to move."""
    analysis = next(iter(analyses.values()))
    return {
        "schema": "hsearch/mustplay/1",
        "position": position_object(analysis.position, turn_is_known=len(analyses) == 1),
        "limits": HSearchOptions.used_by(analysis).to_json(complete=analysis.complete),
        **for_either({color: _answer(each) for color, each in analyses.items()}),
    }


def _answer(analysis: Analysis) -> dict[str, Any]:
    """Return the fields that depend on who is to move."""
    position, found = analysis.position, analysis.mustplay
    board, opponent = position.board, position.turn.opponent
    win = _win(analysis)
    return {
        "winner": word(analysis.winner),
        "proof": analysis.proof,
        "win": None if win is None else connection_object(position.turn, win, board),
        "mustplay": board.names(found.cells),
        "lost": found.is_lost,
        "forced": found.is_forced,
        "threats": [
            {
                **connection_object(opponent, threat, board),
                "rules_out": board.names(cells),
            }
            for threat, cells in zip(found.threats, found.ruled_out(), strict=True)
        ],
    }


def proved(analysis: Analysis) -> tuple[Color, Connection] | None:
    """Return who wins by which connection; None if a chain decides, or nothing is proved."""
    if analysis.chain is not None:
        return None
    turn, found = analysis.position.turn, analysis.mustplay
    win = _win(analysis)
    if win is not None:
        return turn, win
    if found.is_lost and found.threats[0].is_full:
        return turn.opponent, found.threats[0]
    return None


def mustplay_marks(analysis: Analysis, last: Cell | None) -> Marks:
    """Return the region shaded, and on other cells the first threat that rules them out.

    Only the connection that decides the game, if there is one.
    """
    found, decided = analysis.mustplay, proved(analysis)
    if decided is not None:
        return connection_marks(decided[1], last)
    labels = {
        cell: str(number)
        for number, (_, cells) in enumerate(_cutting(analysis), start=1)
        for cell in cells.search(1)
    }
    region = found.cells if found.is_forced else None
    return Marks(
        shaded=region,
        shaded_as="must-play",
        labels=labels,
        notes=("1: outside the carrier of threat 1, so that it stands",) if labels else (),
        last=last,
    )


def statements(analysis: Analysis) -> Iterator[str]:
    """Yield who wins, or where to play and the threats that say so."""
    position, decided = analysis.position, proved(analysis)
    board, turn = position.board, position.turn
    mover = turn.word.capitalize()
    if analysis.chain is not None:
        yield f"{analysis.chain.word.capitalize()} has won: there is nothing to play for."
    elif decided is not None:
        owner, connection = decided
        cells = _cells(board, connection)
        if owner is not turn:
            edges = " and ".join(map(board.name, board.edges(owner)))
            yield f"{mover} has lost: a full connection joins {edges}, in {cells} (*)."
        elif connection.key is None:
            yield f"{mover} has won whatever is played, by a full connection in {cells}."
        else:
            yield f"{mover} wins by playing {board.name(connection.key)} (★), inside {cells}."
    elif not analysis.mustplay.is_forced:
        yield f"{mover} may play on every empty cell: nothing is threatened, as far as is known."
    else:
        yield from _threats(analysis)


def either(analyses: Analyses) -> Iterator[str]:
    """Yield a sentence for each player who may be to move."""
    for color, analysis in analyses.items():
        verdict, *_ = statements(analysis)
        unmarked = verdict.replace(" (*)", "").replace(" (★)", "")
        yield f"If {color.word.capitalize()} is to move: {unmarked}"


def _win(analysis: Analysis) -> Connection | None:
    """Return the connection by which the player to move wins; None if there is none."""
    turn = analysis.position.turn
    return analysis.edge_connection(turn) if analysis.winner is turn else None


def _cutting(analysis: Analysis) -> list[tuple[Connection, CellSet]]:
    """Return the threats that rule out a cell which none before them does, with those cells."""
    found = analysis.mustplay
    pairs = zip(found.threats, found.ruled_out(), strict=True)
    return [(threat, cells) for threat, cells in pairs if cells.any()]


def _threats(analysis: Analysis) -> Iterator[str]:
    found, position = analysis.mustplay, analysis.position
    board, turn = position.board, position.turn
    mover, opponent = turn.word.capitalize(), turn.opponent.word.capitalize()
    cutting = _cutting(analysis)
    if found.is_lost:
        yield f"{mover} has lost: no cell is in the carriers of all of {opponent}'s threats."
    else:
        region = " ".join(board.names(found.cells))
        yield f"{mover} must play on {region} (*); any other move loses."
    for number, (threat, ruled_out) in enumerate(cutting, start=1):
        cells = "cell" if ruled_out.count() == 1 else "cells"
        key = board.name(threat.key or 0)
        yield (
            f"   threat {number}: {opponent} {key}, with {_cells(board, threat)}; "
            f"it rules out the {cells} marked {number}."
        )
    more = len(found.threats) - len(cutting)
    if more:
        yield f"{more} more {'threat rules' if more == 1 else 'threats rule'} out nothing else."


def _cells(board: Board, connection: Connection) -> str:
    return " ".join(board.names(connection.carrier))

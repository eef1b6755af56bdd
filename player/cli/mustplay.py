"""`hsearch mustplay`: where the player to move must play, and which threats say so."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import click

from hsearch.analysis import Analysis
from hsearch.board import Board, Color
from hsearch.cells import CellSet
from hsearch.connection import Connection
from hsearch.render import Marks, text
from player.cli.command import command
from player.cli.compiling import announce_compiling
from player.cli.connections import connection_object
from player.cli.interruptible import interruptible
from player.cli.limits import takes_limits
from player.cli.objects import for_either, position_object, print_object, word
from player.cli.picture import Picture, takes_picture
from player.cli.prose import WIDTH, say
from player.cli.reading import Source, reads_position
from player.cli.screen import Screen, draws
from player.hsearch_options import HSearchOptions


@command(
    "mustplay",
    "hsearch mustplay positions/games/london-2000-hexy-queenbee.sgf --move 30",
    "hsearch mustplay positions/games/london-2000-queenbee-hexy.sgf --move 45",
    "echo 'c2' | hsearch mustplay - --size 5 --json",
)
@draws
@partial(reads_position, needs_turn=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@takes_limits
@takes_picture("Draw the region and the threats")
def mustplay(
    *, source: Source, options: HSearchOptions, as_json: bool, picture: Picture, screen: Screen
) -> None:
    """Tell where the player to move at the position of FILE must play.

    Every semi connection of the opponent's edges is a threat: it stands unless
    the next stone is in its carrier. So only the cells of all threats can hold
    the game.
    """
    announce_compiling()
    analysis = options.analysis(source.position)
    interruptible(lambda: (analysis.stores, analysis.deduced), "searching for connections")
    analyses = {turn: analysis.with_turn(turn) for turn in source.turns}
    is_known = source.turn is not None
    marks = _marks(analysis, source) if is_known else Marks(last=source.last)
    title = ", ".join(part for part in (source.title, "must-play") if part)
    picture.write(source.position, marks, title=title, game=source.game, moves=source.moves)
    if as_json:
        print_object(mustplay_object(analyses))
        return
    screen.board(text.board(source.position, marks, screen.symbols))
    click.echo()
    lines = _report(analysis, source) if is_known else _either(analyses, source)
    say((source.caption, *lines), piped=WIDTH)


def mustplay_object(analyses: Mapping[Color, Analysis]) -> dict[str, Any]:
    """Return the region and the reasons as JSON has them, for each who may be to move."""
    analysis = next(iter(analyses.values()))
    return {
        "schema": "hsearch/mustplay/1",
        "position": position_object(analysis.position, turn_is_known=len(analyses) == 1),
        "limits": HSearchOptions(analysis.limits, analysis.depth, analysis.knowledge).to_json(
            complete=analysis.complete
        ),
        **for_either({color: _answer(each) for color, each in analyses.items()}),
    }


def _answer(analysis: Analysis) -> dict[str, Any]:
    """Return what depends on who is to move."""
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


def _win(analysis: Analysis) -> Connection | None:
    """Return the connection by which the player to move wins; None if there is none."""
    turn = analysis.position.turn
    return analysis.edge_connection(turn) if analysis.winner is turn else None


def _marks(analysis: Analysis, source: Source) -> Marks:
    """Return the region shaded, and on other cells the first threat that rules them out.

    Only the winning connection, if the player to move has one.
    """
    found, win = analysis.mustplay, _win(analysis)
    if win is not None:
        return Marks(shaded=win.carrier, key=win.key, ends=win.ends, last=source.last)
    if found.is_lost and found.threats and found.threats[0].is_full:
        proof = found.threats[0]
        return Marks(shaded=proof.carrier, ends=proof.ends, last=source.last)
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
        last=source.last,
    )


def _cutting(analysis: Analysis) -> list[tuple[Connection, CellSet]]:
    """Return the threats that rule out a cell which none before them does, with those cells."""
    found = analysis.mustplay
    pairs = zip(found.threats, found.ruled_out(), strict=True)
    return [(threat, cells) for threat, cells in pairs if cells.any()]


def _report(analysis: Analysis, source: Source) -> Iterator[str]:
    """Yield the lines below the board."""
    position, found = analysis.position, analysis.mustplay
    board, turn = position.board, position.turn
    mover = turn.word.capitalize()
    edges = " and ".join(map(board.name, board.edges(turn.opponent)))
    win = _win(analysis)
    if analysis.chain is not None:
        yield f"{analysis.chain.word.capitalize()} has won: there is nothing to play for."
    elif win is not None and win.key is not None:
        yield f"{mover} wins by playing {board.name(win.key)} (★), inside {_cells(board, win)}."
        yield f"Next: {_explain(source, board, turn)}"
    elif win is not None:
        yield f"{mover} has won whatever is played, by a full connection in {_cells(board, win)}."
        yield f"Next: {_explain(source, board, turn)}"
    elif found.is_lost and found.threats[0].is_full:
        proof = _cells(board, found.threats[0])
        yield f"{mover} has lost: a full connection joins {edges}, in {proof} (*)."
        yield f"Next: {_explain(source, board, turn.opponent)}"
    elif not found.is_forced:
        yield f"{mover} may play on every empty cell: nothing is threatened, as far as is known."
    else:
        yield from _threats(analysis)


def _either(analyses: Mapping[Color, Analysis], source: Source) -> Iterator[str]:
    """Yield a line for each player who may be to move, and how to ask for the threats."""
    for color, analysis in analyses.items():
        verdict, *_ = _report(analysis, source)
        unmarked = verdict.replace(" (*)", "").replace(" (★)", "")
        yield f"If {color.word.capitalize()} is to move: {unmarked}"
    yield f"Next: {source.again('mustplay')} --turn {Color.BLACK.word}   the threats"


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


def _explain(source: Source, board: Board, color: Color) -> str:
    x, y = map(board.name, board.edges(color))
    return f"{source.again('explain')} --between {x} {y}   why"


def _cells(board: Board, connection: Connection) -> str:
    return " ".join(board.names(connection.carrier))

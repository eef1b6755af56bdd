"""The must-play region, and inferior cells: in words, as JSON, and as marks."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hsearch.connect import Connection
from hsearch.connect.inferior import FillIn, InferiorCells
from hsearch.hex import Board, Cell, CellSet, Color, Position
from hsearch.render.text import Marks, quantity
from player.answers import solved
from player.answers.analysis import AnalysesByTurn, Analysis
from player.answers.connection import connection_marks, connection_object
from player.answers.limits import options_object
from player.answers.objects import for_either, position_object


def mustplay_sentence(analysis: Analysis, *, is_marked: bool = True) -> str:
    """Return where the player to move must play; `is_marked` if a board beside it marks that."""
    position, region = analysis.position, analysis.mustplay
    mover = f"Must-play for {position.turn.title}"
    if region.is_lost:
        return f"{mover}: none, every move loses."
    if not region.is_forced:
        threats = f"no threat of {position.turn.opponent.title}'s"
        return f"{mover}: every empty cell, because {threats} was found."
    names = position.board.text(region.cells)
    count = f"{region.cells.count()} of {quantity(position.empty.count(), 'empty cell')}"
    shown = " (*)" if is_marked and analysis.winner is None else ""
    return f"{mover}{shown}: {names} ({count}); any other move loses."


def mustplay_object(analyses: AnalysesByTurn) -> dict[str, Any]:
    """Return region and threats as a JSON object, for each player who may be to move."""
    analysis = next(iter(analyses.values()))
    return {
        "schema": "hsearch/mustplay/2",
        "position": position_object(analysis.position, turn_is_known=len(analyses) == 1),
        "limits": options_object(analysis.options, complete=analysis.complete),
        "outcome": solved.outcome_object(analysis.ended),
        "before_swap": analysis.before_swap,
        **for_either({color: _answer(each) for color, each in analyses.items()}),
    }


def _answer(analysis: Analysis) -> dict[str, Any]:
    """Return the fields that depend on who is to move."""
    position, region = analysis.position, analysis.mustplay
    board, opponent = position.board, position.turn.opponent
    win = _win(analysis)
    return {
        **solved.winner_object(analysis),
        "win": None if win is None else connection_object(position.turn, win, board),
        "mustplay": board.names(region.cells),
        "lost": region.is_lost,
        "forced": region.is_forced,
        "threats": [
            {
                **connection_object(opponent, threat, board),
                "rules_out": board.names(cells),
            }
            for threat, cells in zip(region.threats, region.ruled_out(), strict=True)
        ],
    }


def decisive_connection(analysis: Analysis) -> tuple[Color, Connection] | None:
    """Return who wins by which connection; None if no connection decides, or a chain does."""
    if analysis.chain is not None:
        return None
    turn, region = analysis.position.turn, analysis.mustplay
    win = _win(analysis)
    if win is not None:
        return turn, win
    if region.is_lost and region.threats and region.threats[0].is_full:
        return turn.opponent, region.threats[0]
    return None


def mustplay_marks(analysis: Analysis, last: Cell | None) -> Marks:
    """Return the region shaded, and other cells labeled with the first threat that excludes them.

    If a connection decides the game, return only its marks.
    """
    must, win = analysis.mustplay, decisive_connection(analysis)
    if win is not None:
        return connection_marks(win[1], last)
    standing = analysis.standing
    if standing is not None and standing.winner is analysis.position.turn.opponent:
        return Marks(last=last)
    labels = {
        cell: str(number)
        for number, (_, cells) in enumerate(_cutting(analysis), start=1)
        for cell in cells.search(1)
    }
    region = must.cells if must.is_forced else None
    return Marks(
        shade=region,
        shade_as="must-play",
        labels=labels,
        notes=("1: outside the carrier of threat 1, so that it stands",) if labels else (),
        last=last,
    )


def statements(analysis: Analysis) -> Iterator[str]:
    """Yield who wins, or the region and its threats; first the advice on a possible swap."""
    first, *threats = _statements(analysis)
    if analysis.before_swap:
        yield solved.advice_before_swap(analysis.position)
    yield solved.unless_swapped(analysis) + first
    yield from threats


def _statements(analysis: Analysis) -> Iterator[str]:
    position, win, standing = analysis.position, decisive_connection(analysis), analysis.standing
    board, turn = position.board, position.turn
    mover = turn.title
    if analysis.chain is not None:
        yield f"{analysis.chain.title} has won: there is nothing to play for."
    elif win is not None:
        owner, connection = win
        cells = board.text(connection.carrier)
        if owner is not turn:
            edges = board.pair(board.edges(owner))
            yield f"{mover} loses: a full connection joins {edges}, in {cells} (*)."
        elif connection.key is None:
            yield f"{mover} wins whatever is played, by a full connection in {cells}."
        else:
            yield f"{mover} wins by playing {board.name(connection.key)} (★), inside {cells}."
    elif standing is not None:
        yield solved.proof_sentence(analysis.position, standing)
        if analysis.mustplay.is_forced and standing.winner is turn:
            yield from _threats(analysis)
    elif not analysis.mustplay.is_forced:
        yield f"{mover} may play on every empty cell: nothing is threatened, as far as is known."
    else:
        yield from _threats(analysis)


def cell_statements(analysis: Analysis) -> dict[str, str]:
    """Return by cell why the player to move must or must not play there; empty if not forced.

    Cells that no known threat rules out, although a search has proved the loss, have no sentence.
    """
    region, position = analysis.mustplay, analysis.position
    board, turn = position.board, position.turn
    mover, opponent = turn.title, turn.opponent.title
    if not region.is_forced:
        return {}
    sentences = {
        name: f"{name} is in the must-play region: no known threat rules it out."
        for name in board.names(region.cells)
    }
    for threat, cells in zip(region.threats, region.ruled_out(), strict=True):
        how = "is joined already" if threat.key is None else f"wins at {board.name(threat.key)}"
        size = quantity(threat.carrier.count(), "cell")
        for name in board.names(cells):
            after = f"After {mover} {name}, {opponent} {how}"
            sentences.setdefault(name, f"{after}: {name} is outside that threat of {size}.")
    return sentences


def either(analyses: AnalysesByTurn) -> Iterator[str]:
    """Yield a sentence for each player who may be to move."""
    for color, analysis in analyses.items():
        verdict, *_ = _statements(analysis)
        sentence = verdict.replace(" (*)", "").replace(" (★)", "")
        yield f"If {color.title} is to move: {solved.unless_swapped(analysis)}{sentence}"


def _win(analysis: Analysis) -> Connection | None:
    """Return the connection by which the player to move wins; None if there is none."""
    turn, standing = analysis.position.turn, analysis.standing
    is_won = standing is not None and standing.winner is turn
    return analysis.edge_connection(turn) if is_won else None


def _cutting(analysis: Analysis) -> list[tuple[Connection, CellSet]]:
    """Return the threats that rule out cells which no earlier one does, with those cells."""
    region = analysis.mustplay
    pairs = zip(region.threats, region.ruled_out(), strict=True)
    return [(threat, cells) for threat, cells in pairs if cells.any()]


def _threats(analysis: Analysis) -> Iterator[str]:
    must, position = analysis.mustplay, analysis.position
    board, turn = position.board, position.turn
    mover, opponent = turn.title, turn.opponent.title
    cutting = _cutting(analysis)
    if must.is_lost:
        yield f"{mover} loses: no cell is in the carriers of all of {opponent}'s threats."
    else:
        region = board.text(must.cells)
        yield f"{mover} must play on {region} (*); any other move loses."
    for number, (threat, ruled_out) in enumerate(cutting, start=1):
        cells = "cell" if ruled_out.count() == 1 else "cells"
        key = board.name(threat.key or 0)
        yield (
            f"   threat {number}: {opponent} {key}, with {board.text(threat.carrier)}; "
            f"it rules out the {cells} marked {number}."
        )
    more = len(must.threats) - len(cutting)
    if more:
        yield f"{more} more {'threat rules' if more == 1 else 'threats rule'} out nothing else."


# Inferior cells.

DEAD, VULNERABLE, REVERSIBLE, DOMINATED = "d", "v", "r", "-"
CAPTURED = {Color.BLACK: "b", Color.WHITE: "w"}
LEGEND = {
    CAPTURED[Color.WHITE]: "captured by White",
    CAPTURED[Color.BLACK]: "captured by Black",
    DEAD: "dead",
    VULNERABLE: "vulnerable",
    REVERSIBLE: "reversible",
    DOMINATED: "dominated",
}


def inferior_marks(
    position: Position, last: Cell | None, *, turn_is_known: bool
) -> tuple[Marks, list[str]]:
    """Return the marks with a letter for each inferior cell, and a line for each kind."""
    board, inferior = position.board, InferiorCells(position)
    fills = inferior.filled
    labels: dict[Cell, str] = {}
    lines = []

    def add(letter: str, cells: Iterable[Cell], text: str) -> None:
        new = dict.fromkeys(cells, letter)
        labels.update(new)
        if new:
            lines.append(f"{letter}  {text}")

    dead = fills.dead
    add(DEAD, dead.search(1), f"dead, of no use to anyone: {board.text(dead)}")
    for color, letter in CAPTURED.items():
        cells = fills.captured(color)
        text = f"captured by {color.word}, as good as {color.word} stones: {board.text(cells)}"
        add(letter, cells.search(1), text)
    carriers = _carriers(board, fills)
    if carriers:
        lines.append(f"   to count one as a stone, reply inside its carrier: {carriers}")
    mover = position.turn.word
    if not turn_is_known:
        lines.append("   which others are inferior depends on who is to move: use --turn")
        return _marks(last, labels), lines
    for letter, moves, why in (
        (VULNERABLE, inferior.vulnerable, f"vulnerable, a reply makes {mover}'s move dead"),
        (REVERSIBLE, inferior.reversible, f"reversible, a reply undoes {mover}'s move"),
        (DOMINATED, inferior.dominated, f"dominated, {mover} has a better move"),
    ):
        add(letter, moves, f"{why}: {_pairs(board, moves)}")
    return _marks(last, labels), lines or ["No inferior cells are known."]


def _marks(last: Cell | None, labels: Mapping[Cell, str]) -> Marks:
    """Return the letters as marks, with a tint and a legend for each kind."""
    kinds = tuple(LEGEND)
    return Marks(
        last=last,
        labels=labels,
        tints={cell: kinds.index(letter) for cell, letter in labels.items()},
        tint_names=tuple(f"{letter}  {name}" for letter, name in LEGEND.items()),
    )


def _carriers(board: Board, fills: FillIn) -> str:
    """Return the carriers that filled stones need, each with its stones."""
    alike: dict[CellSet, list[Cell]] = {}
    for cell in sorted(fills.costs):
        alike.setdefault(fills.carrier(cell), []).append(cell)
    return "; ".join(
        f"{board.text(carrier)} for {board.text(cells)}"
        for carrier, cells in alike.items()
        if carrier.any()
    )


def _pairs(board: Board, pairs: Mapping[Cell, Cell]) -> str:
    return " ".join(f"{board.name(cell)}({board.name(by)})" for cell, by in sorted(pairs.items()))

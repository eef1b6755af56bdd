"""`hsearch explain`: why two points are connected, or what they lack."""

import sys
from functools import partial

import click

from hsearch.board import Color
from hsearch.render import Marks, text
from hsearch.strategy import (
    BUDGET,
    Explanation,
    Following,
    Missing,
    follow,
    missing,
    words,
)
from hsearch.strategy import explain as explained
from hsearch.strategy import picture as pictures
from player.cli.command import command
from player.cli.compiling import announce_compiling
from player.cli.endings import InputError
from player.cli.explanation import explanation_object
from player.cli.interruptible import interruptible
from player.cli.limits import takes_limits
from player.cli.objects import print_object
from player.cli.picture import Picture, takes_picture
from player.cli.prose import WIDTH, say
from player.cli.question import Question, already_joined, ask, intrusion, intrusions
from player.cli.reading import Source, reads_position
from player.cli.screen import Screen, draws
from player.cli.types import ColorType
from player.hsearch_options import HSearchOptions


@command(
    "explain",
    "hsearch explain positions/games/london-2000-queenbee-hexy.sgf --move 59 --between north south",
    "hsearch explain positions/games/london-2000-hexy-queenbee.sgf --between c4 west --intrude b4",
    "hsearch explain positions/templates/edge.txt --id ziggurat --between c2 south --svg why.svg",
)
@draws
@partial(reads_position, needs_turn=False)
@click.option("--color", type=ColorType(), help="Whose connection; else the owner of an end.")
@click.option("--between", nargs=2, required=True, metavar="X Y", help="Two cells or edges.")
@click.option(
    "--intrude",
    "moves",
    multiple=True,
    metavar="CELL",
    help="Follow this move of the opponent, and more; on a terminal it asks for the next.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@takes_picture("Draw the carrier with numbered replies")
@click.option("--hexboard", is_flag=True, help="Print an article with HexWiki's <hexboard> tags.")
@click.option(
    "--budget",
    type=click.IntRange(1),
    default=BUDGET,
    show_default=True,
    help="Positions to look at in search of what breaks a missing connection.",
)
@takes_limits
def explain(  # noqa: PLR0913 - one parameter an option of the command line
    *,
    source: Source,
    color: Color | None,
    between: tuple[str, str],
    moves: tuple[str, ...],
    as_json: bool,
    picture: Picture,
    hexboard: bool,
    budget: int,
    options: HSearchOptions,
    screen: Screen,
) -> None:
    """Explain why X and Y are connected at the position of FILE, or what they lack.

    The proof has the shape that people give it: the threats, the cells that all
    of them need, and one reply to each intrusion, down to bridges and templates
    with a name. What no rule joins is played out within a budget.
    """
    if as_json and hexboard:
        raise click.UsageError("--json and --hexboard exclude each other")
    announce_compiling()
    question = ask(source, color, between, options)
    line = _line(question, moves)
    connection = question.connection
    why = None if connection is None else explained(source.position, question.color, connection)
    lack = (
        None
        if question.is_settled
        else interruptible(lambda: _lack(question, budget), "looking for what is missing")
    )
    if picture.is_wanted:
        marks = Marks(last=source.last)
        if why is not None:
            marks = pictures.numbered_replies(why, source.last)
        x, y = question.names
        title = ", ".join(part for part in (source.title, f"{x} to {y}") if part)
        picture.write(source.position, marks, title=title, game=source.game, moves=source.moves)
    if as_json:
        print_object(explanation_object(question, options, why, lack, line))
    elif hexboard:
        _article(question, why, lack)
    elif line:
        _play(question, line, screen)
    else:
        _tell(question, why, lack, screen)


def _lack(question: Question, budget: int) -> Missing:
    return missing(question.position, question.store, *question.ends, budget)


def _line(question: Question, moves: tuple[str, ...]) -> list[Following]:
    """Return how the connection is held against moves: its start and each step."""
    if not moves:
        return []
    cells = intrusions(question, moves)
    assert question.connection is not None  # noqa: S101 - else the moves are refused
    line = [follow(question.position, question.color, question.connection)]
    for name, cell in zip(moves, cells, strict=True):
        _refuse_taken(question, line[-1], cell, name)
        line.append(line[-1].intrude(cell))
    return line


def _refuse_taken(question: Question, followed: Following, cell: int, name: str) -> None:
    if not followed.position.empty[cell]:
        message = f"{name!r} has a stone by now"
        raise InputError(f"{question.source.file}: {message}")


def _tell(
    question: Question, why: Explanation | None, lack: Missing | None, screen: Screen
) -> None:
    """Print a board and an explanation for people."""
    source = question.source
    marks = Marks(last=source.last, ends=question.ends)
    if why is not None:
        marks = pictures.overview(why, source.last)
    elif lack is not None:
        marks = Marks(shaded=lack.region, ends=question.ends, last=source.last)
    screen.board(text.board(source.position, marks, screen.symbols))
    click.echo()
    say((source.caption, *_report(question, why, lack)), piped=WIDTH)
    if why is not None and why.replies:
        cell = source.position.board.name(why.replies[0][0])
        say([f"Next: {_again(question)} --intrude {cell}   follow a line of play"])


def _again(question: Question) -> str:
    """Return the command line that asks the same question."""
    x, y = question.names
    color = question.color.word
    return f"{question.source.again('explain')} --color {color} --between {x} {y}"


def _report(question: Question, why: Explanation | None, lack: Missing | None) -> list[str]:
    """Return the sentences below the board; those that belong to one above are indented."""
    lines: list[str] = []
    if question.is_chain:
        lines.append(already_joined(*question.names))
    if lack is not None:
        lines += words.shortfall(lack, question.position, question.color, question.names)
    if why is not None:
        lines += words.summary(why)
        if why.arguments or why.captured:
            lines.append(words.guide(why))
        for argument in why.arguments:
            lines.append(words.heading(why, argument))
            lines += ("   " + case for case in words.cases(why, argument))
    return lines


def _article(question: Question, why: Explanation | None, lack: Missing | None) -> None:
    """Print the same for a wiki, with a tag for each picture."""
    if why is None:
        lines = _report(question, why, lack)
        lines.insert(0, pictures.plain_tag(question.position, lack.region if lack else None))
        click.echo("\n\n".join(lines))
        return
    lines = [pictures.whole_tag(why)]
    if lack is not None:
        lines += words.shortfall(lack, question.position, question.color, question.names)
    lines.append("\n* ".join(words.summary(why)))
    if why.arguments or why.captured:
        lines.append(words.guide(why))
    for argument in why.arguments:
        lines.append(f"'''{words.heading(why, argument)}'''")
        lines.append(pictures.argument_tag(why, argument))
        lines.append("\n".join(f"* {case}" for case in words.cases(why, argument)))
    click.echo("\n\n".join(lines))


def _play(question: Question, line: list[Following], screen: Screen) -> None:
    """Print a line of play; on a terminal, ask for more until nothing is left to play on."""
    start, *steps = line
    say([words.start_of_play(start, question.names), *map(words.line_of_play, steps)], piped=WIDTH)
    followed = line[-1]
    _board(followed, screen)
    while is_interactive() and followed.carrier.any():
        name = click.prompt("Next intrusion", default="", show_default=False).strip()
        if not name:
            return
        try:
            cell = intrusion(question, name)
            _refuse_taken(question, followed, cell, name)
        except InputError as error:
            click.echo(error.message)
            continue
        followed = followed.intrude(cell)
        say([words.line_of_play(followed)], piped=WIDTH)
        _board(followed, screen)


def _board(followed: Following, screen: Screen) -> None:
    marks = Marks(shaded=followed.carrier, ends=followed.connection.ends, last=followed.reply)
    screen.board(text.board(followed.position, marks, screen.symbols))


def is_interactive() -> bool:
    """Return whether someone can be asked."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()

"""`hsearch show`: a picture of a position, or another format."""

from collections.abc import Iterator
from functools import partial

import click

from hsearch import formats
from hsearch.hex import Game, winner
from hsearch.hex.move import outcome
from hsearch.render.text import Marks, join_words
from player.console.command import FailedError, command, warn
from player.console.output import Picture, print_data, say, takes_picture
from player.console.reading import InputSource, display_name, reads_position
from player.console.screen import Screen, draws


@command(
    "show",
    "hsearch show positions/games/london-2000-queenbee-hexy.sgf --svg board.svg",
    "hsearch show positions/games/london-2000-queenbee-hexy.sgf --move 40 --inferior",
    "hsearch show 'https://hexworld.org/board/#11c1,b4:sh4' --sgf",
)
@partial(reads_position, needs_turn=False)
@takes_picture("Draw the position")
@click.option("--hexworld", is_flag=True, help="Print the game as a HexWorld link.")
@click.option("--hexboard", is_flag=True, help="Print the position as HexWiki's <hexboard>.")
@click.option("--sgf", is_flag=True, help="Print the game as SGF.")
@click.option("--moves", is_flag=True, help="Print the game as a list of moves.")
@click.option("--diagram", is_flag=True, help="Print the position as plain text, without colors.")
@click.option("--inferior", is_flag=True, help="Mark the cells that do not matter, and print why.")
@draws
def show(
    *, source: InputSource, picture: Picture, inferior: bool, screen: Screen, **others: bool
) -> None:
    """Draw the position of FILE, or write it in another format."""
    options = [name for name, is_asked in others.items() if is_asked]
    if len(options) > 1:
        raise click.UsageError(f"--{options[0]} and --{options[1]} exclude each other")
    if inferior and options:
        raise click.UsageError(f"--inferior marks a drawing, and goes without --{options[0]}")
    marks = Marks(last=source.last)
    lines: list[str] = []
    if inferior:
        from player.answers.mustplay import inferior_marks  # noqa: PLC0415
        from player.console.compiling import announce_compiling  # noqa: PLC0415 - numba is slow

        announce_compiling()
        known = source.turn is not None
        marks, lines = inferior_marks(source.position, source.last, turn_is_known=known)
    picture.draw(source, marks)
    if options:
        text = _write(source, options[0])
        _warn_of_loss(source, options[0])
        print_data(text)
    elif not picture.is_wanted:
        screen.show(source.position, marks)
        click.echo("\n" + source.caption)
    say(lines)


# The formats other than SGF in words, and the properties of SGF that mark the board.
_MARKS = frozenset({"AR", "CR", "DD", "LB", "LN", "MA", "SL", "SQ", "TB", "TR", "TW"})
_OF_TURNS = {"XB": "bids", "XC": "coins", "XD": "collisions"}  # what decided who was to move
_POSITIONS = {"diagram", "hexboard"}  # formats of a position, without names or a result


def _losses(source: InputSource, name: str) -> list[str]:
    """Return what a format leaves out of a record, up to the position, besides moves.

    Names and the result count only if the whole game is written.
    """
    game, is_sgf = source.game, name == "sgf"
    line, nodes = len(game.main_line), game.cut(source.moves).nodes
    is_cut = source.moves < len(game.moves)
    marks = (mark for node in nodes for mark, _ in node.properties)
    # A cut leaves out the variations of the nodes in the line, even in SGF.
    branches = (node.parent < len(nodes) - is_cut for node in game.nodes[line:])
    turns = {_OF_TURNS[mark] for node in nodes for mark, _ in node.properties if mark in _OF_TURNS}
    return [
        *_about_game(source, name),
        *(sorted(turns) if not is_sgf else []),
        *(["comments"] if not is_sgf and any(node.comment for node in nodes[1:]) else []),
        *(["marks"] if not is_sgf and not _MARKS.isdisjoint(marks) else []),
        *(["variations"] if (is_cut or not is_sgf) and any(branches) else []),
    ]


def _about_game(source: InputSource, name: str) -> Iterator[str]:
    """Yield what a format leaves out about the game: names, and a result that no move shows."""
    game = source.game
    if name in {"sgf", *_POSITIONS} or source.moves < len(game.moves):
        return
    if any(game.players):
        yield "names"
    is_shown = outcome(game.moves, None) is not None or winner(source.position) is not None
    if game.ending(source.moves) is not None and not is_shown:
        yield "the result"


def _warn_of_loss(source: InputSource, name: str) -> None:
    """Print a warning if a format leaves out parts of the record."""
    losses = _losses(source, name)
    if not losses:
        return
    why = f"--{name} writes none; --sgf does" if name != "sgf" else "--move cuts them off"
    are = "is" if losses == ["the result"] else "are"
    warn(f"{display_name(source.file)}: {join_words(losses)} {are} left out: {why}")


def _write(source: InputSource, name: str) -> str:
    game, count = source.game, len(source.game.moves)
    if source.moves < count:
        is_given = name in _POSITIONS or "--move" in source.options
        if source.moves == game.cursor and not is_given:
            warn(
                f"{display_name(source.file)}: the link stands after move {source.moves} of "
                f"{count}, and the rest is left out: --move {count} writes it, too"
            )
        game = game.cut(source.moves)
    if source.turn is None and name == "hexworld":
        game = Game.of_position(source.position)  # a link always gives a turn
    else:
        game = game.with_turn(source.turn)
    try:
        return formats.write(game, name).rstrip("\n")
    except ValueError as error:  # the format cannot express the game
        remedy = "; --sgf writes any game" if name != "sgf" else ""
        raise FailedError(f"{display_name(source.file)}: {error}{remedy}") from error

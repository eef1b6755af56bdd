"""How commands answer: sentences and boards for people, pictures, JSON for programs."""

import functools
import importlib.util
import re
import textwrap
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hsearch.formats import hexboard, strict
from hsearch.hex import Cell, CellSet, Game, Position, Special
from hsearch.render import svg
from hsearch.render.svg import PALETTES
from hsearch.render.text import Marks
from player.answers.objects import rows
from player.console import options
from player.console.command import FILE, FailedError
from player.console.options import F
from player.console.screen import Screen, draws, screen_width, stdout_is_terminal, write_file

if TYPE_CHECKING:
    from player.console.reading import InputSource

# Pictures: the options of all commands that draw a board, `--svg`, `--png` and their style.

_AFTER_HEADER = 33  # bytes of a PNG: its signature and its first chunk
ZOOM = 2.0  # pixels of a PNG for a pixel of the SVG


@dataclass(frozen=True, slots=True)
class Picture:
    """Which pictures are requested, and how they look.

    svg, png  the files; None for no picture
    palette   the colors of the stones, one of `PALETTES`
    numbers   whether stones show the numbers of their moves
    """

    svg: Path | None
    png: Path | None
    palette: str
    numbers: bool

    @property
    def is_wanted(self) -> bool:
        """Whether there is anything to draw."""
        return self.svg is not None or self.png is not None

    def write(
        self,
        position: Position,
        marks: Marks,
        *,
        title: str = "",
        game: Game | None = None,
        moves: int | None = None,
    ) -> None:
        """Draw a position, with the move numbers of a game on its stones if requested.

        Raise FailedError if a file cannot be written.
        """
        if not self.is_wanted:
            return
        all_marks = self.add_numbers(marks, game, moves)
        self.save(svg.write(position, all_marks, title=title, palette=self.palette))

    def draw(self, source: "InputSource", marks: Marks, *about: str) -> None:
        """Draw the position of a source, headed by its title and the texts of `about`."""
        title = ", ".join(part for part in (source.title, *about) if part)
        self.write(source.position, marks, title=title, game=source.game, moves=source.moves)

    def add_numbers(self, marks: Marks, game: Game | None, moves: int | None) -> Marks:
        """Return marks with the move numbers of a game, if requested."""
        if not self.numbers or game is None:
            return marks
        return replace(marks, labels={**move_numbers(game, moves), **marks.labels})

    def save(self, drawing: str) -> None:
        """Write a drawing to the files. Raise FailedError if one cannot be written."""
        if self.svg is not None:
            write_file(self.svg, drawing)
        if self.png is not None:
            write_file(self.png, png(drawing))


def takes_picture(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the decorator that adds the options; the command gets a `Picture` as `picture`.

    `what` names what is drawn, for the help.
    """
    return options.gather(
        "picture",
        _picture,
        options.out_option("--svg", writes=options.SVG, help=f"{what} into the file OUT."),
        png_option,
        options.choice_option(
            "--palette", words=PALETTES, help="Colors of the stones in a picture."
        ),
        click.option("--numbers", is_flag=True, help="Number the stones in a picture by move."),
    )


def _picture(*, svg: Path | None, png: Path | None, palette: str, numbers: bool) -> Picture:
    """Return the pictures requested; raise UsageError if a style is given and no picture."""
    picture, given = Picture(svg, png, palette, numbers), options.explicit_options()
    for name in () if picture.is_wanted else ("palette", "numbers"):
        if name in given:
            raise click.UsageError(f"{given[name]} needs --svg or --png: it changes a picture")
    return picture


def move_numbers(game: Game, moves: int | None = None) -> Mapping[Cell, str]:
    """Return, for each stone that was played, the number of the move that put it in its place.

    A stone that was taken over has the number of the swap.
    """
    numbers: dict[Cell, str] = {}
    number = 0
    for node in game.cut(len(game.moves) if moves is None else moves).main_line:
        for cell in (*node.black, *node.white, *node.cleared):
            numbers.pop(cell, None)
        if (move := node.move) is None:
            continue
        number += 1
        if move.cell is not None:
            numbers[move.cell] = str(number)
        elif move.special is Special.SWAP_PIECES:
            numbers = {game.board.transpose(cell): str(number) for cell in numbers}
    return numbers


def plottable(_context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    """Return the path.

    Raise BadParameter or FailedError, before hours of work, if no plot can be drawn there.
    """
    if path is None:
        return None
    if path.suffix.lower() not in options.PLOT.endings:
        endings = ", ".join(options.PLOT.endings)
        raise click.BadParameter(f"{path} ends in none of {endings}", param=option)
    if importlib.util.find_spec("matplotlib") is None:
        raise FailedError("--plot needs the extra `plot`: pip install 'hsearch[plot]'")
    return path


def _drawable(_context: click.Context, _option: click.Parameter, path: Path | None) -> Path | None:
    """Return the path. Raise FailedError, before any work, if PNG cannot be drawn."""
    if path is not None and importlib.util.find_spec("resvg_py") is None:
        raise FailedError("--png needs the extra `plot`: pip install 'hsearch[plot]'")
    return path


# Adds `--png`, for what `--svg` draws.
png_option = options.out_option(
    "--png", writes=options.PNG, callback=_drawable, help="The same as PNG; needs the extra `plot`."
)


def png(drawing: str) -> bytes:
    """Return an SVG drawing as PNG."""
    import resvg_py  # noqa: PLC0415 - of the extra `plot`

    image = bytes(resvg_py.svg_to_bytes(svg_string=drawing, zoom=ZOOM))
    # The program's name follows the first chunk, by which `PNG` recognizes the file later.
    text = b"tEXtSoftware\0hsearch"
    chunk = (len(text) - 4).to_bytes(4, "big") + text + zlib.crc32(text).to_bytes(4, "big")
    return image[:_AFTER_HEADER] + chunk + image[_AFTER_HEADER:]


# Sentences, boards and JSON.
#
# Sentences are wrapped between words. Equal answers are equal bytes of JSON.

COMMAND = "Next: "  # begins a line to copy, which is never wrapped


def say(sentences: Iterable[str], *, pipe_width: int | None = None) -> None:
    """Print sentences, each on lines of its own; an indented one belongs to the one above.

    On a terminal they are wrapped to its width. Elsewhere they are wrapped to `pipe_width`
    columns, or each is one line, for programs that read lines.
    """
    width = screen_width() if stdout_is_terminal() else pipe_width
    for sentence in sentences:
        if width is None or sentence.startswith(COMMAND) or not sentence.strip():
            click.echo(sentence)
            continue
        click.echo("\n".join(rows(sentence, width)))


@dataclass(frozen=True, slots=True)
class Output:
    """How a command is to answer.

    as_json  whether to print only JSON, for programs
    picture  the pictures to draw as well
    screen   the terminal, for people
    """

    as_json: bool
    picture: Picture
    screen: Screen

    def tell(
        self,
        position: "Position",
        marks: "Marks",
        sentences: Iterable[str],
        *,
        pipe_width: int | None = None,
    ) -> None:
        """Print a board for people, and sentences below it, as `say` does."""
        self.screen.show(position, marks)
        say(("", *sentences), pipe_width=pipe_width)

    def answer(
        self,
        position: Position,
        marks: Marks,
        thing: dict[str, Any],
        sentences: Iterable[str],
        *,
        tag: CellSet | None = None,
    ) -> None:
        """Print an answer: `thing` as JSON, or a <hexboard> with the cells of `tag`, or in words.

        Without --json and without a `tag` it is a board with its marks, and sentences below it.
        """
        if self.as_json:
            print_object(thing)
        elif tag is not None:
            click.echo(hexboard.write(position, carrier=tag))
        else:
            self.tell(position, marks, sentences)


def takes_output(
    subject: str, *, json: str = "one JSON object and nothing else"
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the decorator that adds `--json`, pictures and `--ascii`; the command gets `output`.

    `subject` names what the pictures show, and `json` what is printed for programs.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def answering(*, as_json: bool, picture: Picture, screen: Screen, **values: Any) -> Any:
            return function(output=Output(as_json, picture, screen), **values)

        return json_option(json)(takes_picture(subject)(draws(answering)))

    return decorate


def json_option(what: str = "one JSON object and nothing else") -> Callable[[F], F]:
    """Return the decorator that adds `--json`; the command gets `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help=f"Print {what}.")


def print_object(thing: dict[str, Any]) -> None:
    """Print an object as one line, its fields in the given order, `schema` first.

    If a command works on several files, the last field names the file.
    """
    assert next(iter(thing)) == "schema", sorted(thing)  # noqa: S101 - programs rely on it
    context = click.get_current_context(silent=True)
    if context is not None and FILE in context.meta:
        thing = thing | {"file": context.meta[FILE]}
    print_data(strict.write(thing, ensure_ascii=False))


def print_data(text: str) -> None:
    """Print a text for programs: on a terminal as other text, elsewhere in UTF-8.

    JSON requires that encoding, and SGF names it; that of the locale would lose letters.
    """
    click.echo(text if stdout_is_terminal() else text.encode(errors="replace"))


# Tables: Markdown for files and other programs, and columns that fit on a terminal.

_GAP = 2  # blanks between two columns
_LEAST = 6  # least characters beside the headings of a turned table, on any terminal
_BAR = re.compile(r"(?<!\\)\|")


def print_tables(text: str) -> None:
    """Print a text with tables in Markdown; on a terminal each table fits its width."""
    click.echo(fit_tables(text, screen_width()) if stdout_is_terminal() else text)


def fit_tables(text: str, width: int) -> str:
    """Return a text with its Markdown tables laid out in columns, at most `width` wide.

    A table that is too wide is turned: its headings are at the left, and as many rows as fit are
    side by side. If the headings leave no room, it is wider.
    """
    parts: list[str] = []
    for is_table, lines in groupby(text.split("\n"), lambda line: line.startswith("|")):
        if not is_table:
            parts += lines
            continue
        cells = [[cell.strip() for cell in _BAR.split(line)[1:-1]] for line in lines]
        table = [row for row in cells if set("".join(row)) - set("-:")]
        parts += _columns(table) if _span(table) <= width else _transpose(table, width)
    return "\n".join(parts)


def _span(table: Sequence[Sequence[str]]) -> int:
    return sum(_widest(column) + _GAP for column in zip(*table, strict=True)) - _GAP


def _widest(cells: Iterable[str]) -> int:
    return max(map(len, cells))


def _columns(table: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [_widest(column) for column in zip(*table, strict=True)]
    for row in table:
        line = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        yield (" " * _GAP).join(line).rstrip()


def _transpose(table: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    heading, *rows = table
    names = _widest(heading)
    room = max(width - names - _GAP, _LEAST)
    if not rows:
        yield from heading
    while rows:
        count = 1
        while count < len(rows) and _span(list(zip(*rows[: count + 1], strict=True))) <= room:
            count += 1
        for name, *cells in zip(heading, *rows[:count], strict=True):
            paragraphs = [textwrap.wrap(cell, room) or [""] for cell in cells]
            height = max(map(len, paragraphs))
            lines = [[*each, *[""] * (height - len(each))] for each in paragraphs]
            widths = [min(room, _widest(row)) for row in rows[:count]]
            for number, parts in enumerate(zip(*lines, strict=True)):
                first = f"{name if not number else '':{names}}"
                texts = (f"{part:{most}}" for part, most in zip(parts, widths, strict=True))
                yield (" " * _GAP).join((first, *texts)).rstrip()
        rows = rows[count:]
        if rows:
            yield ""

"""`--svg`, `--png` and how they look: the options of all commands that draw a board."""

import importlib.util
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hsearch.board import Cell
from hsearch.game import Game, Special
from hsearch.position import Position
from hsearch.render import Marks, svg
from hsearch.render.style import PALETTES
from player.console.errors import FailedError
from player.console.gather import gather
from player.console.option import PNG, SVG, out_option
from player.console.screen import write_file

if TYPE_CHECKING:
    from player.console.reading import InputSource

_AFTER_HEADER = 33  # bytes of a PNG: its signature and its first chunk
ZOOM = 2.0  # dots of a PNG for a pixel of the SVG


@dataclass(frozen=True, slots=True)
class Picture:
    """Which pictures are wanted, and how they look.

    svg, png  the files; None if there is to be none
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
        """Draw a position, with the moves of a game on its stones if they are wanted.

        Raise FailedError when a file cannot be written.
        """
        if not self.is_wanted:
            return
        numbered = self.numbered(marks, game, moves)
        self.save(svg.write(position, numbered, title=title, palette=self.palette))

    def draw(self, source: "InputSource", marks: Marks, *about: str) -> None:
        """Draw the position of a source, with its title and what the picture is about."""
        title = ", ".join(part for part in (source.title, *about) if part)
        self.write(source.position, marks, title=title, game=source.game, moves=source.moves)

    def numbered(self, marks: Marks, game: Game | None, moves: int | None) -> Marks:
        """Return marks with the numbers of the moves of a game, if they are wanted."""
        if not self.numbers or game is None:
            return marks
        return replace(marks, labels={**move_numbers(game, moves), **marks.labels})

    def save(self, drawing: str) -> None:
        """Write a drawing into the files. Raise FailedError when one cannot be written."""
        if self.svg is not None:
            write_file(self.svg, drawing)
        if self.png is not None:
            write_file(self.png, _png(drawing))


def takes_picture(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the decorator that adds the options; the command gets a `Picture` as `picture`.

    `what` tells what is drawn.
    """
    return gather(
        "picture",
        Picture,
        out_option("--svg", writes=SVG, help=f"{what} into the file OUT."),
        out_option(
            "--png",
            writes=PNG,
            callback=_drawable,
            help="The same as PNG; needs the extra `plot`.",
        ),
        click.option(
            "--palette",
            type=click.Choice(PALETTES),
            default=next(iter(PALETTES)),
            show_default=True,
            help="Colors of the stones in a picture.",
        ),
        click.option("--numbers", is_flag=True, help="Number the stones in a picture by move."),
    )


def move_numbers(game: Game, moves: int | None = None) -> Mapping[Cell, str]:
    """Return the number of the move that put each stone where it lies, for those that were played.

    A stone that was taken over has the number of the swap.
    """
    found: dict[Cell, str] = {}
    for number, move in enumerate(game.moves[:moves], start=1):
        if move.cell is not None:
            found[move.cell] = str(number)
        elif move.special is Special.SWAP_PIECES:
            found = {game.board.transpose(cell): str(number) for cell in found}
    return found


def _drawable(_context: click.Context, _option: click.Parameter, path: Path | None) -> Path | None:
    """Return the path. Raise, before the work is done, when nothing could be drawn there."""
    if path is not None and importlib.util.find_spec("resvg_py") is None:
        raise FailedError("--png needs the extra `plot`: pip install 'hsearch[plot]'")
    return path


def _png(drawing: str) -> bytes:
    import resvg_py  # noqa: PLC0415 - of the extra `plot`

    png = bytes(resvg_py.svg_to_bytes(svg_string=drawing, zoom=ZOOM))
    # Name the program after the first chunk, so that `PNG` knows the file again.
    text = b"tEXtSoftware\0hsearch"
    chunk = (len(text) - 4).to_bytes(4, "big") + text + zlib.crc32(text).to_bytes(4, "big")
    return png[:_AFTER_HEADER] + chunk + png[_AFTER_HEADER:]

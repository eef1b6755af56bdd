"""`--plot`: a picture of the standings and of the time that strength takes."""

import importlib.util
from collections.abc import Sequence
from pathlib import Path

import click

from player.console.errors import FailedError, writing
from player.console.option import PLOT, out_option
from player.tournament import Rows, plot
from player.tournament.plot import ENDINGS


def drawable(_context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    """Return the path. Raise, before hours of play, when nothing could be drawn there."""
    if path is None:
        return None
    if path.suffix not in ENDINGS:
        endings = ", ".join(ENDINGS)
        raise click.BadParameter(f"{path} ends in none of {endings}", param=option)
    if importlib.util.find_spec("matplotlib") is None:
        raise FailedError("--plot needs the extra `plot`: pip install 'hsearch[plot]'")
    return path


plot_option = out_option(
    "--plot",
    "picture",
    writes=PLOT,
    callback=drawable,
    help="Draw Elo, and time against Elo, into the file OUT (.svg, .png, .pdf).",
)


def draw(picture: Path | None, rows: Rows, games: Sequence[int]) -> None:
    """Draw those games that are finished, if a picture is asked for.

    Raise FailedError, in one line, when the file cannot be written.
    """
    if picture is None:
        return
    with writing(picture):
        plot(rows.event.name, rows.event.players, rows.of(games), picture)

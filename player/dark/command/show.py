"""`hsearch dark show`: policies as trees."""

from pathlib import Path

import click

from hsearch.board import Color
from player.console.argument import path_of
from player.console.command import command
from player.console.errors import InputError, reading
from player.console.option import SVG, out_option
from player.console.screen import write_file


@command(
    "show",
    "hsearch dark show positions/dark/2x2-abrupt-silent.txt",
    "hsearch dark show positions/dark/3x2-abrupt-silent.txt --color white --svg white.svg",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--color", type=click.Choice(["black", "white"]), help="Only this player's policy.")
@out_option(
    "--svg",
    writes=SVG,
    help="Draw the tree to this file; with --color.",
)
def show(file: Path, color: str | None, svg: Path | None) -> None:
    """Show the policies of a certificate as trees of what is known."""
    from player.dark import certificate, picture, tabular_policy  # noqa: PLC0415 - loads numpy

    with reading():
        claim = certificate.load(path_of(file))
    chosen = [
        (each.word, spoken)
        for each, spoken in zip(Color, claim.policies, strict=True)
        if spoken is not None and color in {None, each.word}
    ]
    if not chosen:
        raise InputError(f"{file}: no policy of {color}: nothing is to be proved by it")
    if svg is not None and len(chosen) > 1:
        raise click.UsageError("--svg draws one policy: choose it with --color")
    for word, spoken in chosen:
        if svg is None:
            click.echo(f"{word}\n{tabular_policy.show(spoken)}", nl=False)
        else:
            write_file(svg, picture.draw(spoken))

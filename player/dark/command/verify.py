"""`hsearch dark verify`: certificates checked in exact arithmetic."""

from fractions import Fraction
from pathlib import Path

import click

from player.console.argument import content_of, path_of
from player.console.command import command
from player.console.errors import reading
from player.console.output import say


@command(
    "verify",
    "hsearch dark verify positions/dark/3x2-abrupt-flash.txt",
    "hsearch dark verify positions/dark/2x2-abrupt-silent.txt positions/dark/3x3-abrupt-silent.txt",
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def verify(files: tuple[Path, ...]) -> None:
    """Check certificates in exact arithmetic, trusting no solver; `-` is one on stdin."""
    from player.dark import certificate  # noqa: PLC0415 - loads numpy

    failed = False
    for file in files:
        with reading(file):
            if file == Path("-"):
                claim = certificate.read(content_of("-").decode())
            else:
                claim = certificate.load(path_of(file))
        rules = claim.rules
        value = _span("value to Black", claim.lower, claim.upper)
        chances = ((1 + bound) / 2 for bound in (claim.lower, claim.upper))
        chance = _span("Black's chance to win", *chances)
        size = f"{rules.board.columns}x{rules.board.rows}"
        try:
            certificate.verify(claim)
        except certificate.CertificateError as error:
            failed = True
            click.echo(f"{file}: not proved: {error}", err=True)
        else:
            game = f"{rules.base} {rules.noise} {size}"
            say([f"{file}: {game}, {chance} ({value}, from -1 to 1): proved"])
    if failed:
        raise click.exceptions.Exit(1)


def _span(what: str, lower: Fraction, upper: Fraction) -> str:
    """Return what a number is, or between which two it lies."""
    return f"{what} {lower}" if lower == upper else f"{what} in [{lower}, {upper}]"

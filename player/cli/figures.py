"""`hsearch experiment figures`: the papers' figures, and what the program says of each."""

import click

from hsearch.formats import shipped
from player.console.compiling import announce_compiling
from player.console.errors import FailedError
from player.console.progress import working
from player.figures import SUITE, answer, read, report

FIGURES = "figures"


def look_at_figures() -> None:
    """Print a table of what is claimed and what is found. Raise FailedError where they differ."""
    path = shipped(SUITE)
    assert path is not None  # noqa: S101 - it comes with the program
    announce_compiling()
    figures, answers = read(path.read_text(encoding="utf-8")), []
    with working("figures", len(figures), unit="figures") as work:
        for done, figure in enumerate(figures, start=1):
            answers.append(answer(figure))
            work.done(done)
    click.echo(report(answers))
    wrong = [one.figure.id for one in answers if one.verdict == "no"]
    if wrong:
        raise FailedError(f"the program disagrees with {', '.join(wrong)}")

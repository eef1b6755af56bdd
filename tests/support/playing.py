"""Run `hsearch play` with typed lines from a pipe."""

from click.testing import CliRunner

from player.cli import main


def played(lines, *arguments):
    """Return what `hsearch play` prints for lines from a pipe."""
    return CliRunner().invoke(main, ["play", *arguments], input=lines)

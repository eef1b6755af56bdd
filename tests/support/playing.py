"""`hsearch play`, typed into a pipe."""

from click.testing import CliRunner

from player.cli import main


def played(lines, *arguments):
    """Return what `hsearch play` prints for typed lines, through a pipe."""
    return CliRunner().invoke(main, ["play", *arguments], input=lines)

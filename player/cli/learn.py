"""`hsearch learn`: games to learn from, a net that learns, and whether it is better."""

import click

from player.cli.learn_fit import learn_fit
from player.cli.learn_gate import gate
from player.cli.learn_play import play


@click.group(epilog="`hsearch learn COMMAND --help` has examples: hsearch learn play games/")
def learn() -> None:
    """Make the nets that the player `tree` asks.

    The program plays against itself, and H-search proves who has won; a net learns from
    that which moves to try first, and who will win. Each command can be stopped, and goes
    on where it was.
    """


for _command in (play, learn_fit, gate):
    learn.add_command(_command)

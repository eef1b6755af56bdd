"""`hsearch learn`: games to learn from, a net that learns, and whether it is better."""

from player.cli.learn_fit import learn_fit
from player.cli.learn_gate import gate
from player.cli.learn_play import play
from player.console.command import group


@group(
    "learn",
    "hsearch learn play games/ --games 2 --size 5",
    "hsearch learn fit games/ --into first/",
    "hsearch learn gate mine.net --games 400",
)
def learn() -> None:
    """Make the nets that the player `tree` asks.

    The program plays against itself, and H-search proves who has won; a net learns from
    that which moves to try first, and who will win. Each command can be stopped, and goes
    on where it was.
    """


for _command in (play, learn_fit, gate):
    learn.add_command(_command)

"""`hsearch learn`: games to learn from, a net that learns, and whether it is better."""

from player.cli.learn_fit import learn_fit
from player.cli.learn_gate import gate
from player.cli.learn_patterns import patterns
from player.cli.learn_play import play
from player.console.command import group


@group(
    "learn",
    "hsearch learn play games/ --games 2 --size 5",
    "hsearch learn fit games/ --into first/",
    "hsearch learn patterns small.npz --games 40 --size 5",
)
def learn() -> None:
    """Make the nets and the patterns that the player `tree` asks.

    The program plays against itself, and H-search proves who has won; a net
    learns to predict good moves and the winner from these games. These commands can be
    stopped, and resume where they stopped. Patterns learn from a net, in minutes.
    """


for _command in (play, learn_fit, gate, patterns):
    learn.add_command(_command)

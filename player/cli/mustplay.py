"""`hsearch mustplay`: where the player to move must play, and which threats say so."""

from collections.abc import Iterator
from functools import partial

from hsearch.analysis import Analysis
from hsearch.board import Color
from hsearch.render import Marks
from player.console.command import command
from player.console.interruptible import interruptible
from player.console.limits import takes_limits
from player.console.output import WIDTH, Output, print_object, takes_output
from player.console.reading import InputSource, reads_position
from player.hsearch_options import HSearchOptions
from player.report.mustplay import either, mustplay_marks, mustplay_object, proved, statements


@command(
    "mustplay",
    "hsearch mustplay positions/games/london-2000-hexy-queenbee.sgf --move 30",
    "hsearch mustplay positions/games/london-2000-queenbee-hexy.sgf --move 45",
    "echo 'c2' | hsearch mustplay - --size 5 --json",
)
@partial(reads_position, needs_turn=False)
@takes_output("Draw the region and the threats")
@takes_limits
def mustplay(*, source: InputSource, options: HSearchOptions, output: Output) -> None:
    """Tell where the player to move at the position of FILE must play.

    Every semi connection of the opponent's edges is a threat: it stands unless
    the next stone is in its carrier. So only the cells of all threats can hold
    the game.
    """
    analysis = options.analysis(source.position)
    interruptible(lambda: (analysis.stores, analysis.deduced), "searching for connections")
    analyses = {turn: analysis.with_turn(turn) for turn in source.turns}
    is_known = source.turn is not None
    marks = mustplay_marks(analysis, source.last) if is_known else Marks(last=source.last)
    output.picture.draw(source, marks, "must-play")
    if output.as_json:
        print_object(mustplay_object(analyses))
        return
    lines = statements(analysis) if is_known else either(analyses)
    sentences = (source.caption, *lines, *_next(analysis, source))
    output.tell(source.position, marks, sentences, piped=WIDTH)


def _next(analysis: Analysis, source: InputSource) -> Iterator[str]:
    """Yield how to ask on, if there is more to be told."""
    decided = proved(analysis)
    if source.turn is None:
        yield f"Next: {source.again('mustplay')} --turn {Color.BLACK.word}   the threats"
    elif decided is not None:
        x, y = map(source.position.board.name, source.position.board.edges(decided[0]))
        yield f"Next: {source.again('explain')} --between {x} {y}   why"

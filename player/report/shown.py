"""An analysis as people want to see it: the board with what is proved, and the verdict."""

from hsearch import analysis as connections
from hsearch.board import Cell
from hsearch.render import svg
from hsearch.render import text as lines
from player.answers import Analysis
from player.report.analysis import marks, mustplay, picture_marks, subject, verdict


def text(seen: connections.Analysis, last: Cell | None = None) -> str:
    """Return the board, who is proved to win, and where to play if the game is not over."""
    analysis = Analysis.of(seen)
    analyses = {analysis.position.turn: analysis}
    board = lines.plain(lines.board(analysis.position, marks(analyses, last)))
    said = [verdict(analysis)]
    if analysis.chain is None:
        said.append(mustplay(analysis))
    return "\n".join((f"{board}\n", *said))


def picture(seen: connections.Analysis) -> str:
    """Return what `hsearch analyze --svg` draws."""
    analysis = Analysis.of(seen)
    analyses = {analysis.position.turn: analysis}
    return svg.write(analysis.position, picture_marks(analyses, None), title=subject(analyses))

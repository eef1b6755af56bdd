"""An analysis as people want to see it: the board with what is proved, and the verdict."""

from hsearch.analysis import Analysis
from hsearch.board import Cell
from hsearch.render import svg
from hsearch.render import text as lines
from player.report.analysis import marks, mustplay, picture_marks, subject, verdict


def text(analysis: Analysis, last: Cell | None = None) -> str:
    """Return the board, who is proved to win, and where to play if the game is not over."""
    analyses = {analysis.position.turn: analysis}
    board = lines.plain(lines.board(analysis.position, marks(analyses, last)))
    said = [verdict(analysis)]
    if analysis.chain is None:
        said.append(mustplay(analysis))
    return "\n".join((f"{board}\n", *said))


def picture(analysis: Analysis) -> str:
    """Return what `hsearch analyze --svg` draws."""
    analyses = {analysis.position.turn: analysis}
    return svg.write(analysis.position, picture_marks(analyses, None), title=subject(analyses))

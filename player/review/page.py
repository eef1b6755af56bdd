"""The review as one page: board, chart and verdicts, without anything from elsewhere.

The page works from a file on disk. The board is drawn once, as an empty one;
what lies on it after each move is data in the page, and a few lines of script
put it there.
"""

from collections.abc import Iterator
from html import escape
from typing import Any

from hsearch.board import Color
from hsearch.files import strict
from hsearch.position import Position
from hsearch.render import Marks, svg
from player.review import chart
from player.review.review import Review, ReviewedPosition
from player.review.sentences import heading, numbered_move, summary
from player.review.template import HEAD, SCRIPT, STYLE

_HIGHEST = 40  # moves in the table of those that matter; the slider has them all


def write(reviewed: Review) -> str:
    """Return the page as HTML."""
    title = escape(f"Review: {heading(reviewed)}")
    board = reviewed.game.board
    empty = svg.write(Position.of(board), Marks(), title="")
    size = f"{board.columns}x{board.rows}"
    drawn = (
        f'<div id="board" tabindex="0" role="application" aria-roledescription="Hex board" '
        f'aria-label="Board {size}: left and right arrow keys step through the game">{empty}</div>'
    )
    parts = [
        HEAD.format(title=title, style=STYLE),
        f"<h1>{title}</h1>",
        *(f"<p>{escape(sentence)}</p>" for sentence in summary(reviewed)),
        '<main><section class="play" aria-label="The game">',
        drawn,
        _CONTROLS.format(last=len(reviewed.moves)),
        '<p id="say" aria-live="polite"></p><p id="why"></p>',
        "<p>Marks: ▲ proved to win, □ must-play, 1 2 3 weakest links, ring: last stone.</p>",
        "</section><section class='side'>",
        f'<div id="chart">{chart.write(reviewed)}</div>',
        "<h2>The moves that matter</h2>",
        *_table(reviewed),
        "</section></main>",
        f'<script type="application/json" id="data">{_json(data(reviewed))}</script>',
        f"<script>{SCRIPT}</script></body></html>\n",
    ]
    return "\n".join(parts)


_CONTROLS = """<div class="controls">
<button id="first" aria-label="to the start">|◀</button>
<button id="back" aria-label="one move back">◀</button>
<input id="at" type="range" min="0" max="{last}" value="0" aria-label="move">
<button id="next" aria-label="one move on">▶</button>
<button id="last" aria-label="to the end">▶|</button>
<output id="number" for="at">0</output></div>"""


def data(reviewed: Review) -> dict[str, Any]:
    """Return what the script needs: for each position the stones, marks and sentences."""
    return {
        "positions": [_position(reviewed, state) for state in reviewed.states],
        "names": [reviewed.game.board.name(cell) for cell in reviewed.game.board.cells],
        "left": chart.LEFT,
        "step": chart.across(reviewed, 1) - chart.LEFT,
        "start": reviewed.turning_point or 0,
    }


def _position(reviewed: Review, state: ReviewedPosition) -> dict[str, Any]:
    position, moves = state.position, state.moves
    last = reviewed.game.last_cell(moves)
    is_over = state.proved is not None and state.proved.by == "chain"
    region = state.mustplay & ~state.winning & ~state.losing
    carrier = None if state.proved is None else state.proved.connection
    return {
        "black": list(position.black.search(1)),
        "white": list(position.white.search(1)),
        "last": last,
        "wins": [] if is_over else list(state.winning.search(1)),
        "region": list(region.search(1)) if state.is_forced and not is_over else [],
        "links": list(state.links) if state.proved is None else [],
        "carrier": [] if carrier is None else list(carrier.carrier.search(1)),
        "say": _said(reviewed, state),
        "why": _sentence(reviewed.moves[moves - 1].basis) if moves else "",
    }


def _said(reviewed: Review, state: ReviewedPosition) -> str:
    """Return the verdict on the last move, and who stands how after it."""
    said = ""
    if state.moves:
        move = reviewed.moves[state.moves - 1]
        said = f"Move {numbered_move(reviewed, move)}: {move.word}. "
    turn = state.position.turn
    if state.proved is not None and state.proved.by == "chain":
        return said + f"{state.proved.winner.word.capitalize()} has won."
    if state.proved is not None:
        winner = state.proved.winner.word.capitalize()
        return said + f"{winner} is proved to win, by {state.proved.words}."
    chance = f"{100 * state.chance_of(Color.BLACK):.0f} %"
    return said + f"{turn.word.capitalize()} to move; Black's chance is estimated at {chance}."


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _table(reviewed: Review) -> Iterator[str]:
    moves = reviewed.notable[:_HIGHEST]
    if not moves:
        yield "<p>None: no move is proved to lose, and no estimate fell much.</p>"
        return
    yield "<table><thead><tr><th>move</th><th>verdict</th><th>it rests on</th></tr></thead><tbody>"
    for move in moves:
        name = escape(numbered_move(reviewed, move))
        button = f'<button class="go" data-move="{move.number}">{name}</button>'
        kind = ' class="mistake"' if move.is_mistake else ""
        cells = f"<td>{button}</td><td>{escape(move.word)}</td><td>{escape(move.basis)}</td>"
        yield f"<tr{kind}>{cells}</tr>"
    yield "</tbody></table>"


def _json(thing: dict[str, Any]) -> str:
    """Return JSON that no text in it can lead out of its element."""
    text = strict.write(thing, ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text

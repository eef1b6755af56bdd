"""A review as one self-contained HTML page: board, chart and verdicts.

First the chart, which is also a picture; then head, style and script; then the page.
"""

from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import Any

from hsearch.formats import strict
from hsearch.hex import Color, Position
from hsearch.render import svg
from hsearch.render.svg import clean, text_element
from hsearch.render.text import Marks, quantity
from player.answers.memory import Source
from player.evaluate.chance import per_cent
from player.search.chances import BY
from player.study import review as reviews
from player.study.review import Review

# The chance by move as an SVG picture, for light and dark pages.
#
# Black's chance goes up, White's down. A stretch with a proved winner is filled;
# a mistake is a triangle, the turning point a line, so the marks can be read
# without colors.

WIDTH, HEIGHT = 720, 280
LEFT, RIGHT, TOP, FOOT = 64, 16, 44, 78

STYLE = """
.review { color-scheme: light dark; font: 12px system-ui, sans-serif; }
.review .r-page { fill: #fbfaf7 } .review .r-ink { fill: #30343b }
.review .r-title { font-size: 14px; font-weight: 600 }
.review .r-grid { stroke: #8d8574; stroke-width: 1; stroke-dasharray: 3 4; fill: none }
.review .r-frame { stroke: #8d8574; fill: none }
.review .r-line { stroke: #1f6f8b; stroke-width: 2; fill: none; stroke-linejoin: round }
.review .r-black { fill: #17191d; fill-opacity: .28 }
.review .r-white { fill: #c9a44a; fill-opacity: .38 }
.review .r-mistake { fill: #c0392b; stroke: #fbfaf7 }
.review .r-loss { fill: none; stroke: #c0392b; stroke-width: 2 }
.review .r-turn { stroke: #b0189b; stroke-width: 2; fill: none }
.review .r-cursor { stroke: #1f6f8b; stroke-width: 1; fill: none }
@media (prefers-color-scheme: dark) {
.review .r-page { fill: #16181c } .review .r-ink { fill: #d9dce1 }
.review .r-grid, .review .r-frame { stroke: #757b86 } .review .r-line { stroke: #6cc5e3 }
.review .r-black { fill: #000000; fill-opacity: .75 }
.review .r-white { fill: #e8d9a8; fill-opacity: .32 }
.review .r-mistake { fill: #ff7a6b; stroke: #16181c } .review .r-loss { stroke: #ff7a6b }
.review .r-turn { stroke: #ff7be9 } .review .r-cursor { stroke: #6cc5e3 }
}
"""


def text(review: Review) -> str:
    """Return the heading and the summary, a line a sentence."""
    return "\n".join((reviews.heading(review), *reviews.summary(review)))


def picture(review: Review) -> str:
    """Return the chart as an SVG document."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="review" role="img" '
        f'aria-labelledby="review-title review-text" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}">'
    )
    lines = [
        head,
        f'<title id="review-title">{clean("Chance by move: " + reviews.heading(review))}</title>',
        f'<desc id="review-text">{clean(" ".join(reviews.summary(review)))}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="r-page" width="{WIDTH}" height="{HEIGHT}"/>',
        text_element(LEFT, 22, reviews.heading(review), "r-ink r-title"),
        *_stretches(review),
        *_axes(review),
        f'<polyline class="r-line" points="{_curve(review)}"/>',
        *_marks(review),
        *_legend(),
        "</svg>",
        "",
    ]
    return "\n".join(lines)


def across(review: Review, moves: int) -> float:
    """Return the horizontal position of a number of moves."""
    last = max(1, len(review.states) - 1)
    return LEFT + (WIDTH - LEFT - RIGHT) * moves / last


def _up(chance: float) -> float:
    return TOP + (HEIGHT - TOP - FOOT) * (1 - chance)


def _curve(review: Review) -> str:
    places = (
        (across(review, state.moves), _up(state.odds.of(Color.BLACK))) for state in review.states
    )
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _stretches(review: Review) -> Iterator[str]:
    """Fill the stretches with a proved winner: the upper half for Black, the lower for White."""
    middle = _up(0.5)
    for winner, states in groupby(review.states, lambda state: state.winner):
        if winner is None:
            continue
        numbers = [state.moves for state in states]
        left, right = across(review, numbers[0]), across(review, numbers[-1])
        left, right = (left - 3, right + 3) if left == right else (left, right)
        top = _up(1) if winner is Color.BLACK else middle
        first, last = numbers[0], numbers[-1]
        moves = f"moves {first} to {last}" if first < last else f"move {first}"
        unless = review.condition and f", {review.condition}"
        title = f"{winner.title} is proved to win after {moves}{unless}"
        yield (
            f'<rect class="r-{winner.word}" x="{left:.1f}" y="{top:.1f}" '
            f'width="{right - left:.1f}" height="{middle - _up(1):.1f}">'
            f"<title>{title}</title></rect>"
        )


def _axes(review: Review) -> Iterator[str]:
    right, foot = WIDTH - RIGHT, _up(0)
    yield (
        f'<rect class="r-frame" x="{LEFT}" y="{_up(1):.1f}" '
        f'width="{right - LEFT}" height="{foot - _up(1):.1f}"/>'
    )
    yield f'<line class="r-grid" x1="{LEFT}" y1="{_up(0.5):.1f}" x2="{right}" y2="{_up(0.5):.1f}"/>'
    for chance, word in ((1.0, "Black"), (0.5, "even"), (0.0, "White")):
        yield text_element(LEFT - 8, _up(chance) + 4, word, "r-ink", anchor="end")
    last = len(review.states) - 1
    step = next(
        step for step in (1, 2, 5, 10, 20, 50, 100, 200) if last / step <= 12 or step == 200
    )
    for moves in range(0, last + 1, step):
        yield text_element(across(review, moves), foot + 16, str(moves), "r-ink", anchor="middle")


def _marks(review: Review) -> Iterator[str]:
    turn = review.turning_point
    if turn is not None:
        x = across(review, turn)
        yield (
            f'<g><title>turning point: move {turn}</title><line class="r-turn" x1="{x:.1f}" '
            f'y1="{_up(1) - 8:.1f}" x2="{x:.1f}" y2="{_up(0):.1f}"/></g>'
        )
    board = review.game.board
    for move in review.moves:
        if not (move.is_mistake or move.refutation):
            continue
        x, y = across(review, move.number), _up(0.5)
        kind = "r-mistake" if move.is_mistake else "r-loss"
        title = f"{move.number} {move.move.name(board)}: {move.word}"
        corners = f"{x - 6:.1f},{y - 5:.1f} {x + 6:.1f},{y - 5:.1f} {x:.1f},{y + 6:.1f}"
        yield f'<g><title>{clean(title)}</title><polygon class="{kind}" points="{corners}"/></g>'


def _legend() -> Iterator[str]:
    """Yield the legend of the shapes, in two rows with room for any font."""
    samples = (
        ('<polyline class="r-line" points="{x},{m} {e},{m}"/>', "chance, an estimate"),
        ('<rect class="r-black" x="{x}" y="{t}" width="20" height="10"/>', "Black proved to win"),
        ('<rect class="r-white" x="{x}" y="{t}" width="20" height="10"/>', "White proved to win"),
        ('<line class="r-turn" x1="{q}" y1="{t}" x2="{q}" y2="{b}"/>', "turning point"),
        ('<polygon class="r-mistake" points="{x},{t} {p},{t} {q},{b}"/>', "proved mistake"),
        ('<polygon class="r-loss" points="{x},{t} {p},{t} {q},{b}"/>', "proved loss"),
    )
    for place, (shape, words) in enumerate(samples):
        x = LEFT + place % 3 * (WIDTH - LEFT) // 3
        y = HEIGHT - 34 + place // 3 * 20
        yield shape.format(x=x, e=x + 20, m=y - 4, t=y - 9, p=x + 12, q=x + 6, b=y + 1)
        yield text_element(x + 26, y, words, "r-ink")


# The same on every page: head, style and script.

HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>{style}</style></head><body>"""

PAGE_STYLE = """
:root { color-scheme: light dark; --ink: #30343b; --page: #fbfaf7; --line: #8d8574; --bad: #c0392b }
@media (prefers-color-scheme: dark) {
:root { --ink: #d9dce1; --page: #16181c; --line: #757b86; --bad: #ff7a6b } }
body { background: var(--page); color: var(--ink); font: 15px/1.45 system-ui, sans-serif;
margin: 1rem auto; max-width: 1280px; padding: 0 1rem }
h1 { font-size: 1.3rem } h2 { font-size: 1.05rem } p { margin: .35rem 0 }
main { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start }
.play { flex: 1 1 420px; min-width: 0; position: sticky; top: .5rem }
@media (max-width: 900px) { .play { position: static } }
 .side { flex: 1 1 420px; min-width: 0 }
#board svg, #chart svg { width: 100%; height: auto } #chart { cursor: pointer }
#board:focus-visible { outline: 3px solid #1f6f8b; outline-offset: 2px }
.controls { display: flex; gap: .4rem; align-items: center } .controls input { flex: 1 }
button { font: inherit; color: inherit; background: none; border: 1px solid var(--line);
border-radius: 4px; padding: .15rem .5rem; cursor: pointer }
#say { font-weight: 600; min-height: 1.4em } #why { min-height: 4.2em }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top; padding: .2rem .5rem .2rem 0;
border-top: 1px solid var(--line) }
tr.mistake td:nth-child(2) { color: var(--bad); font-weight: 600 }
tr[aria-current] { outline: 2px solid #1f6f8b }
#board .mark { fill: #1d7a4a } #board .square { fill: none; stroke: #1f6f8b; stroke-width: 2 }
#board .ring { fill: none; stroke: #b0189b; stroke-width: 3 }
#board .link { font: 600 12px system-ui, sans-serif; text-anchor: middle; fill: #a0460c }
#board .carried { fill: #57a773; fill-opacity: .35 }
@media (prefers-color-scheme: dark) {
#board .mark { fill: #6fd7a2 } #board .ring { stroke: #ff7be9 }
#board .square { stroke: #6cc5e3 } #board .link { fill: #ffb27a } }
"""

SCRIPT = """
"use strict";
(() => {
const $ = id => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const space = "http://www.w3.org/2000/svg";
const cells = [...document.querySelectorAll("#board svg g")].slice(0, data.names.length);
const centers = cells.map(cell => {
  const points = cell.querySelector("polygon").getAttribute("points").split(" ")
    .map(pair => pair.split(",").map(Number));
  const mean = axis => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const high = Math.max(...points.map(p => p[1])) - Math.min(...points.map(p => p[1]));
  return { x: mean(0), y: mean(1), r: high / 2, outline: cell.querySelector("polygon") };
});
const cursor = document.createElementNS(space, "line");
cursor.setAttribute("class", "r-cursor");
const chart = document.querySelector("#chart svg");
chart.append(cursor);
let at = 0;
function add(cell, kind, attributes, text) {
  const thing = document.createElementNS(space, kind);
  for (const [name, value] of Object.entries(attributes)) thing.setAttribute(name, value);
  thing.classList.add("laid");
  if (text) thing.textContent = text;
  cells[cell].append(thing);
}
function stone(cell, color) {
  const { x, y, r } = centers[cell];
  add(cell, "circle", { class: color, cx: x, cy: y, r: 0.66 * r });
  cells[cell].querySelector("title").textContent = `${data.names[cell]}, ${color}`;
}
function show(number) {
  at = Math.max(0, Math.min(data.positions.length - 1, number));
  const now = data.positions[at];
  for (const thing of document.querySelectorAll("#board .laid")) thing.remove();
  cells.forEach((cell, i) => cell.querySelector("title").textContent = `${data.names[i]}, empty`);
  for (const cell of now.carrier) {
    const points = centers[cell].outline.getAttribute("points");
    add(cell, "polygon", { class: "carried", points });
  }
  for (const cell of now.black) stone(cell, "black");
  for (const cell of now.white) stone(cell, "white");
  for (const cell of now.wins) {
    const { x, y, r } = centers[cell], s = 0.42 * r;
    add(cell, "polygon", { class: "mark",
      points: `${x},${y - s} ${x + s},${y + 0.7 * s} ${x - s},${y + 0.7 * s}` });
  }
  for (const cell of now.region) {
    const { x, y, r } = centers[cell], s = 0.36 * r;
    add(cell, "rect", { class: "square", x: x - s, y: y - s, width: 2 * s, height: 2 * s });
  }
  now.links.forEach((cell, i) => {
    const { x, y } = centers[cell];
    add(cell, "text", { class: "link", x, y: y + 4 }, String(i + 1));
  });
  if (now.last !== null) {
    const { x, y, r } = centers[now.last];
    add(now.last, "circle", { class: "ring", cx: x, cy: y, r: 0.76 * r });
    cells[now.last].querySelector("title").textContent += ", last move";
  }
  $("say").textContent = now.say;
  $("why").textContent = now.why;
  $("at").value = at;
  $("number").textContent = `${at} of ${data.positions.length - 1}`;
  const x = data.left + data.step * at;
  for (const [name, value] of Object.entries({ x1: x, x2: x, y1: 36, y2: 206 }))
    cursor.setAttribute(name, value);
  for (const row of document.querySelectorAll("tbody tr")) {
    const own = Number(row.querySelector("button").dataset.move) === at;
    if (own) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current");
  }
}
const last = data.positions.length - 1;
$("first").onclick = () => show(0);
$("back").onclick = () => show(at - 1);
$("next").onclick = () => show(at + 1);
$("last").onclick = () => show(last);
$("at").oninput = () => show(Number($("at").value));
for (const button of document.querySelectorAll("button.go"))
  button.onclick = () => show(Number(button.dataset.move));
chart.addEventListener("click", event => {
  const box = chart.getBoundingClientRect();
  const x = (event.clientX - box.left) * chart.viewBox.baseVal.width / box.width;
  show(Math.round((x - data.left) / data.step));
});
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target === $("at")) return;
  const goal = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last,
    PageUp: at - 10, PageDown: at + 10 }[event.key];
  if (goal === undefined) return;
  event.preventDefault();
  show(goal);
});
show(data.start);
})();
"""


# The page of a review.
#
# The page works from a file on disk. It has the board once, empty; the stones and
# marks after each move are data in the page, which the script above adds.

_MOST = 40  # notable moves in the table; the slider has all moves


def write_page(review: Review) -> str:
    """Return the page as HTML."""
    title = escape(f"Review: {reviews.heading(review)}")
    board = review.game.board
    empty = svg.write(Position.of(board), Marks(), title="")
    size = str(board)
    drawing = (
        f'<div id="board" tabindex="0" role="application" aria-roledescription="Hex board" '
        f'aria-label="Board {size}: left and right arrow keys step through the game">{empty}</div>'
    )
    parts = [
        HEAD.format(title=title, style=PAGE_STYLE),
        f"<h1>{title}</h1>",
        *(f"<p>{escape(sentence)}</p>" for sentence in reviews.summary(review)),
        '<main><section class="play" aria-label="The game">',
        drawing,
        _CONTROLS.format(last=len(review.moves)),
        '<p id="say" aria-live="polite"></p><p id="why"></p>',
        "<p>Marks: ▲ proved to win, □ must-play, 1 2 3 weakest links, ring: last stone.</p>",
        "</section><section class='side'>",
        f'<div id="chart">{picture(review)}</div>',
        "<h2>The moves that matter</h2>",
        *_table(review),
        "</section></main>",
        f'<script type="application/json" id="data">{_json(data(review))}</script>',
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


def data(review: Review) -> dict[str, Any]:
    """Return the data for the script: for each position the stones, marks and sentences."""
    return {
        "positions": [_position(review, state) for state in review.states],
        "names": [review.game.board.name(cell) for cell in review.game.board.cells],
        "left": LEFT,
        "step": across(review, 1) - LEFT,
        "start": review.turning_point or 0,
    }


def _position(review: Review, state: reviews.ReviewedPosition) -> dict[str, Any]:
    position, moves = state.position, state.moves
    last = review.game.last_cell(moves)
    is_over = state.proof is not None and state.proof.by is Source.CHAIN
    region = state.mustplay & ~state.winning & ~state.losing
    carrier = None if state.proof is None else state.proof.connection
    return {
        "black": list(position.black.search(1)),
        "white": list(position.white.search(1)),
        "last": last,
        "wins": [] if is_over else list(state.winning.search(1)),
        "region": list(region.search(1)) if state.is_forced and not is_over else [],
        "links": list(state.links) if state.proof is None else [],
        "carrier": [] if carrier is None else list(carrier.carrier.search(1)),
        "say": _position_words(review, state),
        "why": " ".join(_reasons(review, review.moves[moves - 1])) if moves else "",
    }


def _position_words(review: Review, state: reviews.ReviewedPosition) -> str:
    """Return the verdict on the last move, and who wins or the chance after it."""
    verdict = ""
    if state.moves:
        move = review.moves[state.moves - 1]
        verdict = f"Move {reviews.move_label(review, move)}: {move.word}. "
    turn = state.position.turn
    if state.proof is not None and state.proof.by is Source.CHAIN:
        return verdict + f"{state.proof.winner.title} has won."
    if state.proof is not None:
        unless = review.condition and f"{review.condition.capitalize()}, "
        winner = state.proof.winner.title
        return verdict + f"{unless}{winner} is proved to win, by {state.proof.words}."
    chance = f"{per_cent(state.odds.of(Color.BLACK))} %, {BY[state.odds.by]}"
    if not state.odds.is_estimate:
        return verdict + f"Black's chance is {chance}."
    return verdict + f"{turn.title} to move; Black's chance is estimated at {chance}."


def _reasons(review: Review, move: reviews.MoveReview) -> Iterator[str]:
    """Yield in sentences the basis of a verdict, the refutation, and the better move."""
    for words in (move.basis, *reviews.instead(review, move)):
        yield f"{words[0].upper()}{words[1:]}."


def _table(review: Review) -> Iterator[str]:
    moves = review.notable[:_MOST]
    if not moves:
        yield "<p>None: no move is proved to change who wins, and no estimate fell much.</p>"
        return
    heads = "<th>move</th><th>verdict</th><th>basis, refutation, better move</th>"
    yield f"<table><thead><tr>{heads}</tr></thead><tbody>"
    for move in moves:
        name = escape(reviews.move_label(review, move))
        button = f'<button class="go" data-move="{move.number}">{name}</button>'
        kind = ' class="mistake"' if move.is_mistake else ""
        reasons = "<br>".join(map(escape, _reasons(review, move)))
        cells = f"<td>{button}</td><td>{escape(move.word)}</td><td>{reasons}</td>"
        yield f"<tr{kind}>{cells}</tr>"
    yield "</tbody></table>"
    if more := len(review.notable) - len(moves):
        yield f"<p>{quantity(more, 'more move')} of this kind: step through the game.</p>"


def _json(thing: dict[str, Any]) -> str:
    """Return JSON escaped so that no text in it can end the HTML element around it."""
    text = strict.write(thing, ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text

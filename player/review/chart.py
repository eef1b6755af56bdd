"""The chance by move as an SVG picture, for light and for dark pages.

Black's chance goes up, White's down. A stretch whose winner is proved is filled;
a mistake is a triangle, the turning point a line, so that no color is needed to
read them.
"""

from collections.abc import Iterator
from itertools import groupby

from hsearch.board import Color
from hsearch.render.shapes import clean
from player.review.review import Review
from player.review.sentences import heading, summary

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


def write(reviewed: Review) -> str:
    """Return an SVG document."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="review" role="img" '
        f'aria-labelledby="review-title review-text" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}">'
    )
    lines = [
        head,
        f'<title id="review-title">{clean("Chance by move: " + heading(reviewed))}</title>',
        f'<desc id="review-text">{clean(" ".join(summary(reviewed)))}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="r-page" width="{WIDTH}" height="{HEIGHT}"/>',
        _text(LEFT, 22, heading(reviewed), "r-ink r-title"),
        *_stretches(reviewed),
        *_axes(reviewed),
        f'<polyline class="r-line" points="{_curve(reviewed)}"/>',
        *_marks(reviewed),
        *_legend(),
        "</svg>",
        "",
    ]
    return "\n".join(lines)


def across(reviewed: Review, moves: int) -> float:
    """Return how far to the right a number of moves stands."""
    last = max(1, len(reviewed.states) - 1)
    return LEFT + (WIDTH - LEFT - RIGHT) * moves / last


def _up(chance: float) -> float:
    return TOP + (HEIGHT - TOP - FOOT) * (1 - chance)


def _curve(reviewed: Review) -> str:
    places = (
        (across(reviewed, state.moves), _up(state.chance_of(Color.BLACK)))
        for state in reviewed.states
    )
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _stretches(reviewed: Review) -> Iterator[str]:
    """Fill the stretches whose winner is proved: the upper half for Black, the lower for White."""
    middle = _up(0.5)
    for winner, states in groupby(reviewed.states, lambda state: state.winner):
        if winner is None:
            continue
        numbers = [state.moves for state in states]
        left, right = across(reviewed, numbers[0]), across(reviewed, numbers[-1])
        left, right = (left - 3, right + 3) if left == right else (left, right)
        top = _up(1) if winner is Color.BLACK else middle
        told = (
            f"{winner.word.capitalize()} is proved to win after moves {numbers[0]} to {numbers[-1]}"
        )
        yield (
            f'<rect class="r-{winner.word}" x="{left:.1f}" y="{top:.1f}" '
            f'width="{right - left:.1f}" height="{middle - _up(1):.1f}">'
            f"<title>{told}</title></rect>"
        )


def _axes(reviewed: Review) -> Iterator[str]:
    right, foot = WIDTH - RIGHT, _up(0)
    yield (
        f'<rect class="r-frame" x="{LEFT}" y="{_up(1):.1f}" '
        f'width="{right - LEFT}" height="{foot - _up(1):.1f}"/>'
    )
    yield f'<line class="r-grid" x1="{LEFT}" y1="{_up(0.5):.1f}" x2="{right}" y2="{_up(0.5):.1f}"/>'
    for chance, word in ((1.0, "Black"), (0.5, "even"), (0.0, "White")):
        yield _text(LEFT - 8, _up(chance) + 4, word, "r-ink", anchor="end")
    last = len(reviewed.states) - 1
    step = next(
        step for step in (1, 2, 5, 10, 20, 50, 100, 200) if last / step <= 12 or step == 200
    )
    for moves in range(0, last + 1, step):
        yield _text(across(reviewed, moves), foot + 16, str(moves), "r-ink", anchor="middle")


def _marks(reviewed: Review) -> Iterator[str]:
    turn = reviewed.turning_point
    if turn is not None:
        x = across(reviewed, turn)
        yield (
            f'<g><title>turning point: move {turn}</title><line class="r-turn" x1="{x:.1f}" '
            f'y1="{_up(1) - 8:.1f}" x2="{x:.1f}" y2="{_up(0):.1f}"/></g>'
        )
    board = reviewed.game.board
    for move in reviewed.moves:
        if not (move.is_mistake or move.refutation):
            continue
        x, y = across(reviewed, move.number), _up(0.5)
        kind = "r-mistake" if move.is_mistake else "r-loss"
        told = f"{move.number} {move.move.name(board)}: {move.word}"
        corners = f"{x - 6:.1f},{y - 5:.1f} {x + 6:.1f},{y - 5:.1f} {x:.1f},{y + 6:.1f}"
        yield f'<g><title>{clean(told)}</title><polygon class="{kind}" points="{corners}"/></g>'


def _legend() -> Iterator[str]:
    """Yield what the shapes stand for, in two rows with room for any font."""
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
        yield _text(x + 26, y, words, "r-ink")


def _text(x: float, y: float, text: str, kind: str, *, anchor: str = "start") -> str:
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{clean(text)}</text>'
    )

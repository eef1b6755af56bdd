"""Pictures: a policy as a tree of small boards, and the curve of a long run."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from player.dark import rules
from player.dark.long_run import RunProgress
from player.dark.tabular import TabularPolicy
from player.work.statistics import save_figure

STEP, LINE, RADIUS = 26, 58, 7
STYLE = """
svg { background: #fff; color: #222; font: 13px sans-serif; }
.cell { fill: #eee; stroke: #888; } .black { fill: #222; stroke: #888; }
.white { fill: #fff; stroke: #222; } .known { stroke-dasharray: 2 2; }
.chance { fill: #2a7; } .branch { stroke: #888; fill: none; } text { fill: currentColor; }
@media (prefers-color-scheme: dark) {
  svg { background: #181818; color: #ddd; } .cell { fill: #333; }
  .black { fill: #000; stroke: #bbb; } .white { fill: #ddd; }
}
"""


def draw(policy: TabularPolicy) -> str:
    """Return the tree of a policy as SVG, one row an information state.

    A row shows the view, with own stones, found stones with a dashed rim, and a
    disk on each cell that is attempted, whose area is its chance.
    """
    board = policy.rules.board
    histories = sorted(policy.chances)
    row_of = {history: row for row, history in enumerate(histories)}
    deepest = max(map(len, histories), default=0)
    side = STEP * (deepest + 1) + 2 * RADIUS * (board.columns + board.rows) + 420
    height = LINE * len(histories) + 20
    title = f"{policy.color.word}'s policy, {policy.rules.base} {policy.rules.noise} {board}"
    size = f'width="{side}" height="{height}" viewBox="0 0 {side} {height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
    ]
    for history, row in row_of.items():
        above = next(
            (history[:n] for n in range(len(history) - 1, -1, -1) if history[:n] in row_of), None
        )
        x, y = 10 + STEP * len(history), 10 + LINE * row
        if above is not None:
            left, top = 14 + STEP * len(above), 10 + LINE * row_of[above] + 40
            parts.append(f'<path class="branch" d="M{left} {top}V{y + 14}H{x - 4}"/>')
        parts.append(_board(policy, history, x, y))
        label = rules.write(board, history) or "start"
        cells = ", ".join(
            f"{board.name(cell)} {chance}" for cell, chance in sorted(policy.at(history).items())
        )
        right = x + 2 * RADIUS * (board.columns + board.rows) + 8
        parts.append(f'<text x="{right}" y="{y + 14}">{escape(label)}: {escape(cells)}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _board(policy: TabularPolicy, history: rules.History, x: int, y: int) -> str:
    board, view = policy.rules.board, rules.view(history)
    mine = policy.color.word
    other = policy.color.opponent.word
    chances = policy.at(history)
    shapes = []
    for cell in board.cells:
        column, row = board.column_and_row(cell)
        at = f'cx="{x + RADIUS * (2 * column + row + 1)}" cy="{y + 13 * row + RADIUS}"'
        kind = "cell"
        if view.own >> cell & 1:
            kind = mine
        elif view.known >> cell & 1:
            kind = f"{other} known"
        shapes.append(f'<circle class="{kind}" {at} r="{RADIUS - 1}"/>')
        if cell in chances:
            radius = (RADIUS - 1) * float(chances[cell]) ** 0.5
            shapes.append(f'<circle class="chance" {at} r="{radius:.2f}"/>')
    return "".join(shapes)


# A long run: exploitability against time, drawn by matplotlib.


def plot(title: str, curve: Sequence[RunProgress], path: Path) -> None:
    """Draw the exploitability at each measurement, on logarithmic axes.

    Raise ValueError when nothing was measured, ImportError without matplotlib,
    OSError when the file cannot be written.
    """
    points = [
        (each.seconds, each.exploitability)
        for each in curve
        if each.exploitability is not None and each.exploitability > 0
    ]
    if not points:
        raise ValueError("no exploitability was measured, so there is nothing to draw")
    with save_figure(path, (7, 4.5)) as figure:
        axes = figure.subplots()
        axes.loglog(*zip(*points, strict=True), marker=".", color="black")
        axes.set_xlabel("seconds")
        axes.set_ylabel("exploitability")
        axes.set_title(title)
        axes.grid(alpha=0.3, which="both")

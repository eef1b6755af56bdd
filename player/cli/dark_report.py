"""Output of `hsearch dark` for a solution: JSON, text, a row of the table, a curve, pictures."""

import importlib
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import click

from hsearch.hex.board import Color
from player.dark import rules
from player.dark.long_run import End, RunProgress
from player.dark.rules import DarkRules
from player.dark.solve import Solution, SolveOptions
from player.dark.tabular import TabularPolicy

NARROW = 1e-8  # bounds so near are printed as nine places of what lies between,
WIDE = 2e-6  # and those so far apart as what they are


def solution_object(rules: DarkRules, method: str, solution: Solution) -> dict[str, Any]:
    """Return the JSON object of a solution."""
    sizes, fraction = solution.sizes, solution.fraction
    sets = sizes.information_sets
    return {
        "schema": "hsearch/dark/1",
        "board": {"columns": rules.board.columns, "rows": rules.board.rows},
        "base": str(rules.base),
        "noise": str(rules.noise),
        "method": method,
        "value": solution.value,
        "fraction": None if fraction is None else str(fraction),
        "bounds": None if solution.bounds is None else list(solution.bounds),
        "exploitability": solution.exploitability,
        "information_sets": (
            None if sets is None else {color.word: sets[color] for color in Color}
        ),
        "nodes": sizes.nodes,
        "terminals": sizes.terminals,
        "ended": solution.ended,
        "seconds": round(solution.seconds, 3),
    }


def print_solution(rules: DarkRules, method: str, solution: Solution) -> None:
    """Print a solution for people."""
    size = str(rules.board)
    click.echo(f"Dark Hex {size}, {rules.base}, {rules.noise}, by {method}")
    if solution.fraction is not None:
        click.echo(f"value to Black    {solution.fraction} (proved)")
    elif solution.value is not None:
        click.echo(f"value to Black    {solution.value:.12g}")
    if solution.bounds is None:
        click.echo("value, bounds     unknown: the tree is too large to measure the policy on it")
    else:
        click.echo(f"bounds            {solution.bounds[0]:.12g} to {solution.bounds[1]:.12g}")
        click.echo(f"exploitability    {solution.exploitability:.3g}")
    if solution.value is not None:
        click.echo(f"Black wins        {(1 + solution.value) / 2:.12g} of the games")
    sizes = solution.sizes
    if sizes.nodes is not None and sizes.information_sets is not None:
        black, white = sizes.information_sets
        click.echo(f"nodes             {sizes.nodes:,}, over in {sizes.terminals:,}")
        click.echo(f"information sets  {black:,} of Black, {white:,} of White")
    if solution.curve:
        click.echo(f"iterations        {solution.curve[-1].iteration:,}")
    click.echo(f"seconds           {solution.seconds:.2f}")


def how_to_go_on(solution: Solution, options: SolveOptions) -> list[str]:
    """Return lines that say what ended a long run and how to go on; none of another method."""
    if solution.ended is None:
        return []
    stop, end = options.stop, solution.ended
    why = {
        End.EXPLOITABILITY: f"--until {stop.exploitability:g}",
        End.ITERATIONS: f"--iterations {stop.iterations}, of the whole run",
        End.SECONDS: f"--time {stop.seconds or 0:g}, of this run",
        End.INTERRUPTED: "Ctrl-C",
    }[end]
    more = {
        End.EXPLOITABILITY: " with a smaller --until",
        End.ITERATIONS: " with more --iterations",
    }
    if end is End.EXPLOITABILITY and stop.exploitability == 0:
        return ["ended by          bounds that meet"]
    go_on = f"the same command{more.get(end, '')}: it takes up {options.file}"
    if options.file is None:
        go_on = "nothing was saved; a run with --resume FILE resumes where it ended"
    return [f"ended by          {why}", f"to go on          {go_on}"]


def table_row(rules: DarkRules, solution: Solution) -> str:
    """Return a line of the table of all games."""
    lower, upper = solution.bounds or (-1.0, 1.0)
    fraction = solution.fraction
    if fraction is not None:
        known = f"{fraction!s:>16}{float(fraction):>12.6f}{(1 + fraction) / 2!s:>14}"
        return f"{rules.name:24}{known}{solution.seconds:>10.1f}"
    span = f"{lower:.9f} to {upper:.9f}"
    wins = f"{(1 + (lower + upper) / 2) / 2:.{9 if upper - lower <= NARROW else 6}f}"
    if upper - lower > WIDE:
        span = f"{lower:.6f} to {upper:.6f}"
        wins = f"{(1 + lower) / 2:.4f}-{(1 + upper) / 2:.4f}"
    return f"{rules.name:24}{span:>28}{wins:>14}{solution.seconds:>10.1f}"


def curve(solution: Solution) -> str:
    """Return the progress of a long run as CSV."""
    lines = ["iteration,seconds,lower,upper\n"]
    for each in solution.curve:
        lower, upper = each.bounds or ("", "")
        lines.append(f"{each.iteration},{each.seconds:.3f},{lower},{upper}\n")
    return "".join(lines)


# Pictures: of a policy, as a tree of what is known with small boards, and of a long run.


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

    A row shows the view: own stones, found stones with a broken rim, and on
    each cell that is attempted a disk that grows with its chance.
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
    board, seen = policy.rules.board, rules.view(history)
    mine = policy.color.word
    other = policy.color.opponent.word
    chances = policy.at(history)
    shapes = []
    for cell in board.cells:
        column, row = board.column_and_row(cell)
        at = f'cx="{x + RADIUS * (2 * column + row + 1)}" cy="{y + 13 * row + RADIUS}"'
        kind = "cell"
        if seen.own >> cell & 1:
            kind = mine
        elif seen.known >> cell & 1:
            kind = f"{other} known"
        shapes.append(f'<circle class="{kind}" {at} r="{RADIUS - 1}"/>')
        if cell in chances:
            radius = (RADIUS - 1) * float(chances[cell]) ** 0.5
            shapes.append(f'<circle class="chance" {at} r="{radius:.2f}"/>')
    return "".join(shapes)


# A long run: exploitability against time, by matplotlib.


def plot(title: str, curve: Sequence[RunProgress], path: Path) -> None:
    """Draw the exploitability at each measurement, both axes by logarithms.

    Raise ValueError when nothing was measured, ImportError without matplotlib,
    OSError when the file cannot be written.
    """
    measured = [
        (each.seconds, each.exploitability)
        for each in curve
        if each.exploitability is not None and each.exploitability > 0
    ]
    if not measured:
        raise ValueError("no exploitability was measured, so there is nothing to draw")
    matplotlib = importlib.import_module("matplotlib")
    figures = importlib.import_module("matplotlib.figure")
    with matplotlib.rc_context({"svg.hashsalt": "hsearch", "svg.fonttype": "none"}):
        figure = figures.Figure(figsize=(7, 4.5), layout="constrained")
        axes = figure.subplots()
        axes.loglog(*zip(*measured, strict=True), marker=".", color="black")
        axes.set_xlabel("seconds")
        axes.set_ylabel("exploitability")
        axes.set_title(title)
        axes.grid(alpha=0.3, which="both")
        name = "Software" if path.suffix == ".png" else "Creator"
        date = {"Date": None} if path.suffix == ".svg" else {}
        figure.savefig(path, metadata={name: "hsearch", **date})

"""Print a table of how often estimates of openings are right on boards with proved winners.

    python tests/research/estimate_openings.py 5 6 7 --depth 7 --simulations 50000

An estimate is judged as in the maps, by the share of winning openings, and at the best threshold
for the board, which is unknown for larger boards.
"""

import math
from collections.abc import Iterator, Sequence

import click

from hsearch.hex.position import Position
from player.search.opening_estimates import LOOK, MapEffort, MapWay
from player.search.openings import Chart, judge, load_chart

HEADING = (
    "| board | openings | estimate | right | at the best level | that level |",
    "|---|---|---|---|---|---|",
)


def right(
    proved: Chart, estimates: Sequence[float], effort: MapEffort = LOOK
) -> tuple[int, int, float]:
    """Return how many openings are judged right: as a map, and at the best threshold, with it.

    `proved` is the exact map.
    """
    wins = [proved.wins(cell) for cell in proved.board.cells]
    guessed = judge(proved.board, {}, list(estimates), effort)
    as_map = sum(guessed.wins(cell) == wins[cell] for cell in proved.board.cells)
    levels = sorted({value for value in estimates if math.isfinite(value)})
    counts = [
        (sum((e < level) == won for e, won in zip(estimates, wins, strict=True)), level)
        for level in (*levels, math.inf)
    ]
    most, level = max(counts)
    return as_map, most, level


def rows(sides: Sequence[int], depth: int, simulations: int) -> Iterator[str]:
    """Yield the lines of the table: for each board, the judged replies and the searches."""
    yield from HEADING
    for side in sides:
        proved = load_chart(side)
        if proved is None or not proved.is_exact:
            raise click.UsageError(f"who wins on {side}x{side} is not proved")
        board = proved.board
        half = [Position.of(board).play(cell) for cell in range((board.size + 1) // 2)]
        for name, effort in (
            ("a look at the replies", LOOK),
            (f"searches to {depth}", MapEffort(MapWay.DEPTH, depth)),
            (f"{simulations} playouts", MapEffort(MapWay.SIMULATIONS, simulations)),
            ("one look by the net", MapEffort(MapWay.NET, 0)),
            ("the net, 200 simulations", MapEffort(MapWay.NET, 200)),
        ):
            found = [effort.estimate(position) for position in half]
            whole = [found[min(cell, board.rotate(cell))] for cell in board.cells]
            as_map, most, level = right(proved, whole, effort)
            yield f"| {board} | {board.size} | {name} | {as_map} | {most} | {level:+.3f} |"


@click.command()
@click.argument("sides", nargs=-1, type=click.IntRange(2, 7), required=True)
@click.option("--depth", type=click.IntRange(2, 9), default=7, show_default=True)
@click.option("--simulations", type=click.IntRange(1), default=50_000, show_default=True)
def main(sides: tuple[int, ...], depth: int, simulations: int) -> None:
    """Print the table for boards of these sides."""
    for line in rows(sides, depth, simulations):
        click.echo(line)


if __name__ == "__main__":
    main()

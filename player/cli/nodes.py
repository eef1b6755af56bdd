"""`hsearch experiment nodes`: what alpha-beta spares, and what an order of moves does."""

import click

from player.console.compiling import announce_compiling
from player.console.progress import working
from player.experiment.pruning import MINIMAX, effort, least_leaves, openings

NODES = "nodes"
POSITIONS = 5
SEARCHES = (MINIMAX, "random", "center", "charge", "potentials")
BOARDS = ((5, 2), (5, 3), (8, 2), (11, 2))  # sides and depths
EVALUATOR = "two_distance"


def count_nodes(positions: int, seed: int) -> None:
    """Print the mean numbers of nodes, a line for each board and depth."""
    announce_compiling()
    lines = []
    with working("searches", len(BOARDS) * positions * len(SEARCHES), unit="searches") as work:
        done = 0
        for size, depth in BOARDS:
            totals = []
            starts = openings(size, positions, seed)
            for how in SEARCHES:
                nodes = 0
                for position in starts:
                    found = effort(position, depth, evaluator=EVALUATOR, how=how, seed=seed)
                    nodes += found.nodes
                    done += 1
                    work.done(done)
                totals.append(nodes / positions)
            least = least_leaves(size * size - 2, depth)
            lines.append((f"{size}x{size}", depth, totals, least))
    click.echo(f"Mean nodes of {positions} openings of two stones; evaluator {EVALUATOR}.")
    click.echo("Alpha-beta by the order of its moves; the fewest leaves that any order needs.")
    names = "".join(f"{how:>12}" for how in SEARCHES)
    click.echo(f"{'board':7}{'depth':>5}{names}{'least':>10}")
    for board, depth, totals, least in lines:
        numbers = "".join(f"{round(total):>12,}" for total in totals)
        click.echo(f"{board:7}{depth:>5}{numbers}{least:>10,}")

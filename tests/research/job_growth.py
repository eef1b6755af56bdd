"""Measure how solving by jobs scales with workers: real jobs, on a clock that counts positions.

    python tests/research/job_growth.py 7 --smallest 60

Every worker has its own table and does its jobs for real, one after the other in this process.
Only the time is simulated: a job takes as long as its positions, and a few more for the messages.
So the printed table does not depend on the machine.
"""

import heapq
import statistics
from dataclasses import dataclass

import click

from hsearch.hex.board import Board
from hsearch.hex.position import Position
from player.solve.job import JobResult, Worker
from player.solve.job_tree import JobTree
from player.solve.solver import from_the_center

WAY = 5  # positions that could be searched during the two messages of a job


@dataclass(frozen=True, slots=True)
class Growth:
    """A search by `workers` workers.

    jobs     jobs done
    nodes    positions searched in them
    elapsed  positions that one worker could have searched in that time
    busy     share of the workers' time spent on jobs
    median   positions in a job
    """

    workers: int
    jobs: int
    nodes: int
    elapsed: int
    busy: float
    median: float


def growth(positions: list[Position], workers: int, *, smallest: int, memory: int = 50) -> Growth:
    """Settle positions with `workers` workers."""
    board = positions[0].board
    tree = JobTree(board, smallest=smallest)
    tables = [Worker(board, memory) for _ in range(workers)]
    idle = list(range(workers))
    out: list[tuple[int, int, int, JobResult]] = []  # end time, number, worker, and result
    now, spent, lengths = 0, 0, []
    while True:
        left = [position for position in positions if tree.winner(position) is None]
        while idle and (job := tree.next_job(left)) is not None:
            worker = idle.pop()
            result = tables[worker].run(job)
            took = result.nodes + WAY
            heapq.heappush(out, (now + took, job.number, worker, result))
            spent += took
            lengths.append(result.nodes)
        if not left or not out:
            break
        now, _, worker, result = heapq.heappop(out)
        tree.keep(result)
        idle.append(worker)
    busy = spent / (workers * now) if now else 1.0
    middle = statistics.median(lengths)
    return Growth(workers, len(lengths), sum(lengths), now, min(1.0, busy), middle)


@click.command()
@click.argument("side", type=click.IntRange(2, 19))
@click.option("--opening", "names", multiple=True, help="A cell; all openings if there is none.")
@click.option("--smallest", type=click.IntRange(1), default=60, help="Positions for a first job.")
@click.option("--workers", multiple=True, type=int, default=(1, 4, 16, 64), show_default=True)
def main(*, side: int, names: tuple[str, ...], smallest: int, workers: tuple[int, ...]) -> None:
    """Print the table for openings of a board."""
    board = Board(side, side)
    cells = [board.cell(name) for name in names] or from_the_center(board)
    positions = [Position.of(board).play(cell) for cell in cells]
    click.echo("| workers | jobs | positions | elapsed | as fast as one | busy |")
    click.echo("|---|---|---|---|---|---|")
    first: Growth | None = None
    for count in workers:
        found = growth(positions, count, smallest=smallest)
        first = first or found
        faster = first.elapsed / found.elapsed
        click.echo(
            f"| {count} | {found.jobs:,} | {found.nodes:,} | {found.elapsed:,} "
            f"| {faster:.1f} | {100 * found.busy:.0f} % |"
        )


if __name__ == "__main__":
    main()

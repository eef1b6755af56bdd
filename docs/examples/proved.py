"""Print how many of 1,000 random positions are proved, and by what: a table as CSV.

python docs/examples/proved.py 1000 > proved.csv
"""

import csv
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

import hsearch

BOARD = hsearch.Board(6, 6)


def row(seed):
    """Return what is known of one position: with its seed it can be made again."""
    generator = np.random.default_rng(seed)
    position = hsearch.Position.of(BOARD)
    for cell in generator.permutation(BOARD.size)[: generator.integers(4, 16)]:
        position = position.play(int(cell))
    analysis = hsearch.Analysis(position, search=None)  # the two rules alone
    return {
        "seed": seed,
        "stones": (position.black | position.white).count(),
        "winner": analysis.winner,
        "proof": analysis.proof,
        "E": round(analysis.circuits.evaluation, 3),
        "position": hsearch.write(position, "hexworld").strip(),
    }


def main(count):
    """Print a row for each position, computed by two processes."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        rows = pool.map(row, range(count), chunksize=50)
        first = next(rows)
        table = csv.DictWriter(sys.stdout, first, lineterminator="\n")
        table.writeheader()
        table.writerow(first)
        table.writerows(rows)


if __name__ == "__main__":
    main(int(sys.argv[1]))

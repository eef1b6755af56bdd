"""Print how far the mover's chance falls with moves in games, while no winner is proved.

    python tests/research/falls.py positions/games/*.sgf positions/results/proofs/5-4-11x11.jsonl

The files are records, or rows of a tournament, from which `--games` games are taken. A review with
quick effort gives the falls of all moves before and after which the net estimates. The table gives
the share of them that fall by so much or more; `FALL` in `player/study/examine.py` is based on it.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import click

from hsearch import formats
from hsearch.hex.board import Board
from hsearch.hex.game import Game
from player.study.examine import review_game
from player.study.review import EFFORTS

LEVELS = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)


def games(path: Path, most: int) -> Iterator[Game]:
    """Yield the game of a record, or the games of a tournament."""
    if path.suffix != ".jsonl":
        yield formats.load(path)
        return
    head, *rows = map(json.loads, path.read_text().splitlines())
    for row in islice((each for each in rows if "moves" in each), most):
        yield Game.of(Board(head["columns"], head["rows"]), [*row["opening"], *row["moves"]])


def falls(game: Game) -> Iterator[float]:
    """Yield the fall of the mover's chance for each move that is not proved to lose."""
    reviewed = review_game(game, EFFORTS["quick"])
    pairs = zip(reviewed.moves, reviewed.states, reviewed.states[1:], strict=False)
    for move, before, after in pairs:
        if before.odds.by == after.odds.by == "net" and not move.rests_on_proof:
            yield move.fell


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--games", "most", default=40, show_default=True, help="Most games of a tournament.")
def main(paths: Sequence[Path], most: int) -> None:
    """Print the table of the games."""
    taken = [game for path in paths for game in games(path, most)]
    every = sorted(fall for game in taken for fall in falls(game))
    half = every[len(every) // 2]
    click.echo(f"{len(every)} moves of {len(taken)} games; median fall {half:+.3f}")
    click.echo("\n| a fall of | moves | share |\n|---|---|---|")
    for level in LEVELS:
        count = sum(fall >= level for fall in every)
        click.echo(f"| {level:g} or more | {count} | {100 * count / len(every):.1f} % |")


if __name__ == "__main__":
    main()

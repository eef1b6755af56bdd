"""Find large errors of a player by a search many times as long, and classify them.

    python tests/research/blunders.py --player time=0.1 --simulations 2000 --games 60 ROWS.jsonl

ROWS is a file that `hsearch tournament` writes. The moves of the player with --player in its name
are examined in each game. The tree with the shipped net searches the position before the move. If
it prefers another move by `LIKELY` or more, it searches after both moves. The difference of the
mover's chances is the loss. A move with a loss of at least --loss is printed, with

    the share of filled cells, the chance after the better move and after the one played;
    how many moves the net's policy ranks before the better one, and its share of the policy;
    the steps from the opponent's last stone to the better move, and from there to the one played;
    the row of the better move, counted from the nearest edge;
    whether the winner after either move is proved.

A table counts the errors by phase, and by the net's rating of the better move.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import click
import numpy as np
from played import Played, games

from hsearch.hex.board import Board, Cell
from hsearch.hex.position import Position, winner
from player.evaluate.int8 import is_installed
from player.evaluate.net import load_net
from player.search.settings import defaults
from player.search.tree import Candidate, TreeFindings, TreeSearch, net_alone

LIKELY = 0.1  # how much the first search must prefer another move before both are searched
PHASES = (0.1, 0.2, 0.3, 1.0)  # largest share of filled cells in each phase
SMALL = 0.05  # share of the policy that a short search hardly tries


@dataclass(frozen=True, slots=True)
class Blunder:
    """A move that lost much of the chance, and the better one."""

    played: Cell
    better: Cell
    position: Position
    last: Cell | None
    chances: tuple[float, float]
    before: int
    prior: float
    is_proved: bool

    @property
    def filled(self) -> float:
        """The share of the cells that hold stones."""
        position = self.position
        return 1 - position.empty.count(1) / position.board.size

    @property
    def kind(self) -> str:
        """The net's rating of the better move."""
        if self.prior < SMALL:
            return "the policy hardly gave it"
        return "the policy put it first" if self.before == 0 else "the policy put others first"

    def line(self) -> str:
        """Return the error as a line of text."""
        board = self.position.board
        far = "" if self.last is None else f"{steps(board, self.last, self.better)} from the last, "
        better, worse = self.chances
        return (
            f"filled {self.filled:.2f}: {board.name(self.played)} {worse:.2f}, better "
            f"{board.name(self.better)} {better:.2f}; "
            f"{self.before} before it, prior {self.prior:.3f}; "
            f"{far}{steps(board, self.better, self.played)} apart, row {row(board, self.better)}"
            f"{', proved' if self.is_proved else ''}"
        )


def steps(board: Board, one: Cell, other: Cell) -> int:
    """Return the number of steps between two cells, through adjacent cells."""
    down = other // board.columns - one // board.columns
    right = other % board.columns - one % board.columns
    return max(abs(down), abs(right), abs(down + right))


def row(board: Board, cell: Cell) -> int:
    """Return the row of a cell, counted from the nearest edge."""
    down, right = divmod(cell, board.columns)
    return 1 + min(down, right, board.rows - 1 - down, board.columns - 1 - right)


def search(position: Position, simulations: int) -> TreeFindings:
    """Return what the tree finds in `simulations` simulations."""
    net = load_net()
    assert net is not None
    settings = net_alone(
        net,
        simulations=simulations,
        int8=is_installed(),
        limits=defaults(position.board).limits,
    )
    return TreeSearch(position, settings).run(np.random.default_rng(0))


def value(position: Position, simulations: int) -> tuple[float, bool]:
    """Return the mover's chance by a search, and whether the winner is proved."""
    found = search(position, simulations)
    if found.winner is not None:
        return float(found.winner is position.turn), True
    best = found.best
    return (0.5, False) if best is None or best.share is None else (best.share, False)


def blunders(
    game: Played, wanted: Sequence[bool], simulations: int, loss: float
) -> Iterator[Blunder]:
    """Yield the large errors among the wanted moves, until H-search decides the game."""
    last = None
    for position, move, is_wanted in zip(game.positions(), game.game.moves, wanted, strict=False):
        if move.cell is None or winner(position) is not None:
            return
        if is_wanted:
            found = search(position, simulations)
            if not found.simulations:
                return
            blunder = _examined(position, move.cell, last, found, simulations)
            if blunder is not None and blunder.chances[0] - blunder.chances[1] >= loss:
                yield blunder
        last = move.cell


def _examined(
    position: Position, played: Cell, last: Cell | None, found: TreeFindings, simulations: int
) -> Blunder | None:
    """Return the move played and the better one, if the search clearly prefers another."""
    best, own = found.best, _candidate(found, played)
    if best is None or best.cell == played or found.winner is position.turn.opponent:
        return None
    if _share(best, position) - _share(own, position) < LIKELY:
        return None
    better, is_proved = value(position.play(best.cell), simulations)
    worse, is_lost = value(position.play(played), simulations)
    before = sum(each.prior > best.prior for each in found.candidates)
    chances = 1 - better, 1 - worse
    return Blunder(
        played, best.cell, position, last, chances, before, best.prior, is_proved or is_lost
    )


def _candidate(found: TreeFindings, cell: Cell) -> Candidate | None:
    return next((each for each in found.candidates if each.cell == cell), None)


def _share(candidate: Candidate | None, position: Position) -> float:
    """Return the search's value of a move, or 0 if it did not try it."""
    if candidate is None:
        return 0.0
    if candidate.winner is not None:
        return float(candidate.winner is position.turn)
    return candidate.share or 0.0


@click.command()
@click.option("--player", default="tree", show_default=True, help="Text in the name of the player.")
@click.option("--simulations", default=2000, show_default=True, help="Simulations of each search.")
@click.option("--loss", default=0.2, show_default=True, help="Least loss of chance that counts.")
@click.option("--games", "count", default=20, show_default=True, help="Most games of a file.")
@click.option("--skip", default=0, help="Games of each file that are left out before.")
@click.argument("rows", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def main(
    *, player: str, simulations: int, loss: float, count: int, skip: int, rows: tuple[Path, ...]
) -> None:
    """Print the large errors, and the table."""
    found: list[Blunder] = []
    total, phases = 0, Counter[float]()
    for path in rows:
        for game in islice(games(path), skip, skip + count):
            wanted = game.moves_of(player)
            for each in blunders(game, wanted, simulations, loss):
                click.echo(each.line())
                found.append(each)
            total += sum(wanted)
            size = game.game.board.size
            phases.update(_phase(n / size) for n, is_wanted in enumerate(wanted) if is_wanted)
    click.echo(f"{len(found)} of {total} moves lose {loss:g} or more")
    for phase in PHASES:
        rest = Counter(each.kind for each in found if _phase(each.filled) == phase)
        kinds = ", ".join(f"{count} {kind}" for kind, count in rest.most_common())
        click.echo(
            f"filled to {phase:g}: {rest.total()} of {phases[phase]} moves; {kinds or 'none'}"
        )


def _phase(filled: float) -> float:
    return next(each for each in PHASES if filled <= each)


if __name__ == "__main__":
    main()

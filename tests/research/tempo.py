"""Measure the worth in E of being to move, by the share of filled cells, over played games.

    python tests/research/tempo.py GAMES ROWS.jsonl ...

ROWS are files that `hsearch tournament` writes. The sample is the first GAMES of each file without
a swap, and in each game every third position that H-search leaves open. The gain is how much E
improves for the mover after the best of the five moves with the weakest links. A position and the
one after its best move agree if each counts half of the gain for the player to move. It prints the
gain by the share of filled cells, and in how many positions the sign of E predicts the winner: as
it is, with the tempo of the model of chances, and with that of the tree.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
from played import games

from hsearch.connect.limits import Limits
from hsearch.hex.board import Color
from hsearch.hex.position import Position
from player.evaluate.chance import advantage, load_model
from player.evaluate.ordering import weak_links
from player.search.line import SearchPosition
from player.search.tree import tempo

STEP, TRIED, FROM = 3, 5, 2
PHASES = (0, 0.04, 0.08, 0.12, 0.16, 0.2, 0.3)


@dataclass(frozen=True, slots=True)
class _Seen:
    phase: float
    advantage: float
    gain: float
    won: bool


def main(count: int, files: list[str]) -> None:
    """Print both tables."""
    seen = [each for file in files for each in _seen(Path(file), count)]
    print("filled       positions  half the gain, its deviation  tempo")  # noqa: T201
    for low, high in pairwise(PHASES):
        gains = [each.gain / 2 for each in seen if low <= each.phase < high]
        if gains:
            mean, spread, given = np.mean(gains), np.std(gains), tempo((low + high) / 2)
            print(f"{low:.2f}-{high:.2f}  {len(gains):12}  {mean:.3f}  {spread:.3f}  {given:.3f}")  # noqa: T201
    model = load_model()
    tempos = {
        "none": lambda _: 0.0,
        "of the chance": lambda each: _logit(model.chance(0, each)) / model.slope,
        "of the tree": tempo,
    }
    for name, worth in tempos.items():
        right = [(each.advantage + worth(each.phase) > 0) == each.won for each in seen]
        print(f"tempo {name}: sign right in {sum(right)} of {len(right)}")  # noqa: T201


def _seen(path: Path, count: int) -> Iterator[_Seen]:
    for number, game in enumerate(islice(games(path), count)):
        for stones, position in enumerate(game.positions()):
            if stones >= FROM and (stones - FROM) % STEP == number % STEP:
                looked = _look(position, game.winner)
                if looked is None:
                    break
                yield looked


def _look(position: Position, won_by: Color) -> _Seen | None:
    """Return the measurements of a position; None if it, or each move tried, is decided."""
    line, turn = SearchPosition(position, Limits(), weak_links), position.turn
    view, best = line.probe(), -np.inf
    for cell in view.moves[:TRIED]:
        line.play(cell)
        after = line.probe()
        line.undo()
        if after.winner is None:
            best = max(best, advantage(after.evaluation, turn))
    if view.winner is not None or best == -np.inf:
        return None
    before = advantage(view.evaluation, turn)
    phase = 1 - position.empty.count() / position.board.size
    return _Seen(phase, before, best - before, won_by is turn)


def _logit(share: float) -> float:
    return float(np.log(share / (1 - share)))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])

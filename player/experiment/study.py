"""The study of D, M and K on 10x10 at equal nodes.

Anshelevich tuned three numbers of HEXY by experiment and found D = 3 and M = 20
best on 10x10, with K = 4 or 5. Here HEXY with these meets others that differ from
it in one number each and look at no more positions for a move, until a
sequential test tells who is better. So that every depth can use its positions,
the deeper search tries fewer moves at each ply.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import fmean, median

from player.experiment.duel import DuelResults, duel, duel_lines, games_of, searched
from player.openings import balanced
from player.tournament import Event, Rows

SIDE, NODES, MARGIN = 10, 100, 70.0
STUDIES = ("study-10x10",)
# D: moves tried at each ply, so that about NODES positions are looked at.
WIDTHS = {1: "100", 2: "20x8", 3: "8x6x4", 4: "5x4x3x2"}


def _player(depth: int = 3, fulls: int = 20, joined: int = 4) -> str:
    return f"hexy:depth={depth},M={fulls},K={joined},widths={WIDTHS[depth]},nodes={NODES}"


REFERENCE = _player()
VARIED = {
    "D": tuple(_player(depth=depth) for depth in (1, 2, 4)),
    "M": tuple(_player(fulls=fulls) for fulls in (2, 5, 10, 40)),
    "K": tuple(_player(joined=joined) for joined in (2, 3, 5)),
}

Play = Callable[[Sequence[int], Callable[[], bool]], None]


def study(name: str, *, seed: int = 0) -> Event:
    """Return the event: the reference meets each of the others, from even openings."""
    players = (REFERENCE, *(player for varied in VARIED.values() for player in varied))
    openings = balanced(SIDE, SIDE)
    return Event(name, SIDE, SIDE, players, seed, gauntlet=True, openings=openings)


class Study:
    """Plays a study as far as it is not played yet. It holds state: the results."""

    def __init__(self, rows: Rows, most: int) -> None:
        """Take the results so far; let two players meet at most so often, or twice an opening."""
        self.rows = rows
        self.most = min(most, 2 * len(rows.event.openings))

    def run(self, play: Play) -> None:
        """Play round by round, without the pairs of which the test has told.

        `play` plays games of given numbers until it is told to stop.
        """
        while numbers := self._missing():
            play(numbers, partial(self._has_told, self._open()))

    def duels(self, letter: str) -> list[DuelResults]:
        """Return what the reference's games with those say that differ in one number."""
        return [self._duel(other) for other in VARIED[letter]]

    def _open(self) -> list[str]:
        others = self.rows.event.players[1:]
        return [other for other in others if self._duel(other).verdict is None]

    def _missing(self) -> list[int]:
        """Return the games of those of whom nothing is told, round by round."""
        numbers = sorted(number for other in self._open() for number in self._games(other))
        return [number for number in numbers if number not in self.rows.games]

    def _has_told(self, before: list[str]) -> bool:
        return len(self._open()) < len(before)

    def _duel(self, other: str) -> DuelResults:
        return duel(self.rows, self._games(other), REFERENCE, other, margin=MARGIN)

    def _games(self, other: str) -> range:
        return games_of(self.rows, REFERENCE, other, self.most)


def study_report(found: Study) -> str:
    """Return a table for each number, and what a move costs. Raise ValueError without games."""
    if not found.rows.games:
        raise ValueError("no games to report")
    return "\n".join(_lines(found))


def _lines(found: Study) -> Iterator[str]:
    event = found.rows.event
    names = {player: _named(player) for player in event.players}
    yield f"**{event.name}**, {len(found.rows.games)} games, `{REFERENCE}` against each other."
    for letter in VARIED:
        yield from ("", *duel_lines(found.duels(letter), found.most, names))
    yield from (
        "",
        "| player | nodes a searched move | ms, median | ms, mean |",
        "|---|---|---|---|",
    )
    rows = list(found.rows.games.values())
    for player in event.players:
        seconds, nodes = searched(rows, player)
        if nodes:
            costs = f"{1000 * median(seconds):.0f} | {1000 * fmean(seconds):.0f}"
            yield f"| `{names[player]}` | {fmean(nodes):.0f} | {costs} |"


def _named(player: str) -> str:
    """Return a player's D, M and K."""
    depth, fulls, joined, *_ = player.partition(":")[2].split(",")
    return f"{depth.replace('depth', 'D')} {fulls} {joined}"

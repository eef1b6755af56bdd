"""Check connections of `local` and `all`: derive all again, and play out the small ones.

    PYTHONPATH=.:tests/support python tests/research/connections_hold.py FIRST LAST ROWS.jsonl ...

A batch is 40 random boards to 5x6 and three positions of games in ROWS, which `hsearch tournament`
writes. Each number from FIRST to LAST makes one batch and prints one line, so resume a run with
the number after its last line. Some connections of each player are drawn; those of the edges, and
all that the two rules do not find, are always included. A connection is classed by the strongest
rule in its derivation; a must-play step that was not deduced comes from a window. `checked` counts
those that `hsearch.strategy.check` derives again, `played` those that survive all play in their
carriers. `false` lists the others.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
from complete_play import holds
from played import games

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.connect.connection import Connection, Rule
from hsearch.connect.limits import Knowledge
from hsearch.connect.regions import local_connections
from hsearch.formats import strict
from hsearch.hex.board import Board, Color, cell_set
from hsearch.hex.game import Game
from hsearch.hex.position import Position, winner
from hsearch.strategy.check import CheckError, check, describe

BOARDS, LONGEST, GAMES, DRAWN = 40, (5, 6), 3, 30
FEWEST = 7  # stones on the board of a game
MOST_CELLS = 14  # in a carrier that is played out
_STRENGTHS = (Rule.FILL_IN, Rule.MUSTPLAY, Rule.TEMPLATE)
_PLAIN = "rules"
_CROWDS = ("...BW", "..BBWW", "....BW", "...BBW", "...BWW")


def batch(number: int, files: list[Path]) -> dict[str, object]:
    """Return the row of a batch."""
    source = np.random.default_rng(number)
    checked, played = Counter[str](), Counter[str]()
    wrong: list[str] = []
    for position in _positions(source, files):
        analysis = ConnectionAnalysis(position, knowledge=Knowledge.ALL)
        for color in Color:
            kinds = Kinds(analysis.deduced.get(color))
            found = list({id(one): one for one in _found(analysis, color, kinds, source)}.values())
            wrong += not_derived(position, color, found)
            for connection in found:
                checked[kinds.of(connection)] += 1
                is_joined = joined(position, color, connection)
                played[kinds.of(connection)] += is_joined is not None
                if is_joined is False:
                    wrong.append(f"{position!r}: is broken: {describe(position, connection)}")
    return {"batch": number, "checked": checked, "played": played, "false": wrong}


def _positions(source: np.random.Generator, files: list[Path]) -> Iterator[Position]:
    for _ in range(BOARDS):
        position = random_position(source, LONGEST)
        if winner(position) is None:
            yield position
    yield from of_games(source, files, GAMES, FEWEST)


def random_position(source: np.random.Generator, longest: tuple[int, int]) -> Position:
    """Return a random position on a board with sides from 2 to the longest."""
    board = Board(*(int(source.integers(2, most + 1)) for most in longest))
    owner = source.choice(list(source.choice(_CROWDS)), board.size)
    black, white = (cell_set(np.flatnonzero(owner == one), board.size) for one in "BW")
    return Position(board, black, white, Color(int(source.integers(2))))


def of_games(
    source: np.random.Generator, files: list[Path], count: int, fewest: int
) -> Iterator[Position]:
    """Yield positions of games with at least `fewest` stones, or shortly before the end."""
    played = _games(tuple(files))
    for _ in range(count):
        game = played[source.integers(len(played))]
        last = len(game.moves) - 1
        yield game.position(int(source.integers(min(fewest, last - 1), last)))


@cache
def _games(files: tuple[Path, ...]) -> list[Game]:
    return [played.game for file in files for played in games(file)]


def _found(
    analysis: ConnectionAnalysis, color: Color, kinds: "Kinds", source: np.random.Generator
) -> Iterator[Connection]:
    """Yield a player's connections, but only a few of the plain ones."""
    store = list(local_connections(analysis.options.limits)(analysis.position, color))
    drawn = set(source.permutation(len(store))[:DRAWN].tolist())
    for place, connection in enumerate(store):
        if place in drawn or kinds.of(connection) != _PLAIN:
            yield connection
    yield from analysis.edge_fulls(color)
    yield from analysis.edge_semis(color)
    yield from (one for one in (analysis.deduced.get(color),) if one is not None)


def not_derived(position: Position, color: Color, found: list[Connection]) -> Iterator[str]:
    """Yield the fault of each connection whose derivation fails."""
    try:
        check(position, color, *found)
    except CheckError as error:
        yield f"{position!r}: {error}"
        if len(found) > 1:
            for connection in found:
                yield from not_derived(position, color, [connection])


def joined(position: Position, color: Color, connection: Connection) -> bool | None:
    """Return whether a connection survives all play; None if that takes too long."""
    if connection.carrier.count() > MOST_CELLS:
        return None
    try:
        return holds(position, color, connection)
    except ValueError:  # too many groups beside it
        return None


class Kinds:
    """The strongest rules in derivations. Holds state: the results so far."""

    def __init__(self, deduced: Connection | None) -> None:
        self._places: dict[int, int] = {}
        self._deduced = deduced

    def of(self, connection: Connection) -> str:
        """Return the strongest rule in the derivation of a connection."""
        place = self._place(connection)
        if place == len(_STRENGTHS):
            return _PLAIN
        if _STRENGTHS[place] is Rule.MUSTPLAY:
            return "deduction" if connection is self._deduced else "window"
        return _STRENGTHS[place].value

    def _place(self, step: Connection) -> int:
        if id(step) not in self._places:
            is_strong = step.rule in _STRENGTHS
            own = _STRENGTHS.index(step.rule) if is_strong else len(_STRENGTHS)
            self._places[id(step)] = min([own, *map(self._place, step.premises)])
        return self._places[id(step)]


def main(batch: Callable[[int, list[Path]], dict[str, object]] = batch) -> None:
    """Print a row for each batch between the given numbers."""
    first, last, *files = sys.argv[1:]
    for number in range(int(first), int(last) + 1):
        sys.stdout.write(strict.write(batch(number, [Path(file) for file in files])) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

"""Events: playing their games, standings from the rows, and pictures of the standings."""

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from pathlib import Path

import numpy as np

from hsearch.formats import moves, sgf
from hsearch.hex import Game
from player.engine.player import Rationale
from player.engine.referee import MatchRules, play
from player.engine.results import Event, Pairing, Row, Rows, keep_record, record_path
from player.engine.spec import participant
from player.work.clock import Clock, counting
from player.work.spread import ONE_WORKER, PickledCall, WorkerPool, spread_from
from player.work.statistics import Interval, SequentialVerdict, ratings, save_figure, share

FAULTS = ("illegal", "failed")


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's standing.

    player  the player's spec
    games   the number of finished games
    wins    the number of games won
    share   the chance to win against these opponents
    elo     the rating; the mean of all players is 0
    pace    the mean time for a move, in seconds
    """

    player: str
    games: int
    wins: int
    share: Interval
    elo: Interval
    pace: float

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """The cells of a table: games won, games, share and rating."""
        elo = f"{self.elo.estimate:+z.0f} ± {self.elo.high - self.elo.estimate:.0f}"
        return str(self.wins), str(self.games), self.share.with_ends(".3f"), elo


@dataclass(frozen=True, slots=True)
class Duel:
    """The games of two players against each other.

    better   the better one; in a test that is undecided, the first of the two
    worse    the other
    wins     games that `better` won, of `games`
    games    the finished games; in a sequential test, until it decided
    verdict  of that test for `better`; None if there is none, or it is undecided
    """

    better: str
    worse: str
    wins: int
    games: int
    verdict: SequentialVerdict | None = None

    @property
    def share(self) -> Interval:
        """The chance of `better` to win against the other."""
        return share(self.wins, self.games)


def duels(places: Iterable[Standing], rows: Iterable[Row]) -> list[Duel]:
    """Return the duel of each two players who have met, in the order of the standings."""
    names = [place.player for place in places]
    wins = Counter((row.player(row.winner), row.player(row.winner.opponent)) for row in rows)
    pairs = []
    for one, other in combinations(names, 2):
        victories, losses = wins[one, other], wins[other, one]
        if victories + losses:
            better, worse = (one, other) if victories >= losses else (other, one)
            pairs.append(Duel(better, worse, max(victories, losses), victories + losses))
    return pairs


def standings(players: tuple[str, ...], rows: Iterable[Row]) -> list[Standing]:
    """Return the standings of the players who have played, best first."""
    rows = list(rows)
    number = {player: index for index, player in enumerate(players)}
    wins = np.zeros((len(players), len(players)))
    for row in rows:
        winner, loser = row.player(row.winner), row.player(row.winner.opponent)
        wins[number[winner], number[loser]] += 1
    elos = ratings(wins)
    places = [
        Standing(
            player, games, victories, share(victories, games), elos[index], _pace(player, rows)
        )
        for player, index in number.items()
        if (games := int(wins[index].sum() + wins[:, index].sum()))
        for victories in [int(wins[index].sum())]
    ]
    return sorted(places, key=lambda standing: -standing.elo.estimate)


def _pace(player: str, rows: Iterable[Row]) -> float:
    seconds = [each for each, _ in _moves(player, rows)]
    return sum(seconds) / max(len(seconds), 1)


def search_effort(rows: Iterable[Row], player: str) -> tuple[list[float], list[int]]:
    """Return the seconds and the nodes of a player's searched moves."""
    moves = [(seconds, nodes) for seconds, nodes in _moves(player, rows) if nodes]
    return [seconds for seconds, _ in moves], [nodes for _, nodes in moves]


def _moves(player: str, rows: Iterable[Row]) -> list[tuple[float, int]]:
    """Return the seconds and the nodes of each of a player's moves."""
    efforts = [row.spent(player) for row in rows if player in {row.black, row.white}]
    return [move for effort in efforts for move in zip(*effort, strict=True)]


def different(rows: Iterable[Row]) -> int:
    """Return the number of different games: those that repeat another move by move count once."""
    return len({(row.black, row.white, row.opening, row.moves) for row in rows})


def forfeits(rows: Iterable[Row]) -> Counter[tuple[str, str]]:
    """Return the number of games lost by a fault, for each player and reason."""
    return Counter(
        (row.player(row.winner.opponent), row.reason) for row in rows if row.how in FAULTS
    )


# Pictures by matplotlib: the Elo ladder, and time against strength.

MILLI = 1000


def plot(title: str, players: tuple[str, ...], rows: Sequence[Row], path: Path) -> None:
    """Draw the standings and the time for a move into a file such as `elo.svg`.

    On the left are the players, best first, with the interval of their Elo points; on the right
    the median time of a move against the points. The same rows make the same file. Raise
    ValueError without games, ImportError without matplotlib, OSError if it cannot be written.
    """
    places = standings(players, rows)
    if not places:
        raise ValueError("no games to draw")
    names = [f"{place.player.partition(',nodes=')[0]}  {n}" for n, place in enumerate(places, 1)]
    points = [place.elo.estimate for place in places]
    errors = [place.elo.high - place.elo.estimate for place in places]
    times = [MILLI * _median(place.player, rows) for place in places]
    with save_figure(path, (11, 1.5 + 0.3 * len(places))) as figure:
        left, right = figure.subplots(1, 2)
        lines = range(len(places))
        left.errorbar(points, lines, xerr=errors, fmt="o", color="black", capsize=3)
        left.set_yticks(lines, names)
        left.invert_yaxis()
        left.set_xlabel("Elo, 95 %")
        left.grid(axis="x", alpha=0.3)
        for number, (time, point, error) in enumerate(zip(times, points, errors, strict=True), 1):
            if time > 0:  # 0 has no place on a logarithmic scale
                right.set_xscale("log")
                right.errorbar([time], [point], yerr=[error], fmt="o", color="black", capsize=3)
                right.annotate(str(number), (time, point), (6, 3), textcoords="offset points")
        right.set_xlabel("median time of a move (ms)")
        right.set_ylabel("Elo, 95 %")
        right.grid(alpha=0.3)
        figure.suptitle(f"{title}: {len(rows)} games")


def _median(player: str, rows: Sequence[Row]) -> float:
    """Return the median seconds of a player's searched moves, or of all if none were searched."""
    seconds, _ = search_effort(rows, player)
    return statistics.median(seconds or [each for each, _ in _moves(player, rows)] or [0.0])


# Playing an event.
#
# Results are written in the order in which games finish; without a clock they depend
# only on the event. If workers die, their games are played again.


def play_game(event: Event, pairing: Pairing) -> tuple[Row, str]:
    """Play a game of an event; return its row, and its record as SGF.

    Both players are new, so nothing depends on earlier games.
    """
    variant = event.rules
    start = variant.start(moves.read(pairing.opening, event.board), pairing.meeting)
    black, white = (participant(spec, variant.name) for spec in (pairing.black, pairing.white))
    nodes: list[int] = []

    def watch(_game: Game, account: Rationale) -> None:
        findings = account.findings
        nodes.append(0 if findings is None else findings.counts.nodes)

    try:
        with counting(Clock(event.clock)):
            outcome = play(
                black,
                white,
                start,
                np.random.default_rng(pairing.seed),
                variant=variant,
                rules=MatchRules(seconds=event.seconds),
                watch=watch,
            )
    finally:
        black.close()
        white.close()
    row = Row(
        pairing.number,
        pairing.black,
        pairing.white,
        pairing.seed,
        pairing.opening,
        outcome.winner,
        outcome.how,
        outcome.reason,
        variant.moves(outcome.game)[len(variant.moves(start.game)) :],
        tuple(round(seconds, 6) for seconds in outcome.seconds),  # as in the file
        # `watch` was not called for a move that lost the game by a fault.
        (*nodes, *[0] * (len(outcome.seconds) - len(nodes))),
        outcome.thinkers,
    )
    return row, sgf.write(outcome.game)


PlayRows = Callable[[Rows, Sequence[int], Callable[[], bool]], None]  # until the last returns true
OnGame = Callable[[Row], bool]
RecordedRow = tuple[Row, str]


def run(
    rows: Rows,
    games: Iterable[int],
    on_game: OnGame,
    *,
    workers: WorkerPool = ONE_WORKER,
    records: Path | None = None,
) -> None:
    """Play the games with these numbers, and add their rows.

    `on_game` is called after each game and ends the run by returning true. `records` is a folder
    for the record of each game, which other events may share.

    Raise WorkersError when workers keep dying, RowsError when another process
    writes results to the file, and OSError when they cannot be written.
    """
    source = _MissingGames(rows, games if isinstance(games, range) else [*games])

    def keep(game: RecordedRow) -> bool:
        row, record = game
        if records is not None:
            keep_record(record_path(records, rows.event, row.game), record)
        rows.add(row)
        return on_game(row)

    with rows.lock():
        spread_from(source, keep, workers, ahead=2 * workers.count, things="games")


class _MissingGames:
    """The games that have no row yet, as calls; there may be a billion. Holds state."""

    def __init__(self, rows: Rows, numbers: Sequence[int]) -> None:
        self._rows, self._numbers = rows, numbers
        self.renew()

    @property
    def left(self) -> int:
        """The number of games that are still missing."""
        return len(self._numbers) - len(self._rows.of(self._numbers))

    def renew(self) -> None:
        """List the games without a row again."""
        self._missing = (number for number in self._numbers if number not in self._rows.games)

    def take(self, most: int) -> Sequence[PickledCall]:
        """Return the calls of at most this many games."""
        event = self._rows.event
        return [(play_game, event, event.pairing(n)) for n in islice(self._missing, most)]

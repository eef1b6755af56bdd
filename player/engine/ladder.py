"""Games of two players, as far as a sequential test needs them."""

import itertools
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from player.engine.calibration import calibrated, samples
from player.engine.results import Event, Row, Rows
from player.engine.standings import standings
from player.search.opening_estimates import balanced
from player.work.statistics import SequentialVerdict, elo_interval, sequential, share

HEADING = (
    "| better | than | won | games | share, 95 % | Elo, 95 % | the test |",
    "|---|---|---|---|---|---|---|",
)


@dataclass(frozen=True, slots=True)
class DuelResults:
    """Results of the games of two players.

    better   whoever won more, if the test tells; else the first of the two
    worse    the other
    won      games that `better` won, of `games`
    games    those that the test needed, or all there are
    verdict  of the sequential test for `better`; None if it does not tell yet
    """

    better: str
    worse: str
    won: int
    games: int
    verdict: SequentialVerdict | None


def duel(
    rows: Rows,
    numbers: Sequence[int],
    one: str,
    other: str,
    *,
    margin: float = 35.0,
    middle: float = 0.0,
) -> DuelResults:
    """Return what the games of these numbers say of two players, up to where the test is clear.

    Games after the first that is missing do not count; `margin` and `middle` are the test's.
    """
    results = [
        row.player(row.winner) == one
        for row, number in zip(rows.of(numbers), numbers, strict=False)
        if row.game == number
    ]
    verdict = sequential(results, margin=margin, middle=middle)
    games = len(results) if verdict is None else verdict.games
    won = sum(results[:games])
    if verdict is not None and not verdict.better:
        return DuelResults(other, one, games - won, games, SequentialVerdict(games, better=True))
    return DuelResults(one, other, won, games, verdict)


def games_of(rows: Rows, one: str, other: str, most: int) -> range:
    """Return the numbers of the first games of two players, at most this many."""
    pairs = rows.event.pairs
    number = next(n for n, pair in enumerate(pairs) if set(pair) == {one, other})
    return range(number, most * len(pairs), len(pairs))


def searched(rows: Iterable[Row], player: str) -> tuple[list[float], list[int]]:
    """Return the seconds and the nodes of a player's searched moves."""
    spent = [row.spent(player) for row in rows if player in {row.black, row.white}]
    moves = [(s, n) for times, nodes in spent for s, n in zip(times, nodes, strict=True) if n]
    return [s for s, _ in moves], [n for _, n in moves]


def duel_lines(duels: Iterable[DuelResults], most: int, names: dict[str, str]) -> Iterator[str]:
    """Yield the lines of a table of duels, of players by their names there."""
    yield from HEADING
    for found in duels:
        better, worse = (f"`{names[player]}`" for player in (found.better, found.worse))
        if not found.games:
            yield f"| {better} | {worse} | | 0 | | | |"
            continue
        part = share(found.won, found.games)
        points = elo_interval(found.won, found.games)
        cells = (
            better,
            worse,
            str(found.won),
            str(found.games),
            f"{part.estimate:.3f} ({part.low:.3f} to {part.high:.3f})",
            f"{points.estimate:+.0f} ({points.low:+.0f} to {points.high:+.0f})",
            _said(found, most),
        )
        yield "| " + " | ".join(cells) + " |"


def _said(found: DuelResults, most: int) -> str:
    """Return what the test says; two players who have not met often enough are not finished."""
    if found.verdict is not None:
        return "clear"
    return "cannot tell" if found.games == most else "not finished"


# The ladder: all evaluators at equal time, with and without virtual connections.
#
# It asks whether two-distance still beats resistance once the circuit sees
# virtual connections (the source had no such program to ask). All players meet
# for a few games, which puts them in order; the two of each question meet until a
# sequential test tells who is better; then so do neighbors, and whoever turns out
# to be better than the one above moves up.

SECONDS = 0.02
SHORT = 4  # games of each two players, to begin with
LADDERS = {"ladder-8x8": 8, "ladder-11x11": 11}

# Players that see few positions in the time need the best order there is for them.
WITHOUT = (
    "ab:eval=connected,order=charge",
    "ab:eval=shortest_path,order=charge",
    "ab:eval=two_distance,order=charge",
    "ab:eval=queenbee,order=charge",
    "ab:eval=y_reduction,order=charge",
    "ab:eval=max_flow,order=charge",
    "ab:eval=resistance,order=charge",
    "ab:eval=fillings,order=critical",
)
# Connections in the circuit of the leaves alone; at every node, that they may
# decide, too; and at every node, but with two-distance for the circuit.
WITH = (
    "ab:eval=hexy,order=weak_links",
    "hexy:ordering=weak_links",
    "hexy:eval=two_distance",
)
PLAYERS = (*WITHOUT, *WITH)
QUESTIONS = (
    ("ab:eval=two_distance,order=charge", "ab:eval=resistance,order=charge"),
    ("ab:eval=two_distance,order=charge", "ab:eval=hexy,order=weak_links"),
    ("ab:eval=two_distance,order=charge", "hexy:ordering=weak_links"),
    ("hexy:eval=two_distance", "hexy:ordering=weak_links"),
)

Play = Callable[[Sequence[int], Callable[[], bool]], None]


def ladder(name: str, players: Sequence[str] | None, *, seed: int = 0) -> Event:
    """Return the event of a ladder, between players as a former run has calibrated them.

    Without players they are calibrated now, which takes a minute. Raise
    ValueError when the players are not those of the ladder.
    """
    side = LADDERS[name]
    if players is None:
        games = samples(side)
        players = [calibrated(spec, games, SECONDS) for spec in PLAYERS]
    elif tuple(map(plain, players)) != PLAYERS:
        raise ValueError(f"the players are not those of the {name}")
    return Event(name, side, side, tuple(players), seed, openings=balanced(side, side))


def plain(player: str) -> str:
    """Return a player without the budget."""
    return player.rpartition(",nodes=")[0]


class Climb:
    """Plays a ladder as far as it is not played yet. It holds state: the results."""

    def __init__(self, rows: Rows, most: int) -> None:
        """Take the results so far; let two players meet at most so often, or twice an opening."""
        self.rows = rows
        self.event = rows.event
        self.most = min(most, 2 * len(self.event.openings))

    def run(self, play: Play) -> list[str]:
        """Play all that is missing; return the players, best first.

        `play` plays games of given numbers until it is told to stop.
        """
        short = range(min(SHORT, self.most) * len(self.event.pairs))
        play(short, lambda: False)
        for one, other in self.questions():
            self._settle(play, one, other)
        order: list[str] = []
        for standing in standings(self.event.players, self.rows.of(short)):
            place = len(order)
            while place and self._is_above(play, standing.player, order[place - 1]):
                place -= 1
            order.insert(place, standing.player)
        return order

    def order(self) -> list[str]:
        """Return the players, best first, as far as the results tell."""
        return self.run(lambda _games, _stop: None)

    def questions(self) -> list[tuple[str, str]]:
        """Return the two players of each question."""
        full = {plain(player): player for player in self.event.players}
        return [(full[one], full[other]) for one, other in QUESTIONS]

    def duel(self, one: str, other: str) -> DuelResults:
        """Return what the games of two players say, up to where the test was clear."""
        return duel(self.rows, self._games(one, other), one, other)

    def _settle(self, play: Play, one: str, other: str) -> None:
        play(self._games(one, other), lambda: self.duel(one, other).verdict is not None)

    def _is_above(self, play: Play, lower: str, upper: str) -> bool:
        self._settle(play, lower, upper)
        found = self.duel(lower, upper)
        return found.verdict is not None and found.better == lower

    def _games(self, one: str, other: str) -> range:
        """Return the numbers of the games of two players."""
        return games_of(self.rows, one, other, self.most)


# Report on a ladder, as tables in Markdown.


def ladder_report(name: str, climb: Climb) -> str:
    """Return three tables: the players, best first; each two neighbors; and the questions.

    Raise ValueError when there are no games.
    """
    rows = list(climb.rows.games.values())
    if not rows:
        raise ValueError("no games to report")
    order = climb.order()
    return "\n".join(
        [
            f"**{name}**, {len(rows)} games.",
            "",
            *_players(climb, order, rows),
            "",
            "Neighbors, until the sequential test was clear:",
            "",
            *_duels(climb, itertools.pairwise(order)),
            "",
            "The questions:",
            "",
            *_duels(climb, climb.questions()),
        ]
    )


def _players(climb: Climb, order: Sequence[str], rows: Sequence[Row]) -> list[str]:
    places = {place.player: place for place in standings(climb.event.players, rows)}
    lines = [
        "| | player | nodes a move | ms a move | won | games | share, 95 % | Elo, 95 % |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for number, player in enumerate(order, start=1):
        place = places[player]
        seconds, _ = searched(rows, player)
        cells = (
            str(number),
            f"`{plain(player)}`",
            player.rpartition("=")[2],
            f"{1000 * statistics.median(seconds):.0f}" if seconds else "",
            str(place.won),
            str(place.games),
            f"{place.share.estimate:.3f} ({place.share.low:.3f} to {place.share.high:.3f})",
            f"{place.elo.estimate:+.0f} ± {place.elo.high - place.elo.estimate:.0f}",
        )
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def _duels(climb: Climb, pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    names = {player: plain(player) for player in climb.event.players}
    return duel_lines((climb.duel(*pair) for pair in pairs), climb.most, names)

"""Ladders and studies: duels of two players, until a sequential test decides."""

import itertools
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from player.engine.calibration import calibrate, samples
from player.engine.results import Event, Row, Rows
from player.engine.tournament import Duel, search_effort, standings
from player.search.opening_estimates import load_balanced
from player.work.statistics import SequentialVerdict, elo_interval, sequential

HEADING = (
    "| better | than | won | games | share, 95 % | Elo, 95 % | the test |",
    "|---|---|---|---|---|---|---|",
)


def duel(
    rows: Rows,
    numbers: Sequence[int],
    one: str,
    other: str,
    *,
    margin: float = 35.0,
    middle: float = 0.0,
) -> Duel:
    """Return the duel of two players in the games with these numbers, until the test decides.

    Games after the first missing one do not count; `margin` and `middle` are the test's.
    """
    results = [
        row.player(row.winner) == one
        for row, number in zip(rows.of(numbers), numbers, strict=False)
        if row.game == number
    ]
    verdict = sequential(results, margin=margin, middle=middle)
    games = len(results) if verdict is None else verdict.games
    wins = sum(results[:games])
    if verdict is not None and not verdict.better:
        return Duel(other, one, games - wins, games, SequentialVerdict(games, better=True))
    return Duel(one, other, wins, games, verdict)


def games_of(rows: Rows, one: str, other: str, most: int) -> range:
    """Return the numbers of the first games of two players, at most this many."""
    pairs = rows.event.pairs
    number = next(n for n, pair in enumerate(pairs) if set(pair) == {one, other})
    return range(number, most * len(pairs), len(pairs))


def duel_lines(duels: Iterable[Duel], most: int, names: dict[str, str]) -> Iterator[str]:
    """Yield the lines of a table of duels; `names` has the players' names in the table."""
    yield from HEADING
    for result in duels:
        better, worse = (f"`{names[player]}`" for player in (result.better, result.worse))
        if not result.games:
            yield f"| {better} | {worse} | | 0 | | | |"
            continue
        cells = (
            better,
            worse,
            str(result.wins),
            str(result.games),
            result.share.with_ends(".3f"),
            elo_interval(result.wins, result.games).with_ends("+z.0f"),
            _verdict_words(result, most),
        )
        yield "| " + " | ".join(cells) + " |"


def _verdict_words(result: Duel, most: int) -> str:
    """Return the result of the test in words; it may be unfinished for lack of games."""
    if result.verdict is not None:
        return "clear"
    return "cannot tell" if result.games == most else "not finished"


PlayNumbers = Callable[
    [Sequence[int], Callable[[], bool]], None
]  # plays games by number, until the second argument returns true


class Duels:
    """Duels of an event, of which the missing games are played. It holds state: the results."""

    margin = 35.0  # of the sequential test, in Elo points

    def __init__(self, rows: Rows, most: int) -> None:
        """Take the results so far; two players meet at most `most` times, twice per opening."""
        self.rows = rows
        self.event = rows.event
        self.most = min(most, 2 * len(self.event.openings))

    def duel(self, one: str, other: str) -> Duel:
        """Return the duel of two players, until the test decides."""
        return duel(self.rows, self.games(one, other), one, other, margin=self.margin)

    def games(self, one: str, other: str) -> range:
        """Return the numbers of the games of two players."""
        return games_of(self.rows, one, other, self.most)


# The ladder: all evaluators at equal time, with and without virtual connections.
#
# The question is whether two-distance still beats resistance once the circuit sees
# virtual connections (the source had no such program). All players meet for a few
# games, which gives a first order. The two players of each question meet until a
# sequential test decides. Then neighbors do the same, and a player who is better than
# the one above moves up.

SECONDS = 0.02
SHORT = 4  # games of each two players for the first order
LADDERS = {"ladder-8x8": 8, "ladder-11x11": 11}

# Players that visit few positions in the time need their best ordering.
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
# Connections only in the circuit of the leaves; at every node, where they may also
# decide; and at every node, but with two-distance in place of the circuit.
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


def ladder(name: str, players: Sequence[str] | None, *, seed: int = 0) -> Event:
    """Return the event of a ladder, between players that an earlier run has calibrated.

    With None, calibrate them now, which takes a minute. Raise ValueError when the players
    are not those of the ladder.
    """
    side = LADDERS[name]
    if players is None:
        games = samples(side)
        players = [calibrate(spec, games, SECONDS) for spec in PLAYERS]
    elif tuple(map(plain, players)) != PLAYERS:
        raise ValueError(f"the players are not those of the {name}")
    return Event(name, side, side, tuple(players), seed, openings=load_balanced(side, side))


def plain(player: str) -> str:
    """Return a player's spec without the node budget."""
    return player.rpartition(",nodes=")[0]


class Climb(Duels):
    """A run of a ladder; it may resume an earlier one."""

    def run(self, play: PlayNumbers) -> list[str]:
        """Play the missing games with `play`; return the players, best first."""
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
        """Return the players, best first, by the results so far."""
        return self.run(lambda _games, _stop: None)

    def questions(self) -> list[tuple[str, str]]:
        """Return the two players of each question."""
        full = {plain(player): player for player in self.event.players}
        return [(full[one], full[other]) for one, other in QUESTIONS]

    def _settle(self, play: PlayNumbers, one: str, other: str) -> None:
        play(self.games(one, other), lambda: self.duel(one, other).verdict is not None)

    def _is_above(self, play: PlayNumbers, lower: str, upper: str) -> bool:
        self._settle(play, lower, upper)
        duel = self.duel(lower, upper)
        return duel.verdict is not None and duel.better == lower


def ladder_report(name: str, climb: Climb) -> str:
    """Return three tables: the players, best first; duels of neighbors; the questions.

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
        seconds, _ = search_effort(rows, player)
        cells = (
            str(number),
            f"`{plain(player)}`",
            player.rpartition("=")[2],
            f"{1000 * statistics.median(seconds):.0f}" if seconds else "",
            *place.cells,
        )
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def _duels(climb: Climb, pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    names = {player: plain(player) for player in climb.event.players}
    return duel_lines((climb.duel(*pair) for pair in pairs), climb.most, names)


# The study of D, M and K on 10x10 at equal nodes.
#
# Anshelevich tuned three numbers of HEXY by experiment and found D = 3 and M = 20
# best on 10x10, with K = 4 or 5. Here HEXY with these numbers meets others that differ
# in one number each and visit no more positions for a move, until a sequential test
# decides. Deeper searches try fewer moves at each ply, to visit about as many positions.

SIDE, NODES = 10, 100
STUDIES = ("study-10x10",)
# D: moves tried at each ply, for about NODES positions.
WIDTHS = {1: "100", 2: "20x8", 3: "8x6x4", 4: "5x4x3x2"}


def _vary(depth: int = 3, fulls: int = 20, joins: int = 4) -> str:
    return f"hexy:depth={depth},M={fulls},K={joins},widths={WIDTHS[depth]},nodes={NODES}"


REFERENCE = _vary()
VARIED = {
    "D": tuple(_vary(depth=depth) for depth in (1, 2, 4)),
    "M": tuple(_vary(fulls=fulls) for fulls in (2, 5, 10, 40)),
    "K": tuple(_vary(joins=joins) for joins in (2, 3, 5)),
}


def study(name: str, *, seed: int = 0) -> Event:
    """Return the event: the reference meets each of the others, from the study's openings.

    They are those that its first games started from, even by the estimate of the circuits.
    """
    players = (REFERENCE, *(player for group in VARIED.values() for player in group))
    openings = load_balanced(SIDE, SIDE, "study")
    return Event(name, SIDE, SIDE, players, seed, gauntlet=True, openings=openings)


class StudyRun(Duels):
    """A run of a study; it may resume an earlier one."""

    margin = 70.0

    def run(self, play: PlayNumbers) -> None:
        """Play the missing games with `play`, round by round, until each pair's test decides."""
        while numbers := self._missing():
            play(numbers, partial(self._is_clearer, self._open()))

    def duels(self, letter: str) -> list[Duel]:
        """Return the duels of the reference with the players that differ in this number."""
        return [self.duel(REFERENCE, other) for other in VARIED[letter]]

    def _open(self) -> list[str]:
        others = self.rows.event.players[1:]
        return [other for other in others if self.duel(REFERENCE, other).verdict is None]

    def _missing(self) -> list[int]:
        """Return the missing games of pairs whose test is undecided, round by round."""
        numbers = sorted(
            number for other in self._open() for number in self.games(REFERENCE, other)
        )
        return [number for number in numbers if number not in self.rows.games]

    def _is_clearer(self, before: list[str]) -> bool:
        return len(self._open()) < len(before)


def study_report(study: StudyRun) -> str:
    """Return a table for each number, and the cost of a move. Raise ValueError without games."""
    if not study.rows.games:
        raise ValueError("no games to report")
    return "\n".join(_study_lines(study))


def _study_lines(study: StudyRun) -> Iterator[str]:
    event = study.rows.event
    names = {player: _numbers(player) for player in event.players}
    yield f"**{event.name}**, {len(study.rows.games)} games, `{REFERENCE}` against each other."
    for letter in VARIED:
        yield from ("", *duel_lines(study.duels(letter), study.most, names))
    yield from (
        "",
        "| player | nodes a searched move | ms, median | ms, mean |",
        "|---|---|---|---|",
    )
    rows = list(study.rows.games.values())
    for player in event.players:
        seconds, nodes = search_effort(rows, player)
        if nodes:
            costs = (
                f"{1000 * statistics.median(seconds):.0f} | {1000 * statistics.fmean(seconds):.0f}"
            )
            yield f"| `{names[player]}` | {statistics.fmean(nodes):.0f} | {costs} |"


def _numbers(player: str) -> str:
    """Return a player's D, M and K."""
    depth, fulls, joins, *_ = player.partition(":")[2].split(",")
    return f"{depth.replace('depth', 'D')} {fulls} {joins}"

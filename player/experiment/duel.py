"""Games of two players, as far as a sequential test needs them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from player.statistics import SequentialVerdict, elo_interval, sequential, share
from player.tournament import Row, Rows

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

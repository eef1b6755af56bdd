"""The seven experiments of Schiavone, his results, and variants of ours.

Alpha-beta of fixed depth over all moves; without swap the first stone is played in the
center. Random orders of moves make games differ. If neither player has one, as in 7, he
seems to have repeated a single game: ours start from openings of two stones, and
`7-empty` starts from the empty board, as his does.

The variants test why some figures differ: `one-way` has evaluators measured from a
single edge or corner, like his; `7-random` has a random order of moves for both players;
in `parity` both depths are even; `diagonal` orders by the longer distances of the
program that he names.
"""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from player.engine.results import Event, Row
from player.engine.tournament import search_effort
from player.search.opening_estimates import load_balanced
from player.work.statistics import Interval, SequentialVerdict, elo_interval, sequential, share

OPENINGS = 100


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures that Schiavone reports.

    games  the number of games
    wins   games that each player won
    first  those of them in which the player moved first
    times  mean and standard deviation of the seconds for a move, for each player
    test   the result of the test of the times: `same` or `differ`
    moves  the mean number of moves in a game
    """

    games: int
    wins: tuple[int, int]
    first: tuple[int, int]
    times: tuple[tuple[float, float], tuple[float, float]]
    test: str
    moves: float


@dataclass(frozen=True, slots=True)
class Experiment:
    """Two players on a board.

    size     the side of the board
    players  their specs
    opened   whether games start from balanced openings of two stones
    source   Schiavone's figures; None for a variant of ours
    """

    size: int
    players: tuple[str, str]
    opened: bool = False
    source: Figures | None = None


def _ab(evaluator: str, order: str = "random", depth: int = 2) -> str:
    return f"ab:eval={evaluator},order={order},depth={depth}"


EXPERIMENTS = {
    "1": Experiment(
        11,
        (_ab("connected"), _ab("shortest_path")),
        source=Figures(30, (0, 30), (0, 15), ((0.267, 0.216), (0.303, 0.158)), "same", 24.3),
    ),
    "2": Experiment(
        11,
        (_ab("shortest_path"), _ab("y_reduction")),
        source=Figures(30, (23, 7), (13, 5), ((0.476, 0.356), (0.926, 0.800)), "differ", 38.8),
    ),
    "3": Experiment(
        11,
        (_ab("shortest_path"), _ab("two_distance")),
        source=Figures(30, (1, 29), (1, 15), ((1.023, 0.695), (0.964, 0.625)), "same", 29.6),
    ),
    "4": Experiment(
        8,
        (_ab("two_distance"), _ab("max_flow")),
        source=Figures(20, (19, 1), (10, 1), ((0.244, 0.146), (3.545, 2.181)), "differ", 20.65),
    ),
    "5": Experiment(
        8,
        (_ab("two_distance"), _ab("resistance")),
        source=Figures(20, (18, 2), (10, 2), ((0.211, 0.109), (46.06, 16.59)), "differ", 20.2),
    ),
    "6": Experiment(
        11,
        (_ab("two_distance", "charge"), _ab("two_distance")),
        source=Figures(30, (19, 11), (11, 7), ((0.587, 0.437), (0.900, 0.466)), "differ", 43.0),
    ),
    "7": Experiment(
        8,
        (_ab("two_distance", "charge"), _ab("two_distance", "charge", 3)),
        opened=True,
        source=Figures(20, (20, 0), (10, 0), ((0.118, 0.077), (2.102, 1.449)), "differ", 38.5),
    ),
    "2-one-way": Experiment(11, (_ab("shortest_path"), _ab("y_reduction_one_way"))),
    "4-one-way": Experiment(8, (_ab("two_distance_one_way"), _ab("max_flow"))),
    "5-one-way": Experiment(8, (_ab("two_distance_one_way"), _ab("resistance"))),
    "7-empty": Experiment(8, (_ab("two_distance", "charge"), _ab("two_distance", "charge", 3))),
    "7-diagonal": Experiment(
        8,
        (_ab("two_distance", "charge_diagonal"), _ab("two_distance", "charge_diagonal", 3)),
        opened=True,
    ),
    "7-diagonal-empty": Experiment(
        8, (_ab("two_distance", "charge_diagonal"), _ab("two_distance", "charge_diagonal", 3))
    ),
    "7-one-way": Experiment(
        8,
        (_ab("two_distance_one_way", "charge"), _ab("two_distance_one_way", "charge", 3)),
        opened=True,
    ),
    "7-random": Experiment(8, (_ab("two_distance"), _ab("two_distance", depth=3))),
    "parity": Experiment(
        8, (_ab("two_distance", "charge"), _ab("two_distance", "charge", 4)), opened=True
    ),
}


def event(name: str, *, seed: int = 0) -> Event:
    """Return the event of an experiment. Raise ValueError, listing all, for an unknown name."""
    if name not in EXPERIMENTS:
        raise ValueError(f"unknown experiment {name!r} (known: {', '.join(EXPERIMENTS)})")
    experiment = EXPERIMENTS[name]
    return Event(
        f"experiment {name}",
        experiment.size,
        experiment.size,
        experiment.players,
        seed,
        openings=load_balanced(experiment.size, experiment.size)[:OPENINGS]
        if experiment.opened
        else (),
    )


# Reports on the rows of an experiment, beside the source's figures.

SAME = 0.05  # the source's level of significance; times with a larger p are called the same


@dataclass(frozen=True, slots=True)
class ExperimentReport:
    """Results of the games of an experiment, for player A and player B.

    figures  the same figures as the source's
    nodes    the mean number of positions searched for a move, for each player
    lengths  the standard deviation of the number of moves in a game
    share    the share of games that A wins
    elo      the Elo points of A above B
    p        of the Mann-Whitney test that the seconds for a move are the same
    verdict  of the sequential test over the games before the first missing one; None if undecided
    """

    figures: Figures
    nodes: tuple[float, float]
    lengths: float
    share: Interval
    elo: Interval
    p: float
    verdict: SequentialVerdict | None


def report(players: tuple[str, str], rows: Sequence[Row]) -> ExperimentReport:
    """Return the report on finished games of two players, given in the order of their numbers.

    Raise ValueError when there are none.
    """
    if not rows:
        raise ValueError("no games to report")
    from scipy.stats import mannwhitneyu  # noqa: PLC0415 - takes a second to import

    winners = [row.player(row.winner) for row in rows]
    starters = [row.player(row.first) for row in rows]
    wins = tuple(winners.count(player) for player in players)
    first = tuple(
        sum(player == winner == starter for winner, starter in zip(winners, starters, strict=True))
        for player in players
    )
    # Moves that were not searched, such as the first in the center, do not count.
    times, nodes = zip(*(search_effort(rows, player) for player in players), strict=True)
    p = float(mannwhitneyu(times[0], times[1]).pvalue) if all(times) else math.nan
    lengths = [len(row.opening.split()) + len(row.moves) for row in rows]
    figures = Figures(
        len(rows),
        (wins[0], wins[1]),
        (first[0], first[1]),
        (_spread(times[0]), _spread(times[1])),
        "same" if p > SAME else "differ",
        statistics.fmean(lengths),
    )
    return ExperimentReport(
        figures,
        (_spread(nodes[0])[0], _spread(nodes[1])[0]),
        _spread(lengths)[1],
        share(wins[0], len(rows)),
        elo_interval(wins[0], len(rows)),
        p,
        sequential(
            winner == players[0]
            for number, (row, winner) in enumerate(zip(rows, winners, strict=True))
            if row.game == number
        ),
    )


def table(reports: Iterable[tuple[str, ExperimentReport]]) -> str:
    """Return a table in Markdown: each experiment's figures below Schiavone's."""
    heading = (
        "| # | whose | A | B | games | A-B | first A-B | A wins, 95 % | Elo of A, 95 % "
        "| time A (ms) | time B (ms) | times | nodes A, B | moves |"
    )
    lines = [heading, "|" + "---|" * (heading.count("|") - 1)]
    for name, report in reports:
        experiment = EXPERIMENTS[name]
        names = " | ".join(_short(player) for player in experiment.players)
        if experiment.source is not None:
            lines.append(_line(f"{name} | Schiavone | {names}", experiment.source, None))
        lines.append(_line(f"{name} | ours | {names}", report.figures, report))
    return "\n".join(lines)


def remarks(name: str, report: ExperimentReport) -> list[str]:
    """Return lines on the players, their speed beside Schiavone's, and the sequential test."""
    players = EXPERIMENTS[name].players
    names = ", and ".join(f"{_short(player)} is the player {player}" for player in players)
    lines, source = [f"{name}: {names}."], EXPERIMENTS[name].source
    if source is not None:
        ratios = [
            f"{then[0] / now[0]:.0f} times faster than Schiavone's {_short(player)}"
            for player, then, now in zip(
                EXPERIMENTS[name].players, source.times, report.figures.times, strict=True
            )
            if now[0] > 0
        ]
        lines.append(f"{name}: a move is {', and '.join(ratios)}.")
    if report.verdict is None:
        lines.append(f"{name}: the sequential test does not decide who is better.")
    else:
        better = EXPERIMENTS[name].players[0 if report.verdict.better else 1]
        lines.append(
            f"{name}: {_short(better)} is better, clear after {report.verdict.games} games."
        )
    return lines


def _line(start: str, figures: Figures, report: ExperimentReport | None) -> str:
    interval = share(figures.wins[0], figures.games) if report is None else report.share
    elo = elo_interval(figures.wins[0], figures.games) if report is None else report.elo
    times = [f"{1000 * mean:.3g} ± {1000 * spread:.3g}" for mean, spread in figures.times]
    cells = (
        start,
        str(figures.games),
        f"{figures.wins[0]}-{figures.wins[1]}",
        f"{figures.first[0]}-{figures.first[1]}",
        interval.with_ends(".3f"),
        elo.with_ends("+z.0f"),
        *times,
        figures.test + ("" if report is None else f", p = {report.p:.2g}"),
        "" if report is None else f"{report.nodes[0]:.0f}, {report.nodes[1]:.0f}",
        f"{figures.moves:.1f}" + ("" if report is None else f" ± {report.lengths:.1f}"),
    )
    return "| " + " | ".join(cells) + " |"


def _spread(values: Sequence[float]) -> tuple[float, float]:
    """Return mean and standard deviation; the latter is 0 for fewer than two values."""
    mean = statistics.fmean(values) if values else 0.0
    return mean, statistics.stdev(values) if len(values) > 1 else 0.0


def _short(player: str) -> str:
    """Return a player's name in Schiavone's form: evaluator, depth, initials of the order."""
    options = dict(item.split("=") for item in player.partition(":")[2].split(","))
    order = "".join(word[0] for word in options["order"].split("_")).upper()
    return f"{options['eval'].replace('_', ' ')}-{options['depth']}-{order}"

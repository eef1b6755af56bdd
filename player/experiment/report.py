"""Report on the rows of an experiment, beside what the source found."""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from player.experiment.source import EXPERIMENTS, Figures
from player.statistics import Interval, SequentialVerdict, elo_interval, sequential, share
from player.tournament import Row

SAME = 0.05  # the source's level; times with a larger p are said to be the same


@dataclass(frozen=True, slots=True)
class ExperimentReport:
    """Results of the games of an experiment, for player A and player B.

    figures  the same numbers as the source's
    nodes    mean number of positions searched for a move, of either player
    lengths  standard deviation of the number of moves
    share    the chance that A wins
    elo      by how much A is stronger
    p        of the Mann-Whitney test that the seconds for a move are the same
    verdict  of the sequential test, going by the games in order
    """

    figures: Figures
    nodes: tuple[float, float]
    lengths: float
    share: Interval
    elo: Interval
    p: float
    verdict: SequentialVerdict | None


def report(players: tuple[str, str], rows: Sequence[Row]) -> ExperimentReport:
    """Return what finished games of two players say, in the order of their numbers.

    Raise ValueError when there are none.
    """
    if not rows:
        raise ValueError("no games to report")
    from scipy.stats import mannwhitneyu  # noqa: PLC0415 - takes a second to import

    winners = [row.player(row.winner) for row in rows]
    starters = [row.player(row.first) for row in rows]
    won = tuple(winners.count(player) for player in players)
    first = tuple(
        sum(player == winner == starter for winner, starter in zip(winners, starters, strict=True))
        for player in players
    )
    times: list[list[float]] = []
    nodes: list[list[int]] = []
    for player in players:
        spent = [row.spent(player) for row in rows]
        # A move that was not searched, such as the first to the center, took no thought.
        times.append([t for pair in spent for t, n in zip(*pair, strict=True) if n])
        nodes.append([n for pair in spent for n in pair[1] if n])
    p = float(mannwhitneyu(times[0], times[1]).pvalue) if all(times) else math.nan
    lengths = [len(row.opening.split()) + len(row.moves) for row in rows]
    figures = Figures(
        len(rows),
        (won[0], won[1]),
        (first[0], first[1]),
        (_spread(times[0]), _spread(times[1])),
        "same" if p > SAME else "differ",
        statistics.fmean(lengths),
    )
    return ExperimentReport(
        figures,
        (_spread(nodes[0])[0], _spread(nodes[1])[0]),
        _spread(lengths)[1],
        share(won[0], len(rows)),
        elo_interval(won[0], len(rows)),
        p,
        sequential([winner == players[0] for winner in winners]),
    )


def table(reports: Iterable[tuple[str, ExperimentReport]]) -> str:
    """Return a table in Markdown: each experiment's figures below the source's."""
    heading = (
        "| # | whose | A | B | games | A-B | first A-B | A wins, 95 % | Elo of A, 95 % "
        "| time A (ms) | time B (ms) | times | nodes A, B | moves |"
    )
    lines = [heading, "|" + "---|" * (heading.count("|") - 1)]
    for name, found in reports:
        experiment = EXPERIMENTS[name]
        names = " | ".join(_short(player) for player in experiment.players)
        if experiment.source is not None:
            lines.append(_line(f"{name} | source | {names}", experiment.source, None))
        lines.append(_line(f"{name} | ours | {names}", found.figures, found))
    return "\n".join(lines)


def remarks(name: str, found: ExperimentReport) -> list[str]:
    """Return what else there is to say: how much faster, and when it was clear."""
    lines, source = [], EXPERIMENTS[name].source
    if source is not None:
        ratios = [
            f"{then[0] / now[0]:.0f} times faster than the source's {_short(player)}"
            for player, then, now in zip(
                EXPERIMENTS[name].players, source.times, found.figures.times, strict=True
            )
            if now[0] > 0
        ]
        lines.append(f"{name}: a move is {', and '.join(ratios)}.")
    if found.verdict is None:
        lines.append(f"{name}: the sequential test cannot tell who is better.")
    else:
        better = EXPERIMENTS[name].players[0 if found.verdict.better else 1]
        lines.append(
            f"{name}: {_short(better)} is better, clear after {found.verdict.games} games."
        )
    return lines


def _line(start: str, figures: Figures, found: ExperimentReport | None) -> str:
    interval = share(figures.won[0], figures.games) if found is None else found.share
    elo = elo_interval(figures.won[0], figures.games) if found is None else found.elo
    times = [f"{1000 * mean:.3g} ± {1000 * spread:.3g}" for mean, spread in figures.times]
    cells = (
        start,
        str(figures.games),
        f"{figures.won[0]}-{figures.won[1]}",
        f"{figures.first[0]}-{figures.first[1]}",
        f"{interval.estimate:.3f} ({interval.low:.3f} to {interval.high:.3f})",
        f"{elo.estimate:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})",
        *times,
        figures.test + ("" if found is None else f", p = {found.p:.2g}"),
        "" if found is None else f"{found.nodes[0]:.0f}, {found.nodes[1]:.0f}",
        f"{figures.moves:.1f}" + ("" if found is None else f" ± {found.lengths:.1f}"),
    )
    return "| " + " | ".join(cells) + " |"


def _spread(values: Sequence[float]) -> tuple[float, float]:
    """Return mean and standard deviation, 0 of fewer than two values."""
    mean = statistics.fmean(values) if values else 0.0
    return mean, statistics.stdev(values) if len(values) > 1 else 0.0


def _short(player: str) -> str:
    """Return a player's name as in the source: evaluator, depth, first letters of the order."""
    options = dict(item.split("=") for item in player.partition(":")[2].split(","))
    order = "".join(word[0] for word in options["order"].split("_")).upper()
    return f"{options['eval'].replace('_', ' ')}-{options['depth']}-{order}"

"""`hsearch bench`: fixed positions, a signature, and the time they take."""

import dataclasses
import subprocess
import sys

import click

from hsearch import formats
from player.cli import bench_board, bench_switches
from player.cli.bench_connections import connection_rows
from player.cli.bench_engine import engine_rows
from player.cli.bench_measure import BenchRow, Measurement, Tally, measure
from player.cli.bench_page import page_rows
from player.console.command import command
from player.console.output import json_option, print_object


@command(
    "bench",
    "hsearch bench closure/11x11 circuit",
    "hsearch bench start --json",
    "hsearch bench --switches > table.md",
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@json_option("one JSON object a row")
@click.option(
    "--switches",
    "compare",
    is_flag=True,
    help="Instead, print a table of what templates, shrinking and deduction bring.",
)
def bench(*, names: tuple[str, ...], as_json: bool, compare: bool) -> None:
    """Measure the rows whose names start with a NAME, by default all.

    The signature counts what was found: it depends on the rules, not on the
    machine. The times are of one run: the first pass, in which kernels may
    compile, then median, 95th and 99th percentile and the fastest pass. A ratio says
    how many times as much of the processor's time a rival takes in the same
    run, in the median of as many passes; with threads, how much on the wall.
    """
    if compare:
        _compare(names, as_json=as_json)
        return
    known = rows()
    for name in names:
        if not any(row.name.startswith(name) for row in known):
            first = " ".join(dict.fromkeys(row.name.partition("/")[0] for row in known))
            raise click.UsageError(f"no row begins with {name!r}; rows begin with: {first}")
    chosen = [row for row in known if not names or row.name.startswith(names)]
    if not as_json:
        click.echo(_heading(chosen))
    missing = (message for row in chosen for message in (row.absent, row.lacks) if message)
    for message in dict.fromkeys(missing):
        click.echo(message, err=True)
    for row in chosen:
        if row.lacks:
            continue
        report = measure(row)
        if as_json:
            print_object(dataclasses.asdict(report))
        else:
            click.echo(_line(report, chosen))


def rows() -> list[BenchRow]:
    """Return all rows, in the order in which they are printed."""
    shipped = str(formats.shipped("games/london-2000-queenbee-hexy.sgf"))
    analyze = ["analyze", shipped, "--move", "30", "--json"]
    return [
        *connection_rows(),
        *engine_rows(),
        *bench_board.question_rows(),
        *page_rows(),
        *bench_board.waiting_rows(),
        BenchRow("start/help", lambda: [["--help"]], _start),
        BenchRow("start/analyze", lambda: [analyze], _start),
    ]


def _start(arguments: list[str]) -> Tally:
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "player.cli", *arguments]
    done = subprocess.run(command, capture_output=True, check=True)  # noqa: S603 - ours
    return {"lines": done.stdout.count(b"\n")}


def _compare(names: tuple[str, ...], *, as_json: bool) -> None:
    """Print what the switches bring on the suites whose names start with a name."""
    known = bench_switches.suites()
    suites = {name: s for name, s in known.items() if not names or name.startswith(names)}
    if not suites or as_json:
        raise click.UsageError(
            f"--switches prints a table of {', '.join(known)}, or of those named"
        )
    for line in bench_switches.lines(suites, lambda what: click.echo(what, err=True)):
        click.echo(line)


def _heading(chosen: list[BenchRow]) -> str:
    columns = ("signature", "runs", "first", "median", "p95", "p99", "best")
    return _name("row", chosen) + "".join(f"{column:>11}" for column in columns) + "  ratio"


def _line(report: Measurement, chosen: list[BenchRow]) -> str:
    times = (report.first, report.median, report.p95, report.p99, report.best)
    shown = "".join(f"{_duration(seconds):>11}" for seconds in times)
    ratios = ", ".join(f"{ratio:.1f} {name}" for name, ratio in report.ratio.items())
    numbers = f"{report.signature:11}{report.runs:11}{shown}"
    if report.per_second is not None:
        ratios = f"{_rate(report.per_second)}  {ratios}"
    if report.megabytes is not None:
        ratios = f"{report.megabytes:.0f} MB  {ratios}"
    return f"{_name(report.name, chosen)}{numbers}  {ratios}".rstrip()


def _name(name: str, chosen: list[BenchRow]) -> str:
    return name.ljust(max(len(row.name) for row in chosen))


def _rate(per_second: float) -> str:
    return f"{per_second / 1e6:.1f} M/s" if per_second >= 1e5 else f"{per_second:.0f}/s"


def _duration(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{1000 * seconds:.2f} ms" if seconds >= 0.001 else f"{1e6 * seconds:.0f} µs"

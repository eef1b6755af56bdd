"""`hsearch bench`: signatures, and the contents of a report."""

import dataclasses
import json
import re
import sys

import pytest
from click.testing import CliRunner
from places import ROOT

from hsearch.connect.closure import closure
from player.cli import bench_connections, main
from player.cli.bench import bench, rows
from player.cli.bench_measure import BenchRow, Measurement, measure

# What the rules find on the positions of `bench.txt`. A change of the rules changes these numbers,
# and its commit says so; a change that only makes things faster must not.
SIGNATURES = {
    "closure/5x5/empty/M20K4": 2284,
    "closure/9x9/empty/M20K4": 11030,
    "closure/11x11/london/M20K4": 1374996,
    "strategy/11x11/london/reply": 1947,
    "strategy/11x11/london/explain": 525,
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_each_row_reproduces_its_recorded_signature(name):
    """Each row finds as many connections in as many tries as its recorded signature."""
    row = next(row for row in rows() if row.name == name)

    assert sum(sum(row.work(item).values()) for item in row.items()) == SIGNATURES[name]


def test_names_of_rows_are_unique():
    """No two rows have the same name, since a row is chosen by its name."""
    names = [row.name for row in rows()]

    assert len(set(names)) == len(names)


def test_a_report_has_signature_runs_quantiles_and_ratios():
    """A report has the signature, the number of runs, ordered quantiles and a ratio per rival."""
    row = BenchRow("sum", lambda: [1, 2, 3], lambda n: {"n": n}, {"same": lambda n: n}, passes=4)
    report = measure(row)

    assert report.signature == 6
    assert report.runs == 12
    assert 0 < report.best <= report.median <= report.p95 <= report.p99
    assert report.ratio["same"] > 0


class _Clock:
    """A stand-in for the module `time` whose clocks advance only by `take`."""

    def __init__(self):
        self.wall = self.processor = 0.0

    def perf_counter(self):
        return self.wall

    def process_time(self):
        return self.processor

    def take(self, processor, *, waiting=0.0):
        self.processor += processor
        self.wall += processor + waiting


def test_rivals_are_compared_by_processor_time_over_equal_passes(monkeypatch):
    """Rivals are compared by processor time without the first pass, threads by wall time."""
    passes, clock = [], _Clock()
    monkeypatch.setattr(sys.modules[measure.__module__], "time", clock)

    def rival(seconds):
        passes.append(seconds)
        clock.take(3 * seconds if len(passes) > 1 else 1, waiting=10 * seconds)

    def work(seconds):
        clock.take(seconds)
        return {"n": 1}

    row = BenchRow("burn", lambda: [0.02], work, {"thrice": rival}, passes=5)
    report = measure(row)

    assert len(passes) == 1 + row.passes
    assert report.ratio["thrice"] == pytest.approx(3)
    assert measure(dataclasses.replace(row, threads=True)).ratio["thrice"] == pytest.approx(13)


def test_preparation_is_not_timed_and_memory_is_read_before_closing(monkeypatch):
    """Preparing a run is not timed, and memory is measured before the row is closed."""
    clock, done = _Clock(), []

    def ready(_item):
        clock.wall += 100
        done.append("ready")

    def work(_item):
        clock.wall += 1
        return {"n": 1}

    monkeypatch.setattr(sys.modules[measure.__module__], "time", clock)
    row = BenchRow("r", lambda: [0, 0], work, passes=2, ready=ready)
    row = dataclasses.replace(row, memory=lambda: len(done), close=lambda: done.append("end"))
    report = measure(row)

    assert report.median == report.p95 == 1
    assert report.megabytes == 6
    assert done[-1] == "end"


@pytest.mark.skipif(sys.platform == "win32", reason="memory is not measured on Windows")
def test_a_command_is_measured_without_the_memory_of_the_process_that_starts_it():
    """`--help` needs some 16 MB, however much the process of the benchmark uses itself."""
    most = bytearray(b"x" * 200_000_000)
    row = next(row for row in rows() if row.name == "start/help")
    report = measure(dataclasses.replace(row, passes=1))

    assert len(most) == 200_000_000
    assert report.signature > 30
    assert 8 < report.megabytes < 60


def test_a_row_with_a_missing_requirement_is_skipped_with_a_message(monkeypatch):
    row = BenchRow("x/y", lambda: [0], lambda _: {"n": 1}, lacks="no browser: apt-get install it")
    monkeypatch.setattr(sys.modules[bench.callback.__module__], "rows", lambda: [row])
    done = CliRunner().invoke(main, ["bench", "x"])

    assert done.exit_code == 0
    assert done.stderr == "no browser: apt-get install it\n"
    assert done.stdout.startswith("row ")
    assert len(done.stdout.splitlines()) == 1


def test_work_that_differs_between_passes_is_an_error():
    """Counts that differ between passes are an error, as they depend on something hidden."""
    numbers = iter(range(100))

    with pytest.raises(RuntimeError, match="counts differ between passes"):
        measure(BenchRow("drift", lambda: [0], lambda _: {"n": next(numbers)}))


def test_bench_prints_one_object_per_row():
    """`bench --json` prints one object per row, with the fields of the contract in order."""
    done = CliRunner().invoke(main, ["bench", "closure/5x5", "--json"])
    fields = "name signature counts runs first median p99 best unit per_second ratio p95 megabytes"

    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert list(report) == ["schema", *fields.split()]
    assert report["schema"] == "hsearch/bench/1"
    assert report["ratio"].keys() == {"naive"}


def test_the_fields_of_a_row_are_documented():
    """The list of objects names every field of `bench --json`, and no other."""
    page = (ROOT / "docs/reference/commands.md").read_text()
    row = next(line for line in page.splitlines() if "`hsearch/bench/1`" in line)
    names = re.findall(r"`(\w+)`", row.partition("for each row:")[2])

    assert sorted(names) == sorted(field.name for field in dataclasses.fields(Measurement))


def test_an_unknown_row_lists_the_known_ones():
    """An unknown row is wrong usage, even beside a known row, and the known rows are listed."""
    done = CliRunner().invoke(main, ["bench", "closure/5x5", "nonsense"])

    assert done.exit_code == 2
    assert "no row begins with 'nonsense'" in done.output
    assert "rows begin with: closure update " in done.output


def test_switches_are_compared_in_a_table():
    """The table has one row per switch; deduction and templates prove what H-search misses."""
    sides = [
        s
        for s in bench_connections.templates()
        if not closure(s.position, s.color).has_full(*s.ends)
    ]
    heard = []
    heading, rule, *table = bench_connections.switch_lines({"missed": sides[:2]}, heard.append)
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in table]
    proofs = {row[2]: int(row[5]) for row in cells}

    assert heading.count("|") == rule.count("|") == table[0].count("|")
    assert [row[2] for row in cells] == [switch.name for switch in bench_connections.SWITCHES]
    assert len(heard) == len(table)
    assert (proofs["none"], proofs["templates"], proofs["deduction 1"]) == (0, 2, 2)


def test_switches_and_rows_exclude_each_other():
    """`bench --switches` takes names of positions and refuses names of rows."""
    result = CliRunner().invoke(main, ["bench", "--switches", "closure"])

    assert result.exit_code == 2
    assert "both London games" in result.stderr

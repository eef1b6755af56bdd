"""`hsearch template`: verdicts for people and scripts, bad input, and resumed searches."""

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner
from pictures import elements
from places import ROOT
from schemas import validate
from test_cli_analyze import CELL, CELLS, COLOR, POSITION, fields

from hsearch.connect.library import template_of
from hsearch.formats import suite
from hsearch.formats.files import alone
from hsearch.strategy.template import Examination
from player.cli import main

FILE = "positions/templates/edge.txt"
VERDICT = fields(
    schema={"const": "hsearch/template/1"},
    id={"type": "string"},
    position=POSITION,
    color=COLOR,
    stone=CELL,
    edge={"enum": ["north", "south", "west", "east"]},
    carrier=CELLS,
    valid={"type": ["boolean", "null"]},
    minimal={"type": ["boolean", "null"]},
    rule={"enum": ["and", "or", "mustplay", None]},
    replies={"type": ["integer", "null"]},
    refutation={"type": "array", "items": CELL},
    superfluous=CELLS,
    suffices={"anyOf": [{"type": "null"}, CELLS]},
    resume={"type": ["string", "null"]},
    searches={"type": "integer"},
    positions={"type": "integer"},
)
# A single stone on the fifth row of a wide window, which takes long to play out.
HARD = "\n".join([" ".join("WWWWWWWWBWWWW")] + [" ".join(".............")] * 4)


def run(*arguments, stdin=None):
    """Run `hsearch template` in this process."""
    return CliRunner().invoke(main, ["template", *arguments], input=stdin)


def verdict(*arguments, stdin=None):
    """Return the object that `check --json` prints, and the exit code."""
    result = run("check", *arguments, "--json", stdin=stdin)
    thing = json.loads(result.stdout)
    validate(thing, VERDICT)
    return thing, result.exit_code


def test_a_template_is_valid_and_minimal():
    """A template is reported as valid, with the rule that proves it, and minimal."""
    result = run("check", FILE, "--id", "dk4-3", "--ascii")

    assert result.exit_code == 0
    assert "dk4-3: black c2 to south, 10 cells" in result.stdout
    assert "valid    yes, by must-play deduction, one reply deep" in result.stdout
    assert "minimal  yes: no cell can be spared" in result.stdout


def test_a_template_without_a_cell_is_refuted():
    """A template without one of its cells is refuted by a line of play."""
    result = run("check", FILE, "--id", "ziggurat", "--remove", "b4")
    thing, code = verdict(FILE, "--id", "ziggurat", "--remove", "b4")

    assert result.exit_code == code == 0
    assert "valid    no: white cuts with " + " ".join(thing["refutation"]) in result.stdout
    assert "minimal" not in result.stdout
    assert thing["valid"] is False
    assert "b4" not in thing["carrier"] + thing["refutation"]


def test_any_diagram_can_be_checked_as_a_template():
    """Any diagram is checked for --stone and --edge; the carrier is all empty cells or given."""
    diagram = "W W B W . .\n W . . . . .\n  . . . . . ."
    whole, _ = verdict("-", "--stone", "c1", "--edge", "south", stdin=diagram)
    part, _ = verdict(
        "-", "--stone", "c1", "--edge", "south", "--carrier", "b2 c2 a3 b3", stdin=diagram
    )

    assert whole["valid"] is True
    assert whole["minimal"] is False
    assert len(whole["suffices"]) < len(whole["carrier"])
    assert part["carrier"] == ["b2", "c2", "a3", "b3"]
    assert part["valid"] is False


def test_whites_templates_join_west_and_east():
    """White's templates join a stone to west or east."""
    thing, _ = verdict("-", "--stone", "b2", "--edge", "west", stdin=". . B\n. W B\n. B B\n")

    assert (thing["color"], thing["valid"]) == ("white", True)


def test_a_check_out_of_budget_prints_where_to_resume():
    """A check that ends at its budget prints where to resume, and resuming gives the verdict."""
    first = run("check", FILE, "--id", "iii-b", "--budget", "1000", "--time", "0")
    place = first.stdout.rpartition("--resume ")[2].strip()
    second = run("check", FILE, "--id", "iii-b", "--resume", place)

    assert first.exit_code == 1
    assert place.startswith("minimal:")
    assert second.exit_code == 0
    assert "minimal  yes" in second.stdout


ZIGGURAT = ". . . . . .\n. . . . . .\n. . B . . .\n. . . . . .\n. . . . . .\n"
SPARED = ("--carrier", "d3 b4 c4 d4 a5 b5 c5 d5 e5 e4 e3 f5 f4 f3")


def test_a_resumed_check_retains_earlier_results():
    """A resumed check keeps the superfluous cells and the rule found before."""
    words = ("check", "-", "--stone", "c3", "--edge", "south", *SPARED)
    first = run(*words, "--budget", "100", "--time", "0", stdin=ZIGGURAT).stdout
    place = first.rpartition("--resume ")[2].strip()
    whole, second = (
        run(*words, *more, "--json", stdin=ZIGGURAT) for more in ((), ("--resume", place))
    )
    known = [json.loads(each.stdout) for each in (whole, second)]

    assert "minimal  no: " in first
    assert [each["rule"] for each in known] == ["or", "or"]
    assert known[0]["superfluous"] == known[1]["superfluous"]
    assert known[0]["superfluous"]
    assert known[1]["suffices"] == ["d3", "b4", "c4", "d4", "a5", "b5", "c5", "d5"]


@pytest.mark.parametrize("more", [("--carrier", "a1 f1"), (*SPARED, "--remove", "a5")])
def test_the_place_of_another_check_is_refused(more):
    """A resume place of another template's check is refused."""
    words = ("check", "-", "--stone", "c3", "--edge", "south")
    first = run(*words, *SPARED, "--budget", "100", "--time", "0", stdin=ZIGGURAT).stdout
    place = first.rpartition("--resume ")[2].strip()
    result = run(*words, *more, "--resume", place, stdin=ZIGGURAT)

    assert result.exit_code == 3
    assert "is not a place that a check of this template has printed" in " ".join(
        result.stderr.split()
    )


def test_without_a_carrier_the_first_sufficient_cells_are_printed():
    """Without a carrier the first sufficient cells are printed at once, not all being tried."""
    result = run("check", "-", "--stone", "c3", "--edge", "south", stdin=ZIGGURAT)

    assert result.exit_code == 0
    assert "these suffice: d3 b4 c4 d4 a5 b5 c5 d5; not all cells were tried" in result.stdout


# The command, with a line on stderr when it begins to play out a template.
AT_WORK = """
import sys
from hsearch.strategy.template import Examination
from player.cli import main
play_out = Examination.play_out
def told(examination):
    print("at work", file=sys.stderr, flush=True)
    play_out(examination)
Examination.play_out = told
main()
"""


def interrupted_check():
    """Return the exit code, stdout and stderr of a check that gets Ctrl-C once it is at work."""
    arguments = ["template", "check", "-", "--stone", "i1", "--edge", "south"]
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", AT_WORK, *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"NO_COLOR": "1"},
    ) as process:
        process.stdin.write(HARD)
        process.stdin.close()
        process.stdin = None
        assert process.stderr.readline() == "at work\n"
        process.send_signal(signal.SIGINT)
        try:
            output, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    return process.returncode, output, errors


@pytest.mark.slow
def test_an_interrupted_check_prints_its_results_so_far():
    """A check ended by Ctrl-C prints its results so far and where to resume, and exits with 130."""
    code, output, errors = interrupted_check()

    assert code == 130, errors
    assert "template: black i1 to south, 52 cells" in output
    assert "resume   --resume valid:" in output
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([FILE], 3, "5 positions, choose one by its id, --id ID: "),
        ([FILE, "--id", "dk4-3", "--stone", "a1"], 3, "'south' is not an edge of white"),
        ([FILE, "--id", "dk4-3", "--stone", "b3"], 3, "no stone on 'b3'"),
        ([FILE, "--id", "dk4-3", "--edge", "down"], 3, "'down' is not an edge"),
        ([FILE, "--id", "dk4-3", "--carrier", "d2 b3"], 3, "the carrier has stones on 'd2'"),
        ([FILE, "--id", "dk4-3", "--remove", "a1"], 3, "'a1' is not all in the carrier"),
        ([FILE, "--id", "dk4-3", "--budget", "0"], 2, "'0' is not a whole number from 1 "),
        ([FILE, "--id", "dk4-3", "--resume", "b3"], 3, "not a place that a check"),
        ([FILE, "--id", "dk4-3", "--resume", "valid:a1"], 3, "not a place that a check"),
        (
            ["positions/puzzles/classic.txt", "--id", "3x3-hein-02"],
            3,
            "has no stone; a template has one (key or option --stone)",
        ),
        (["nowhere.txt"], 3, "nowhere.txt: No such file"),
    ],
)
def test_bad_input_is_reported_in_one_line(arguments, code, message):
    """Bad input ends in one line that names the offending text."""
    result = run("check", *arguments)

    assert result.exit_code == code
    assert message in result.stderr
    assert code == 2 or len(result.stderr.splitlines()) == 1


def test_the_list_marks_the_templates_that_the_rules_miss():
    """The list has one template per line, with `--missed` only those that the rules miss."""
    everything, missed = (
        [tuple(line.split()) for line in run("list", *options).stdout.splitlines()]
        for options in ([], ["--missed"])
    )

    assert any(line[:6] == ("ziggurat", "III-1-a", "1", "8", "find", "it") for line in everything)
    assert any(line[:5] == ("dk4-8", "3", "10", "miss", "it") for line in everything)
    assert set(missed) < set(everything)
    assert not any("find it" in " ".join(line[:6]) for line in missed)


def test_the_list_draws_each_template_as_it_is_drawn_alone():
    ids = [line.split()[0] for line in run("list", "--missed").stdout.splitlines()[1:]]
    drawn = run("list", "--missed", "--draw", "--ascii").stdout

    assert len(ids) > 1
    assert drawn == "\n".join(run("show", each, "--ascii").stdout for each in ids)


def test_find_prints_a_suite_of_minimal_templates():
    """The output of `find` is a suite of minimal templates and says if it is complete."""
    output = run("find", "--row", "3", "--columns", "6").stdout
    templates = [template_of(entry) for entry in suite.read(output)]

    assert "# all of this window: 2 printed" in output
    assert [template.carrier.count() for template in templates] == [8, 10]
    assert all(Examination(template).run().minimal for template in templates)


def test_a_search_out_of_budget_reports_an_incomplete_list():
    """A search that ran out of its budget says that its list is not complete."""
    output = run("find", "--row", "4", "--columns", "7", "--budget", "50", "--time", "0").stdout

    assert "# not all of this window: 0 printed" in output


def test_a_search_resumed_in_steps_finds_the_same_templates(tmp_path):
    """A search resumed in steps prints in the end what a search in one go prints."""
    state = tmp_path / "search.json"
    whole = run("find", "--row", "3", "--columns", "6").stdout
    steps = 0
    while "# all of this window" not in (
        part := run(
            "find",
            "--row",
            "3",
            "--columns",
            "6",
            "--budget",
            "20000",
            "--time",
            "0",
            "--resume",
            str(state),
        ).stdout
    ):
        steps += 1
        assert "goes on after the last step that was done" in part

    assert steps > 1
    assert _entries(part) == _entries(whole)


def test_a_search_is_saved_while_it_runs(tmp_path):
    """What a search found is in its file before it ends: nothing is lost if it is killed."""
    state = tmp_path / "search.json"
    words = ["find", "--row", "4", "--columns", "8", "--time", "0", "--resume", str(state)]
    command = [sys.executable, "-m", "player.cli", "template", *words]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:  # noqa: S603
        before = after = None
        while after == before:  # the first is written before the search begins
            time.sleep(0.1)
            after = state.read_bytes() if state.exists() else None
            before = before or after
        process.kill()
    thing = json.loads(state.read_text())

    assert thing["positions"] > json.loads(before)["positions"] or thing["found"]


def test_a_file_for_a_search_is_examined_before_the_search(tmp_path):
    """A file that cannot be written, or that another search writes, is reported at once."""
    words = ("find", "--row", "3", "--columns", "6", "--resume")
    missing = run(*words, str(tmp_path / "no" / "search.json"))
    with alone(tmp_path / "search.json", ValueError):
        other = run(*words, str(tmp_path / "search.json"))

    assert (missing.exit_code, missing.stdout) == (1, "")
    assert missing.stderr.endswith("search.json: cannot be written: No such file or directory\n")
    assert (other.exit_code, other.stdout) == (3, "")
    assert other.stderr.endswith("search.json: another process is writing to it\n")


def test_a_search_takes_a_further_stone_and_leaves_out_larger_carriers():
    """`--also` adds a stone, so smaller carriers are enough; `--most` bounds what is printed."""
    words = ("find", "--row", "3", "--columns", "6")
    whole, also = (_carriers(run(*words, *more).stdout) for more in ((), ("--also", "-2", "2")))
    most = _carriers(run(*words, "--most", "8").stdout)

    assert (len(whole), min(map(len, whole))) == (2, 8)
    assert most == [each for each in whole if len(each) <= 8] != whole
    assert min(map(len, also)) < 8
    assert "stone   d2" in run(*words, "--also", "-2", "2", "--most", "5").stdout
    refused = run(*words, "--also", "2", "2")
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)


def _carriers(text):
    return [line.split()[1:] for line in text.splitlines() if line.startswith("carrier")]


def _entries(text):
    return [line for line in text.splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("text", ["", "{}", '{"schema": "other"}', "[1]"])
def test_a_file_that_is_not_a_search_cannot_be_resumed(tmp_path, text):
    """A file that is no search is refused in one line that names it."""
    state = tmp_path / "search.json"
    state.write_text(text)
    result = run("find", "--row", "3", "--columns", "6", "--resume", str(state))

    assert result.exit_code == 3
    assert "search.json" in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("carrier", [[], ["a1", "b3"], ["c2"]])
def test_a_search_with_an_impossible_carrier_is_not_resumed(tmp_path, carrier):
    """It ended in an error of the program, although the checksum was right."""
    state = tmp_path / "search.json"
    run("find", "--row", "2", "--columns", "4", "--resume", str(state))
    thing = json.loads(state.read_text()) | {"found": [carrier]}
    del thing["sha256"]
    digest = hashlib.sha256(json.dumps(thing).encode()).hexdigest()
    state.write_text(json.dumps(thing | {"sha256": digest}))
    result = run("find", "--row", "2", "--columns", "4", "--resume", str(state))

    assert result.exit_code == 3
    assert result.stderr == f"{state}: damaged: a carrier without a cell, or with a stone\n"


def test_a_search_cannot_resume_with_other_options(tmp_path):
    """A search cannot be resumed with another window."""
    state = tmp_path / "search.json"
    run("find", "--row", "2", "--columns", "4", "--resume", str(state))
    result = run("find", "--row", "3", "--columns", "6", "--resume", str(state))

    assert result.exit_code == 3
    assert "a search with other options" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--row", "1"], "'1' is not a whole number from 2 "),
        (["--row", "5", "--columns", "25"], "columns out of range: 25 (1 to 24 for this row)"),
        (["--row", "5", "--columns", "13", "--time", "0"], "groups to play in, at most 60"),
        (["--row", "3", "--stones", "9"], "'9' is not a whole number from "),
    ],
)
def test_windows_over_the_limits_are_wrong_usage(arguments, message):
    """Windows are limited, as playing out holds its cells in one word."""
    result = run("find", *arguments)

    assert result.exit_code == 2
    assert message in result.stderr


def test_the_fifth_row_is_checked_within_seconds():
    """The 34 cells of the fifth-row template are all needed; 78 cells are too many to play out."""
    carrier = (
        "f2 h2 e3 f3 g3 h3 i3 c4 d4 e4 f4 g4 h4 i4 j4 b5 c5 d5 e5 f5 g5 h5 i5 j5 "
        "a6 b6 c6 d6 e6 f6 g6 h6 i6 j6"
    )
    board = "WWWWWWWWWW\n......B...\n" + 4 * "..........\n"
    words = ("check", "-", "--stone", "g2", "--edge", "south")
    whole = run(*words, "--carrier", carrier, "--json", stdin=board)
    less = run(*words, "--carrier", carrier.replace(" a6", ""), stdin=board)
    large = run(
        *words, "--time", "0.01", stdin="W" * 13 + "\n......B......\n" + 5 * (13 * "." + "\n")
    )

    assert json.loads(whole.stdout)["minimal"]
    assert "no: white cuts with" in less.stdout
    assert large.exit_code == 1
    assert "unknown: the solver had no answer in its time" in large.stdout
    assert large.stdout.endswith(", and a longer --time\n")


@pytest.mark.parametrize(("row", "columns"), [("3", "7"), ("3", "8")])
def test_the_solver_and_playing_out_find_the_same_templates(row, columns):
    """The solver finds the same templates of a window as playing out, in any order."""
    played, solved = (
        run("find", "--row", row, "--columns", columns, "--time", time).stdout
        for time in ("0", "20")
    )

    assert "# all of this window" in played
    assert "# all of this window" in solved
    carriers = [
        sorted(line for line in text.splitlines() if line.startswith("carrier"))
        for text in (played, solved)
    ]
    assert carriers[0] == carriers[1] != []


@pytest.mark.parametrize("name", ["bridge", "ziggurat", "V-1-a", "dk4-3"])
def test_why_explains_how_a_template_holds(name):
    """Each is explained inside its own cells, also where the two rules miss it."""
    result = run("show", name, "--why")
    cells = int(re.search(r", (\d+) cells", result.stdout)[1])

    assert result.exit_code == 0
    assert "Black joins" in result.stdout
    assert f"even if White moves first, inside {cells} empty cells." in result.stdout


def test_time_for_a_template_goes_with_why():
    assert "--time goes with --why" in run("show", "bridge", "--time", "1").stderr


def test_templates_are_drawn_by_id_or_name():
    """Templates are shown by id or name in any case; an unknown name gets a suggestion."""
    text = run("show", "v-1-A", "--ascii").stdout
    both = run("show", "III-1-a").stdout
    none = run("show", "nobody")

    assert text.startswith("row5-1-01: black h2 to south, 34 cells (V-1-a)")
    assert text.count("*") == 34
    assert next(line for line in both.splitlines() if "III-1-a" in line).startswith("ziggurat: ")
    assert both.count("III-1-a") == 2
    assert (none.exit_code, none.stderr) == (3, "nobody: not a template: see `template list`\n")
    near = run("check", "v1-a")
    assert (near.exit_code, near.stderr) == (3, "v1-a: neither a file nor a template, but V-1-a\n")


def test_the_picture_of_a_template_has_its_stones_and_its_carrier(tmp_path):
    """The picture of a template shows its stones and carrier and nothing around them."""
    out = tmp_path / "template.svg"
    result = run("show", "III-1-a", "--svg", str(out))
    picture = out.read_text()

    assert result.exit_code == 0
    assert len(elements(picture, "polygon", "cell")) == 9 + 1  # one in the legend
    assert len(elements(picture, "circle", "white")) == 0
    assert "ziggurat: black c2 to south, 8 cells (III-1-a)" in picture


def test_a_shipped_template_can_be_checked_by_its_name():
    by_name, _ = verdict("III-1-A")
    by_file, _ = verdict(FILE, "--id", "ziggurat")
    smaller, _ = verdict("ziggurat", "--remove", "b4")
    missing = run("check", "nobody")

    assert by_name == by_file
    assert smaller["valid"] is False
    assert (missing.exit_code, missing.stderr) == (3, "nobody: No such file or directory\n")

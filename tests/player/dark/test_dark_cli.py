"""The command `dark` and its runs."""

import importlib.util
import json
from xml.etree import ElementTree as ET

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner
from places import ROOT, needs_full_device

from hsearch.hex.board import Color
from player.cli.dark import RCFR, dark
from player.console.compiling import COMPILING
from player.dark import certificate
from player.dark.long_run import RunProgress
from player.dark.methods import METHODS
from player.dark.picture import plot
from player.dark.regression import FEATURES, RegressionOptions
from player.engine.spec import participant

NUMBER = {"type": ["number", "null"]}
COUNT = {"type": ["integer", "null"]}
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "schema": {"const": "hsearch/dark/1"},
        "board": {
            "type": "object",
            "properties": {"columns": {"type": "integer"}, "rows": {"type": "integer"}},
            "required": ["columns", "rows"],
        },
        "base": {"enum": ["classic", "abrupt"]},
        "noise": {"enum": ["silent", "noisy", "flash"]},
        "method": {"enum": list(METHODS)},
        "value": NUMBER,
        "fraction": {"type": ["string", "null"]},
        "bounds": {"type": ["array", "null"], "items": {"type": "number"}},
        "exploitability": NUMBER,
        "information_sets": {"type": ["object", "null"]},
        "nodes": COUNT,
        "terminals": COUNT,
        "ended": {"enum": ["exploitability", "iterations", "seconds", "interrupted", None]},
        "seconds": {"type": "number"},
    },
}
SCHEMA["required"] = list(SCHEMA["properties"])


def run(*words):
    """Run `dark` with these arguments."""
    return CliRunner().invoke(dark, list(words))


def solved(*words):
    """Return the JSON object that `dark solve` prints."""
    result = run("solve", *words, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    jsonschema.validate(found, SCHEMA)
    assert list(found) == list(SCHEMA["properties"])
    return found


@pytest.mark.parametrize(
    "option", [("--regressor", "tree"), ("--features", "tiles"), ("--link", "exponential")]
)
def test_each_option_of_rcfr_has_an_effect(option):
    """The same run with another regression has another exploitability."""
    words = ("3x2", "--base", "abrupt", "--method", "rcfr", "--iterations", "3")

    assert solved(*words, *option)["exploitability"] != solved(*words)["exploitability"]


def test_the_words_of_rcfr_are_those_of_its_options():
    """The command lists what the regression knows, which is slow to load."""
    words = {option: names for option, names, _ in RCFR}

    assert words["--features"] == (*FEATURES,)
    for option, names in words.items():
        for name in names:
            RegressionOptions(**{option.removeprefix("--"): name})
    assert [names[0] for names in words.values()] == [
        getattr(RegressionOptions(), option.removeprefix("--")) for option in words
    ]


def test_show_rejects_a_certificate_without_policies(tmp_path):
    """The error says whose policy is missing, and names no player None."""
    file = tmp_path / "proof.txt"
    head = "hsearch dark certificate 1\nboard 2x2\nbase classic\nnoise silent\n"
    file.write_text(f"{head}lower -1\nupper 1\n")
    for words, whose in (((), "either player"), (("--for", "white"), "white")):
        done = run("show", str(file), *words)
        told = f"{file}: no policy of {whose}: nothing is to be proved by it\n"
        assert (done.exit_code, done.stderr) == (3, told)


def test_bounds_include_what_the_policies_prove(tmp_path):
    """Bounds include what the policies prove, even if no step has been made."""
    file = tmp_path / "proof.txt"
    found = solved("2x2", "--time", "0", "--certificate", str(file))
    claim = certificate.load(file)

    assert (found["fraction"], found["value"], found["bounds"]) == ("1", 1, [1, 1])
    assert (claim.lower, claim.upper, found["exploitability"]) == (1, 1, 0)


def test_a_certificate_that_cannot_be_written_is_reported(tmp_path):
    """If noise leads to too many histories to write, the answer is still printed."""
    file = tmp_path / "proof.txt"
    words = ["5x2", "--noise", "flash", "--method", "sure-wins", "--certificate", str(file)]
    done = run("solve", *words)

    assert "value to Black    1\n" in done.stdout
    assert done.exit_code == 1
    assert done.stderr.endswith(
        f"{file}: not written: sure-wins has no policies here that prove a value\n"
    )
    assert not file.exists()


def test_the_counts_of_2x2_are_the_known_ones():
    """The JSON object has the counts, and the text has the number misprinted in the source."""
    found = json.loads(run("counts", "2x2", "--json").stdout)

    assert found == {
        "schema": "hsearch/dark-counts/1",
        "board": {"columns": 2, "rows": 2},
        "classic": {"until_full": 336, "end_rule": 216},
        "abrupt": {"until_full": 408, "end_rule": 234},
    }
    assert "236" in run("counts", "2x2").stdout
    assert max(map(len, run("counts", "6x6").stdout.splitlines())) < 80
    large = run("counts", "5x5").stdout
    assert "1,675,136,848,372,742,444,450,438,719,029,145,250,443,418,726,400" in large
    assert len({len(line) for line in large.splitlines()[1:]}) == 1


def test_the_matrix_differs_from_the_printed_one_in_twelve_entries():
    """The matrix differs from the print in twelve entries, so its value differs."""
    found = json.loads(run("matrix", "--json").stdout)
    text = run("matrix").stdout

    assert len(found["differences"]) == 12
    assert found["values"] == pytest.approx({"simulated": 1 / 2, "printed": 13 / 19})
    assert text.count("printed 0") == 12
    assert "simulated 1/2, as printed 13/19" in text


@pytest.mark.parametrize("method", METHODS)
def test_all_methods_agree_on_2x2(method):
    """The abrupt game is worth 1/2: bounds contain the value, and proofs give it as a fraction."""
    base = "classic" if method == "sure-wins" else "abrupt"
    iterations = ["--iterations", "100000" if method == "mccfr-outcome" else "400"]
    if method in {"lp", "pure-lp", "sure-wins"}:
        iterations = []
    found = solved("2x2", "--base", base, "--method", method, *iterations)
    expected = 1 if method == "sure-wins" else 1 / 2
    slack = found["exploitability"] * 2 + 1e-9

    assert found["method"] == method
    assert found["value"] == pytest.approx(expected, abs=slack)
    assert found["bounds"][0] - 1e-9 <= expected <= found["bounds"][1] + 1e-9
    assert found["exploitability"] < 0.2
    proved = {"lp": "1/2", "double-oracle": "1/2", "sure-wins": "1"}
    assert found["fraction"] == proved.get(method)
    assert (found["nodes"], found["terminals"]) == ((441, 216) if expected == 1 else (471, 234))


@pytest.mark.parametrize("method", ["lp", "pure-lp"])
def test_a_value_of_zero_has_no_sign(method):
    """The abrupt game on 1x2 is fair: its value and bounds are 0, not -0."""
    lines = run("solve", "1x2", "--base", "abrupt", "--method", method).stdout.splitlines()

    assert lines[1].split()[3] == "0"
    assert lines[2] == "bounds            0 to 0"


@pytest.mark.slow
def test_methods_agree_on_3x2():
    """LP, CFR+ and double oracle agree within the reported exploitability."""
    game = ("3x2", "--base", "abrupt", "--noise", "noisy")
    exact = solved(*game, "--method", "lp")
    oracle = solved(*game, "--method", "double-oracle")
    near = solved(*game, "--method", "cfr+", "--until", "0.002", "--iterations", "500")

    assert exact["fraction"] == oracle["fraction"] == "25/31"
    assert abs(near["value"] - exact["value"]) <= 2 * near["exploitability"]
    assert near["exploitability"] <= 0.002
    assert exact["information_sets"] == oracle["information_sets"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("solve", "3q"), 2, "not a board size such as 11 or 5x9"),
        (("solve", "2x2", "--method", "magic"), 2, "magic"),
        (("solve", "2x2", "--method", "rcfr", "--features", "none"), 2, "'none'"),
        (
            ("solve", "4x4"),
            3,
            ",405,633 nodes: 16 cells, and 12 fit double-oracle; methods that fit: m",
        ),
        (
            ("solve", "4x4", "--method", "sure-wins"),
            3,
            "12 fit sure-wins; methods that fit: mccfr-out",
        ),
        (("solve", "3x2", "--method", "pure-lp"), 3, "104,229 nodes: Black has 7,880 pure strat"),
        (("solve", "2x2", "--base", "abrupt", "--method", "sure-wins"), 3, "classic"),
        (("counts", "9x9"), 3, "more than 4.5e31 nodes; games are counted up to 8x8"),
        (
            ("solve", "2x2", "--method", "cfr+", "--resume", "no/x.npz"),
            1,
            "no/x.npz: cannot be written: No such file o",
        ),
        (("verify", "nowhere.txt"), 3, "nowhere.txt: No such file or directory\n"),
        (("show", "nowhere.txt"), 3, "nowhere.txt: No such file or directory\n"),
    ],
)
def test_bad_options_large_games_and_missing_files_are_refused(words, code, message):
    """The error is one line that gives the reason."""
    result = run(*words)

    assert result.exit_code == code
    assert message in result.stderr
    assert "Errno" not in result.stderr
    assert result.stdout == ""
    if code in {1, 3}:
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "2x2 --method lp --resume a --plot b.svg --curve c",
            "lp has no use for --resume, --curve, --p",
        ),
        ("2x2 --method lp --link exponential", "lp has no use for --link"),
        ("2x2 --method pure-lp --certificate a", "pure-lp has no use for --certificate"),
        ("2x2 --method sure-wins --seconds 1", "sure-wins has no use for --time"),
        ("2x2 --method cfr+ --seed 1", "cfr+ has no use for --seed"),
        ("2x2 --power 3", "double-oracle has no use for --power"),
        ("3x3 --method mccfr-external --until 0.1", "that of 3x3-classic-silent has 19,119,486,97"),
    ],
)
def test_options_of_other_methods_are_refused(tmp_path, monkeypatch, words, message):
    """The error comes before anything is solved or written."""
    monkeypatch.chdir(tmp_path)
    result = run("solve", *words.split())

    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert list(tmp_path.iterdir()) == []


@needs_full_device
def test_the_answer_is_printed_if_writing_the_curve_fails():
    """The answer is printed even then; a notice that kernels compile may precede the error."""
    result = run("solve", "2x2", "--base", "abrupt", "--curve", "/dev/full")

    assert result.exit_code == 1
    assert "value to Black    1/2 (proved)" in result.stdout
    *notices, error = result.stderr.splitlines()
    assert error == "/dev/full: cannot be written: No space left on device"
    assert all(notice.startswith(COMPILING) for notice in notices)


def test_sampling_on_a_large_board_reports_an_unknown_value():
    """The output says that the value is unknown."""
    result = run("solve", "3x3", "--method", "mccfr-outcome", "--iterations", "10")

    assert result.exit_code == 0
    assert "value, bounds     unknown: the tree is too large to measure the policy" in result.stdout


def test_verify_accepts_a_written_certificate_and_rejects_a_false_one(tmp_path):
    """`verify` accepts a certificate of `solve`; a claim that is too good has exit code 1."""
    path = tmp_path / "claim.txt"
    assert run("solve", "2x2", "--base", "abrupt", "--certificate", str(path)).exit_code == 0
    good = run("verify", str(path))
    path.write_text(path.read_text().replace("lower 1/2", "lower 3/5"))
    bad = run("verify", str(path))

    assert good.exit_code == 0
    assert "Black's chance to win 3/4 (value to Black 1/2, from -1 to 1): proved" in good.stdout
    assert bad.exit_code == 1
    assert "proves 1/2, not 3/5" in bad.stderr


def test_a_certificate_is_read_from_stdin_and_an_endless_one_rejected(monkeypatch):
    text = (ROOT / "positions/dark/2x2-abrupt-silent.txt").read_text()
    piped = CliRunner().invoke(dark, ["verify", "-"], input=text)
    monkeypatch.setattr("player.dark.certificate.MOST_BYTES", 1_000_000)
    endless = run("verify", "/dev/zero")

    assert piped.exit_code == 0
    assert piped.stdout.startswith("-: abrupt silent 2x2, Black's chance")
    assert endless.exit_code == 3
    assert endless.stderr == "/dev/zero: longer than 1,000,000 bytes\n"


def test_shipped_certificates_are_found_from_any_folder(tmp_path, monkeypatch):
    """Certificates are found by their path in the project."""
    monkeypatch.chdir(tmp_path)

    assert run("verify", "positions/dark/3x2-abrupt-flash.txt").exit_code == 0


def test_policies_are_shown_as_text_and_as_a_picture(tmp_path):
    """The text has both players' trees; the SVG has a row for each information state."""
    shipped = "positions/dark/2x2-abrupt-noisy.txt"
    text = run("show", shipped).stdout
    path = tmp_path / "black.svg"
    assert run("show", shipped, "--for", "black", "--svg", str(path)).exit_code == 0
    picture = ET.parse(path).getroot()  # noqa: S314 - our own file
    rows = picture.findall("{http://www.w3.org/2000/svg}text")
    black = text[: text.index("white\n")]

    assert text.startswith("black\nstart: ")
    assert len(rows) == black.count(": ")
    assert run("show", shipped, "--svg", str(path)).exit_code == 3
    assert run("show", "positions/dark/2x2-classic-silent.txt", "--for", "white").exit_code == 3


def test_the_curve_of_a_run_has_a_row_per_measurement(tmp_path):
    """The curve has bounds and times, one row per measurement."""
    path = tmp_path / "curve.csv"
    solved("2x2", "--method", "cfr+", "--iterations", "30", "--curve", str(path))
    lines = path.read_text().splitlines()

    assert lines[0] == "iteration,seconds,lower,upper"
    assert [int(line.split(",")[0]) for line in lines[1:]][-2:] == [28, 30]


@pytest.mark.parametrize("method", ["cfr+", "mccfr-external", "rcfr"])
def test_policies_of_long_runs_are_written_and_verified(tmp_path, method):
    """Exact arithmetic confirms the measured bounds, and the policies can be played."""
    path = tmp_path / "claim.txt"
    game = ("2x2", "--base", "abrupt", "--method", method, "--iterations", "200")
    found = solved(*game, "--certificate", str(path))
    checked = run("verify", str(path))
    claim = certificate.load(path)

    assert checked.exit_code == 0, checked.output
    assert found["bounds"] == pytest.approx([float(claim.lower), float(claim.upper)], abs=1e-8)
    assert found["fraction"] is None
    player = participant(f"equilibrium:file={path}", "dark-abrupt")
    player.study(claim.rules)
    assert player.attempt(Color.BLACK, (), np.random.default_rng(0)).action in range(4)


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="the extra `plot`")
def test_a_plot_shows_the_exploitability_of_a_run(tmp_path):
    """The plot shows exploitability over time; the same curve makes the same file."""
    path = tmp_path / "curve.svg"
    solved("2x2", "--base", "abrupt", "--method", "cfr", "--iterations", "50", "--plot", str(path))
    texts = list(ET.parse(path).getroot().itertext())  # noqa: S314 - our own file

    assert any("2x2-abrupt-silent, cfr" in text for text in texts)
    assert any("exploitability" in text for text in texts)
    curve = [RunProgress(1, (0.0, 0.5), 1.0), RunProgress(2, (0.0, 0.2), 2.0)]
    files = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for file in files:
        plot("test", curve, file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_plot_without_matplotlib_or_measurements_is_refused(tmp_path, monkeypatch):
    """The error is one line, before anything runs."""
    with pytest.raises(ValueError, match="nothing to draw"):
        plot("test", [RunProgress(1, None, 1.0)], tmp_path / "x.svg")
    wrong = run("solve", "2x2", "--plot", "x")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    absent = run("solve", "2x2", "--plot", str(tmp_path / "x.svg"))

    assert (wrong.exit_code, absent.exit_code) == (2, 1)
    assert "ends in none of .svg" in wrong.stderr
    assert "pip install 'hsearch[plot]'" in absent.stderr


@pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="the extra `plot`")
def test_a_plot_that_cannot_be_drawn_is_a_failure(tmp_path):
    """The value is printed, and the line names the file."""
    path = tmp_path / "x.svg"
    words = ("solve", "2x2", "--plot", str(path))
    nothing = run(*words)
    path.symlink_to("/proc/none.svg")
    refused = run(*words, "--method", "cfr", "--iterations", "2")

    assert (nothing.exit_code, refused.exit_code) == (1, 1)
    assert "value to Black" in nothing.stdout
    assert nothing.stderr.startswith(f"{path}: not written: no exploitability was measured")
    assert refused.stderr.startswith(f"{path}: cannot be written: ")


def test_every_help_ends_with_examples():
    """The examples start with the command itself."""
    for name in dark.commands:
        text = run(name, "--help").stdout

        assert f"Examples:\n  hsearch dark {name}" in text

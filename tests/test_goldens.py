"""Goldens: the recorded output of every command, of GTP and of the board.

A golden is a file in `tests/goldens`. Its unindented lines are written by hand,

    $ COMMAND LINE      for a shell, run in a folder that the whole file shares
    ~ COMMAND LINE      the same if time matters: numbers are masked, and files only named
    ! COMMAND LINE      the same if chance matters: its output is not recorded
    < LINE              its standard input
    ? KIND QUESTION     a question of the board's page, as JSON; "@2.games.0" is of the 2nd answer
    # REMARK

and its indented lines are recorded: standard output after four spaces; after two, a nonzero exit
code, warnings and errors, and the files it wrote. Seconds, paths, versions and random keys are
masked, numbers are rounded to six places, and long texts are cut and hashed.

`pytest tests/test_goldens.py` compares; `pytest tests/test_goldens.py --record` records the
indented lines again. Record only in a commit that means to change the output, and explain why. The
tests import only the command line, the reviews that it prints and, through `board_client`, its
socket.
"""

import contextlib
import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from board_client import client, page
from click.testing import CliRunner
from golden_lines import GOLDENS, entries, parts, recorded
from places import ROOT
from test_readme import DRAWN_BY_GOLDENS, picture_lines, shown_picture
from test_readme_commands import printed

from player.cli import main
from player.study.examine import review_game

FAILED = re.compile(r"  (exit|stderr)\b")
MOST, HEAD = 400, 40  # the most lines of a text, and the lines shown of a longer one
COMPILING = "compiling kernels, kept for later runs ...\n"
DRAWN = {"marks", "state", "guessed"}  # fields of a game that only the page draws
MASKS = (
    (re.compile(r"hsearch \S+, Python \S+, numpy \S+, numba \S+"), "hsearch VERSIONS"),
    (re.compile(r"\b(\d+\.)?\d+ ?(ms|s|seconds?)\b(?! (?:a|per) )"), "SECONDS"),
    (re.compile(r"^Time: .*", re.MULTILINE), "Time: SECONDS"),
    (re.compile(r"^(seconds +)\d\S*$", re.MULTILINE), r"\1SECONDS"),
    (re.compile(r"\d{4}-\d\d-\d\d(T[\d:.+]+)?"), "DATE"),
    (re.compile(r'"(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{16}"'), '"KEY"'),
    (re.compile(r"-?\d+\.\d{7,}(e-?\d+)?"), lambda found: f"{float(found[0]):.6g}"),
)
NUMBERS = re.compile(r"(same|differ), p = \S+|[-+]?(\d[\d.,e+]*|inf)|[ -]{2,}")
# Names of JSON values that are times, random keys, or properties of the machine.
VARYING = {"seconds", "first", "median", "p95", "p99", "best", "per_second", "ratio", "megabytes"}
VARYING |= {"version", "keys"}


def masked(text):
    """Return a text without the parts that vary between runs and machines."""
    text = text.replace(f"{ROOT}/", "").replace(f"{Path.cwd()}/", "")
    for pattern, instead in MASKS:
        text = pattern.sub(instead, text)
    return text


def steady(value):
    """Return a JSON value without the parts that vary between runs."""
    if isinstance(value, dict):
        return {
            name: "VARIES" if name in VARYING and part is not None else steady(part)
            for name, part in value.items()
        }
    return [steady(part) for part in value] if isinstance(value, list) else value


def laid_out(value, indent=""):
    """Return a JSON value as lines, of at most 100 characters if possible."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + len(indent) <= 96 or not isinstance(value, dict | list):
        return flat
    inner, named = indent + " ", isinstance(value, dict)
    parts = [
        (f"{json.dumps(name)}: " if named else "") + laid_out(part, inner)
        for name, part in (value.items() if named else enumerate(value))
    ]
    ends = "{}" if named else "[]"
    return f"{ends[0]}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{ends[1]}"


def told(text, most=MOST, head=HEAD):
    """Return the lines that a golden records of a text; JSON is laid out."""
    lines = []
    for line in text.splitlines():
        laid = line
        if line.startswith(("{", "[")):
            with contextlib.suppress(ValueError):
                laid = laid_out(steady(json.loads(line)))
        lines.extend(masked(laid).splitlines() or [""])
    if len(lines) > most:
        rest = "\n".join(lines[head:])
        digest = hashlib.sha256(rest.encode()).hexdigest()[:16]
        lines[head:] = [f"... {len(lines) - head} lines more, {digest}"]
    return [f"    {line}".rstrip() for line in lines]


def snapshot():
    """Return the content of every file in the current folder."""
    paths = (path for path in Path().rglob("*") if not path.is_symlink())
    return {path.as_posix(): path.read_bytes() for path in sorted(paths) if path.is_file()}


def written(before, after, *, named):
    """Return the lines that a golden records of new files: their names, or their content, too."""
    lines = []
    for name, content in after.items():
        if before.get(name) != content:
            lines.append(f"  wrote {name}")
            text = content.decode(errors="replace")
            if not named and "\0" not in text:  # an archive contains the time
                lines.extend(told(text, 40, 8))
    return lines


class Session:
    """Runs the lines of one golden in the current folder."""

    def __init__(self, asking, program):
        self._asking, self._program = asking, program
        self._answers = []

    def command(self, line, typed, mark):
        """Run a command line; return the lines to record."""
        begin, source, words, output = parts(line)
        for first in (begin, source):
            if first:
                typed += subprocess.run(  # noqa: S603 - our own lines
                    ["sh", "-c", first],  # noqa: S607 - they are for a shell
                    capture_output=True,
                    text=True,
                    check=True,
                ).stdout
        before = snapshot()
        if words[:1] == ["gtp"]:  # GTP runs as a process of its own
            done = subprocess.run(  # noqa: S603 - our own program
                [self._program, *words], input=typed, capture_output=True, text=True, check=False
            )
            code = done.returncode
        else:
            sys.argv[:] = ["hsearch", *words]  # some outputs quote it
            done = CliRunner().invoke(main, words, input=typed, prog_name="hsearch")
            assert isinstance(done.exception, SystemExit | None), done.exception
            code = done.exit_code
        if output:
            Path(output).write_text(done.stdout)
        for name in DRAWN_BY_GOLDENS & {*words}:
            assert words == [*picture_lines()[name], name]
            assert Path(name).read_text() == shown_picture(name).read_text()
        lines = told({"$": done.stdout, "~": NUMBERS.sub("#", done.stdout), "!": ""}[mark])
        if code:
            lines.append(f"  exit {code}")
        if said := done.stderr.replace(COMPILING, ""):
            lines.extend(["  stderr", *told(said)])
        return lines + written(before, snapshot(), named=mark != "$")

    def question(self, kind, text):
        """Send a question as a page does; return the lines to record of its answer."""
        asked = self._filled(json.loads(text or "{}"))
        message = self._asking.hear(self._asking.send(kind, **asked))
        if message["kind"] == "error":
            self._answers.append(None)
            return ["  error", *told(message["message"])]
        self._answers.append(message["answer"])
        return told(json.dumps(message["answer"]))

    def _filled(self, value):
        """Return a question with values of earlier answers, without what only the page draws."""
        if isinstance(value, dict):
            return {name: self._filled(part) for name, part in value.items() if name not in DRAWN}
        if isinstance(value, list):
            return [self._filled(part) for part in value]
        if isinstance(value, str) and re.match(r"@\d", value):
            number, *path = value[1:].split(".")
            value = self._answers[int(number) - 1]
            for name in path:
                value = value[int(name) if isinstance(value, list) else name]
            return self._filled(value)
        return value


def run(text, program):
    """Return the golden as recorded now."""
    with client() as browser, page(browser) as asking:
        session, lines = Session(asking, program), []
        for line, *typed in entries(text):
            lines.extend(
                ([""] if lines and not lines[-1].startswith("# ") else []) + [line, *typed]
            )
            if line.startswith(("$ ", "~ ", "! ")):
                source = "".join(f"{each[2:]}\n" for each in typed)
                lines.extend(session.command(line[2:], source, line[0]))
            elif line.startswith("? "):
                kind, _, asked = line[2:].partition(" ")
                lines.extend(session.question(kind, asked))
    return "\n".join(lines) + "\n"


def remembering(review_game):
    """Return the function that reviews a game, which remembers what it was asked."""
    known = {}

    def reviewed(game, effort, *, on_progress, **options):
        key = game, effort, tuple(options.items())
        if key not in known:
            known[key] = review_game(game, effort, on_progress=on_progress, **options)
        on_progress(0)
        return known[key]

    return reviewed


@pytest.mark.slow
@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.stem)
def test_output_equals_the_golden(golden, tmp_path, monkeypatch, request, program):
    """The output equals the golden, or is recorded again with `--record`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["hsearch"])
    # Searches with a count end by the count, even on a machine 20 times as slow.
    monkeypatch.setattr("player.answers.analysis.SLOW", 1_000)
    # Several lines show the review of one game, which depends on nothing else.
    monkeypatch.setattr("player.cli.review.review_game", remembering(review_game))
    Path("positions").mkdir()
    for path in (ROOT / "positions").iterdir():
        if path.name != "openings":  # a command writes there
            (Path("positions") / path.name).symlink_to(path)
    shutil.copytree(ROOT / "positions/openings", "positions/openings")
    expected = golden.read_text()
    now = run(expected, program)
    if request.config.getoption("--record"):
        golden.write_text(now)
    assert now.splitlines() == golden.read_text().splitlines()


def test_every_line_of_the_documents_has_a_golden():
    """Every command line of the documents is in a golden, ends with 0, and warns of nothing.

    Except those that take minutes, need torch or serve, and those that run examples of the
    documents, whose results hold times: `test_readme_commands.py` runs them, or gives the reason.
    """
    known = recorded()
    lines = [
        each.values[0]
        for each in printed()
        if not each.marks and "docs/examples" not in each.values[0]
    ]

    assert [line for line in lines if line not in known] == []
    assert [line for line in lines if any(map(FAILED.match, known[line]))] == []

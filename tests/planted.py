r"""Plant the faults of `tests/README.md`, one at a time, and check that their tests catch them.

    python tests/planted.py                 all faults, which takes hours
    python tests/planted.py SGF "AND rule"  those with a WORD in their section, property or fault
    python tests/planted.py --jobs 2 SGF    two faults at a time, each in a copy of the project
    python tests/planted.py --check         none; list faults that no longer fit, and rows without

A file of `tests/planted` holds the faults of a section of the README. An unindented line names a
property and its fault, as in a row of the README, or the reason why a row has none:

    SGF escapes round trip: backslash not escaped
        hsearch/formats/sgf_tree.py
        -    return text.replace("\\", "\\\\")
        +    return text
        by test_escaped_text_is_read_back
    ! swap parity: the tests themselves plant it

Below it are the files to change, each followed by the lines to remove, which must occur exactly
once, and the lines to insert; then the tests that must fail, by name, with the module if several
have that name: `test_formats_sgf::test_escaped_text_is_read_back`. After `hangs`, a timeout counts
as a failure, too; a crash always does. Each fault gets a copy of the project, in which the tests
run.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests/planted"
PATIENCE = {False: 1200.0, True: 200.0}  # seconds, without and with `hangs`
COPIED = ("hsearch", "player", "tests", "positions", "docs", "pyproject.toml", "README.md")


@dataclass
class Change:
    """A change of a file: the text to remove, and the text to insert."""

    path: str
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)

    def applied(self, text: str) -> str:
        """Return the changed text; if there is no old text, append the new text.

        Raise ValueError unless the old text occurs exactly once.
        """
        lines, length = text.splitlines(), len(self.old)
        if not length:
            return "\n".join([*lines, *self.new, ""])
        starts = [at for at in range(len(lines)) if lines[at : at + length] == self.old]
        if len(starts) != 1:
            raise ValueError(f"{self.path} has {len(starts)} times: {self.old}")
        lines[starts[0] : starts[0] + length] = self.new
        return "\n".join([*lines, ""])


@dataclass
class Fault:
    """A fault of a property, or the reason why there is none.

    where    the file and line that describe it
    section  the section of the README, named at the top of that file
    tests    names of the tests that must fail
    hangs    whether these tests may hang
    lacking  why it cannot be planted; empty if it can
    """

    where: str
    section: str
    name: str
    changes: list[Change] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    hangs: bool = False
    lacking: str = ""

    @property
    def words(self) -> str:
        """The text that the words of the command line are matched against."""
        return f"{self.where} {self.section} {self.name}"

    def is_of(self, property_: str) -> bool:
        """Return whether this is a fault of a property."""
        return self.name.startswith(f"{property_}: ")

    def plant(self, root: Path) -> None:
        """Change the files below a folder. Raise ValueError if the code does not fit."""
        for change in self.changes:
            path = root / change.path
            path.write_text(change.applied(path.read_text()))


def faults() -> Iterator[Fault]:
    """Yield all faults in the order of their files."""
    for path in sorted(FOLDER.glob("*.txt")):
        yield from read(path)


def read(path: Path) -> list[Fault]:
    """Return the faults in a file."""
    result: list[Fault] = []
    lines = path.read_text().splitlines()
    section = lines[0].removeprefix("# ")
    for number, line in enumerate(lines, 1):
        where = f"{path.name}:{number}"
        word, _, rest = line.strip().partition(" ")
        if not line or line.startswith("#"):
            continue
        if not line.startswith(" "):
            lacking = line.rpartition(": ")[2] if word == "!" else ""
            result.append(Fault(where, section, line.removeprefix("! "), lacking=lacking))
        elif line[4] in "+-":
            change = result[-1].changes[-1]
            (change.old if line[4] == "-" else change.new).append(line[5:])
        elif word in {"by", "hangs"}:
            result[-1].tests += rest.split()
            result[-1].hangs = word == "hangs"
        else:
            result[-1].changes.append(Change(word))
    return result


def rows() -> Iterator[tuple[str, str]]:
    """Yield the section and the property of each row of the README's tables of faults."""
    section = ""
    for line in (ROOT / "tests/README.md").read_text().splitlines():
        if line.startswith("### "):
            section = line.removeprefix("### ")
        row = re.fullmatch(r"\| (.+?) \| (.+?) \| (.+) \|", line)
        if row and section and row[1] not in {"property", "forged"}:
            yield section, row[1]


@cache
def places() -> dict[str, list[Path]]:
    """Return the files that contain each test, by the name of the test."""
    result: dict[str, list[Path]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for name in re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE):
            result.setdefault(name, []).append(path)
    return result


def caught(fault: Fault, folder: Path) -> str:
    """Run the tests of a fault that was planted; return what went wrong, or nothing if caught."""
    environment = {"HSEARCH_PATIENCE": "60000"} | os.environ  # milliseconds: tests are to fail
    environment |= {"PYTHONPATH": str(folder), "HYPOTHESIS_PROFILE": "ci"}
    for test in fault.tests:
        file, _, name = test.rpartition("::")
        paths = [path for path in places()[name] if file in {"", path.stem}]
        ids = [f"{path.relative_to(ROOT)}::{name}" for path in paths]
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", *ids]
        try:
            done = subprocess.run(  # noqa: S603 - our own tests
                [*command, "-p", "no:cacheprovider"],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                errors="replace",  # a test may print invalid text
                timeout=PATIENCE[fault.hangs],
                check=False,
            )
        except subprocess.TimeoutExpired:
            if fault.hangs:
                continue
            return f"{test} does not end"
        if done.returncode >= 0 and done.returncode != 1:  # below 0: a crash
            lines = (done.stdout + done.stderr).strip().splitlines()
            return f"{test}: {lines[-1] if lines else done.returncode}"
    return ""


def copied(folder: Path) -> None:
    """Copy the project to a folder."""
    ignored = shutil.ignore_patterns("__pycache__", ".*")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        else:
            shutil.copy2(ROOT / name, folder / name)


@contextmanager
def planted(fault: Fault, folder: Path) -> Iterator[None]:
    """Plant a fault in a copy of the project, and remove it at the end.

    Python takes a file of the same size and second for unchanged, so what it compiled goes as well.
    """
    try:
        fault.plant(folder)
        yield
    finally:
        for path in (folder / change.path for change in fault.changes):
            shutil.copy2(ROOT / path.relative_to(folder), path)
            for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
                compiled.unlink()


def checked() -> int:
    """List faults that do not fit the code, and rows without faults; return 1 if a fault fails."""
    every, wrong = list(faults()), 0
    for fault in every:
        for change in fault.changes:
            try:
                change.applied((ROOT / change.path).read_text())
            except (OSError, ValueError) as error:
                wrong += 1
                sys.stdout.write(f"{fault.where}: {fault.name}: {error}\n")
    bare = [row for row in rows() if not any(fault.is_of(row[1]) for fault in every)]
    for section, property_ in bare:
        sys.stdout.write(f"no fault yet: {section}: {property_}\n")
    sys.stdout.write(f"{len(every)} faults, {wrong} do not fit; {len(bare)} rows have none.\n")
    return 1 if wrong else 0


def main() -> int:
    """Plant the requested faults; return 1 if one is missed.

    The tests of some are skipped, such as those that need torch where it is not installed.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("words", nargs="*")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.check:
        return checked()
    chosen = [
        fault
        for fault in faults()
        if not fault.lacking
        and (not options.words or any(word in fault.words for word in options.words))
    ]

    copies = SimpleQueue[Path]()

    def tried(fault: Fault) -> str:
        folder = copies.get()
        try:
            with planted(fault, folder):
                return caught(fault, folder)
        finally:
            copies.put(folder)

    verdicts = Counter[str]()
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(options.jobs) as pool:
        for number in range(options.jobs):
            copied(Path(place, str(number)))
            copies.put(Path(place, str(number)))
        for fault, wrong in zip(chosen, pool.map(tried, chosen), strict=True):
            verdict = "caught"
            if wrong:
                verdict = "SKIPPED" if re.search(r": \d+ skipped in ", wrong) else "MISSED"
            verdicts[verdict] += 1
            sys.stdout.write(f"{fault.where}: {fault.name}: {verdict}{': ' * bool(wrong)}{wrong}\n")
            sys.stdout.flush()
    lacking = f"; the tests of {verdicts['SKIPPED']} are skipped here" * bool(verdicts["SKIPPED"])
    sys.stdout.write(f"{verdicts['caught']} of {len(chosen)} faults are caught{lacking}.\n")
    return 1 if verdicts["MISSED"] else 0


if __name__ == "__main__":
    sys.exit(main())

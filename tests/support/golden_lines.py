"""The lines of goldens: what stands in a golden, and how it takes a command line apart."""

import glob
import re
import shlex
from functools import cache

from places import ROOT

GOLDENS = sorted((ROOT / "tests/goldens").glob("*.txt"))
LINE = re.compile(r"(?:(mkdir .*?) && )?(?:(.*?) \| )?hsearch ?(.*?)(?: 2?>&?\d? ?(\S+))?")


def parts(line):
    """Return what a shell does first, what it pipes in, the words of the command, and its file."""
    begin, source, arguments, output = LINE.fullmatch(line).groups()
    words = []
    for word in shlex.split(arguments):
        words.extend(sorted(glob.glob(word)) or [word])  # noqa: PTH207 - as typed
    return begin, source, words, output


def entries(text):
    """Return the lines that were written by hand, each command with those of its input."""
    found = []
    for line in text.splitlines():
        if line.startswith("< "):
            found[-1].append(line)
        elif line and not line.startswith(" "):
            found.append([line])
    return found


@cache
def recorded():
    """Return what the goldens have of each command line: its output, its exit code, its errors."""
    found = {}
    for golden in GOLDENS:
        for line in golden.read_text().splitlines():
            if line and not line.startswith((" ", "<")):
                lines = found[line[2:]] = []
            elif line.startswith(" "):
                lines.append(line)
    return found

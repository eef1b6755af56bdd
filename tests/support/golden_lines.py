"""The lines of goldens: their format, and the parts of a command line."""

import glob
import re
import shlex
from functools import cache

from places import ROOT

GOLDENS = sorted((ROOT / "tests/goldens").glob("*.txt"))
LINE = re.compile(r"(?:(mkdir .*?) && )?(?:(.*?) \| )?hsearch ?(.*?)(?: 2?>&?\d? ?(\S+))?")


def parts(line):
    """Return a line's shell prefix, its piped input, the command's words, and its output file."""
    begin, source, arguments, output = LINE.fullmatch(line).groups()
    words = []
    for word in shlex.split(arguments):
        words.extend(sorted(glob.glob(word)) or [word])  # noqa: PTH207 - as typed
    return begin, source, words, output


def entries(text):
    """Return the handwritten lines, each command with its input lines."""
    found = []
    for line in text.splitlines():
        if line.startswith("< "):
            found[-1].append(line)
        elif line and not line.startswith(" "):
            found.append([line])
    return found


@cache
def recorded():
    """Return what the goldens record for each command line: output, exit code and errors."""
    found = {}
    for golden in GOLDENS:
        for line in golden.read_text().splitlines():
            if line and not line.startswith((" ", "<")):
                lines = found[line[2:]] = []
            elif line.startswith(" "):
                lines.append(line)
    return found

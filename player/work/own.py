"""Code of users, by name: `FILE.py:NAME` is what a Python file calls NAME.

The name goes wherever the name of a player goes: into rows of a tournament, and to
other processes, each of which runs the file once. A file is run as a command is:
name only files that you trust.
"""

import runpy
from functools import cache
from pathlib import Path
from typing import Any


def is_own(text: str) -> bool:
    """Return whether a text has the form `FILE.py:NAME`."""
    file, colon, name = text.rpartition(":")
    return bool(colon) and file.endswith(".py") and name.isidentifier()


def own(text: str) -> Any:
    """Return the function or the class that a file calls by a name.

    Raise ValueError when the file cannot be run or has no such name.
    """
    file, _, name = text.rpartition(":")
    names = {n: value for n, value in _run(file).items() if callable(value) and n[0] != "_"}
    if name not in names:
        known = ", ".join(sorted(names)) or "nothing"
        raise ValueError(f"{file} has no function {name!r} (it has: {known})")
    return names[name]


@cache
def _run(file: str) -> dict[str, Any]:
    try:
        is_there = Path(file).is_file()
    except OSError as error:  # in a folder that may not be searched, say
        raise ValueError(f"{file}: {error.strerror}") from error
    if not is_there:
        raise ValueError(f"{file}: no such file")
    try:
        return runpy.run_path(file)
    except (Exception, SystemExit) as error:  # of a script without `if __name__ == ...`, say
        raise ValueError(f"{file}: {type(error).__name__}: {error}") from error

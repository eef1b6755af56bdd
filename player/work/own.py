"""Users' own code by name: `FILE.py:NAME` is the function or class NAME in a Python file.

Results store this text like any player's name, and other processes receive it. Each process
runs the file once, with all rights of the user: name only files that you trust.
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
    """Return the function or class that `FILE.py:NAME` names.

    Raise ValueError when the file cannot be run or has no such name.
    """
    file, _, name = text.rpartition(":")
    names = {n: value for n, value in _run(file).items() if callable(value) and n[0] != "_"}
    if name not in names:
        choices = ", ".join(sorted(names)) or "nothing"
        raise ValueError(f"{file} has no function {name!r} (it has: {choices})")
    return names[name]


@cache
def _run(file: str) -> dict[str, Any]:
    try:
        is_there = Path(file).is_file()
    except OSError as error:  # for example, the folder is not readable
        raise ValueError(f"{file}: {error.strerror}") from error
    if not is_there:
        raise ValueError(f"{file}: no such file")
    try:
        return runpy.run_path(file)
    except (Exception, SystemExit) as error:  # for example, a script without a `__main__` guard
        raise ValueError(f"{file}: {type(error).__name__}: {error}") from error

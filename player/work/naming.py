"""How a text names a player, a variant or a user's own code.

`NAME:OPTION=VALUE,...` names a player or a variant with its options; `FILE.py:NAME` is the
function or class NAME in a Python file. Results store such texts, and other processes receive
them.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

# Options in a text.

T = TypeVar("T")
OptionReaders = dict[str, Callable[[str], Any]]
# The options of a kind of player, and what makes one from its text and their values.
PlayerKind: TypeAlias = tuple[OptionReaders, Callable[[str, dict[str, Any]], T]]


SAME = {"ordering": "order"}  # an alias, and its option; errors list only the option


class SpecError(ValueError):
    """An unknown player, variant or option, or a bad value."""


class FileError(SpecError):
    """An unusable file in an option."""


def read_options(spec: str, readers: OptionReaders) -> dict[str, Any]:
    """Return the options in a text; `readers` maps each name to a reader of its value.

    Raise SpecError at an unknown option, listing the known ones, or at a bad value. Raise
    FileError at an unusable file.
    """
    name, _, rest = spec.partition(":")
    options: dict[str, Any] = {}
    for item in filter(None, rest.split(",")):
        option, equals, value = item.partition("=")
        if option not in readers:
            words = ", ".join(each for each in readers if SAME.get(each) not in readers) or "none"
            raise SpecError(f"unknown option {option!r} of {name} (known: {words})")
        try:
            options[option] = readers[option](value)
        except ValueError as error:
            text = f"{item!r} in {spec!r}: {error}" if equals else f"no value in {item!r}"
            raise (FileError if isinstance(error, FileError) else SpecError)(text) from None
    return options


def read_count(text: str, digits: int = 6) -> int:
    """Return a whole number from 1 on; raise ValueError at other text or more digits."""
    if not re.fullmatch(rf"[0-9]{{1,{digits}}}", text) or int(text) == 0:
        raise ValueError(f"not a whole number from 1 to {'9' * digits}")
    return int(text)


def read_number(text: str, digits: int = 6) -> int:
    """Return a whole number from 0 on; raise ValueError at other text or more digits."""
    if not re.fullmatch(rf"[0-9]{{1,{digits}}}", text):
        raise ValueError(f"not a whole number from 0 to {'9' * digits}")
    return int(text)


def read_one_of(what: str, choices: Iterable[str]) -> Callable[[str], str]:
    """Return a reader of the known words; at another it raises ValueError, listing them."""
    words = [str(word) for word in choices]

    def read(text: str) -> str:
        if text not in words:
            raise ValueError(f"unknown {what} (known: {', '.join(words)})")
        return text

    return read


def read_yes(text: str) -> bool:
    """Return whether a text is `yes`; raise ValueError unless it is `yes` or `no`."""
    if text not in {"yes", "no"}:
        raise ValueError("neither yes nor no")
    return text == "yes"


def read_decimal(text: str) -> float:
    """Return a number from 0 on with at most four decimals; raise ValueError at other text."""
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4})?", text):
        raise ValueError("not a number from 0 to 9999, with at most four decimals")
    return float(text)


def read_seconds(text: str) -> float:
    """Return a time in seconds; raise ValueError at other text or less than 0.01."""
    seconds = read_decimal(text)
    if seconds < 0.01:
        raise ValueError("not a time of 0.01 seconds or more")
    return seconds


# Users' own code. Each process runs the file once, with all rights of the user: name only files
# that you trust.


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
    import runpy  # noqa: PLC0415 - every command loads this module, and few run a file

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

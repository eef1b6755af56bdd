"""Options in a text such as `hexy:depth=3,M=20`, for players and for variants."""

import re
from collections.abc import Callable
from typing import Any

Options = dict[str, Callable[[str], Any]]
Kind = tuple[Options, Callable[[str, dict[str, Any]], Any]]  # and what makes a player of them


SAME = {"ordering": "order"}  # a name, and another of the same option: errors list that alone


class SpecError(ValueError):
    """A player or a variant that nobody knows, or an option that it does not have."""


class FileError(SpecError):
    """A file that an option names and that cannot be used."""


def read_options(spec: str, known: Options) -> dict[str, Any]:
    """Return the options of a text; `known` has what reads each value.

    Raise SpecError, listing what is known, when an option or a value is not, and FileError for
    a file that cannot be used.
    """
    name, _, rest = spec.partition(":")
    options: dict[str, Any] = {}
    for item in filter(None, rest.split(",")):
        option, equals, value = item.partition("=")
        if option not in known:
            words = ", ".join(each for each in known if SAME.get(each) not in known) or "none"
            raise SpecError(f"unknown option {option!r} of {name} (known: {words})")
        try:
            options[option] = known[option](value)
        except ValueError as error:
            text = f"{item!r} in {spec!r}: {error}" if equals else f"no value in {item!r}"
            raise (FileError if isinstance(error, FileError) else SpecError)(text) from None
    return options


def read_count(text: str, digits: int = 6) -> int:
    """Return a number from 1 on. Raise ValueError when it is none, or has more digits."""
    if not re.fullmatch(rf"[0-9]{{1,{digits}}}", text) or int(text) == 0:
        raise ValueError("not a number from 1 on")
    return int(text)


def read_number(text: str, digits: int = 6) -> int:
    """Return a number from 0 on. Raise ValueError when it is none, or has more digits."""
    if not re.fullmatch(rf"[0-9]{{1,{digits}}}", text):
        raise ValueError("not a number from 0 on")
    return int(text)


def read_yes(text: str) -> bool:
    """Return whether a text says yes. Raise ValueError when it says neither that nor no."""
    if text not in {"yes", "no"}:
        raise ValueError("neither yes nor no")
    return text == "yes"


def read_decimal(text: str) -> float:
    """Return a number from 0 on that may have four digits behind the point, else ValueError."""
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4})?", text):
        raise ValueError("not a number from 0 on")
    return float(text)


def read_seconds(text: str) -> float:
    """Return a time. Raise ValueError when it is none, or less than a hundredth of a second."""
    seconds = read_decimal(text)
    if seconds < 0.01:
        raise ValueError("not a time of 0.01 seconds or more")
    return seconds

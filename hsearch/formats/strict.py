"""Standard JSON, without NaN and infinity, read into types with errors that name the place."""

import json
import math
import re
from threading import Lock
from typing import Annotated, Any, TypeVar

import msgspec

from hsearch.formats.error import error_at, quote

T = TypeVar("T")

LONGEST_NUMBER = 1000  # digits of a whole number; Python reads 4300

# A whole number from 0 up that fits in a machine word.
Count = Annotated[int, msgspec.Meta(ge=0, lt=1 << 62)]
# A time or another amount, from 0 up; never infinite.
Amount = Annotated[float, msgspec.Meta(ge=0)]
# Colors, a letter each.
Letters = Annotated[str, msgspec.Meta(pattern="^[bw]*$")]


def write(thing: Any, *, ensure_ascii: bool = True, indent: int | None = None) -> str:
    """Return a value as JSON text, on one line unless it is indented.

    Raise ValueError for a number that JSON does not have.
    """
    return json.dumps(thing, allow_nan=False, ensure_ascii=ensure_ascii, indent=indent)


def read(text: bytes | str, kind: type[T]) -> T:
    """Return the value of a JSON text as a type, given by dataclasses and annotations.

    Raise ValueError, naming the field and what is expected there.
    """
    _prepare(kind)
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        raise ValueError(_locate(str(error))) from None
    except msgspec.DecodeError as error:
        raise ValueError(f"not JSON: {str(error).removeprefix('JSON is malformed: ')}") from None
    except RecursionError:
        raise ValueError("not JSON of this program: nested too deep") from None


def decode(text: str, start: int) -> tuple[Any, int]:
    """Return the value that begins at an offset of a text, and where it ends.

    Raise FormatError, with line and column, if there is none.
    """
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        raise error_at(text, error.pos, message, text[error.pos : error.pos + 1]) from None
    except RecursionError:
        raise error_at(text, start, "JSON nested too deep") from None
    except ValueError as error:
        raise error_at(text, start, str(error)) from None


def _refuse(word: str) -> None:
    raise ValueError(f"not JSON: {word}")


def _finite(word: str) -> float:
    number = float(word)
    if math.isinf(number):
        raise ValueError(f"number out of range: {quote(word)}")
    return number


def _whole(word: str) -> int:
    if len(word) > LONGEST_NUMBER:
        raise ValueError(f"number out of range: {quote(word)}")
    return int(word)


_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite, parse_int=_whole)


def convert(thing: Any, kind: type[T]) -> T:
    """Return a value decoded from JSON as a type. Raise ValueError as `read` does."""
    _prepare(kind)
    try:
        return msgspec.convert(thing, kind)
    except msgspec.ValidationError as error:
        raise ValueError(_locate(str(error))) from None


_kinds: set[Any] = set()
_preparing = Lock()


def _prepare(kind: Any) -> None:
    """Let msgspec analyze a type in one thread at a time: two at once crash the process."""
    if kind not in _kinds:
        with _preparing:
            msgspec.json.Decoder(kind)
            _kinds.add(kind)


def _locate(message: str) -> str:
    """Return the message about a wrong value with the field first."""
    what, _, place = message.replace("`", "").partition(" - at $")
    what = f"{what[0].lower()}{what[1:]}"
    return re.sub(r"^: ", "", f"{place.lstrip('.')}: {what}")

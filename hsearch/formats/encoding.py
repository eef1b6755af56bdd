"""Bytes to text, with a word about doubts."""

import codecs
import re

from hsearch.formats.error import FormatError

MAX_LENGTH = 1_000_000  # a bound for the time that a hostile text takes, as for memory

# Only codecs that take linear time and that somebody writes game records in.
_CODECS = re.compile(
    r"utf-8|ascii|utf-16|cp125\d|cp9\d\d|iso8859-\d+|koi8-[ru]|shift_jis|euc_(jp|kr)|gb\w+|big5|hz"
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UNPRINTED = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


def decode(data: str | bytes) -> tuple[str, tuple[str, ...]]:
    r"""Return a text with `\n` line ends, and warnings about how it was decoded.

    A byte order mark decides, else what an SGF file says of itself, else
    UTF-8 is tried before Latin-1. Raise FormatError for what is no text.
    """
    if len(data) > MAX_LENGTH:
        raise FormatError(f"too long: {len(data)} characters, at most {MAX_LENGTH}")
    text, warnings = (data, ()) if isinstance(data, str) else _decode(data)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    binary = _UNPRINTED.search(text)
    if binary is not None:
        raise FormatError(
            f"not a text: character {binary[0]!r}", offset=binary.start(), token=binary[0]
        )
    if not text.strip():
        raise FormatError("nothing there: the text is empty")
    return text, warnings


def _decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(codec, errors="replace"), ()
    said = _said(data)
    try:
        return data.decode(said or "utf-8"), ()
    except UnicodeDecodeError as error:
        place = f"byte {error.start} is not {error.encoding}"
        return data.decode("latin-1"), (f"{place}: read as Latin-1",)


def _said(data: bytes) -> str | None:
    """Return the codec that an SGF file names, if it is one that we trust."""
    start = data.find(b"(;", 0, 4096)
    match = re.compile(rb"CA\s*\[\s*([\w.:-]{1,40})\s*\]").search(data, start, start + 4096)
    if start < 0 or match is None:
        return None
    try:
        name = codecs.lookup(match[1].decode("ascii")).name
    except (LookupError, UnicodeDecodeError):
        return None
    return name if _CODECS.fullmatch(name) else None

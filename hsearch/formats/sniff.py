"""Which format a text is in, by what it looks like."""

import re

from hsearch.formats import diagram, moves

FORMATS = ("diagram", "sgf", "hexworld", "trmph", "hexboard", "moves", "suite")

_SGF = re.compile(r"\(\s*+;|\A\s*+\(\s*+[A-Z]{1,2}\[")
_HEXWORLD = re.compile(
    r"hexworld\.org"
    r"|\A\s*+(?:#[0-9]*+|[0-9]++)(?:x[0-9]++)?[a-z0-9]*+,"
    r"|\A\s*+#(?:[0-9]++(?:x[0-9]++)?[rmnc0-9]*+)?\s*+\Z"
)
_TRMPH = re.compile(r"trmph\.com/hex/board\b", re.IGNORECASE)
_HEXBOARD = re.compile(r"\A(?:[^(<]|\((?!\s*+;)|<(?!hexboard))*+<hexboard\b", re.IGNORECASE)
_OLD_HEXBOARD = re.compile(r"\A\s*+<hex>", re.IGNORECASE)
_SIX = re.compile(r"^\s*+BoardSize:", re.MULTILINE)
_SUITE = re.compile(r"\A(?:#[^\n]*+\n|\s)*+id[ \t]")
_JSON = re.compile(r"\A\s*+[{\[]")
_PAGE = re.compile(r"\s*+(?:https?://|www\.)\S++\s*+", re.IGNORECASE)
_FIRST_ROW = re.compile(r"\s*+1[\s\\]")
_CELL = re.compile(r"[A-Za-z][0-9]")
_FILE_NAME = re.compile(
    r"\s*+(?=\S)[^\n]{1,500}\.(?:sgf|hsgf|txt|six|json|md|hex|html?)\s*+", re.IGNORECASE
)


def sniff(text: str) -> str:
    """Return the format of a text: one of `FORMATS`, or `six`, `hex` or `json`, which nobody reads.

    A text that looks like nothing in particular is taken for a move list.
    """
    for pattern, name in (
        (_SUITE, "suite"),
        (_HEXBOARD, "hexboard"),
        (_OLD_HEXBOARD, "hex"),
        (_SGF, "sgf"),
        (_HEXWORLD, "hexworld"),
        (_TRMPH, "trmph"),
        (_SIX, "six"),
        (_JSON, "json"),
    ):
        if pattern.search(text):
            return name
    return "diagram" if _is_diagram(text) else "moves"


def holds_game(text: str) -> bool:
    """Return whether a text is meant as a game and is no file's name: a link, a tag, SGF, or moves.

    A slip among moves leaves them moves: who reads them says which it is.
    """
    if (
        sniff(text) in {"sgf", "hexworld", "trmph", "hexboard"}
        or is_page(text)
        or moves.is_list(text)
    ):
        return True
    return moves.is_nearly_list(text) and not is_file_name(text)


def is_file_name(text: str) -> bool:
    """Return whether a text looks like the name of a file with a game, not like a game."""
    return _FILE_NAME.fullmatch(text) is not None


def is_page(text: str) -> bool:
    """Return whether a text is one address, of a page that holds no game in itself."""
    return _PAGE.fullmatch(text) is not None and sniff(text) in {"moves", "diagram"}


def _is_diagram(text: str) -> bool:
    """Return whether a text has no cell names, and is cells only or has empty ones.

    Below a board that letters and numbers surround, anything may stand.
    """
    lines = [line for line in text.split("\n") if line.strip() and not diagram.is_hash(line)]
    if len(lines) > 1 and diagram.is_label_line(lines[0]) and _FIRST_ROW.match(lines[1]):
        return True
    if any(_CELL.search(line) for line in lines):
        return False
    kept = "".join(line for line in lines if not diagram.is_label_line(line))
    cells = re.sub(r"[\s\\0-9]", "", kept)
    return bool(cells) and (
        any(symbol in cells for symbol in diagram.EMPTY) or not set(cells) - set(diagram.SYMBOLS)
    )

"""Any text to its game and back: `read`, `read_all`, `load` and `write`."""

import codecs
import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from hsearch.formats import diagram, hexboard, hexworld, json_games, large, moves, sgf, suite, trmph
from hsearch.formats.error import FormatError, expect_text, quote
from hsearch.hex import Board, Color, Game, Position, Special, winner
from hsearch.hex.board import read_size
from hsearch.hex.face import expect, guide
from hsearch.hex.move import outcome
from hsearch.hex.position import first_win
from hsearch.hex.tree import SEALED, follow

# Bounds the time and memory that a hostile text takes; of a text of many games, for each game.
MAX_LENGTH = 1_000_000

# Codecs that take linear time and are used for game records. None has units of two bytes: the
# name was found as single bytes, so a file that names UTF-16 is no longer encoded in it.
_CODECS = re.compile(
    r"utf-8|ascii|cp125\d|cp9\d\d|iso8859-\d+|koi8-[ru]|shift_jis|euc_(jp|kr)|gb\w+|big5|hz"
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NOTHING = "nothing there: the text is empty"


def decode(data: str | bytes) -> tuple[str, tuple[str, ...]]:
    r"""Return a text with `\n` line ends, and warnings about how it was decoded.

    A byte order mark decides, else the CA property of an SGF file, else
    UTF-8 is tried before Latin-1. Raise FormatError for anything that is not text.
    """
    if len(data) > MAX_LENGTH:
        raise FormatError(f"too long: {len(data):,} characters, at most {MAX_LENGTH:,}")
    text, warnings = (data, ()) if isinstance(data, str) else _decode(data)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    expect_text(text)
    if not text.strip():
        raise FormatError(_NOTHING)
    return text, warnings


def _decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(codec, errors="replace"), ()
    encoding = _find_codec(data)
    try:
        return data.decode(encoding or "utf-8"), ()
    except UnicodeDecodeError as error:
        place = f"byte {error.start} is not {error.encoding}"
        return data.decode("latin-1"), (f"{place}: read as Latin-1",)


def _find_codec(data: bytes) -> str | None:
    """Return the codec that an SGF file names, if it is one of `_CODECS`."""
    start = data.find(b"(;", 0, 4096)
    match = re.compile(rb"CA\s*\[\s*([\w.:-]{1,40})\s*\]").search(data, start, start + 4096)
    if start < 0 or match is None:
        return None
    try:
        name = codecs.lookup(match[1].decode("ascii")).name
    except (LookupError, UnicodeDecodeError):
        return None
    return name if _CODECS.fullmatch(name) else None


# Recognizing the format of a text.

# What else a new format needs is listed in `docs/explanation/architecture.md`.
FORMATS = ("diagram", "sgf", "hexworld", "trmph", "hexboard", "moves", "suite", "json")

_SGF = re.compile(r"\(\s*+;|\A\s*+\(\s*+[A-Z]{1,2}\[")
_HEXWORLD = re.compile(
    # In capitals it may be the name of the site in a sentence, unless a position follows.
    r"hexworld\.org|(?i:hexworld\.org)(?:/[\w/.?=&-]*+)?#"
    r"|\A\s*+(?:#[0-9]*+|[0-9]++)(?:x[0-9]++)?[a-z0-9]*+,"
    r"|\A\s*+#(?:[0-9]++(?:x[0-9]++)?[rmnc0-9]*+)?\s*+\Z"
)
# The page of `hsearch board` has such links, on a host of its own.
_OWN_PAGE = re.compile(
    r"\A\s*+https?://[^\s/?#]++/?(?:\?[^\s#]*+)?#[0-9]++(?:x[0-9]++)?[rmnc0-9]*+(?:,\S*+)?\s*+\Z"
)
_TRMPH = re.compile(r"trmph\.com/hex/board\b", re.IGNORECASE)
_HEXBOARD = re.compile(r"\A(?:[^(<]|\((?!\s*+;)|<(?!hexboard))*+<hexboard\b", re.IGNORECASE)
_OLD_HEXBOARD = re.compile(r"\A\s*+<hex>", re.IGNORECASE)
_SIX = re.compile(r"^[^\S\n]*+BoardSize:", re.MULTILINE)
# Comments alone are a suite without positions, as written for games without puzzles.
_SUITE = re.compile(r"\A(?:#[^\n]*+\n|\s)*+id[ \t]|\A\s*+(?:#(?!\S)[^\n]*+\s*+)++\Z")
_RECORD = re.compile(r'\A\s*+(?:\[\s*+)?+\{\s*+"')  # tried first: its names may look like anything
# `[Event` begins a tag of other games, `[14:02` a line of a chat.
_JSON = re.compile(rf"\A\s*+(?:\{{|\[(?!\s*+[A-Za-z]|{moves.TIME}))")
_NUMBERED = re.compile(  # moves
    r"\A\s*+1,\s*+(?:\"?(?:black|white|red|blue|[bwr])\"?[,\s:]\s*+)?+"
    r"(?!a1(?:\s*+\Z|:))\"?[a-z]{1,2}[0-9]",
    re.IGNORECASE,
)
_WORDS = re.compile(  # moves as a list of Python or JSON
    r"""\s*+(?:\w++\s*+=\s*+)?+[\[(]\s*+(?:(["'])[a-z][a-z0-9-]{1,11}\1\s*+,?+\s*+)++[\])]\s*+""",
    re.IGNORECASE,
)
_WIKI = re.compile(r"\A\s*+\{\{")
_COMMENTED = re.compile(r"\A\s*+(?:\{[^{}]++\}\s*+)++(?:1[.)]\s*+)?[A-Za-z][0-9]")  # moves
_PAGE = re.compile(r"\s*+(?:https?://|www\.)\S++\s*+", re.IGNORECASE)
_FIRST_ROW = re.compile(r"\s*+1[\s\\]")
_CELL = re.compile(r"[A-Za-z][0-9]")
_LETTERS = re.compile(rf"[^\W\d_{''.join(filter(str.isalpha, diagram.STONES))}]++")  # no stones
_FIELD = re.compile(r'(?:(?<=[,;\t\n])|(?<=[,;] )|\A)"([^"\n,;\t]*+)"(?=[,;\t\n]|\Z)')
_WIDE = re.compile(r"[\u3000\uff01-\uff5e]")  # letters, digits and blanks of East Asian width
ENDINGS = (".csv", ".hsgf", ".json", ".jsonl", ".sgf", ".tsv", ".txt")  # of files with games
_OTHERS = (".six", ".hex", ".md", ".html", ".htm")  # of files that people take for some
_FILE_NAME = re.compile(
    rf"\s*+(?=\S)[^\n]{{1,500}}(?:{'|'.join(map(re.escape, ENDINGS + _OTHERS))})\s*+",
    re.IGNORECASE,
)


def sniff(text: str) -> str:
    """Return the format of a text: one of `FORMATS`, or a key of `_UNREAD`, which cannot be read.

    A text that matches no pattern is taken for a move list.
    """
    for pattern, name in (
        (_RECORD, "json"),
        (_SUITE, "suite"),
        (_HEXBOARD, "hexboard"),
        (_OLD_HEXBOARD, "hex"),
        (_SGF, "sgf"),
        (_NUMBERED, "moves"),
        (_HEXWORLD, "hexworld"),
        (_OWN_PAGE, "hexworld"),
        (_TRMPH, "trmph"),
        (_SIX, "six"),
        (_WIKI, "wiki"),
        (_COMMENTED, "moves"),
        (_JSON, "json"),
    ):
        if pattern.search(text):
            return name
    return "diagram" if _is_diagram(text) else "moves"


def holds_game(text: str) -> bool:
    """Return whether a text is a game, and not a file name: a link, SGF, JSON or moves.

    Moves with a mistake are still moves: reading them reports the mistake.
    """
    text = _unquote(text)
    if is_whole_game(text) or is_page(text) or moves.is_list(text) or _RECORD.search(text):
        return True
    # Reading a template of a wiki reports what can be read instead.
    return bool(moves.is_nearly_list(text) or _WIKI.search(text)) and not is_file_name(text)


def is_whole_game(text: str) -> bool:
    """Return whether a text is a link, a tag or SGF, not moves that resemble a link: `2,d4`."""
    return sniff(text) in _COLLECTIONS and not moves.is_list(text)


def is_file_name(text: str) -> bool:
    """Return whether a text looks like the name of a file with a game, not like a game."""
    return _FILE_NAME.fullmatch(text) is not None


def is_page(text: str) -> bool:
    """Return whether a text is one address, of a page whose address does not contain a game."""
    return _PAGE.fullmatch(text) is not None and sniff(text) in {"moves", "diagram"}


def _is_diagram(text: str) -> bool:
    """Return whether a text looks like a board.

    A board has no cell names, and only stones and empty cells; if any cell is empty, it is enough
    that half of the signs are. Other letters are mistakes if two rows are only cells; without
    such rows they are if no two are side by side and there is more than one row.
    A text that begins with column letters and row 1 is a board, whatever follows.
    """
    lines = [
        line
        for line in text.split("\n")
        if line.strip() and not diagram.is_hash(line) and diagram.read_caption(line) is None
    ]
    if len(lines) > 1 and diagram.is_label_line(lines[0]) and _FIRST_ROW.match(lines[1]):
        return True
    if any(_CELL.search(line) for line in lines):
        return False
    rows = [line for line in lines if not diagram.is_label_line(line)]
    others = [each for row in rows for each in _LETTERS.findall(row)]
    by_row = [re.sub(r"[\s\\0-9]", "", row) for row in rows]
    whole = [row for row in by_row if {*diagram.SYMBOLS} >= {*row} and {*diagram.EMPTY} & {*row}]
    if others and len(whole) < 2 and (len(rows) == 1 or len(max(others, key=len)) > 1):
        return False
    cells = "".join(by_row)
    valid = sum(symbol in diagram.SYMBOLS for symbol in cells)
    has_empty = any(symbol in cells for symbol in diagram.EMPTY)
    return bool(cells) and (valid == len(cells) or (has_empty and 2 * valid >= len(cells)))


# Reading: `read` for one game of a text, `read_all` for all of them, and `load` for a file.

_COLLECTIONS = {"sgf": sgf, "hexworld": hexworld, "trmph": trmph, "hexboard": hexboard}
_UNREAD = {
    "six": ".six files cannot be read: convert it to SGF",
    "hex": "the old <hex> tag cannot be read: convert it to SGF",
    "wiki": "a template of a wiki, in {{ }}, cannot be read: a <hexboard> tag can",
}
_PAGES = (
    "an address of a page, which is not read: links to HexWorld and trmph boards are; "
    "save the game there as SGF and read that file"
)
DEFAULT_SIZE = (11, 11)
_TAKING_TURNS = {None, "swap", "alternating"}  # RU of games in which the players alternate


Input: TypeAlias = str | bytes | large.Readable
# Columns and rows; 5 and `5x5` are (5, 5).
BoardSize: TypeAlias = Board | tuple[int, int] | int | str


@guide
def read(
    text: Input,
    *,
    format: str | None = None,  # noqa: A002 - the option's name
    size: BoardSize | None = None,
    id: str | None = None,  # noqa: A002 - the option's name
    number: int | None = None,
) -> Game:
    """Return the game in a text or an open file, whose format is recognized.

    `format`, one of `FORMATS`, overrides that. `size`, columns and rows such as (5, 9) or `5x9`,
    is the board of a move list; by default it is the size in the words around the moves, else
    11x11. Only with a `size`, or as `moves`, may a text be empty. `id` chooses from a suite, and
    `number`, from 1, among several games; by default the first is read, with a warning that gives
    their number. `warnings` of the game report anything odd. Raise FormatError if the text cannot
    be read, and ValueError if an option does not fit it.

    >>> import hsearch
    >>> link = hsearch.read("https://hexworld.org/board/#3,b2a3")
    >>> link == hsearch.read("1. b2 2. a3", size=3)
    True
    """
    if number is not None:
        expect("number", number, Integral, "the number of a game, from 1")
        if id is not None:
            raise ValueError("id= and number= exclude each other: an id names one position")
    content = _open(text, format, size)
    if id is not None and content.kind != "suite":
        raise FormatError(
            f"not a suite, but {content.kind}: its positions have no id such as {quote(id)}",
            token=id,
        )
    if content.kind == "suite" and number is None:
        return content.with_warnings(suite.pick(content.entries, id).game)
    read_game, count = _choose(content.games, number)
    if read_game is None:
        raise FormatError(f"no game {number}: there {'is' if count == 1 else 'are'} {count}")
    game = content.with_warnings(read_game())
    if number is None and count > 1:
        message = f"{count} games: this is the first, number=N reads another"
        game = replace(game, warnings=(*game.warnings, message))
    return game


def read_all(text: Input, *, size: BoardSize | None = None) -> Iterator[Game]:
    """Yield all games of a text, in order; raise as `read` does, at the first bad game."""
    return (game() for game in readers(text, size=size))


def readers(
    text: Input,
    *,
    format: str | None = None,  # noqa: A002 - the option's name
    size: BoardSize | None = None,
) -> Iterable[Callable[[], Game]]:
    """Return a reader for each game of a text, so that a bad game does not hide the others.

    A reader returns a game or raises. The result is a list, unless the text has more than
    MAX_LENGTH characters: then the games are found one by one.
    """
    content = _open(text, format, size)
    each = (partial(_read_with_warnings, content, game) for game in content.games)
    return list(each) if isinstance(content.games, Sequence) else each


@guide
def load(path: str | PathLike[str], **options: Any) -> Game:
    """Return the game in a file; the options are those of `read`.

    Raise OSError if the file cannot be opened, and what `read` raises.

    >>> import hsearch
    >>> from hsearch.formats import find_shipped
    >>> hsearch.load(find_shipped("puzzles/classic.txt"), id="5x5-henderson-11").position().turn
    Color.WHITE
    """
    try:
        with Path(path).open("rb") as file:
            return read(file, **options)
    except OSError as error:
        if isinstance(path, str) and holds_game(path):
            error.strerror, error.filename = "not a file: hsearch.read reads a link or moves", path
        raise


def _choose(
    games: Iterable[Callable[[], Game]], number: int | None
) -> tuple[Callable[[], Game] | None, int]:
    """Return the reader of game `number`, or of the first, and the number of games counted."""
    choice, count = None, 0
    for count, game in enumerate(games, start=1):
        if count == (1 if number is None else number):
            choice = game
            if number is not None:
                break
    return choice, count


@dataclass(frozen=True, slots=True)
class _Text:
    """A text whose format is known.

    kind      the format
    warnings  about how it was decoded
    games     a reader for each game
    entries   the entries of a suite
    """

    kind: str
    warnings: tuple[str, ...]
    games: Iterable[Callable[[], Game]]
    entries: list[suite.SuiteEntry] = field(default_factory=list)

    def with_warnings(self, game: Game) -> Game:
        """Return a game with all its warnings: about the text, the moves and the result."""
        warnings = (
            *self.warnings,
            *game.warnings,
            *_out_of_turn(game),
            *_after_the_end(game),
            *self._contradictions(game),
        )
        return game if warnings == game.warnings else replace(game, warnings=warnings)

    def _contradictions(self, game: Game) -> Iterator[str]:
        """Yield a warning if the result names another winner than the stones or the last move.

        There is also one if the result is not understood.
        """
        text = quote(f"{game.result}" if self.kind == "moves" else f"RE[{game.result}]")
        result = outcome((), game.result_by_color)
        if result is None:
            if (game.result or "").strip().lower() not in _NOBODY:
                yield f"{text} names no winner, as B+ or W+Resign do"
            return
        end = Position.of(game.board)
        for node in game.main_line:
            end = follow(end, node)
        claim = f"{text} names {result.winner.title}"
        last = game.moves[-1].action if game.moves else None
        ending = outcome(game.moves, None)
        if winner(end) is result.winner.opponent:
            yield f"{claim}, but {result.winner.opponent.title}'s stones join the edges"
        elif (
            ending is not None and ending.winner is not result.winner and isinstance(last, Special)
        ):
            yield f"{claim}, but the last move is {result.winner.title}'s {last.value}"


def _out_of_turn(game: Game) -> Iterator[str]:
    """Yield a warning about the first move out of turn, unless RU names other rules."""
    number = game.out_of_turn if game.about("RU") in _TAKING_TURNS else None
    if number is not None:
        move = game.moves[number - 1]
        color = move.color.title
        yield f"move {number}, {move.name(game.board)}: {color} moves twice in a row"


def _after_the_end(game: Game) -> Iterator[str]:
    """Yield a warning about the first stone that is played after a chain has won."""
    if game.is_sealed:
        return
    line, position = game.main_line, Position.of(game.board)
    positions = [position := follow(position, node) for node in line]
    end = first_win(positions)
    number = sum(node.move is not None for node in line[: end + 1])
    for before, node in zip(positions[end:], line[end + 1 :], strict=False):
        number += node.move is not None
        if node.move is None or node.move.cell is None:
            continue
        won_by = winner(before)  # stones may have been taken off since
        if won_by is not None:
            name = f"move {number}, {node.move.name(game.board)}"
            yield f"{name}: {won_by.title}'s stones join the edges before it"
            return


# Results of games that nobody has won.
_NOBODY = {"", "?", "-", "*", "0", "void", "draw", "none", "unknown", "unfinished"}


def _read_with_warnings(content: _Text, game: Callable[[], Game]) -> Game:
    return content.with_warnings(game())


def _open(data: Input, kind: str | None, size: BoardSize | None) -> _Text:
    """Return a text with its format; raise as `read` does."""
    if kind is not None and kind not in FORMATS:
        raise ValueError(f"unknown format {kind!r} (known: {', '.join(FORMATS)})")
    stream: Any = data
    if isinstance(data, str | bytes):
        stream = io.StringIO(data, newline="") if isinstance(data, str) else io.BytesIO(data)
    elif not hasattr(data, "read"):
        raise TypeError(f"hsearch.read takes a text or an open file, not {repr(data)[:80]}")
    head = _head(stream)
    if len(head) > MAX_LENGTH:
        return _open_large(head, stream, kind)
    return _open_whole(head, kind, size)


def _head(stream: large.Readable) -> str | bytes:
    """Return all of a stream, or its first MAX_LENGTH + 1 characters.

    A stream that is not buffered may return less than all, as from a pipe, and is read again.
    Others are read once: at a terminal, the user would have to end the text again.
    """
    parts: list[Any] = []
    remaining = MAX_LENGTH + 1
    while remaining and (part := stream.read(remaining)):
        parts.append(part)
        remaining -= len(part)
        if isinstance(stream, io.BufferedIOBase | io.TextIOBase):
            break
    nothing: Any = parts[0][:0] if parts else b""
    return nothing.join(parts)  # type: ignore[no-any-return]


def _open_whole(data: str | bytes, kind: str | None, size: BoardSize | None) -> _Text:
    """Return a text of at most MAX_LENGTH characters with its format."""
    is_board_known = kind == "moves" or (kind is None and size is not None)
    if is_board_known and not data.strip():
        return _Text("moves", (), _readers("", "moves", size))  # a game without moves
    text, warnings = decode(data)
    if kind in {None, "moves"}:
        text = _unquote(text)
    if kind is None:
        text, kind = _recognize(text)
    if kind in _UNREAD:
        raise FormatError(_UNREAD[kind])
    if kind == "suite":
        entries = suite.read(text)
        return _Text(kind, warnings, [partial(_game, entry) for entry in entries], entries)
    around = None if kind != "moves" or moves.is_list(text) else moves.surroundings(text)
    if around is not None:
        return _open_within(around, warnings, size)
    return _Text(kind, warnings, _readers(text, kind, size))


def _recognize(text: str) -> tuple[str, str]:
    """Return a board or moves bare, any other text as it is, and its format.

    Raise FormatError for an address of a page and the name of a file.
    """
    kind = sniff(text)
    if kind in {"moves", "diagram"}:
        text = _bare(text)
        if not text.strip():
            raise FormatError(_NOTHING)
        kind = sniff(text)
    if is_page(text):
        raise FormatError(_PAGES)
    if kind in {"moves", "diagram"} and is_file_name(text):
        name = quote(text.strip())
        raise FormatError(f"{name} is the name of a file: `hsearch.load` reads files")
    return text, kind


def _open_within(
    around: moves.Surroundings, warnings: tuple[str, ...], size: BoardSize | None
) -> _Text:
    """Return the moves of a text with words around them, which name the board without `size`."""
    readers = _readers(around.moves, "moves", around.size if size is None else size)
    return _Text("moves", (*warnings, around.warning), readers)


def _unquote(text: str) -> str:
    """Return moves that are a list of Python or JSON without its signs, else the text."""
    if not _WORDS.fullmatch(text):
        return text
    start = max(text.find("["), text.find("("))
    return " " * start + re.sub(r"[\[\]()\"']", " ", text[start:])


def _bare(text: str) -> str:
    """Return a board or moves without what chats and mails put around them, line for line.

    That is fences of backquotes, `>` before lines, quotes around the fields of a table, and
    full-width letters.
    """
    lines = ["" if line.lstrip().startswith("```") else line for line in text.split("\n")]
    lines = [" " + line[1:] if line.startswith(">") else line for line in lines]
    text = _FIELD.sub(r"  \1", "\n".join(lines))
    return unicodedata.normalize("NFKC", text) if _WIDE.search(text) else text


def _open_large(head: str | bytes, rest: large.Readable, kind: str | None) -> _Text:
    """Return a text that is not read as a whole; raise FormatError if its format forbids that."""
    is_wide, codec = False, None
    if isinstance(head, bytes):
        is_wide = any(head.startswith(mark) for mark, name in _MARKS if name != "utf-8")
        codec = _find_codec(head)
    if kind is None:
        kind = sniff(head if isinstance(head, str) else head.decode("utf-8", "replace"))
    if kind not in large.FORMATS or is_wide:
        many = " and ".join(name.upper() for name in large.FORMATS)
        raise FormatError(
            f"too long: more than {MAX_LENGTH:,} characters, which {many} alone may be"
        )
    return _Text(kind, (), large.games(rest, head, kind, codec or "utf-8", MAX_LENGTH))


def _readers(text: str, kind: str, size: BoardSize | None) -> Sequence[Callable[[], Game]]:
    """Return a reader for each game of a text; one that raises the error if there is none."""
    if kind in _COLLECTIONS:
        places, read_at = _COLLECTIONS[kind].places(text), _COLLECTIONS[kind].read
        return [partial(read_at, text, place) for place in places or [0]]
    if kind == "json":
        return json_games.readers(text)
    of_one_game: dict[str, Callable[[], Game]] = {
        "moves": lambda: moves.read(text, _board(size)),
        "diagram": lambda: diagram.read(text),
    }
    return [of_one_game[kind]]


def _board(size: BoardSize | None) -> Board:
    if size is None:
        size = DEFAULT_SIZE
    if isinstance(size, Board):
        return size
    if isinstance(size, (int, Integral)):
        return Board(int(size))
    if isinstance(size, str):
        size = read_size(size)
    expect("size", size, Sequence, "columns and rows, such as (5, 9) or '5x9'")
    return Board(*size)


def _game(entry: suite.SuiteEntry) -> Game:
    return entry.game


# Writing: `write` is the inverse of `read`.

Written: TypeAlias = Literal["sgf", "hexworld", "hexboard", "diagram", "moves"]
WRITTEN: tuple[str, ...] = get_args(Written)


@guide
def write(value: Game | Position, format: str = "sgf") -> str:  # noqa: A002 - as of `read`
    """Return a game or a position as text in a format, one of `WRITTEN`.

    A hexboard and a diagram show the current position. A line below names the player to move
    where the numbers of stones do not, if the player is known.
    Raise ValueError if there is no such format, or if it cannot express the game.

    >>> import hsearch
    >>> print(hsearch.write(hsearch.Game.of(3, "b2 a3"), "hexworld"), end="")
    https://hexworld.org/board/#3,b2a3
    """
    expect("value", value, (Game, Position), "a game or a position")
    if format not in WRITTEN:
        raise ValueError(f"unknown format {format!r} to write (known: {', '.join(WRITTEN)})")
    game = Game.of_position(value) if isinstance(value, Position) else value
    if format != "sgf" and game.is_sealed:
        raise ValueError(f"{format} cannot hold the game: {SEALED}")
    if format in {"hexboard", "diagram"}:
        draw = hexboard.write if format == "hexboard" else diagram.write
        picture = draw(game.position(turn=Color.BLACK)).rstrip("\n")
        return f"{picture}\n{diagram.write_turn(game)}"
    text = {"sgf": sgf.write, "hexworld": hexworld.write, "moves": moves.write}[format](game)
    return text.rstrip("\n") + "\n"

"""Any text to its game, or to all of its games: `read`, `read_all`, and `load` for a file."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from hsearch.board import Board, read_size
from hsearch.formats import diagram, hexboard, hexworld, moves, sgf, suite, trmph
from hsearch.formats.encoding import decode
from hsearch.formats.error import FormatError, quoted
from hsearch.formats.sniff import FORMATS, is_file_name, is_page, sniff
from hsearch.game import Game

_COLLECTIONS = {"sgf": sgf, "hexworld": hexworld, "hexboard": hexboard}
_UNREAD = {"six": ".six files", "hex": "the old <hex> tag", "json": "JSON"}
_PAGES = (
    "an address of a page, which is not read: links to HexWorld and trmph boards are; "
    "save the game there as SGF and name that file"
)
_ELEVEN = (11, 11)
_TAKING_TURNS = {None, "swap", "alternating"}  # what RU says where the players do

Size: TypeAlias = tuple[int, int] | int | str  # columns and rows; 5 and `5x5` are (5, 5)


def read(
    text: str | bytes,
    *,
    format: str | None = None,  # noqa: A002 - the option's name
    size: Size = _ELEVEN,
    id: str | None = None,  # noqa: A002 - the option's name
    number: int | None = None,
) -> Game:
    """Return the game that a text holds, in the format that it looks like.

    `format` is one of `FORMATS`. `size`, columns and rows as (5, 9) or `5x9`,
    is the board of a move list, which does not tell. `id` chooses from a suite, `number` from
    several games, counted from 1; without it the first is read, and a warning
    tells how many there are. The game's `warnings` tell what was odd. Raise
    FormatError when the text cannot be read, and ValueError when an option does
    not fit it.
    """
    found = _open(text, format, size)
    if id is not None and found.kind != "suite":
        raise FormatError(f"no suite, but {found.kind}: it has no position {quoted(id)}", token=id)
    if found.kind == "suite" and (id is not None or number is None):
        return found.warned(suite.pick(found.entries, id).game)
    count = len(found.games)
    if number is not None and not 1 <= number <= count:
        raise FormatError(f"no game {number}: there {'is' if count == 1 else 'are'} {count}")
    game = found.warned(found.games[(number or 1) - 1]())
    if number is None and count > 1:
        told = f"{count} games: this is the first, --game N reads another"
        game = replace(game, warnings=(*game.warnings, told))
    return game


def read_all(
    text: str | bytes,
    *,
    format: str | None = None,  # noqa: A002 - the option's name
    size: Size = _ELEVEN,
) -> Iterator[Game]:
    """Yield all games of a text, in order; raise as `read` does, at the game that is bad."""
    return (game() for game in readers(text, format=format, size=size))


def readers(
    text: str | bytes,
    *,
    format: str | None = None,  # noqa: A002 - the option's name
    size: Size = _ELEVEN,
) -> Sequence[Callable[[], Game]]:
    """Return what reads each game of a text, so that one that is bad does not hide the others."""
    found = _open(text, format, size)
    return [partial(_warned, found, game) for game in found.games]


def load(path: str | PathLike[str], **options: Any) -> Game:
    """Return the game that a file holds; the options are those of `read`.

    Raise OSError when the file cannot be opened.
    """
    return read(Path(path).read_bytes(), **options)


@dataclass(frozen=True, slots=True)
class _Text:
    """A text whose format is known.

    warnings  what was odd about its bytes
    games     what reads each of its games
    entries   those of a suite
    """

    kind: str
    warnings: tuple[str, ...]
    games: Sequence[Callable[[], Game]]
    entries: list[suite.SuiteEntry] = field(default_factory=list)

    def warned(self, game: Game) -> Game:
        """Return a game that tells of the bytes, too, and of a move out of turn."""
        warnings = (*self.warnings, *game.warnings, *_out_of_turn(game))
        return game if warnings == game.warnings else replace(game, warnings=warnings)


def _out_of_turn(game: Game) -> Iterator[str]:
    """Yield a warning of the first move out of turn, unless other rules are named."""
    number = game.out_of_turn if game.about("RU") in _TAKING_TURNS else None
    if number is not None:
        move = game.moves[number - 1]
        color = move.color.word.capitalize()
        yield f"move {number}, {move.name(game.board)}: {color} moves twice in a row"


def _warned(found: _Text, game: Callable[[], Game]) -> Game:
    return found.warned(game())


def _open(data: str | bytes, kind: str | None, size: Size) -> _Text:
    """Return a text with its format; raise as `read` does."""
    if kind is not None and kind not in FORMATS:
        raise ValueError(f"no format {kind!r}, but: {', '.join(FORMATS)}")
    if kind == "moves" and not data.strip():
        return _Text(kind, (), _readers("", kind, size))  # no moves, which is a game
    text, warnings = decode(data)
    if kind is None:
        kind = sniff(text)
        if is_page(text):
            raise FormatError(_PAGES)
        if kind in {"moves", "diagram"} and is_file_name(text):
            name = quoted(text.strip())
            raise FormatError(f"{name} is the name of a file: `hsearch.load` reads files")
    if kind in _UNREAD:
        raise FormatError(f"{_UNREAD[kind]} cannot be read: convert it to SGF")
    if kind == "suite":
        entries = suite.read(text)
        return _Text(kind, warnings, [partial(_game, entry) for entry in entries], entries)
    return _Text(kind, warnings, _readers(text, kind, size))


def _readers(text: str, kind: str, size: Size) -> Sequence[Callable[[], Game]]:
    """Return what reads each game of a text; one that says what is wrong if there is none."""
    if kind in _COLLECTIONS:
        places, read_at = _COLLECTIONS[kind].places(text), _COLLECTIONS[kind].read
        return [partial(read_at, text, place) for place in places or [0]]
    if kind == "trmph":
        return [lambda: trmph.read(text)]
    if kind == "moves":
        return [lambda: moves.read(text, _board(size))]
    return [lambda: diagram.read(text)]


def _board(size: Size) -> Board:
    if isinstance(size, int):
        return Board(size, size)
    return Board(*(read_size(size) if isinstance(size, str) else size))


def _game(entry: suite.SuiteEntry) -> Game:
    return entry.game
